/** The secret store: bound, checked, read back, marked at sign-out; and the secrets that are never shown. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { KnownSecrets, formatVariableKey } from '../../../../src/connections/credentials/known-secrets.ts';
import { CredentialNotStoredError, CredentialStore } from '../../../../src/connections/credentials/credential-store.ts';
import type { Binding } from '../../../../src/connections/credentials/credential.ts';
import { InMemorySignOutTimes, InMemorySecretStorage } from '../support.ts';

const binding: Binding = {
  name: 'One',
  origin: 'https://one.example',
  basePath: '',
  tokenHeader: 'authorization',
  tokenPrefix: 'Bearer ',
  apiKeyHeader: 'x-api-key',
  refreshPath: null,
  wallets: 'none',
  environment: 'sandbox',
};

suite('secret store', () => {
  let secrets: InMemorySecretStorage;
  let memory: InMemorySignOutTimes;
  let store: CredentialStore;
  setup(() => {
    secrets = new InMemorySecretStorage();
    memory = new InMemorySignOutTimes();
    store = new CredentialStore(secrets, memory);
  });

  test('a credential is usable only for its binding', async () => {
    await store.write(binding, { apiKey: 'k1' });
    const here = await store.read(binding);
    assert.equal(here.state === 'usable' ? here.credential.apiKey : undefined, 'k1');
    const there = await store.read({ ...binding, origin: 'https://evil.example' });
    assert.deepEqual(there.state === 'boundElsewhere' ? there.changes : undefined, ['server']);
    assert.deepEqual(await store.read({ ...binding, name: 'Two' }), { state: 'none' });
    const hasSameAddress = async (change: Partial<Binding>): Promise<unknown> => {
      const found = await store.read({ ...binding, ...change });
      return found.state === 'boundElsewhere' ? found.sameAddress : found.state;
    };
    assert.equal(await hasSameAddress({ tokenHeader: 'x-token', environment: null }), true);
    assert.equal(await hasSameAddress({ origin: 'https://evil.example' }), false);
    assert.equal(await hasSameAddress({ basePath: '/other' }), false);
  });

  test('a renewed credential keeps its binding, and does not undo a sign-out', async () => {
    await store.write(binding, { accessToken: 't1' });
    const renew = (now: Binding, previous: string, accessToken: string): Promise<boolean> =>
      store.renew(now, { previous: { accessToken: previous }, credential: { accessToken } });
    assert.equal(await renew({ ...binding, environment: 'production' }, 't1', 't2'), true);
    const here = await store.read(binding);
    assert.equal(here.state === 'usable' ? here.credential.accessToken : undefined, 't2');
    assert.equal(await renew({ ...binding, origin: 'https://evil.example' }, 't2', 't3'), false);
    assert.ok(!JSON.stringify([...secrets.entries]).includes('t3'));
    await store.forget('One');
    assert.equal(await renew(binding, 't2', 't4'), false);
    assert.equal(secrets.entries.size, 0);
  });

  test('a renewed credential does not replace the sign-in of another window', async () => {
    await store.write(binding, { accessToken: 't1', refreshToken: 'r1' });
    const otherWindow = new CredentialStore(secrets, memory);
    await otherWindow.write(binding, { accessToken: 'of-another-user', refreshToken: 'r9' });
    const renewal = {
      previous: { accessToken: 't1', refreshToken: 'r1' },
      credential: { accessToken: 't2', refreshToken: 'r2' },
    };
    assert.equal(await store.renew(binding, renewal), false);
    const now = await store.read(binding);
    assert.equal(now.state === 'usable' ? now.credential.accessToken : now.state, 'of-another-user');
    secrets.get = () => Promise.reject(new Error('locked'));
    await assert.rejects(store.renew(binding, renewal), CredentialNotStoredError);
  });

  test('each identity has a credential of its own, bound like that of the default one', async () => {
    await store.write(binding, { apiKey: 'owner' });
    await store.write(binding, { apiKey: 'buyer' }, 'buyer');
    await store.write({ ...binding, name: '["One","buyer"]' }, { apiKey: 'of another connection' });
    for (const key of ['something else', 'identity/["One"]', 'identity/[null]', 'identity/7', 'identity/x'])
      secrets.entries.set(key, 'value');
    assert.deepEqual(await store.listIdentities('One'), ['buyer', 'default']);
    const read = async (identity?: string, at = binding): Promise<unknown> => {
      const found = await store.read(at, identity);
      return found.state === 'usable' ? found.credential.apiKey : found.state;
    };
    assert.deepEqual([await read(), await read('default'), await read('buyer')], ['owner', 'owner', 'buyer']);
    assert.equal(await read('buyer', { ...binding, origin: 'https://evil.example' }), 'boundElsewhere');
    await store.renew(binding, { previous: { apiKey: 'buyer' }, credential: { apiKey: 'buyer-2' } }, 'buyer');
    assert.deepEqual([await read(), await read('buyer')], ['owner', 'buyer-2']);
    await store.forget('One', 'buyer');
    assert.deepEqual([await read(), await read('buyer')], ['owner', 'none']);
  });

  test('a sign-out of an identity holds in windows that miss it; removing a connection removes all identities', async () => {
    await store.write(binding, { apiKey: 'owner' });
    await store.write(binding, { apiKey: 'buyer' }, 'buyer');
    const before = [...secrets.entries];
    await store.forget('One', 'buyer');
    for (const [key, value] of before) secrets.entries.set(key, value);
    assert.equal((await store.read(binding, 'buyer')).state, 'none');
    assert.equal((await store.read(binding)).state, 'usable');
    assert.deepEqual(await store.removeOrphans(['One', 'Two']), ['One']);
    assert.equal(secrets.entries.size, 0);
  });

  test('values of variables are removed with their connection, or for one origin only', async () => {
    const key = (name: string, on: Partial<Binding> = {}): string => formatVariableKey(name, { ...binding, ...on });
    const [here, there, other] = [key('A'), key('A', { origin: 'http://127.0.0.1:9' }), key('A', { name: 'Two' })];
    for (const entry of [here, there, other, 'something else']) secrets.entries.set(entry, 'value');
    await store.forgetVariableSecrets('One', 'http://127.0.0.1:9');
    assert.deepEqual([...secrets.entries.keys()], [here, other, 'something else']);
    await store.forgetVariableSecrets('One');
    assert.deepEqual([...secrets.entries.keys()], [other, 'something else']);
  });

  test('an invalid entry of the secret store is not used, and is reported', async () => {
    secrets.entries.set('connection/One', '{"apiKey":"k1"}');
    const found = await store.read(binding);
    assert.match(found.state === 'none' ? (found.reason ?? '') : '', /can’t be read/);
  });

  for (const fault of ['rejects', 'forgets', 'alters'] as const) {
    test(`a store that ${fault} is detected by reading back`, async () => {
      secrets.fault = fault;
      await assert.rejects(store.write(binding, { apiKey: 'k1' }), CredentialNotStoredError);
    });
  }

  test('an entry older than the last sign-out is ignored; a newer one is not', async () => {
    await store.write(binding, { apiKey: 'k1' });
    const entry = secrets.entries.get('connection/One') ?? '';
    await store.forget('One');
    assert.equal(secrets.entries.size, 0);
    // Another window's copy of the store still has it.
    secrets.entries.set('connection/One', entry);
    assert.deepEqual(await store.read(binding), { state: 'none' });
    await store.write(binding, { apiKey: 'k2' });
    assert.equal((await store.read(binding)).state, 'usable');
    // As an earlier version records it.
    memory.values.set('signedOut/One', Date.now() + 60_000);
    assert.deepEqual(await store.read(binding), { state: 'none' });
  });

  test('an entry is older than a sign-out before which the clock was set back', async () => {
    await store.write(binding, { apiKey: 'k1' });
    const entry = secrets.entries.get('connection/One') ?? '';
    mock.method(Date, 'now', () => new Date().getTime() - 3_600_000);
    try {
      await store.forget('One');
      secrets.entries.set('connection/One', entry);
      assert.deepEqual(await store.read(binding), { state: 'none' });
      await store.write(binding, { apiKey: 'k2' });
      assert.equal((await store.read(binding)).state, 'usable');
    } finally {
      mock.restoreAll();
    }
  });

  test('a store that does not delete an entry is reported', async () => {
    await store.write(binding, { apiKey: 'k1' });
    secrets.fault = 'keeps';
    await assert.rejects(store.forget('One'), /could not delete/);
  });

  test('entries of removed connections are deleted, others stay', async () => {
    await store.write(binding, { apiKey: 'k1' });
    await store.write({ ...binding, name: 'Two' }, { apiKey: 'k2' });
    assert.deepEqual(await store.removeOrphans(['One', 'Never']), ['One']);
    assert.deepEqual([...secrets.entries.keys()], ['connection/Two']);
  });

  test('changes are announced by connection', async () => {
    const heard: string[] = [];
    store.onDidChange((name) => heard.push(name));
    await store.write(binding, { apiKey: 'k1' });
    for (const key of ['something else', 'identity/["Two"]']) await secrets.store(key, 'x');
    assert.deepEqual(heard, ['One']);
  });
});

suite('known secrets', () => {
  test('empty ones are ignored', () => {
    const known = new KnownSecrets();
    known.add(['abc', 'abcdef', undefined, '']);
    assert.deepEqual(known.values, ['abc', 'abcdef']);
  });

  test('replaced tokens are bounded; current and typed secrets stay known after any number of renewals', () => {
    const known = new KnownSecrets();
    known.add(['secret of an action']);
    known.setForIdentity('Quiet', ['token of another', undefined]);
    for (let at = 0; at < 300; at++)
      known.setForIdentity('Busy', ['key of it', `access ${String(at)}`, `refresh ${String(at)}`]);
    for (const secret of ['secret of an action', 'token of another', 'key of it', 'access 299', 'access 298'])
      assert.ok(known.values.includes(secret), secret);
    assert.ok(!known.values.includes('access 0'));
    assert.equal(known.values.length, 100 + 5);
  });

  test('a temporary secret of two works is known until both end', async () => {
    const known = new KnownSecrets();
    const [first, second] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const works = [first, second].map(({ promise }) => known.withTransient(['pw'], () => promise));
    first.resolve(undefined);
    await works[0];
    assert.deepEqual(known.values, ['pw']);
    assert.ok(known.containsTransient('pw'));
    second.resolve(undefined);
    await works[1];
    assert.deepEqual(known.values, []);
  });

  test('a temporary secret is known only during the work, also when it fails', async () => {
    const known = new KnownSecrets();
    await assert.rejects(
      known.withTransient(['', 'pw'], async () => {
        assert.deepEqual(known.values, ['pw']);
        await known.withTransient(['pw', 'other'], () => Promise.resolve());
        assert.ok(known.containsTransient('your password pw is weak'));
        assert.equal(known.containsTransient('another text'), false);
        await known.withTransient(['a"b\\1'], async () => {
          const body = JSON.stringify({ error: `bad body ${JSON.stringify({ password: 'a"b\\1' })}` });
          assert.ok(known.containsTransient(JSON.stringify({ body })));
          return Promise.resolve();
        });
        assert.deepEqual(known.values, ['pw']);
        throw new Error('x');
      }),
      { message: 'x' },
    );
    assert.deepEqual(known.values, []);
    assert.equal(known.containsTransient('pw'), false);
  });
});
