/** Snapshots: bounded in memory and in files, shared by windows, masked, and gone with their connection. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { ObjectStates } from '../../../src/connections/object-states.ts';
import { readProfiles } from '../../../src/connections/profiles.ts';
import { SnapshotFiles, type Place } from '../../../src/connections/snapshot-files.ts';
import { SnapshotMemory } from '../../../src/connections/snapshot-memory.ts';
import { Snapshots } from '../../../src/connections/snapshots.ts';
import type { Profile } from '../../../src/connections/types.ts';

const A_DAY = 24 * 60 * 60 * 1000;
const place = (id: string, more: Partial<Place> = {}): Place => ({
  connection: 'Test',
  baseUrl: 'http://a',
  kind: 'objects',
  id,
  ...more,
});

suite('snapshots in memory', () => {
  test('remember each other text once, the latest first', () => {
    const memory = new SnapshotMemory();
    const told = (
      [
        [1, 'a'],
        [2, 'a'],
        [3, 'b'],
        [4, 'a'],
      ] as const
    ).map(([readAt, text]) => memory.add('x', { readAt, text }));
    assert.deepEqual(told, [true, false, true, true]);
    assert.deepEqual(
      memory.of('x').map(({ readAt }) => readAt),
      [4, 3, 1],
    );
    assert.deepEqual(memory.of('y'), []);
  });

  test('stay within their limits whatever comes, and keep the last text of the last resource', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.string({ maxLength: 20 })), { minLength: 1 }),
        (adds) => {
          const memory = new SnapshotMemory(3, 50);
          adds.forEach(([id, text], readAt) => memory.add(id, { readAt, text }));
          const kept = ['a', 'b', 'c'].map((id) => memory.of(id));
          assert.ok(kept.every((list) => list.length <= 3));
          assert.equal(
            kept.flat().reduce((sum, { text }) => sum + text.length, 0),
            memory.size,
          );
          assert.ok(memory.size <= 50);
          const [id, text] = adds.at(-1) ?? ['', ''];
          assert.equal(memory.of(id)[0]?.text, text);
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

  test('nothing is made or read before the first; a text comes back to the letter, and no id stands in a name', async () => {
    const files = new SnapshotFiles(folder);
    assert.deepEqual(await files.of(place('obj_1')), []);
    await files.forget('Test');
    assert.deepEqual(names(), []);
    const text = '{\n  "n": 12345678901234567890,\n  "s": "ü\\u0000"\n}\n';
    await files.add([{ place: place('../../obj_1'), snapshot: { readAt: 5, text } }], 5);
    assert.deepEqual(await files.of(place('../../obj_1'), 5), [{ readAt: 5, text }]);
    assert.match(names().join(), /^[\da-f-]+\.json$/);
    if (process.platform !== 'win32')
      assert.equal(fs.statSync(path.join(folder, names()[0] ?? '')).mode & 0o777, 0o600);
    for (const other of [{ baseUrl: 'http://b' }, { connection: 'Other' }, { kind: 'faces' }])
      assert.deepEqual(await files.of(place('../../obj_1', other), 5), []);
  });

  test('stay within number, bytes and age, the oldest going first, whatever comes', async () => {
    const limits = { each: 3, files: 8, bytes: 400, age: 1000 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.string({ maxLength: 40 })), { minLength: 1 }),
        fc.nat({ max: 200 }),
        async (adds, step) => {
          fs.rmSync(folder, { recursive: true, force: true });
          const files = new SnapshotFiles(folder, limits);
          let now = 0;
          for (const [id, text] of adds)
            await files.add([{ place: place(id), snapshot: { readAt: (now += step + 1), text } }], now);
          assert.ok(names().length <= limits.files && bytes() <= limits.bytes);
          for (const id of ['a', 'b', 'c', 'd']) {
            const kept = await files.of(place(id), now);
            assert.ok(kept.length <= limits.each);
            assert.ok(
              kept.every(({ readAt }, at) => now - readAt <= limits.age && readAt > (kept[at + 1]?.readAt ?? -1)),
            );
          }
          const [id, text] = adds.at(-1) ?? ['', ''];
          if (Buffer.byteLength(text) <= limits.bytes / 8)
            assert.equal((await files.of(place(id), now))[0]?.text, text);
          assert.deepEqual(await files.of(place(id), now + limits.age + 1000), []);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a text that is the same as the one before is not written again, also by another window', async () => {
    const [one, other] = [new SnapshotFiles(folder), new SnapshotFiles(folder)];
    await one.add([{ place: place('x'), snapshot: { readAt: 1, text: 'a' } }], 1);
    await other.add([{ place: place('x'), snapshot: { readAt: 2, text: 'a' } }], 2);
    assert.equal(names().length, 1);
    await other.add([{ place: place('x'), snapshot: { readAt: 3, text: 'b' } }], 3);
    await one.add([{ place: place('x'), snapshot: { readAt: 4, text: 'a' } }], 4);
    assert.deepEqual(
      (await one.of(place('x'), 4)).map(({ text }) => text),
      ['a', 'b', 'a'],
    );
  });

  test('two windows that write at the same time keep what the other wrote', async () => {
    const windows = [new SnapshotFiles(folder), new SnapshotFiles(folder)];
    await Promise.all(
      windows.flatMap((files, window) =>
        Array.from({ length: 10 }, (_, at) =>
          files.add(
            [{ place: place('x'), snapshot: { readAt: at * 2 + window, text: `${String(window)}:${String(at)}` } }],
            20,
          ),
        ),
      ),
    );
    const texts = (await new SnapshotFiles(folder).of(place('x'), 20)).map(({ text }) => text);
    assert.deepEqual(
      texts.toSorted(),
      [0, 1].flatMap((window) => Array.from({ length: 10 }, (_, at) => `${String(window)}:${String(at)}`)),
    );
  });

  test('a torn file is passed over, and strangers are left alone', async () => {
    const files = new SnapshotFiles(folder);
    await files.add(
      [1, 2].map((readAt) => ({ place: place('x'), snapshot: { readAt, text: `{"a":${String(readAt)}}` } })),
      2,
    );
    fs.writeFileSync(path.join(folder, 'notes.txt'), 'x');
    fs.writeFileSync(path.join(folder, names().find((name) => name.includes('0002-')) ?? assert.fail()), '{"a"');
    assert.deepEqual(
      (await files.of(place('x'), 2)).map(({ readAt }) => readAt),
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
  const sessions = new Map<string, ReturnType<typeof sessionOf>>();
  const sessionOf = (name: string, source: Profile['source'] = 'user') => {
    const [profile] = readProfiles([{ name, baseUrl: 'http://127.0.0.1:1' }], undefined).profiles;
    assert.ok(profile);
    const end = new AbortController();
    return { profile: { ...profile, source }, ended: end.signal, states: new ObjectStates(), end };
  };
  const open = (name: string, source?: Profile['source']) => {
    const session = sessionOf(name, source);
    sessions.set(name, session);
    return session;
  };
  /** Of another window, or of this one after a reload: it knows what the files know. */
  const snapshotsOf = (more: { readonly folder?: string } = {}): Snapshots =>
    new Snapshots({
      folder,
      session: (name) => sessions.get(name),
      secrets: () => secrets,
      log: { warn: (line) => warnings.push(line) },
      now: () => ++now,
      ...more,
    });
  const resource = { connection: 'Test', kind: 'objects', id: 'obj_1' };
  const textsOf = async (snapshots: Snapshots): Promise<readonly string[]> =>
    (await snapshots.of(resource)).map(({ text }) => text);

  setup(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'soe-seen-')), 'snapshots');
    now = Date.now();
    for (const list of [warnings, secrets]) list.length = 0;
    sessions.clear();
  });
  teardown(() => {
    fs.rmSync(path.dirname(folder), { recursive: true });
  });

  test('what was read is there at once, and after a reload', async () => {
    const session = open('Test');
    const before = snapshotsOf();
    for (const text of ['1', '2', '2', '3']) before.note(session, 'objects', 'obj_1', text);
    assert.deepEqual(await textsOf(before), ['3', '2', '1']);
    assert.equal(fs.existsSync(folder), false, 'it was written while it was read');
    await before.flush();
    assert.deepEqual(await textsOf(before), ['3', '2', '1']);
    const session2 = open('Test');
    const after = snapshotsOf();
    assert.deepEqual(await textsOf(after), ['3', '2', '1']);
    // Read anew and unchanged: nothing new was seen.
    after.note(session2, 'objects', 'obj_1', '3');
    assert.deepEqual(await textsOf(after), ['3', '2', '1']);
    after.dispose();
  });

  test('what still waits at the end of the window is written', async () => {
    const before = snapshotsOf();
    before.note(open('Test'), 'objects', 'obj_1', '1');
    before.dispose();
    assert.deepEqual(await textsOf(snapshotsOf()), ['1']);
  });

  test('a connection in memory alone leaves no file, and a session that ended none after its end', async () => {
    const snapshots = snapshotsOf();
    snapshots.note(open('Test', 'memory'), 'objects', 'obj_1', '1');
    assert.deepEqual(await textsOf(snapshots), ['1']);
    const ending = open('Test');
    snapshots.note(ending, 'objects', 'obj_1', '2');
    ending.end.abort();
    await snapshots.flush();
    assert.equal(fs.existsSync(folder), false);
    open('Test');
    assert.deepEqual(await textsOf(snapshots), []);
  });

  test('a connection that is forgotten is forgotten alone', async () => {
    const snapshots = snapshotsOf();
    for (const name of ['Test', 'Other']) snapshots.note(open(name), 'objects', 'obj_1', name);
    await snapshots.flush();
    open('Test');
    await snapshots.forget('Test');
    assert.deepEqual(await textsOf(snapshots), []);
    assert.equal((await snapshots.of({ ...resource, connection: 'Other' })).length, 1);
    assert.deepEqual(await snapshots.of({ ...resource, connection: 'Nobody' }), []);
  });

  test('a text that became a secret later is masked when it is shown', async () => {
    const snapshots = snapshotsOf();
    snapshots.note(open('Test'), 'objects', 'obj_1', '{"note":"letmein-please"}');
    await snapshots.flush();
    secrets.push('letmein-please');
    assert.deepEqual(await textsOf(snapshots), ['{"note":"••••"}']);
  });

  test('states of an object are found by root: those read, those in lists, and by the older name', async () => {
    const session = open('Test');
    const snapshots = snapshotsOf();
    snapshots.note(session, 'objects', 'obj_1', '{"id":"obj_1","state_root":"0xa","n":12345678901234567890}');
    snapshots.note(session, 'objects', 'obj_1', '{"id":"obj_1","state_hash":"0xb"}');
    await snapshots.flush();
    const reloaded = open('Test');
    reloaded.states.add({ id: 'obj_1', state_root: '0xc' });
    const state = await snapshotsOf().states('Test', 'obj_1');
    assert.equal(JSON.stringify(state('0xa')), '{"id":"obj_1","state_root":"0xa","n":12345678901234567890}');
    assert.deepEqual(state('0xb'), { id: 'obj_1', state_hash: '0xb' });
    assert.deepEqual(state('0xc'), { id: 'obj_1', state_root: '0xc' });
    assert.equal(state('0xd'), undefined);
  });

  test('a disk that refuses is said once in the log, and the session still compares', async () => {
    fs.writeFileSync(path.join(path.dirname(folder), 'file'), '');
    const snapshots = snapshotsOf({ folder: path.join(path.dirname(folder), 'file', 'below') });
    snapshots.note(open('Test'), 'objects', 'obj_1', '1');
    await snapshots.flush();
    assert.match(warnings.join(), /^Keep snapshots: /);
    assert.deepEqual(await textsOf(snapshots), ['1']);
    snapshots.note(open('Test'), 'objects', 'obj_1', '2');
    snapshots.dispose();
  });

  test('thirty days are the end', async () => {
    const snapshots = snapshotsOf();
    snapshots.note(open('Test'), 'objects', 'obj_1', '1');
    await snapshots.flush();
    open('Test');
    now += 31 * A_DAY;
    assert.deepEqual(await textsOf(snapshots), []);
  });
});
