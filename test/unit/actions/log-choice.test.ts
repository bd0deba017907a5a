/** The choice of the action log of a request: what the server sent is plain text. */
import assert from 'node:assert/strict';
import { createLogChoice } from '../../../src/actions/log-choice.ts';
import { formatTimestamp } from '../../../src/model/text/time-format.ts';

suite('the choice of an action log', () => {
  test('text of the server reorders nothing, and is no icon', () => {
    const id = '$(error) act\u202e1';
    const when = '2026-03-02T10:00:00.000Z';
    const choice = createLogChoice(id, ['$(check) compl\u202eeted', undefined, when, 7, '0x1\nline\u001b[31m']);
    assert.deepEqual(choice, {
      label: 'Its action log is $\u2060(error) act 1',
      description: `$\u2060(check) compl eted · ${formatTimestamp(Date.parse(when))} · 0x1 line [31m`,
      id,
    });
  });
});
