/** Paged lists: one load at a time, old rows stay when a refresh fails, no endless loading, an item cap. */
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { PagedList, type PagedListOptions } from '../../../../src/explorer/tree/paged-list.ts';
import { createListRows } from '../../../../src/explorer/rows/list-rows.ts';
import { createConnectionNode } from '../../../../src/explorer/rows/section-rows.ts';
import { registry } from '../../../../src/platform/registry.ts';
import { ProgressThrottle } from '../../../../src/explorer/progress-throttle.ts';
import { Item, type Page } from '../../../../src/platform/page.ts';

const schema = z.looseObject({ id: z.string() });
const page = (ids: readonly string[], next?: string): Page => ({
  items: ids.map((id) => new Item({ id }, schema)),
  extraFields: {},
  drift: [],
  ...(next !== undefined && { next }),
});

/** A list of numbered items, three on a page; `requested` records the cursors. */
function createNumberedList(total: number, more: Partial<PagedListOptions> = {}) {
  const cursors: (string | undefined)[] = [];
  const state = { error: undefined as Error | undefined, version: 0 };
  const branch = new PagedList({
    signal: new AbortController().signal,
    createPageReader: () => (cursor) => {
      cursors.push(cursor);
      if (state.error !== undefined) return Promise.reject(state.error);
      const start = Number(cursor ?? 0);
      const ids = Array.from({ length: Math.min(3, total - start) }, (_, at) => `${state.version}-${start + at}`);
      return Promise.resolve(page(ids, start + 3 < total ? String(start + 3) : undefined));
    },
    ...more,
  });
  return { branch, requested: cursors, state, ids: () => branch.items.map(({ id }) => id) };
}

