/** Which credentials a connection has, by identity, and what signing out removes. */
import assert from 'node:assert/strict';
import { CredentialStore } from '../../../../src/connections/credentials/credential-store.ts';
import { KnownSecrets } from '../../../../src/connections/credentials/known-secrets.ts';
import { readProfiles } from '../../../../src/connections/profiles/read-profiles.ts';
import { CredentialSources } from '../../../../src/connections/session/credential-sources.ts';
import { WorkspaceSignIns } from '../../../../src/connections/profiles/workspace-sign-ins.ts';
import type { Profile } from '../../../../src/model/session/session.ts';
import { InMemoryMemento, InMemorySecretStorage, InMemorySignOutTimes } from '../support.ts';

function profile(baseUrl = 'https://one.example'): Profile {
  const [found] = readProfiles([{ name: 'Shop', baseUrl }], undefined).profiles;
  assert.ok(found);
  return found;
}

suite('credentials by identity', () => {
  let secrets: InMemorySecretStorage;
  let sources: CredentialSources;
  let otherWorkspace: CredentialSources;
  setup(() => {
    secrets = new InMemorySecretStorage();
    const store = new CredentialStore(secrets, new InMemorySignOutTimes());
    const create = (): CredentialSources =>
      new CredentialSources(store, new WorkspaceSignIns(new InMemoryMemento()), new KnownSecrets(), {
        warn: () => undefined,
      });
    [sources, otherWorkspace] = [create(), create()];
  });
  const list = async (of: Profile): Promise<readonly string[]> => [...(await sources.readAll(of)).keys()];

  test('signing out of all removes those that could not be stored, those of another address too', async () => {
    secrets.fault = 'rejects';
    for (const identity of ['default', 'buyer', 'seller'])
      assert.equal(await sources.write(profile(), identity, { apiKey: identity }), false);
    assert.deepEqual(await list(profile('https://two.example')), ['default']);
    sources.signOut('Shop', ['seller']);
    assert.deepEqual(await list(profile()), ['default', 'buyer']);
    sources.signOut('Other');
    assert.deepEqual(await list(profile()), ['default', 'buyer']);
    sources.signOut('Shop');
    const left = await sources.readAll(profile());
    assert.deepEqual([...left], [['default', { credential: undefined, signedOutReason: undefined }]]);
  });

  test('a workspace that repeats a connection of another one asks before it gets the credential, once', async () => {
    const entry = { name: 'Shop', baseUrl: 'https://one.example' };
    const [repeated] = readProfiles(undefined, [entry]).profiles;
    assert.ok(repeated);
    await sources.write(repeated, 'default', { apiKey: 'typed-in-one' });
    await sources.write(repeated, 'buyer', { apiKey: 'buyer' });
    const read = async (of: CredentialSources) =>
      [...(await of.readAll(repeated)).values()].map(({ credential, signedOutReason }) => [
        credential?.apiKey,
        signedOutReason,
      ]);
    assert.deepEqual(await read(sources), [
      ['typed-in-one', undefined],
      ['buyer', undefined],
    ]);
    for (const [credential, reason] of await read(otherWorkspace)) {
      assert.equal(credential, undefined);
      assert.match(reason ?? '', /is not sent because the settings of this workspace define the connection/);
    }
    // Offered at sign-in.
    const stored = await otherWorkspace.readStored(repeated, 'default');
    assert.equal(stored.state === 'boundElsewhere' && stored.sameAddress && stored.credential.apiKey, 'typed-in-one');
    await otherWorkspace.write(repeated, 'default', { apiKey: 'typed-in-one' });
    assert.deepEqual(await read(otherWorkspace), await read(sources));
    // A connection of the user's own settings is theirs in every workspace.
    await sources.write(profile(), 'default', { apiKey: 'own' });
    const fresh = (await otherWorkspace.readAll(profile())).get('default');
    assert.equal(fresh?.credential?.apiKey, 'own');
  });

  test('the chosen identity stays, signed out, if its entry is gone or for another address', async () => {
    await sources.write(profile(), 'buyer', { apiKey: 'buyer' });
    const readBuyer = async (of: Profile) => (await sources.readAll(of, [], 'buyer')).get('buyer');
    assert.deepEqual(await readBuyer(profile()), { credential: { apiKey: 'buyer' }, signedOutReason: undefined });
    const elsewhere = await readBuyer(profile('https://two.example'));
    assert.equal(elsewhere?.credential, undefined);
    assert.match(elsewhere?.signedOutReason ?? '', /is not sent because the connection has changed .*\(server\)/);
    secrets.entries.clear();
    assert.deepEqual(await readBuyer(profile()), { credential: undefined, signedOutReason: undefined });
    assert.deepEqual(await list(profile()), ['default'], 'one that is not chosen is left out');
  });

  test('an identity that cannot be read stays, signed out with the reason', async () => {
    await sources.write(profile(), 'buyer', { apiKey: 'buyer' });
    secrets.keys = () => Promise.reject(new Error('locked'));
    assert.deepEqual([...(await sources.readAll(profile(), ['buyer', 'gone'])).keys()], ['default', 'buyer']);
    secrets.get = () => Promise.reject(new Error('locked'));
    const buyer = (await sources.readAll(profile(), ['buyer'])).get('buyer');
    assert.deepEqual(
      [buyer?.credential, buyer?.signedOutReason],
      [undefined, 'VS Code’s secret storage could not be read'],
    );
  });
});
