/** The file of known ids: shared by windows, none of which loses what another met; bounded, and without the removed. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MOST_IDS, type KnownId } from '../../../src/connections/id-index.ts';
import { KnownIds } from '../../../src/connections/known-ids.ts';

suite('known ids of several windows', () => {
  let folder = '';
  const open: KnownIds[] = [];
  const warnings: string[] = [];

  const windowOf = (...connections: readonly string[]): KnownIds => {
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
    [...(await ids.ready()).latest()].map((known) => known.id);
  const names = (): readonly string[] => fs.readdirSync(path.join(folder, 'storage'));

  setup(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-ids-'));
  });
  teardown(() => {
    for (const ids of open.splice(0)) ids.dispose();
    fs.rmSync(folder, { recursive: true });
    assert.deepEqual(warnings.splice(0), []);
  });

  test('what each of two windows met is there for a third, whoever writes last', async () => {
    const [one, other] = [windowOf('A'), windowOf('A')];
    await Promise.all([one.ready(), other.ready()]);
    one.index.add(id('A', 'first'));
    other.index.add(id('A', 'second'));
    one.index.add(id('A', 'both', 'older'));
    await one.flush();
    other.index.add(id('A', 'both', 'newer'));
    await other.flush();
    assert.deepEqual((await knownTo(windowOf('A'))).toSorted(), ['both', 'first', 'second']);
    one.index.add(id('A', 'third'));
    await one.flush();
    assert.deepEqual((await knownTo(windowOf('A'))).toSorted(), ['both', 'first', 'second', 'third']);
    // The other's were taken in on the way.
    assert.ok(one.index.has('second'));
    assert.deepEqual(names(), ['known-ids.json']);
  });

  test('the file and its folder are the user’s alone', async () => {
    const storage = path.join(folder, 'storage');
    const mode = (name: string): number => fs.statSync(path.join(storage, name)).mode & 0o077;
    // As an earlier version left it.
    fs.mkdirSync(storage, { mode: 0o755 });
    fs.writeFileSync(path.join(storage, 'known-ids.json'), '{}', { mode: 0o644 });
    const ids = windowOf('A');
    ids.index.add(id('A', 'first'));
    await ids.flush();
    assert.deepEqual([mode('.'), mode('known-ids.json')], [0, 0]);
    ids.index.add(id('A', 'second'));
    ids.dispose();
    assert.deepEqual([mode('.'), mode('known-ids.json')], [0, 0]);
  });

  test('connections that a window does not have keep their ids; those in memory alone leave none', async () => {
    const workspace = windowOf('B', 'Memory');
    workspace.index.add(id('B', 'in B'));
    workspace.index.add(id('Memory', 'in memory'));
    await workspace.flush();
    const elsewhere = windowOf('A');
    elsewhere.index.add(id('A', 'in A'));
    await elsewhere.flush();
    assert.deepEqual(await knownTo(elsewhere), ['in A']);
    assert.deepEqual((await knownTo(windowOf('A', 'B', 'Memory'))).toSorted(), ['in A', 'in B']);
  });

  test('a removed connection’s ids go from the file, and another window does not bring them back', async () => {
    const [one, other] = [windowOf('A'), windowOf('A')];
    for (const name of ['A', 'B']) {
      const both = windowOf('A', 'B');
      both.index.add(id(name, `in ${name}`));
      await both.flush();
    }
    await Promise.all([one.ready(), other.ready()]);
    one.forget('B');
    await one.flush();
    other.index.add(id('A', 'more'));
    await other.flush();
    assert.deepEqual((await knownTo(windowOf('A', 'B'))).toSorted(), ['in A', 'more']);
  });

  test('what one person met goes from the file, though the connection stays, and what the next one meets is kept', async () => {
    const [one, other] = [windowOf('A', 'B'), windowOf('A', 'B')];
    one.index.add(id('A', 'of the first'));
    one.index.add(id('B', 'of another connection'));
    await one.flush();
    await other.ready();
    one.forget('A');
    one.index.add(id('A', 'of the second'));
    other.forget('A');
    await other.flush();
    assert.deepEqual(await knownTo(windowOf('A', 'B')), ['of another connection']);
    await one.flush();
    await other.flush();
    for (const ids of [one, other, windowOf('A', 'B')])
      assert.deepEqual((await knownTo(ids)).toSorted(), ['of another connection', 'of the second']);
    const late = windowOf('A', 'B');
    late.forget('A');
    assert.deepEqual(await knownTo(late), ['of another connection']);
  });

  test('a full index stays within its bound, in memory and in the file', async () => {
    const [one, other] = [windowOf('A'), windowOf('A')];
    await Promise.all([one.ready(), other.ready()]);
    for (let at = 0; at < MOST_IDS; at++) one.index.add(id('A', `one ${String(at)}`));
    await one.flush();
    for (let at = 0; at < 100; at++) other.index.add(id('A', `other ${String(at)}`));
    await other.flush();
    assert.equal(other.index.size, MOST_IDS);
    assert.ok(other.index.has('other 99'));
    const elsewhere = windowOf('B');
    elsewhere.index.add(id('B', 'b'));
    await elsewhere.flush();
    const later = windowOf('A', 'B');
    assert.equal((await later.ready()).size, MOST_IDS);
    assert.ok(later.index.has('b') && later.index.has('other 99') && !later.index.has('one 0'));
  });

  test('what is met while the file is being written is written too, at the end of the window at the latest', async () => {
    let writing = false;
    const ids: KnownIds = new KnownIds({
      storage: path.join(folder, 'storage'),
      log: { warn: (line) => warnings.push(line) },
      profiles: () => {
        // Asked for what goes into the file; behind that, the file is written.
        if (writing)
          queueMicrotask(() => {
            ids.index.recall([id('A', 'meanwhile')]);
          });
        return [{ name: 'A', baseUrl: 'http://A', source: 'user' }];
      },
    });
    open.push(ids);
    await ids.ready();
    ids.index.recall([id('A', 'before')]);
    writing = true;
    await ids.flush();
    writing = false;
    assert.deepEqual(await knownTo(windowOf('A')), ['before']);
    ids.dispose();
    assert.deepEqual((await knownTo(windowOf('A'))).toSorted(), ['before', 'meanwhile']);
  });

  test('what waits at the end of a window is written; half a file is none', async () => {
    const first = windowOf('A');
    await first.ready();
    first.index.add(id('A', 'early'));
    first.index.recall([]);
    first.dispose();
    assert.deepEqual(await knownTo(windowOf('A')), ['early']);
    const file = path.join(folder, 'storage/known-ids.json');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').slice(0, 40));
    const second = windowOf('A');
    second.index.add(id('A', 'late'));
    await second.flush();
    assert.deepEqual(await knownTo(windowOf('A')), ['late']);
  });
});