suite('branch', () => {
  test('several callers of open share one request', async () => {
    const { branch, requested } = createNumberedList(7);
    await Promise.all([branch.open(), branch.open()]);
    await branch.open();
    assert.deepEqual(requested, [undefined]);
    assert.equal(branch.items.length, 3);
    assert.equal(branch.hasMore, true);
  });

  test('rows repeated on a later page appear once, and items that are no objects are counted', async () => {
    const pages: Readonly<Record<string, Page>> = {
      '': {
        ...page(['a', 'b'], '1'),
        items: [...page(['a', 'b']).items, new Item(null, schema), new Item('x', schema)],
      },
      '1': page(['b', 'c'], '2'),
      '2': { ...page(['a', 'd'], '3'), items: [...page(['a', 'd']).items, new Item(7, schema), new Item({}, schema)] },
      // The list starts over.
      '3': page(['a', 'b'], '4'),
      '4': page(['b', 'c']),
    };
    const branch = new PagedList({
      signal: new AbortController().signal,
      createPageReader: () => (cursor) => Promise.resolve(pages[cursor ?? ''] ?? page([])),
    });
    await branch.open();
    assert.deepEqual([branch.items.map(({ id }) => id), branch.invalidItemCount], [['a', 'b'], 2]);
    await branch.loadAll(() => undefined, new AbortController().signal);
    assert.deepEqual(
      branch.items.map(({ id }) => id),
      ['a', 'b', 'c', 'd', undefined],
    );
    assert.equal(branch.invalidItemCount, 3);

    const list = {
      ...createConnectionNode('Test'),
      type: 'list',
      kind: 'assets',
      label: 'Assets',
      fixed: {},
      filter: {},
    } as const;
    const rows = createListRows(list, registry.assets, branch, {} as never, () => undefined);
    assert.deepEqual(
      rows.map((row) => (row.type === 'leaf' ? row.label : row.type === 'resource' ? row.item?.id : row.type)),
      ['a', 'b', 'c', 'd', undefined, '3 invalid items'],
    );

    await branch.refresh();
    assert.equal(branch.items.length, 5);
    assert.equal(branch.invalidItemCount, 3);
  });

  test('fast clicks load one page', async () => {
    const { branch, requested } = createNumberedList(20);
    await branch.open();
    await Promise.all([branch.loadMore(), branch.loadMore(), branch.loadMore()]);
    assert.deepEqual(requested, [undefined, '3']);
  });

  test('loadAll waits for a running page and runs once', async () => {
    const { branch, requested } = createNumberedList(11);
    await branch.open();
    const page = branch.loadMore();
    const all = branch.loadAll(() => undefined, new AbortController().signal);
    await page;
    await Promise.all([all, branch.loadAll(() => undefined, new AbortController().signal)]);
    assert.equal(branch.items.length, 11);
    // Started over, but the platform has no larger pages: the rows stay, and the cursor is continued.
    assert.deepEqual(requested, [undefined, '3', undefined, '6', '9']);
    assert.equal(branch.isLoadingAll, false);
  });

  test('loadAll starts over with the largest pages, and never sends a cursor with another page size', async () => {
    const requested: (readonly [largest: boolean, cursor: string | undefined])[] = [];
    const branch = new PagedList({
      signal: new AbortController().signal,
      createPageReader: (largest) => (cursor) => {
        requested.push([largest, cursor]);
        // This cursor counts pages, so its meaning depends on the page size.
        const [number, size] = [Number(cursor ?? 0), largest ? 100 : 25];
        const ids = Array.from({ length: Math.min(size, 230 - number * size) }, (_, at) => String(number * size + at));
        return Promise.resolve(page(ids, (number + 1) * size < 230 ? String(number + 1) : undefined));
      },
    });
    await branch.open();
    await branch.loadMore();
    await branch.loadAll(() => undefined, new AbortController().signal);
    assert.deepEqual(
      branch.items.map(({ id }) => id),
      Array.from({ length: 230 }, (_, at) => String(at)),
    );
    assert.deepEqual(requested.slice(2), [
      [true, undefined],
      [true, '1'],
      [true, '2'],
    ]);
    await branch.refresh();
    assert.equal(branch.items.length, 230);
    assert.deepEqual(requested.slice(5), [
      [true, undefined],
      [true, '1'],
      [true, '2'],
    ]);
  });

  test('loadAll reads the largest pages also after many small ones', async () => {
    const requested: string[] = [];
    const branch = new PagedList({
      signal: new AbortController().signal,
      createPageReader: (largest) => (cursor) => {
        const [start, size] = [Number(cursor ?? 0), largest ? 100 : 25];
        requested.push(`${String(size)} from ${String(start)}`);
        const ids = Array.from({ length: Math.min(size, 430 - start) }, (_, at) => String(start + at));
        return Promise.resolve(page(ids, start + size < 430 ? String(start + size) : undefined));
      },
    });
    await branch.open();
    for (let page = 1; page < 5; page++) await branch.loadMore();
    const before = requested.length;
    await branch.loadAll(() => undefined, new AbortController().signal);
    assert.deepEqual(
      branch.items.map(({ id }) => id),
      Array.from({ length: 430 }, (_, at) => String(at)),
    );
    assert.deepEqual(requested.slice(before), [
      '100 from 0',
      '100 from 100',
      '100 from 200',
      '100 from 300',
      '100 from 400',
    ]);
  });

  test('rows stay if the largest page cannot be read, and none is lost', async () => {
    const { branch, requested, ids } = createNumberedList(5, {
      createPageReader: (largest) => (cursor) => {
        requested.push(cursor);
        if (largest) return Promise.reject(new Error('down'));
        return Promise.resolve(cursor === undefined ? page(['a', 'b'], '2') : page(['c']));
      },
    });
    await branch.open();
    await branch.loadAll(() => undefined, new AbortController().signal);
    assert.deepEqual(ids(), ['a', 'b', 'c']);
    assert.equal(branch.failure, undefined);
  });

  test('a failed first page is reported until a refresh', async () => {
    const { branch, requested, state, ids } = createNumberedList(2);
    state.error = new Error('down');
    await branch.open();
    await branch.open();
    assert.equal(requested.length, 1);
    assert.equal(branch.failure?.operation, 'first');
    state.error = undefined;
    await branch.refresh();
    assert.equal(branch.failure, undefined);
    assert.deepEqual(ids(), ['0-0', '0-1']);
  });

  test('a refresh brings as many rows as there were, at once', async () => {
    const { branch, state, ids } = createNumberedList(9);
    await branch.open();
    await branch.loadMore();
    state.version = 1;
    await branch.refresh();
    assert.deepEqual(ids(), ['1-0', '1-1', '1-2', '1-3', '1-4', '1-5']);
    assert.equal(branch.hasMore, true);
  });

  test('a failed refresh keeps the rows and the time of the first failure', async () => {
    let now = 1000;
    const { branch, state, ids } = createNumberedList(9, { now: () => now });
    await branch.open();
    state.error = new Error('down');
    now = 2000;
    await branch.refresh();
    now = 3000;
    await branch.refresh();
    assert.equal(ids().length, 3);
    assert.deepEqual([branch.failure?.operation, branch.failure?.since, branch.readAt], ['refresh', 2000, 1000]);
    state.error = undefined;
    await branch.refresh();
    assert.equal(branch.failure, undefined);
    assert.equal(branch.readAt, 3000);
  });

  test('a page that fails leaves its cursor to be tried again', async () => {
    const { branch, requested, state, ids } = createNumberedList(5);
    await branch.open();
    state.error = new Error('down');
    await branch.loadMore();
    assert.equal(branch.failure?.operation, 'more');
    state.error = undefined;
    await branch.loadMore();
    assert.deepEqual(requested, [undefined, '3', '3']);
    assert.equal(ids().length, 5);
    assert.equal(branch.hasMore, false);
  });

  test('loadAll reads page by page, stops at the signal, and resumes later', async () => {
    const { branch } = createNumberedList(30);
    await branch.open();
    const stop = new AbortController();
    const counts: number[] = [];
    await branch.loadAll((loaded) => {
      counts.push(loaded);
      if (loaded >= 9) stop.abort();
    }, stop.signal);
    assert.deepEqual(counts, [6, 9]);
    await branch.loadAll(() => undefined, new AbortController().signal);
    assert.equal(branch.items.length, 30);
    assert.equal(branch.hasMore, false);
  });

  test('loading stops at the item cap', async () => {
    const { branch } = createNumberedList(1000, { maxItems: 10 });
    await branch.open();
    await branch.loadAll(() => undefined, new AbortController().signal);
    assert.equal(branch.isFull, true);
    assert.ok(branch.items.length < 13);
  });

  test('a cursor that comes back ends the list', async () => {
    let reads = 0;
    const branch = new PagedList({
      signal: new AbortController().signal,
      createPageReader: () => () => Promise.resolve(page([String(reads++)], 'same')),
    });
    await branch.open();
    await branch.loadAll(() => undefined, new AbortController().signal);
    assert.equal(reads, 3, 'one page more: the list starts over');
  });

  test('empty pages are read past, but not for ever', async () => {
    let reads = 0;
    const branch = new PagedList({
      signal: new AbortController().signal,
      createPageReader: () => () => Promise.resolve(page([], String(reads++))),
    });
    await branch.open();
    assert.equal(reads, 5);
    assert.equal(branch.hasMore, true);
  });

  test('one item is requested by its id once, and again with a refresh', async () => {
    const sought: string[] = [];
    const find = (id: string): Promise<Item> => Promise.resolve(new Item({ id: (sought.push(id), id) }, schema));
    const { branch, requested } = createNumberedList(30, { find });
    assert.deepEqual(
      await Promise.all([branch.ensureVisible('0-9'), branch.ensureVisible('0-20'), branch.ensureVisible('0-9')]),
      [true, true, true],
    );
    assert.deepEqual([requested.length, sought], [1, ['0-9', '0-20']]);
    assert.equal(await branch.ensureVisible('0-1'), true, 'it is loaded');
    await branch.refresh();
    assert.deepEqual(sought, ['0-9', '0-20', '0-9', '0-20']);
    await branch.loadMore();
    await branch.loadMore();
    await branch.loadMore();
    assert.deepEqual(
      branch.extraItems.map(({ id }) => id),
      ['0-20'],
      'what has come with its page stands there alone',
    );
  });

  test('a list without an id parameter is read page by page, up to a limit', async () => {
    const { branch, requested } = createNumberedList(3000);
    assert.equal(await branch.ensureVisible('0-7'), true);
    assert.equal(requested.length, 3);
    assert.equal(await branch.ensureVisible('0-2999'), false);
    assert.equal(requested.length, 13);
    const { branch: failing, state } = createNumberedList(3000);
    await failing.open();
    state.error = new Error('down');
    assert.equal(await failing.ensureVisible('0-7'), false);
    assert.equal(failing.failure?.operation, 'more');
  });

  test('a growing list is drawn at most once a second, and in growing steps', () => {
    const steps = new ProgressThrottle(100);
    const drawn: number[] = [];
    for (let count = 100, now = 0; count <= 100_000; count += 100, now += 50)
      if (steps.shouldRender(count, now)) drawn.push(count);
    assert.ok(drawn.length < 20 && drawn.length > 3, String(drawn.length));
    for (const [index, count] of drawn.entries()) assert.ok(count >= (drawn[index - 1] ?? 100) * 1.5);
  });
});
