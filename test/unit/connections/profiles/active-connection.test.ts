/** The active connection and the current identities, as they are stored for the workspace. */
import assert from 'node:assert/strict';
import { createActiveConnection } from '../../../../src/connections/profiles/active-connection.ts';

test('the choice of an identity is stored until its connection is signed out', async () => {
  const stored = new Map<string, unknown>();
  function get<T>(key: string, fallback: T): T;
  function get(key: string, fallback: unknown): unknown {
    return stored.get(key) ?? fallback;
  }
  const memory = { get, update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)) };
  const active = createActiveConnection(memory);
  await active.selectIdentity('Shop', 'buyer');
  await active.forgetIdentity('Other');
  assert.equal(createActiveConnection(memory).getIdentity('Shop'), 'buyer');
  await active.forgetIdentity('Shop');
  assert.deepEqual(
    [active, createActiveConnection(memory)].map((each) => each.getIdentity('Shop')),
    [undefined, undefined],
  );
});
