/** The secret store: bound, checked, read back, marked at sign-out; and the secrets that are never shown. */
import assert from 'node:assert/strict';
import { KnownSecrets, variableKey } from '../../../src/connections/known-secrets.ts';
import { NotKept, SecretStore } from '../../../src/connections/secret-store.ts';
import type { Binding } from '../../../src/connections/credential.ts';
import { Memory, MemorySecrets } from './support.ts';

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
  let secrets: MemorySecrets;
  let memory: Memory;
  let store: SecretStore;
  setup(() => {
    secrets = new MemorySecrets();
    memory = new Memory();
    store = new SecretStore(secrets, memory);
  });

  test('what was written is usable where it is bound, and nowhere else', async () => {
    await store.write(binding, { apiKey: 'k1' });
    const here = await store.read(binding);
    assert.equal(here.state === 'usable' ? here.credential.apiKey : undefined, 'k1');
    const there = await store.read({ ...binding, origin: 'https://evil.example' });
    assert.deepEqual(there.state === 'bound elsewhere' ? there.changes : undefined, ['server']);
    assert.deepEqual(await store.read({ ...binding, name: 'Two' }), { state: 'none' });
  });

  test('a renewed credential keeps what the first was bound to, and brings no signed-out one back', async () => {
    await store.write(binding, { accessToken: 't1' });
    await store.renew({ ...binding, environment: 'production' }, { accessToken: 't2' });
    const here = await store.read(binding);
    assert.equal(here.state === 'usable' ? here.credential.accessToken : undefined, 't2');
    await store.renew({ ...binding, origin: 'https://evil.example' }, { accessToken: 't3' });
    assert.ok(!JSON.stringify([...secrets.entries]).includes('t3'));
    await store.forget('One');
    await store.renew(binding, { accessToken: 't4' });
    assert.equal(secrets.entries.size, 0);
  });

  test('the values of variables go with their connection, or with its address alone', async () => {
    const key = (name: string, on: Partial<Binding> = {}): string => variableKey(name, { ...binding, ...on });
    const [here, there, other] = [key('A'), key('A', { origin: 'http://127.0.0.1:9' }), key('A', { name: 'Two' })];
    for (const entry of [here, there, other, 'something else']) secrets.entries.set(entry, 'value');
    await store.forgetVariables('One', 'http://127.0.0.1:9');
    assert.deepEqual([...secrets.entries.keys()], [here, other, 'something else']);
    await store.forgetVariables('One');
    assert.deepEqual([...secrets.entries.keys()], [other, 'something else']);
  });

  test('what we did not write is not used, and said', async () => {
    secrets.entries.set('connection/One', '{"apiKey":"k1"}');
    const found = await store.read(binding);
    assert.match(found.state === 'none' ? (found.because ?? '') : '', /cannot be read/);
  });

  for (const fault of ['rejects', 'forgets'] as const) {
    test(`a store that ${fault} is found out by reading back`, async () => {
      secrets.fault = fault;
      await assert.rejects(store.write(binding, { apiKey: 'k1' }), NotKept);
    });
  }

  test('a session older than the last sign-out counts as signed out; a newer one does not', async () => {
    await store.write(binding, { apiKey: 'k1' });
    const entry = secrets.entries.get('connection/One') ?? '';
    await store.forget('One');
    assert.equal(secrets.entries.size, 0);
    // Another window's copy of the store still has it.
    secrets.entries.set('connection/One', entry);
    assert.deepEqual(await store.read(binding), { state: 'none' });
    await store.write(binding, { apiKey: 'k2' });
    assert.equal((await store.read(binding)).state, 'usable');
  });

  test('a store that keeps what is deleted is said', async () => {
    await store.write(binding, { apiKey: 'k1' });
    secrets.fault = 'keeps';
    await assert.rejects(store.forget('One'), /did not remove/);
  });

  test('entries of connections that are gone are removed, others stay', async () => {
    await store.write(binding, { apiKey: 'k1' });
    await store.write({ ...binding, name: 'Two' }, { apiKey: 'k2' });
    assert.deepEqual(await store.removeEntriesOf(['One', 'Never']), ['One']);
    assert.deepEqual([...secrets.entries.keys()], ['connection/Two']);
  });

  test('changes are heard by connection', async () => {
    const heard: string[] = [];
    store.onDidChange((name) => heard.push(name));
    await store.write(binding, { apiKey: 'k1' });
    await secrets.store('something else', 'x');
    assert.deepEqual(heard, ['One']);
  });
});

suite('known secrets', () => {
  test('the longest comes first, and an empty one is none', () => {
    const known = new KnownSecrets();
    known.add(['abc', 'abcdef', undefined, '']);
    assert.deepEqual(known.values, ['abcdef', 'abc']);
  });

  test('tokens long replaced make room; what is in use and what a person gave stay through any number of renewals', () => {
    const known = new KnownSecrets();
    known.add(['secret of an action']);
    known.hold('Quiet', ['token of another', undefined]);
    for (let at = 0; at < 300; at++) known.hold('Busy', ['key of it', `access ${String(at)}`, `refresh ${String(at)}`]);
    for (const secret of ['secret of an action', 'token of another', 'key of it', 'access 299', 'access 298'])
      assert.ok(known.values.includes(secret), secret);
    assert.ok(!known.values.includes('access 0'));
    assert.equal(known.values.length, 100 + 5);
  });

  test('a secret of the moment is known only meanwhile, also when the work fails', async () => {
    const known = new KnownSecrets();
    await assert.rejects(
      known.during(['pw'], () => {
        assert.ok(known.hides('your password pw is weak'));
        assert.deepEqual(known.values, ['pw']);
        return Promise.reject(new Error('x'));
      }),
    );
    assert.deepEqual(known.values, []);
    assert.equal(known.hides('pw'), false);
  });
});
