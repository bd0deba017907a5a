import assert from 'node:assert/strict';
import { PendingText } from '../../../../../src/webviews/client/logs/table/pending-text.ts';

suite('search text that the host has not confirmed', () => {
  test('is not overwritten by older states, and gives way once it is confirmed', () => {
    const pending = new PendingText();
    assert.ok(pending.accepts('from a link'));
    pending.type('mint');
    assert.ok(!pending.accepts(''));
    pending.post('mint');
    assert.ok(!pending.accepts(''));
    assert.ok(pending.accepts('mint'));
    assert.ok(pending.accepts('from a link'));
  });

  test('a text that was typed and cleared at once does not come back', () => {
    const pending = new PendingText();
    pending.type('mint');
    pending.post('mint');
    pending.type('');
    assert.ok(!pending.accepts(''), 'the state from before the text was typed');
    assert.ok(!pending.accepts('mint'));
    pending.post('');
    assert.ok(pending.accepts(''));
  });
});
