/** Confirmations of agents' calls, over interleavings of dialogs: a call is never sent where its own dialog did not name. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Confirmations } from '../../../src/agents/confirmations.ts';

/** A dialog that VS Code shows. It tells nobody which one it is. */
interface Dialog {
  readonly input: object;
  readonly session: string;
}

const step = fc.oneof(
  // The session is that of the active connection and its current identity, which the user changes at any time.
  fc.record({
    type: fc.constant('show' as const),
    input: fc.constantFrom({ text: 'a' }, { text: 'b' }, { text: 'a', connection: 'A' }),
    session: fc.constantFrom('A as owner', 'A as buyer', 'B'),
  }),
  fc.record({ type: fc.constantFrom('approve' as const, 'decline' as const), at: fc.nat(5) }),
);

suite('confirmations of calls', () => {
  test('a call is sent where its dialog said, or is confirmed again', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const confirmations = new Confirmations<string>();
        const open: Dialog[] = [];
        for (const action of steps) {
          if (action.type === 'show') {
            confirmations.record({ ...action.input }, action.session);
            open.push(action);
          } else {
            const [dialog] = open.splice(action.at, 1);
            if (dialog === undefined || action.type === 'decline') continue;
            const confirmation = confirmations.take({ ...dialog.input });
            assert.ok(confirmation !== undefined, 'a call that was approved is one that was shown');
            if (confirmation !== 'several') assert.equal(confirmation.session, dialog.session);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('declined on one connection, then approved on another: not sent on the first', () => {
    const confirmations = new Confirmations<string>();
    confirmations.record({ text: 'a' }, 'A');
    confirmations.record({ text: 'a' }, 'B');
    assert.equal(confirmations.take({ text: 'a' }), 'several');
  });

  test('a dialog that is the only one, or one of several for the same session, is enough', () => {
    const confirmations = new Confirmations<string>();
    for (const session of ['A', 'A']) confirmations.record({ text: 'a' }, session);
    assert.deepEqual(confirmations.take({ text: 'a' }), { session: 'A' });
    assert.deepEqual(confirmations.take({ text: 'a' }), { session: 'A' });
    assert.equal(confirmations.take({ text: 'a' }), undefined);
    confirmations.record({ text: 'a' }, 'B');
    assert.deepEqual(confirmations.take({ text: 'a' }), { session: 'B' });
  });
});
