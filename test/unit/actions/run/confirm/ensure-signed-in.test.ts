import assert from 'node:assert/strict';
import { ensureSignedIn, isSignedOut } from '../../../../../src/actions/run/confirm/ensure-signed-in.ts';
import type { Session } from '../../../../../src/model/session/session.ts';
import type { ConfirmOptions } from '../../../../../src/ui/ui.ts';

/** The fields that are used; the rest of a session is not. */
function session(isSignedIn: boolean): Session {
  const parts: unknown = {
    profile: { name: 'Live', baseUrl: 'https://example.com' },
    heading: 'PRODUCTION · Live',
    credentialKinds: new Set(isSignedIn ? ['apiKey'] : []),
    signedOutReason: isSignedIn ? undefined : 'Not signed in',
  };
  return parts as Session;
}

suite('signed in before an execution', () => {
  test('signed out is who has no credential and needs one', () => {
    const reason = { signedOutReason: 'Not signed in' };
    assert.equal(isSignedOut({ credentialKinds: new Set(), ...reason }), true);
    assert.equal(isSignedOut({ credentialKinds: new Set(['apiKey']), ...reason }), false);
    assert.equal(isSignedOut({ credentialKinds: new Set(), signedOutReason: undefined }), false);
  });

  const out = session(false);
  const newSession = session(true);
  const cases: readonly {
    readonly what: string;
    readonly initial: Session;
    readonly agreed: boolean;
    readonly after: Session | undefined;
    readonly result: Session | undefined;
    readonly steps: readonly string[];
  }[] = [
    {
      what: 'signed in: asks nothing',
      initial: newSession,
      agreed: false,
      after: newSession,
      result: newSession,
      steps: [],
    },
    {
      what: 'declined: nothing more',
      initial: out,
      agreed: false,
      after: newSession,
      result: undefined,
      steps: ['Not signed in to PRODUCTION · Live'],
    },
    ...[newSession, out, undefined].map((after) => ({
      what: `signed in ${after === newSession ? 'with success' : after === out ? 'in vain' : 'to what was removed'}`,
      initial: out,
      agreed: true,
      after,
      result: after === newSession ? newSession : undefined,
      steps: ['Not signed in to PRODUCTION · Live', 'signIn Live'],
    })),
  ];
  for (const { what, initial, agreed, after, result, steps } of cases) {
    test(what, async () => {
      const done: string[] = [];
      const confirm = ({ message }: ConfirmOptions): Promise<boolean> => {
        done.push(message);
        return Promise.resolve(agreed);
      };
      const found = await ensureSignedIn(
        { sessions: { getIdentity: () => after }, ui: { confirm } },
        initial,
        ({ profile }) => {
          done.push(`signIn ${profile.name}`);
          return Promise.resolve();
        },
      );
      assert.equal(found, result);
      assert.deepEqual(done, steps);
    });
  }
});
