/** Labels in completions, hovers and confirmations of actions. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { formatEffect } from '../../../../src/actions/file/action-kinds.ts';
import { LiveData } from '../../../../src/actions/language/live-data.ts';
import type { Label } from '../../../../src/model/text/labels.ts';
import { makeRig, readIds, type Rig } from '../support.ts';

const ADDRESS = '0x00000000000000000000000000000000000a11ce';

suite('labels of live data', () => {
  let rig: Rig;
  suiteSetup(async () => (rig = await makeRig()));
  suiteTeardown(() => rig.close());

  const createLive = (...all: readonly Label[]): LiveData =>
    new LiveData(
      {
        profile: { name: 'Here' },
        client: rig.client,
        ended: new AbortController().signal,
        identity: undefined,
        issuedResources: new Map([['wallets/1', { raw: { id: '1', nickname: 'Eve', account: { address: '0xeve' } } }]]),
        hasPermission: () => undefined,
      },
      { all, get: (value) => all.find((label) => label.value === value) },
    );

  test('labelled values are offered as wallets, those of objects are not', async () => {
    const object = (await readIds(rig)).object('Jacket');
    const live = createLive(
      { value: ADDRESS, text: 'Alice', source: 'user' },
      { value: object, text: 'My jacket', source: 'user' },
    );
    await live.list('objects');
    const wallets = (await live.list('wallets')).map(({ id, name }) => [id, name]);
    assert.deepEqual(wallets.slice(0, 3), [
      [ADDRESS, 'Alice'],
      ['0xeve', 'Eve'],
      ['1', 'Eve'],
    ]);
    assert.ok(wallets.every(([id]) => id !== object));
    assert.ok((await live.list('objects')).every(({ id, details }) => !details.includes(id)));
    assert.equal(live.getName(object), 'My jacket');
    assert.equal((await live.identify(ADDRESS))?.name, 'Alice');
    assert.equal((await live.identify(object))?.kind, 'objects');
  });

  test('an object is read again after the clock was set back', async () => {
    const id = (await readIds(rig)).object('Jacket');
    const live = createLive();
    const now = Date.now();
    mock.method(Date, 'now', () => now + 3_600_000);
    try {
      const read = live.read('objects', id);
      assert.equal(live.read('objects', id), read);
      mock.restoreAll();
      assert.notEqual(live.read('objects', id), read);
      await read;
    } finally {
      mock.restoreAll();
    }
  });

  test('an effect names label and value, the value in full', () => {
    const id = `did:key:${'z'.repeat(120)}`;
    const file = parseActionFile(JSON.stringify({ action: { transfer: { id: 'obj_1', to: id } } }));
    const live = createLive({ value: id, text: 'Alice', source: 'workspace' });
    assert.equal(
      formatEffect(file, (value) => live.getName(value)),
      `Transfers object obj_1 to “Alice” (${id})`,
    );
  });
});
