/** The active connection and the current identities, as they are stored for the workspace. */
import assert from 'node:assert/strict';
import { createActiveConnection } from '../../../../src/connections/profiles/active-connection.ts';
import { InMemoryMemento } from '../support.ts';

test('the choice of an identity is stored until its connection is signed out', async () => {
  const memory = new InMemoryMemento();
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
