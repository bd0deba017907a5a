/** The file of known ids: merged by all windows, bounded, without removed connections. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { MAX_IDS, type KnownId } from '../../../src/cache/id-index.ts';
import { KnownIds } from '../../../src/cache/known-ids.ts';

const hasId = ({ index }: KnownIds, id: string): boolean => index.find(id).length > 0;

suite('known ids of several windows', () => {
  let folder = '';
  const open: KnownIds[] = [];
  const warnings: string[] = [];

  const openWindow = (...connections: readonly string[]): KnownIds => {
    const ids = new KnownIds({
      storage: path.join(folder, 'storage'),
      log: { warn: (line) => warnings.push(line) },
      profiles: () =>
        connections.map((name) => ({ name, baseUrl: `http://${name}`, source: name === 'Memory' ? 'memory' : 'user' })),
    });
    open.push(ids);
    return ids;
  };
  const id = (connection: string, name: string, title = name): KnownId => ({
    connection,
    kind: 'objects',
    id: name,
    title,
  });
  const knownTo = async (ids: KnownIds): Promise<readonly string[]> =>
    [...(await ids.load()).newestFirst()].map((known) => known.id);
  const names = (): readonly string[] => fs.readdirSync(path.join(folder, 'storage'));

  setup(() => {
    // No window writes by itself, however long a test takes.
    mock.timers.enable({ apis: ['setTimeout'] });
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-ids-'));
  });
  teardown(() => {
    for (const ids of open.splice(0)) ids.dispose();
    mock.timers.reset();
    fs.rmSync(folder, { recursive: true });
    assert.deepEqual(warnings.splice(0), []);
  });

  test('a file of four times as many ids is cut to the newest', async () => {
    fs.mkdirSync(path.join(folder, 'storage'));
    const count = 4 * MAX_IDS;
    const ids = Array.from({ length: count }, (_none, index) => [`id_${String(index)}`, 'objects', 'a']);
    const file = path.join(folder, 'storage', 'known-ids.json');
    fs.writeFileSync(file, JSON.stringify({ version: 1, connections: { A: { baseUrl: 'http://A', ids } } }));
    const window = openWindow('A');
    const { size } = await window.load();
    assert.deepEqual([size, hasId(window, `id_${String(count - 1)}`), hasId(window, 'id_0')], [MAX_IDS, true, false]);
    window.index.add(id('A', 'new'));
    await window.flush();
    assert.ok(fs.statSync(file).size < 3_000_000);
    assert.ok((await knownTo(openWindow('A'))).includes('new'));
  });

  test('ids of two windows reach a third, whichever writes last', async () => {
    const [one, other] = [openWindow('A'), openWindow('A')];
    await Promise.all([one.load(), other.load()]);
    one.index.add(id('A', 'first'));
    other.index.add(id('A', 'second'));
    one.index.add(id('A', 'both', 'older'));
    await one.flush();
    other.index.add(id('A', 'both', 'newer'));
    await other.flush();
    assert.deepEqual((await knownTo(openWindow('A'))).toSorted(), ['both', 'first', 'second']);
    one.index.add(id('A', 'third'));
    await one.flush();
    assert.deepEqual((await knownTo(openWindow('A'))).toSorted(), ['both', 'first', 'second', 'third']);
    // The write merged the ids of the other window.
    assert.ok(hasId(one, 'second'));
    assert.deepEqual(names(), ['known-ids.json']);
  });

  test('the file and its folder are readable by the user only', async () => {
    const storage = path.join(folder, 'storage');
    const mode = (name: string): number => fs.statSync(path.join(storage, name)).mode & 0o077;
    // Permissions of an earlier version.
    fs.mkdirSync(storage, { mode: 0o755 });
    fs.writeFileSync(path.join(storage, 'known-ids.json'), '{}', { mode: 0o644 });
    const ids = openWindow('A');
    ids.index.add(id('A', 'first'));
    await ids.flush();
    assert.deepEqual([mode('.'), mode('known-ids.json')], [0, 0]);
    ids.index.add(id('A', 'second'));
    ids.dispose();
    assert.deepEqual([mode('.'), mode('known-ids.json')], [0, 0]);
  });

  test('ids of connections unknown to a window are kept; those of temporary connections are not stored', async () => {
    const workspace = openWindow('B', 'Memory');
    workspace.index.add(id('B', 'in B'));
    workspace.index.add(id('Memory', 'in memory'));
    await workspace.flush();
    const elsewhere = openWindow('A');
    elsewhere.index.add(id('A', 'in A'));
    await elsewhere.flush();
    assert.deepEqual(await knownTo(elsewhere), ['in A']);
    assert.deepEqual((await knownTo(openWindow('A', 'B', 'Memory'))).toSorted(), ['in A', 'in B']);
  });

  test('ids of a removed connection are deleted, and another window does not restore them', async () => {
    const [one, other] = [openWindow('A'), openWindow('A')];
    for (const name of ['A', 'B']) {
      const both = openWindow('A', 'B');
      both.index.add(id(name, `in ${name}`));
      await both.flush();
    }
    await Promise.all([one.load(), other.load()]);
    one.forget('B');
    await one.flush();
    other.index.add(id('A', 'more'));
    await other.flush();
    assert.deepEqual((await knownTo(openWindow('A', 'B'))).toSorted(), ['in A', 'more']);
  });

  test('the ids of an identity are removed from the file, and those of the next one are stored', async () => {
    const [one, other] = [openWindow('A', 'B'), openWindow('A', 'B')];
    one.index.add(id('A', 'of the first'));
    one.index.add(id('B', 'of another connection'));
    await one.flush();
    await other.load();
    one.forget('A');
    one.index.add(id('A', 'of the second'));
    other.forget('A');
    await other.flush();
    assert.deepEqual(await knownTo(openWindow('A', 'B')), ['of another connection']);
    await one.flush();
    await other.flush();
    for (const ids of [one, other, openWindow('A', 'B')])
      assert.deepEqual((await knownTo(ids)).toSorted(), ['of another connection', 'of the second']);
    const late = openWindow('A', 'B');
    late.forget('A');
    assert.deepEqual(await knownTo(late), ['of another connection']);
  });

  test('a full index stays within its bound, in memory and in the file', async () => {
    const [one, other] = [openWindow('A'), openWindow('A')];
    await Promise.all([one.load(), other.load()]);
    for (let at = 0; at < MAX_IDS; at++) one.index.add(id('A', `one ${String(at)}`));
    await one.flush();
    for (let at = 0; at < 100; at++) other.index.add(id('A', `other ${String(at)}`));
    await other.flush();
    assert.equal(other.index.size, MAX_IDS);
    assert.ok(hasId(other, 'other 99'));
    const elsewhere = openWindow('B');
    elsewhere.index.add(id('B', 'b'));
    await elsewhere.flush();
    const later = openWindow('A', 'B');
    assert.equal((await later.load()).size, MAX_IDS);
    assert.ok(hasId(later, 'b') && hasId(later, 'other 99') && !hasId(later, 'one 0'));
  });

  test('ids recorded during a write are written too, at shutdown at the latest', async () => {
    let writing = false;
    const ids: KnownIds = new KnownIds({
      storage: path.join(folder, 'storage'),
      log: { warn: (line) => warnings.push(line) },
      profiles: () => {
        // Runs when the file's content is requested, just before writing.
        if (writing)
          queueMicrotask(() => {
            ids.index.restore([id('A', 'meanwhile')]);
          });
        return [{ name: 'A', baseUrl: 'http://A', source: 'user' }];
      },
    });
    open.push(ids);
    await ids.load();
    ids.index.restore([id('A', 'before')]);
    writing = true;
    await ids.flush();
    writing = false;
    assert.deepEqual(await knownTo(openWindow('A')), ['before']);
    ids.dispose();
    assert.deepEqual((await knownTo(openWindow('A'))).toSorted(), ['before', 'meanwhile']);
  });

  test('pending ids are written at shutdown; a partial file is ignored', async () => {
    const first = openWindow('A');
    await first.load();
    first.index.add(id('A', 'early'));
    first.index.restore([]);
    first.dispose();
    assert.deepEqual(await knownTo(openWindow('A')), ['early']);
    const file = path.join(folder, 'storage/known-ids.json');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').slice(0, 40));
    const second = openWindow('A');
    second.index.add(id('A', 'late'));
    await second.flush();
    assert.deepEqual(await knownTo(openWindow('A')), ['late']);
  });
});
