/** A second start within seconds is refused in every window of a workspace; later, or with another text, it is not. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { RecentStarts, type Start } from '../../../../../src/actions/run/confirm/recent-starts.ts';

suite('recent starts', () => {
  let folder: string;
  let now = 0;
  const start: Start = {
    connection: 'A',
    baseUrl: 'https://a.example',
    identity: undefined,
    file: 'file:///w/mint.action.json',
    text: '{}',
  };
  const window = (): RecentStarts => new RecentStarts(path.join(folder, 'starts'), () => now);

  setup(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'starts-'));
    now = 1_000_000;
  });
  teardown(() => fs.rm(folder, { recursive: true, force: true }));

  test('of windows that start at the same moment, one continues', async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, () => window().claim([start])));
    assert.equal(claims.filter(Boolean).length, 1);
  });

  test('at every place of a slot the start counts for at least two seconds, and for four at the most', async () => {
    for (let at = 0; at < 2000; at += 100)
      for (const [later, isFree] of [
        [0, false],
        [300, false],
        [1999, false],
        [4000, true],
      ] as const) {
        const each = { ...start, text: `${String(at)} ${String(later)}` };
        now = 2_000_000 + at;
        assert.equal(await window().claim([each]), true);
        now += later;
        assert.equal(await window().claim([each]), isFree, each.text);
      }
  });

  test('a key that is held for eight seconds starts once; after four more seconds the start is free', async () => {
    const claims: boolean[] = [];
    const end = now + 8000;
    for (; now <= end; now += 30) claims.push(await window().claim([start]));
    assert.deepEqual([claims[0], claims.filter(Boolean).length], [true, 1]);
    now = end + 4000;
    assert.equal(await window().claim([start]), true);
  });

  test('a window whose clock was read just before the boundary sees the start of the next slot', async () => {
    now = 2000;
    assert.equal(await window().claim([start]), true);
    now = 1999;
    assert.equal(await window().claim([start]), false);
  });

  test('another text, file, connection or server is another start', async () => {
    assert.equal(await window().claim([start]), true);
    for (const change of [{ text: '{ }' }, { file: 'x' }, { connection: 'B' }, { baseUrl: 'https://b.example' }])
      assert.equal(await window().claim([{ ...start, ...change }]), true, JSON.stringify(change));
  });

  test('a batch is recorded as a whole or not at all, also with the same text twice', async () => {
    const [a, b] = [
      { ...start, file: 'a' },
      { ...start, file: 'b' },
    ];
    assert.equal(await window().claim([b, b]), true);
    assert.equal(await window().claim([a, b]), false);
    assert.equal(await window().claim([a]), true);
  });

  test('a confirmed repetition is recorded too; a start that sent nothing can be repeated at once', async () => {
    assert.equal(await window().claim([start]), true);
    assert.equal(await window().claim([start], true), true);
    assert.equal(await window().claim([start]), false);
    await window().release(start);
    assert.equal(await window().claim([start]), true);
    now += 2000;
    await window().release(start);
    assert.equal(await window().claim([start]), true, 'also if it began in the slot before');
  });

  test('files are readable by their user only, and old ones are deleted', async () => {
    await window().claim([start]);
    const dir = path.join(folder, 'starts');
    const [name] = await fs.readdir(dir);
    assert.ok(name);
    if (process.platform !== 'win32') {
      assert.equal((await fs.stat(dir)).mode & 0o777, 0o700);
      assert.equal((await fs.stat(path.join(dir, name))).mode & 0o777, 0o600);
    }
    now += 60_000;
    await window().claim([{ ...start, text: 'other' }]);
    assert.equal((await fs.readdir(dir)).includes(name), false);
  });
});
