/** Snapshots: bounded in memory and in files, shared by windows, masked, and removed with their connection. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { ObjectStates } from '../../../src/cache/object-states.ts';
import { readProfiles } from '../../../src/connections/profiles/read-profiles.ts';
import { SnapshotFiles, type ResourceLocation } from '../../../src/cache/snapshot-files.ts';
import { SnapshotMemory } from '../../../src/cache/snapshot-memory.ts';
import { Snapshots } from '../../../src/cache/snapshots.ts';
import type { Profile } from '../../../src/model/session/session.ts';

const A_DAY = 24 * 60 * 60 * 1000;
const place = (id: string, more: Partial<ResourceLocation> = {}): ResourceLocation => ({
  connection: 'Test',
  baseUrl: 'http://a',
  kind: 'objects',
  id,
  ...more,
});

suite('snapshots in memory', () => {
  test('store each different text once, the latest first', () => {
    const memory = new SnapshotMemory();
    const recorded = (
      [
        [1, 'a'],
        [2, 'a'],
        [3, 'b'],
        [4, 'a'],
      ] as const
    ).map(([readAt, text]) => memory.add('x', { readAt, text }));
    assert.deepEqual(recorded, [true, false, true, true]);
    assert.deepEqual(
      memory.get('x').map(({ readAt }) => readAt),
      [4, 3, 1],
    );
    assert.deepEqual(memory.get('y'), []);
  });

  test('stay within their limits, and keep the last text of the last resource', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.string({ maxLength: 20 })), { minLength: 1 }),
        (adds) => {
          const memory = new SnapshotMemory(3, 50);
          adds.forEach(([id, text], readAt) => memory.add(id, { readAt, text }));
          const stored = ['a', 'b', 'c'].map((id) => memory.get(id));
          assert.ok(stored.every((list) => list.length <= 3));
          assert.equal(
            stored.flat().reduce((sum, { text }) => sum + text.length, 0),
            memory.size,
          );
          assert.ok(memory.size <= 50);
          const [id, text] = adds.at(-1) ?? ['', ''];
          assert.equal(memory.get(id)[0]?.text, text);
        },
      ),
    );
  });
});

suite('snapshots in files', () => {
  let folder = '';
  setup(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'soe-seen-')), 'snapshots');
  });
  teardown(() => {
    fs.rmSync(path.dirname(folder), { recursive: true });
  });
  const names = (): readonly string[] => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);
  const bytes = (): number => names().reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);

  test('no folder is created before the first snapshot; texts are restored exactly, and file names contain no ids', async () => {
    const files = new SnapshotFiles(folder);
    assert.deepEqual(await files.read(place('obj_1')), []);
    await files.forget('Test');
    assert.deepEqual(names(), []);
    const text = '{\n  "n": 12345678901234567890,\n  "s": "ü\\u0000"\n}\n';
    await files.add([{ location: place('../../obj_1'), snapshot: { readAt: 5, text } }], 5);
    assert.deepEqual(await files.read(place('../../obj_1'), 5), [{ readAt: 5, text }]);
    assert.match(names().join(), /^[\da-f-]+\.json$/);
    if (process.platform !== 'win32')
      assert.equal(fs.statSync(path.join(folder, names()[0] ?? '')).mode & 0o777, 0o600);
    for (const other of [{ baseUrl: 'http://b' }, { connection: 'Other' }, { kind: 'faces' }])
      assert.deepEqual(await files.read(place('../../obj_1', other), 5), []);
  });

  test('are limited in number, bytes and age; the oldest are deleted first', async () => {
    const limits = { perResource: 3, files: 8, bytes: 400, age: 1000 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.string({ maxLength: 40 })), { minLength: 1 }),
        fc.nat({ max: 200 }),
        async (adds, step) => {
          fs.rmSync(folder, { recursive: true, force: true });
          const files = new SnapshotFiles(folder, limits);
          let now = 0;
          for (const [id, text] of adds)
            await files.add([{ location: place(id), snapshot: { readAt: (now += step + 1), text } }], now);
          assert.ok(names().length <= limits.files && bytes() <= limits.bytes);
          for (const id of ['a', 'b', 'c', 'd']) {
            const stored = await files.read(place(id), now);
            assert.ok(stored.length <= limits.perResource);
            assert.ok(
              stored.every(({ readAt }, at) => now - readAt <= limits.age && readAt > (stored[at + 1]?.readAt ?? -1)),
            );
          }
          const [id, text] = adds.at(-1) ?? ['', ''];
          if (Buffer.byteLength(text) <= limits.bytes / 8)
            assert.equal((await files.read(place(id), now))[0]?.text, text);
          assert.deepEqual(await files.read(place(id), now + limits.age + 1000), []);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a text that is the same as the one before is not written again, also by another window', async () => {
    const [one, other] = [new SnapshotFiles(folder), new SnapshotFiles(folder)];
    await one.add([{ location: place('x'), snapshot: { readAt: 1, text: 'a' } }], 1);
    await other.add([{ location: place('x'), snapshot: { readAt: 2, text: 'a' } }], 2);
    assert.equal(names().length, 1);
    await other.add([{ location: place('x'), snapshot: { readAt: 3, text: 'b' } }], 3);
    await one.add([{ location: place('x'), snapshot: { readAt: 4, text: 'a' } }], 4);
    assert.deepEqual(
      (await one.read(place('x'), 4)).map(({ text }) => text),
      ['a', 'b', 'a'],
    );
  });

  test('two windows that write at the same time keep the snapshots of both', async () => {
    const windows = [new SnapshotFiles(folder), new SnapshotFiles(folder)];
    await Promise.all(
      windows.flatMap((files, window) =>
        Array.from({ length: 10 }, (_, at) =>
          files.add(
            [{ location: place('x'), snapshot: { readAt: at * 2 + window, text: `${String(window)}:${String(at)}` } }],
            20,
          ),
        ),
      ),
    );
    const texts = (await new SnapshotFiles(folder).read(place('x'), 20)).map(({ text }) => text);
    assert.deepEqual(
      texts.toSorted(),
      [0, 1].flatMap((window) => Array.from({ length: 10 }, (_, at) => `${String(window)}:${String(at)}`)),
    );
  });

  test('damaged files are skipped, and unknown files are left alone', async () => {
    const files = new SnapshotFiles(folder);
    await files.add(
      [1, 2].map((readAt) => ({ location: place('x'), snapshot: { readAt, text: `{"a":${String(readAt)}}` } })),
      2,
    );
    fs.writeFileSync(path.join(folder, 'notes.txt'), 'x');
    fs.writeFileSync(path.join(folder, names().find((name) => name.includes('0002-')) ?? assert.fail()), '{"a"');
    assert.deepEqual(
      (await files.read(place('x'), 2)).map(({ readAt }) => readAt),
      [1],
    );
    await files.forget('Test');
    assert.deepEqual(names(), ['notes.txt']);
  });
});

suite('snapshots', () => {
  let folder = '';
  let now = 0;
  const warnings: string[] = [];
  const secrets: string[] = [];
  const sessions = new Map<string, ReturnType<typeof createSession>>();
  const createSession = (name: string, source: Profile['source'] = 'user') => {
    const [profile] = readProfiles([{ name, baseUrl: 'http://127.0.0.1:1' }], undefined).profiles;
    assert.ok(profile);
    const end = new AbortController();
    return { profile: { ...profile, source }, ended: end.signal, objectStates: new ObjectStates(), end };
  };
  const open = (name: string, source?: Profile['source']) => {
    const session = createSession(name, source);
    sessions.set(name, session);
    return session;
  };
  /** The snapshots of another window, or after a reload: read from the files. */
  const createSnapshots = (more: { readonly folder?: string } = {}): Snapshots =>
    new Snapshots({
      folder,
      session: (name) => sessions.get(name),
      secrets: () => secrets,
      log: { warn: (line) => warnings.push(line) },
      now: () => ++now,
      ...more,
    });
  const resource = { connection: 'Test', kind: 'objects', id: 'obj_1' };
  const readTexts = async (snapshots: Snapshots): Promise<readonly string[]> =>
    (await snapshots.list(resource)).map(({ text }) => text);

  setup(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'soe-seen-')), 'snapshots');
    now = Date.now();
    for (const list of [warnings, secrets]) list.length = 0;
    sessions.clear();
  });
  teardown(() => {
    fs.rmSync(path.dirname(folder), { recursive: true });
  });

  test('a snapshot is available at once, and after a reload', async () => {
    const session = open('Test');
    const before = createSnapshots();
    for (const text of ['1', '2', '2', '3']) before.record(session, 'objects', 'obj_1', text);
    assert.deepEqual(await readTexts(before), ['3', '2', '1']);
    assert.equal(fs.existsSync(folder), false, 'it was written while it was read');
    await before.flush();
    assert.deepEqual(await readTexts(before), ['3', '2', '1']);
    const session2 = open('Test');
    const after = createSnapshots();
    assert.deepEqual(await readTexts(after), ['3', '2', '1']);
    // Read again unchanged: no new snapshot.
    after.record(session2, 'objects', 'obj_1', '3');
    assert.deepEqual(await readTexts(after), ['3', '2', '1']);
    after.dispose();
  });

  test('pending snapshots are written at shutdown', async () => {
    const before = createSnapshots();
    before.record(open('Test'), 'objects', 'obj_1', '1');
    before.dispose();
    assert.deepEqual(await readTexts(createSnapshots()), ['1']);
  });

  test('a temporary connection writes no file, and an ended session no further one', async () => {
    const snapshots = createSnapshots();
    snapshots.record(open('Test', 'memory'), 'objects', 'obj_1', '1');
    assert.deepEqual(await readTexts(snapshots), ['1']);
    const ending = open('Test');
    snapshots.record(ending, 'objects', 'obj_1', '2');
    ending.end.abort();
    await snapshots.flush();
    assert.equal(fs.existsSync(folder), false);
    open('Test');
    assert.deepEqual(await readTexts(snapshots), []);
  });

  test('deleting the snapshots of a connection keeps the others', async () => {
    const snapshots = createSnapshots();
    for (const name of ['Test', 'Other']) snapshots.record(open(name), 'objects', 'obj_1', name);
    await snapshots.flush();
    open('Test');
    await snapshots.forget('Test');
    assert.deepEqual(await readTexts(snapshots), []);
    assert.equal((await snapshots.list({ ...resource, connection: 'Other' })).length, 1);
    assert.deepEqual(await snapshots.list({ ...resource, connection: 'Nobody' }), []);
  });

  test('a text that became a secret later is masked when it is shown', async () => {
    const snapshots = createSnapshots();
    snapshots.record(open('Test'), 'objects', 'obj_1', '{"note":"letmein-please"}');
    await snapshots.flush();
    secrets.push('letmein-please');
    assert.deepEqual(await readTexts(snapshots), ['{"note":"••••"}']);
  });

  test('states of an object are found by root: read singly or in lists, also under the older field name', async () => {
    const session = open('Test');
    const snapshots = createSnapshots();
    snapshots.record(session, 'objects', 'obj_1', '{"id":"obj_1","state_root":"0xa","n":12345678901234567890}');
    snapshots.record(session, 'objects', 'obj_1', '{"id":"obj_1","state_hash":"0xb"}');
    await snapshots.flush();
    const reloaded = open('Test');
    reloaded.objectStates.add({ id: 'obj_1', state_root: '0xc' });
    const state = await createSnapshots().getObjectStates('Test', 'obj_1');
    assert.equal(JSON.stringify(state('0xa')), '{"id":"obj_1","state_root":"0xa","n":12345678901234567890}');
    assert.deepEqual(state('0xb'), { id: 'obj_1', state_hash: '0xb' });
    assert.deepEqual(state('0xc'), { id: 'obj_1', state_root: '0xc' });
    assert.equal(state('0xd'), undefined);
  });

  test('a disk error is logged once, and the session still compares', async () => {
    fs.writeFileSync(path.join(path.dirname(folder), 'file'), '');
    const snapshots = createSnapshots({ folder: path.join(path.dirname(folder), 'file', 'below') });
    snapshots.record(open('Test'), 'objects', 'obj_1', '1');
    await snapshots.flush();
    assert.match(warnings.join(), /^Store snapshots: /);
    assert.deepEqual(await readTexts(snapshots), ['1']);
    snapshots.record(open('Test'), 'objects', 'obj_1', '2');
    snapshots.dispose();
  });

  test('snapshots expire after thirty days', async () => {
    const snapshots = createSnapshots();
    snapshots.record(open('Test'), 'objects', 'obj_1', '1');
    await snapshots.flush();
    open('Test');
    now += 31 * A_DAY;
    assert.deepEqual(await readTexts(snapshots), []);
  });
});
