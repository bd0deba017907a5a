import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { listActions } from '../../../src/pages/actions.ts';
import { useDisplayLanguage } from '../../support/display-languages.ts';
import { pageProtocol } from '../../../src/webviews/protocol/page.ts';

suite('actions of a page', () => {
  test('names and tokens of any length are shown, or left out where a button could not send them', () => {
    const tokens = Object.fromEntries([['T'.repeat(5000), 1]]);
    const actions = [
      { name: 'transfer' },
      { name: 'pay', access: { type: 'token', tokens } },
      { name: '' },
      { name: 'n'.repeat(301) },
      { name: 'n'.repeat(300), alias: '\u202e\n' },
    ];
    const listed = listActions({ connection: 'c', kind: 'objects', id: 'o' }, { id: 't', actions });
    assert.deepEqual(
      listed.map(({ name, label }) => [name.slice(0, 8), label]),
      [
        ['transfer', 'Transfer…'],
        ['pay', 'Pay…'],
        ['nnnnnnnn', `N${'n'.repeat(38)}……`],
      ],
    );
    z.parse(pageProtocol.toView.state.shape.actions, listed);
  });
});

suite('actions of a page in another display language', () => {
  useDisplayLanguage('de');

  test('are named as the commands on rows, unless the template names them; what ends an object is last', () => {
    const actions = [{ name: 'burn' }, { name: 'transfer' }, { name: 'redeem', alias: 'Scan' }, { name: 'pay' }];
    const listed = listActions({ connection: 'c', kind: 'objects', id: 'o' }, { id: 't', actions });
    assert.deepEqual(
      listed.map(({ label }) => label),
      ['Übertragen…', 'Scan…', 'Pay…', 'Vernichten…'],
    );
  });
});
