/** An export to a real file writes the same bytes at once as after any interruption. */
import v8 from 'node:v8';
import vm from 'node:vm';
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { exportFormats, type ExportFormat } from '../../../../src/model/export/export-writer.ts';
import { createPartial, reopenPartial, type PartialFile } from '../../../../src/model/files/write-file.ts';
import {
  PendingExports,
  type ExportProgress,
  type PendingExport,
} from '../../../../src/explorer/export/pending-exports.ts';
import { runExport, NO_PROGRESS, type ExportOptions } from '../../../../src/explorer/export/run-export.ts';
import { Item, type Page } from '../../../../src/platform/page.ts';
import { registry } from '../../../../src/platform/registry.ts';

const definition = registry.assets;
const item = (index: number): Item =>
  new Item({ id: `ast_${String(index)}`, name: `näme "${String(index)}"\n` }, definition.schema);

/** So many items, `size` a page; fails once before the page at `failing`. */
function createPages(total: number, size: number, failing?: number): ExportOptions['pages'] {
  let left = failing === undefined ? 0 : 1;
  return async function* (_row, _query, _signal, from): AsyncGenerator<Page> {
    for (let start = Number(from ?? 0); start < total || start === 0; start += size) {
      await Promise.resolve();
      if (start === failing && left-- > 0) throw new Error('broken off');
      const items = Array.from({ length: Math.min(size, total - start) }, (_, at) => item(start + at));
      yield { items, extraFields: {}, drift: [], ...(start + size < total && { next: String(start + size) }) };
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
  const files = new Map<string, PartialFile>();
  const openPartial = async (name: string, bytes: number): Promise<fs.FileHandle> => {
    const known = files.get(name);
    const again = known === undefined ? undefined : await reopenPartial(known, bytes);
    if (again !== undefined) return again;
    const { file, ...partial } = await createPartial(path.join(folder, name));
    files.set(name, partial);
    return file;
  };
  const run = async (
    name: string,
    format: ExportFormat,
    pages: ExportOptions['pages'],
    from: ExportProgress = NO_PROGRESS,
  ) => {
    let reached = from;
    const file = await openPartial(name, from.bytes);
    const partial = files.get(name)?.path ?? assert.fail(name);
    const onProgress = (now: ExportProgress): void => {
      reached = now;
    };
    const failed = await runExport({
      definition,
      format,
      query: {},
      pages,
      file,
      from,
      signal,
      onProgress: onProgress,
    }).then(
      () => false,
      () => true,
    );
    return { failed, reached, partial };
  };

  test('a failure on any page, and even a torn write, leave a file that is the same in the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...exportFormats),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat({ max: 4 }),
        fc.string(),
        async (format, total, size, page, tail) => {
          const complete = await run('whole', format, createPages(total, size));
          assert.equal(complete.failed, false);
          const first = await run('pieces', format, createPages(total, size, page * size));
          if (first.failed) {
            await fs.appendFile(first.partial, tail.repeat(200));
            const second = await run('pieces', format, createPages(total, size), first.reached);
            assert.equal(second.failed, false);
          }
          assert.equal(await fs.readFile(first.partial, 'utf8'), await fs.readFile(complete.partial, 'utf8'));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('when everything was read and only the end was missing, nothing is read again', async () => {
    const first = await run('end', 'json', createPages(3, 2));
    assert.equal(first.reached.complete, true);
    const again = await run('end', 'json', () => assert.fail('read again'), first.reached);
    assert.equal(again.failed, false);
    assert.equal((JSON.parse(await fs.readFile(again.partial, 'utf8')) as unknown[]).length, 3);
  });

  test('a partial write is continued; a full disk fails the export', async () => {
    const complete = await run('taken at once', 'csv', createPages(5, 2));
    const handle = await fs.open(complete.partial);
    const kind = Object.getPrototypeOf(handle) as { write: Write };
    await handle.close();
    const { write } = kind;
    let freeBytes = Infinity;
    kind.write = async function (bytes, from, length, at) {
      if (freeBytes <= 0) throw new Error('ENOSPC');
      const { bytesWritten } = await write.call(this, bytes, from, Math.min(length, freeBytes, 7), at);
      freeBytes -= bytesWritten;
      return { bytesWritten };
    };
    try {
      const parts = await run('taken in parts', 'csv', createPages(5, 2));
      assert.equal(parts.failed, false);
      assert.equal(await fs.readFile(parts.partial, 'utf8'), await fs.readFile(complete.partial, 'utf8'));
      freeBytes = 100;
      const full = await run('full', 'csv', createPages(5, 2));
      assert.equal(full.failed, true);
      assert.ok(full.reached.bytes <= 100 && !full.reached.complete);
    } finally {
      kind.write = write;
    }
  });

  test('the file is new, with a random name, readable by its user only; a planted file is neither written nor resumed', async () => {
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
    const finalized = new FinalizationRegistry(() => alive--);
    const pages: ExportOptions['pages'] = async function* () {
      for (let at = 0; at < 400; at++) {
        // What nobody holds goes now, and is counted in the turns after that.
        if (at % 50 === 49) collect();
        for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
        const page: Page = {
          items: [new Item({ id: 'x', name: 'x'.repeat(200_000) }, definition.schema)],
          extraFields: {},
          drift: [],
        };
        finalized.register(page, undefined);
        most = Math.max(most, ++alive);
        yield page;
      }
    };
    const { failed, partial } = await run('long', 'ndjson', pages);
    assert.equal(failed, false);
    assert.ok((await fs.stat(partial)).size > 80_000_000);
    assert.ok(most <= 120, `${String(most)} of 400 pages were held at once`);
  });

  test('an interrupted export is stored completely; invalid entries are ignored', async () => {
    const stored = new Map<string, unknown>();
    const exports = new PendingExports({
      get: (key) => stored.get(key),
      update: (key, value) => Promise.resolve(void stored.set(key, value)),
    });
    const pending: PendingExport = {
      connection: 'c',
      identity: 'buyer',
      baseUrl: 'http://x',
      kind: 'assets',
      label: 'Assets',
      format: 'csv',
      query: { limit: 100 },
      target: 'file:///a',
      partial: { path: '/a.partial', identity: '1:2' },
      reached: { count: 3, bytes: 40, cursor: 'n', complete: false },
    };
    await exports.save(pending);
    await exports.save({ ...pending, reached: { ...pending.reached, count: 6 } });
    assert.deepEqual(
      exports.all.map(({ reached }) => reached.count),
      [6],
    );
    await exports.delete(pending);
    assert.deepEqual(exports.all, []);
    stored.set('explorer.exports', [
      null,
      { ...pending, partial: '/a' },
      { ...pending, reached: {} },
      { ...pending, format: 'exe' },
      { ...pending, identity: 1 },
      pending,
    ]);
    assert.equal(exports.all.length, 1);
  });
});
