import assert from 'node:assert/strict';
import { findState } from '../../../../../src/webviews/client/page/find-state.ts';

suite('states of the time machine', () => {
  test('a state is found again when older ones were loaded, which move its place and its step', () => {
    const [older, before, after] = ['0x0', '0x1', '0x2'].map((root, step) => ({ root, step: step - 1, fields: [] }));
    assert(older && before && after);
    const moved = [older, { ...before, step: 5 }, { ...after, step: 6 }];
    assert.equal(findState(moved, before), 1);
    assert.equal(findState(moved, { root: '0x9', step: 0, fields: [] }), -1);
    assert.equal(findState(moved, undefined), -1);
  });
});
