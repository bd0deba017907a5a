/** Which credentials a connection has, by identity, and what signing out removes. */
import assert from 'node:assert/strict';
import { CredentialStore } from '../../../../src/connections/credentials/credential-store.ts';
import { KnownSecrets } from '../../../../src/connections/credentials/known-secrets.ts';
import { readProfiles } from '../../../../src/connections/profiles/read-profiles.ts';
import { CredentialSources } from '../../../../src/connections/session/credential-sources.ts';
import type { Profile } from '../../../../src/model/session.ts';
import { InMemorySecretStorage, InMemorySignOutTimes } from '../support.ts';

function profile(baseUrl = 'https://one.example'): Profile {
  const [found] = readProfiles([{ name: 'Shop', baseUrl }], undefined).profiles;
  assert.ok(found);
  return found;
}

suite('credentials by identity', () => {
  let secrets: InMemorySecretStorage;
  let sources: CredentialSources;
  setup(() => {
    secrets = new InMemorySecretStorage();
    const store = new CredentialStore(secrets, new InMemorySignOutTimes());
    sources = new CredentialSources(store, new KnownSecrets(), { warn: () => undefined });
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
      [undefined, 'The secret storage of VS Code could not be read'],
    );
  });
});
