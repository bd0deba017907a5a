/** What an update back to an earlier state contains, and what it does not restore. */
import assert from 'node:assert/strict';
import { omitMasked } from '../../../../src/actions/file/omit-masked.ts';
import { createRestoring } from '../../../../src/actions/file/restore-state.ts';

suite('new action files', () => {
  test('what an update does not restore is named', () => {
    const state = { owner: '0xa', metadata: { name: 'a' }, custom: { seat: 1, note: 'x' } };
    const present = { owner: '0xb', metadata: { name: 'a' }, custom: { seat: 2, extra: 1 } };
    assert.deepEqual(createRestoring(state, present), {
      data: { metadata: {}, custom: { seat: 1, note: 'x' } },
      left: ['owner', 'custom.extra'],
    });
  });

  test('no field has a masked value or a secret, however deep: each is left out whole, and named', () => {
    const custom = {
      seat: 1,
      wifi: { name: 'home', password: '••••' },
      '••••': 2,
      list: ['no ••••'],
      pin: 'key-value',
    };
    const fields = { id: 'o', data: { metadata: { name: 'a' }, custom, more: '••••' }, to: '••••' };
    assert.deepEqual(
      omitMasked(fields, (text) => text.replaceAll('key-value', '••••')),
      {
        fields: { id: 'o', data: { metadata: { name: 'a' }, custom: { seat: 1 } } },
        omitted: ['data.custom.wifi', 'data.custom.••••', 'data.custom.list', 'data.custom.pin', 'data.more', 'to'],
      },
    );
  });
});
