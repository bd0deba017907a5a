/** An export to a real file: whole at once, or in pieces after any failure, the bytes are the same. */
import v8 from 'node:v8';
import vm from 'node:vm';
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { formats, type Format } from '../../../src/platform/export/format.ts';
import { createPartial, reopenPartial, type Partial } from '../../../src/explorer/export/partial.ts';
import { PendingExports, type Pending } from '../../../src/explorer/export/pending.ts';
import { runExport, START, type ExportRun, type Reached } from '../../../src/explorer/export/run.ts';
import { Item, type Page } from '../../../src/platform/page.ts';
import { registry } from '../../../src/platform/registry.ts';

const row = registry.assets;
const item = (index: number): Item =>
  new Item({ id: `ast_${String(index)}`, name: `näme "${String(index)}"\n` }, row.schema);

/** So many items, `size` a page; fails once before the page at `failing`. */
function listOf(total: number, size: number, failing?: number): ExportRun['pages'] {
  let left = failing === undefined ? 0 : 1;
  return async function* (_row, _query, _signal, from): AsyncGenerator<Page> {
    for (let start = Number(from ?? 0); start < total || start === 0; start += size) {
      await Promise.resolve();
      if (start === failing && left-- > 0) throw new Error('broken off');
      const items = Array.from({ length: Math.min(size, total - start) }, (_, at) => item(start + at));
      yield { items, beside: {}, drift: [], ...(start + size < total && { next: String(start + size) }) };
    }
  };
}

type Write = (
  this: fs.FileHandle,
  ...how: readonly [bytes: Uint8Array, from: number, length: number, at: number]
) => Promise<{ readonly bytesWritten: number }>;

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

