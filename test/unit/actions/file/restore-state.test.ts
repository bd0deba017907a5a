/** What an update back to an earlier state contains, and what it does not restore. */
import assert from 'node:assert/strict';
import { createRestoring } from '../../../../src/actions/file/restore-state.ts';

suite('restoring an earlier state', () => {
  test('a masked value is never written, and is named with what else an update does not restore', () => {
    const state = { owner: '0xa', metadata: { name: 'a' }, custom: { seat: 1, wifi: { password: '••••' }, note: 'x' } };
    const present = {
      owner: '0xb',
      metadata: { name: 'a' },
      custom: { seat: 2, wifi: { password: '••••' }, extra: 1 },
    };
    assert.deepEqual(createRestoring(state, present), {
      data: { metadata: {}, custom: { seat: 1, note: 'x' } },
      left: ['owner', 'custom.wifi', 'custom.extra'],
    });
  });
});
