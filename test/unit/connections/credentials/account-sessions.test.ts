/** The accounts of the authentication provider: what other extensions may obtain, and what the Accounts menu does. */
import assert from 'node:assert/strict';
import { Accounts } from '../../../../src/connections/credentials/account-sessions.ts';
import type { ConnectionSession } from '../../../../src/connections/session/connection-session.ts';
import { SessionMap } from '../../../../src/connections/session/session-map.ts';
import type { Credential } from '../../../../src/platform/http/credential-headers.ts';
import { createTestProfile } from '../../../support/platform-client.ts';
import { createTestSession, jwt } from '../support.ts';

const ANNA = jwt({ sub: 'anna' });
const BEN = jwt({ sub: 'ben' });
const EXPIRED = jwt({ sub: 'anna', exp: 1_577_836_800 });

/** What was signed in to and out of. */
let calls: (readonly unknown[])[] = [];

/** The credentials by connection and identity; `answer`: the credential that the user enters when asked. */
function createAccounts(
  credentials: Readonly<Record<string, Readonly<Record<string, Credential | undefined>>>>,
  answer?: Credential | 'removed',
  chosen?: string,
): Accounts {
  const map = new SessionMap(() => chosen);
  map.setAll(
    new Map(
      Object.entries(credentials).map(([name, identities]) => [
        name,
        new Map(
          Object.entries(identities).map(([identity, credential]) => [
            identity,
            createTestSession({
              profile: { ...createTestProfile('http://127.0.0.1:1'), name },
              identity,
              hasOtherIdentities: () => Object.keys(identities).length > 1,
              credential,
            }),
          ]),
        ),
      ]),
    ),
  );
  const signIn = (session: ConnectionSession): Promise<void> => {
    calls.push(['sign in', session.profile.name, session.identityKey]);
    if (answer === 'removed') map.setAll(new Map());
    else if (answer !== undefined) session.replaceCredential(answer);
    return Promise.resolve();
  };
  const store = {
    get all(): readonly ConnectionSession[] {
      return map.current;
    },
    get: (name: string) => map.getCurrent(name),
    getIdentities: (name: string) => map.getIdentities(name),
    getIdentity: (name: string, identity?: string) => map.get(name, identity),
    signOut: (...of: readonly unknown[]): Promise<void> => {
      calls.push(['sign out', ...of]);
      return Promise.resolve();
    },
  };
  return new Accounts(store, signIn);
}

suite('accounts', () => {
  setup(() => {
    calls = [];
  });

  const several = {
    One: { default: { accessToken: ANNA, apiKey: 'key-1' }, buyer: { accessToken: BEN } },
    Two: { default: { apiKey: 'key-2' } },
    Three: { default: undefined },
    Four: { default: { accessToken: 'opaque' } },
  };

  test('VS Code lists all, with no token for those signed in by API key', () => {
    const account = (id: string, label: string, accessToken: string): object => ({
      id,
      accessToken,
      account: { id, label },
      scopes: [id.split('/')[0]],
    });
    assert.deepEqual(createAccounts(several).list(undefined), [
      account('One/anna', 'One as default: anna', ANNA),
      account('One/ben/buyer', 'One as buyer: ben', BEN),
      account('Two/', 'Two: API key', ''),
      account('Four/', 'Four', 'opaque'),
    ]);
  });

  test('another extension obtains sessions with a token only, of the connection that its scope names', () => {
    const accounts = createAccounts(several);
    const list = (...scopes: string[]): readonly string[] => accounts.list(scopes).map(({ id }) => id);
    assert.deepEqual(list(), ['One/anna', 'One/ben/buyer', 'Four/']);
    assert.deepEqual(list('One'), ['One/anna', 'One/ben/buyer']);
    assert.deepEqual(list('Four'), ['Four/']);
    assert.deepEqual([list('Two'), list('Three'), list('Other'), list('One', 'Four'), list('')], [[], [], [], [], []]);
  });

  test('the label of a long subject is cut', () => {
    const [account] = createAccounts({ One: { default: { accessToken: jwt({ sub: 'x'.repeat(99) }) } } }).list([]);
    assert.equal(account?.account.label, `One: ${'x'.repeat(60)}`);
  });

  test('a valid token is returned without asking: that of the account, else of the current identity', async () => {
    const accounts = createAccounts(several, undefined, 'buyer');
    assert.equal((await accounts.create(['One'])).accessToken, BEN);
    assert.equal((await accounts.create(['One'], 'One/anna')).accessToken, ANNA);
    assert.equal((await accounts.create(['One'], 'One/nobody')).accessToken, BEN);
    assert.deepEqual(calls, []);
  });

  test('without a token, or with an expired one, the user signs in to that identity', async () => {
    for (const credential of [undefined, { apiKey: 'key-1' }, { accessToken: EXPIRED }]) {
      calls = [];
      const accounts = createAccounts(
        { One: { default: { accessToken: BEN }, buyer: credential } },
        { accessToken: ANNA },
        'buyer',
      );
      const { id, accessToken } = await accounts.create(['One']);
      assert.deepEqual([id, accessToken], ['One/anna/buyer', ANNA]);
      assert.deepEqual(calls, [['sign in', 'One', 'buyer']]);
    }
  });

  test('cancelled, signed in by API key, or removed meanwhile: no session', async () => {
    for (const answer of [undefined, { apiKey: 'key-1' }, 'removed'] as const)
      await assert.rejects(createAccounts({ One: { default: undefined } }, answer).create(['One']), {
        message: 'One is not signed in with an access token',
      });
  });

  test('scopes that name no connection, or several, sign in to nothing', async () => {
    const accounts = createAccounts(several);
    for (const scopes of [[], ['One', 'Four']])
      await assert.rejects(accounts.create(scopes), { message: 'Use one scope: the name of a connection' });
    await assert.rejects(accounts.create(['Other']), { code: 'notFound' });
    assert.deepEqual(calls, []);
  });

  test('Sign Out of the Accounts menu ends that identity alone', async () => {
    const accounts = createAccounts(several);
    await accounts.remove('One/ben/buyer');
    await accounts.remove('Two/');
    await accounts.remove('One/ben');
    assert.deepEqual(calls, [
      ['sign out', 'One', ['buyer']],
      ['sign out', 'Two', ['default']],
    ]);
  });
});