suite('exports', () => {
  let folder = '';
  suiteSetup(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'soe-run-'));
  });
  suiteTeardown(() => fs.rm(folder, { recursive: true }));

  const { signal } = new AbortController();
  const files = new Map<string, Partial>();
  const opened = async (name: string, bytes: number): Promise<fs.FileHandle> => {
    const known = files.get(name);
    const again = known === undefined ? undefined : await reopenPartial(known, bytes);
    if (again !== undefined) return again;
    const { file, ...partial } = await createPartial(path.join(folder, name));
    files.set(name, partial);
    return file;
  };
  const run = async (name: string, format: Format, pages: ExportRun['pages'], from: Reached = START) => {
    let reached = from;
    const file = await opened(name, from.bytes);
    const partial = files.get(name)?.path ?? assert.fail(name);
    const told = (now: Reached): void => {
      reached = now;
    };
    const failed = await runExport({ row, format, query: {}, pages, file, from, signal, reached: told }).then(
      () => false,
      () => true,
    );
    await file.close();
    return { failed, reached, partial };
  };

  test('a failure on any page, and even a torn write, leave a file that is the same in the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...formats),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat({ max: 4 }),
        fc.string(),
        async (format, total, size, page, torn) => {
          const whole = await run('whole', format, listOf(total, size));
          assert.equal(whole.failed, false);
          const first = await run('pieces', format, listOf(total, size, page * size));
          if (first.failed) {
            await fs.appendFile(first.partial, torn.repeat(200));
            const second = await run('pieces', format, listOf(total, size), first.reached);
            assert.equal(second.failed, false);
          }
          assert.equal(await fs.readFile(first.partial, 'utf8'), await fs.readFile(whole.partial, 'utf8'));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('when everything was read and only the end was missing, nothing is read again', async () => {
    const first = await run('end', 'json', listOf(3, 2));
    assert.equal(first.reached.complete, true);
    const again = await run('end', 'json', () => assert.fail('read again'), first.reached);
    assert.equal(again.failed, false);
    assert.equal((JSON.parse(await fs.readFile(again.partial, 'utf8')) as unknown[]).length, 3);
  });

  test('a disk that takes a part of what it is given gets the rest; one that is full in the middle fails the export', async () => {
    const whole = await run('taken at once', 'csv', listOf(5, 2));
    const handle = await fs.open(whole.partial);
    const kind = Object.getPrototypeOf(handle) as { write: Write };
    await handle.close();
    const { write } = kind;
    let room = Infinity;
    kind.write = async function (bytes, from, length, at) {
      if (room <= 0) throw new Error('ENOSPC');
      const { bytesWritten } = await write.call(this, bytes, from, Math.min(length, room, 7), at);
      room -= bytesWritten;
      return { bytesWritten };
    };
    try {
      const parts = await run('taken in parts', 'csv', listOf(5, 2));
      assert.equal(parts.failed, false);
      assert.equal(await fs.readFile(parts.partial, 'utf8'), await fs.readFile(whole.partial, 'utf8'));
      room = 100;
      const full = await run('full', 'csv', listOf(5, 2));
      assert.equal(full.failed, true);
      assert.ok(full.reached.bytes <= 100 && !full.reached.complete);
    } finally {
      kind.write = write;
    }
  });

  test('the file is a new one under a random name, readable by its user alone; what was planted is neither written nor resumed', async () => {
    const victim = path.join(folder, 'victim');
    await fs.writeFile(victim, 'precious');
    // A folder of others may hold links under every name that can be foreseen.
    for (const name of ['objects.ndjson.partial', 'objects.ndjson']) await fs.symlink(victim, path.join(folder, name));
    const { file, ...partial } = await createPartial(path.join(folder, 'objects.ndjson'));
    await file.write('12345');
    assert.equal((await file.stat()).mode & 0o777, 0o600);
    await file.close();
    const other = await createPartial(path.join(folder, 'objects.ndjson'));
    await other.file.close();
    assert.notEqual(other.path, partial.path);

    const again = await reopenPartial(partial, 5);
    assert.ok(again !== undefined);
    await again.close();
    assert.equal(await reopenPartial(partial, 6), undefined, 'shorter than what was written');
    await fs.link(partial.path, path.join(folder, 'second name'));
    assert.equal(await reopenPartial(partial, 5), undefined, 'a second name');
    await fs.rm(path.join(folder, 'second name'));
    await fs.rename(partial.path, `${partial.path}.away`);
    assert.equal(await reopenPartial(partial, 5), undefined, 'gone');
    await fs.symlink(`${partial.path}.away`, partial.path);
    assert.equal(await reopenPartial(partial, 5), undefined, 'a link, though to our own');
    await fs.rm(partial.path);
    await fs.writeFile(partial.path, '12345');
    assert.equal(await reopenPartial(partial, 5), undefined, 'another file');
    await fs.rm(partial.path);
    await fs.mkdir(partial.path);
    assert.equal(await reopenPartial(partial, 0), undefined, 'a folder');
    assert.equal(await fs.readFile(victim, 'utf8'), 'precious');
  });

  test('holds one page at a time, however long the list is', async () => {
    let alive = 0;
    let most = 0;
    const gone = new FinalizationRegistry(() => alive--);
    const pages: ExportRun['pages'] = async function* () {
      for (let at = 0; at < 400; at++) {
        // What nobody holds goes now, and is counted in the turns after that.
        if (at % 50 === 49) collect();
        for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
        const page: Page = {
          items: [new Item({ id: 'x', name: 'x'.repeat(200_000) }, row.schema)],
          beside: {},
          drift: [],
        };
        gone.register(page, undefined);
        most = Math.max(most, ++alive);
        yield page;
      }
    };
    const { failed, partial } = await run('long', 'ndjson', pages);
    assert.equal(failed, false);
    assert.ok((await fs.stat(partial)).size > 80_000_000);
    assert.ok(most <= 120, `${String(most)} of 400 pages were held at once`);
  });

  test('what stopped is kept with all it needs, and nothing broken comes back', async () => {
    const kept = new Map<string, unknown>();
    const exports = new PendingExports({
      get: (key) => kept.get(key),
      update: (key, value) => Promise.resolve(void kept.set(key, value)),
    });
    const pending: Pending = {
      connection: 'c',
      baseUrl: 'http://x',
      kind: 'assets',
      label: 'Assets',
      format: 'csv',
      query: { limit: 100 },
      target: 'file:///a',
      partial: { path: '/a.partial', identity: '1:2' },
      reached: { count: 3, bytes: 40, cursor: 'n', complete: false },
    };
    await exports.keep(pending);
    await exports.keep({ ...pending, reached: { ...pending.reached, count: 6 } });
    assert.deepEqual(
      exports.all.map(({ reached }) => reached.count),
      [6],
    );
    await exports.drop(pending);
    assert.deepEqual(exports.all, []);
    kept.set('explorer.exports', [
      null,
      { ...pending, partial: '/a' },
      { ...pending, reached: {} },
      { ...pending, format: 'exe' },
      pending,
    ]);
    assert.equal(exports.all.length, 1);
  });
});
