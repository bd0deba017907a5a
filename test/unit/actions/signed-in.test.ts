/** A sign-in stands before every confirmation, and what goes on is the session that it made. */
import assert from 'node:assert/strict';
import { signedIn } from '../../../src/actions/signed-in.ts';
import type { Session } from '../../../src/connections/types.ts';
import type { Question } from '../../../src/ui/ui.ts';

/** The fields that are looked at; the rest of a session is never touched. */
function session(held: boolean): Session {
  const parts: unknown = {
    profile: { name: 'Live', baseUrl: 'https://example.com' },
    heading: 'PRODUCTION · Live',
    holds: new Set(held ? ['apiKey'] : []),
    signedOutBecause: held ? undefined : 'Not signed in',
  };
  return parts as Session;
}

suite('signed in before an execution', () => {
  const out = session(false);
  const fresh = session(true);
  const cases: readonly {
    readonly what: string;
    readonly given: Session;
    readonly agreed: boolean;
    readonly after: Session | undefined;
    readonly result: Session | undefined;
    readonly steps: readonly string[];
  }[] = [
    { what: 'signed in: asks nothing', given: fresh, agreed: false, after: fresh, result: fresh, steps: [] },
    {
      what: 'declined: nothing more',
      given: out,
      agreed: false,
      after: fresh,
      result: undefined,
      steps: ['Not signed in to PRODUCTION · Live'],
    },
    ...[fresh, out, undefined].map((after) => ({
      what: `signed in ${after === fresh ? 'with success' : after === out ? 'in vain' : 'to what was removed'}`,
      given: out,
      agreed: true,
      after,
      result: after === fresh ? fresh : undefined,
      steps: ['Not signed in to PRODUCTION · Live', 'signIn Live'],
    })),
  ];
  for (const { what, given, agreed, after, result, steps } of cases) {
    test(what, async () => {
      const done: string[] = [];
      const confirm = ({ message }: Question): Promise<boolean> => {
        done.push(message);
        return Promise.resolve(agreed);
      };
      const found = await signedIn({ sessions: { get: () => after }, ui: { confirm } }, given, (name) => {
        done.push(`signIn ${name}`);
        return Promise.resolve();
      });
      assert.equal(found, result);
      assert.deepEqual(done, steps);
    });
  }
});
