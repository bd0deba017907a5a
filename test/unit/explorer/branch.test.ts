/** What a branch holds: one load at a time, old rows kept when a refresh fails, no circle, no more than it may. */
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { Branch, type BranchOptions } from '../../../src/explorer/branch.ts';
import { listRows } from '../../../src/explorer/list-rows.ts';
import { connectionNode } from '../../../src/explorer/sections.ts';
import { registry } from '../../../src/platform/registry.ts';
import { GrowingSteps } from '../../../src/explorer/growing.ts';
import { Item, type Page } from '../../../src/platform/page.ts';

const schema = z.looseObject({ id: z.string() });
const page = (ids: readonly string[], next?: string): Page => ({
  items: ids.map((id) => new Item({ id }, schema)),
  beside: {},
  drift: [],
  ...(next !== undefined && { next }),
});

/** A list of numbered items, three a page; `asked` records the cursors. */
function numbers(total: number, more: Partial<BranchOptions> = {}) {
  const asked: (string | undefined)[] = [];
  const state = { error: undefined as Error | undefined, version: 0 };
  const branch = new Branch({
    signal: new AbortController().signal,
    begin: () => (cursor) => {
      asked.push(cursor);
      if (state.error !== undefined) return Promise.reject(state.error);
      const start = Number(cursor ?? 0);
      const ids = Array.from({ length: Math.min(3, total - start) }, (_, at) => `${state.version}-${start + at}`);
      return Promise.resolve(page(ids, start + 3 < total ? String(start + 3) : undefined));
    },
    ...more,
  });
  return { branch, asked, state, ids: () => branch.items.map(({ id }) => id) };
}

suite('branch', () => {
  test('whoever opens it, one request is sent', async () => {
    const { branch, asked } = numbers(7);
    await Promise.all([branch.open(), branch.open()]);
    await branch.open();
    assert.deepEqual(asked, [undefined]);
    assert.equal(branch.items.length, 3);
    assert.equal(branch.hasMore, true);
  });

  test('rows that come again on a later page appear once, and what is no object is counted', async () => {
    const pages: Readonly<Record<string, Page>> = {
      '': {
        ...page(['a', 'b'], '1'),
        items: [...page(['a', 'b']).items, new Item(null, schema), new Item('x', schema)],
      },
      '1': page(['b', 'c'], '2'),
      '2': { ...page(['a', 'd'], '3'), items: [...page(['a', 'd']).items, new Item(7, schema), new Item({}, schema)] },
      // The list has begun again.
      '3': page(['a', 'b'], '4'),
      '4': page(['b', 'c']),
    };
    const branch = new Branch({
      signal: new AbortController().signal,
      begin: () => (cursor) => Promise.resolve(pages[cursor ?? ''] ?? page([])),
    });
    await branch.open();
    assert.deepEqual([branch.items.map(({ id }) => id), branch.bad], [['a', 'b'], 2]);
    await branch.all(() => undefined, new AbortController().signal);
    assert.deepEqual(
      branch.items.map(({ id }) => id),
      ['a', 'b', 'c', 'd', undefined],
    );
    assert.equal(branch.bad, 3);

    const list = {
      ...connectionNode('Test'),
      type: 'list',
      kind: 'assets',
      label: 'Assets',
      fixed: {},
      filter: {},
    } as const;
    const rows = listRows(list, registry.assets, branch, {} as never);
    assert.deepEqual(
      rows.map((row) => (row.type === 'note' ? row.label : row.type === 'resource' ? row.item?.id : row.type)),
      ['a', 'b', 'c', 'd', undefined, '3 items are not assets'],
    );

    await branch.refresh();
    assert.equal(branch.items.length, 5);
    assert.equal(branch.bad, 3);
  });

  test('fast clicks load one page', async () => {
    const { branch, asked } = numbers(20);
    await branch.open();
    await Promise.all([branch.more(), branch.more(), branch.more()]);
    assert.deepEqual(asked, [undefined, '3']);
  });

  test('all waits for a page under way, and is done once', async () => {
    const { branch, asked } = numbers(11);
    await branch.open();
    const page = branch.more();
    const all = branch.all(() => undefined, new AbortController().signal);
    await page;
    await Promise.all([all, branch.all(() => undefined, new AbortController().signal)]);
    assert.equal(branch.items.length, 11);
    assert.deepEqual(asked, [undefined, '3', '6', '9']);
    assert.equal(branch.loadingAll, false);
  });

  test('a first failure stands until it is tried again', async () => {
    const { branch, asked, state, ids } = numbers(2);
    state.error = new Error('down');
    await branch.open();
    await branch.open();
    assert.equal(asked.length, 1);
    assert.equal(branch.failure?.of, 'first');
    state.error = undefined;
    await branch.refresh();
    assert.equal(branch.failure, undefined);
    assert.deepEqual(ids(), ['0-0', '0-1']);
  });

  test('a refresh brings as many rows as there were, at once', async () => {
    const { branch, state, ids } = numbers(9);
    await branch.open();
    await branch.more();
    state.version = 1;
    await branch.refresh();
    assert.deepEqual(ids(), ['1-0', '1-1', '1-2', '1-3', '1-4', '1-5']);
    assert.equal(branch.hasMore, true);
  });

  test('a refresh that fails keeps the rows, and says since when', async () => {
    let now = 1000;
    const { branch, state, ids } = numbers(9, { now: () => now });
    await branch.open();
    state.error = new Error('down');
    now = 2000;
    await branch.refresh();
    now = 3000;
    await branch.refresh();
    assert.equal(ids().length, 3);
    assert.deepEqual([branch.failure?.of, branch.failure?.since, branch.readAt], ['refresh', 2000, 1000]);
    state.error = undefined;
    await branch.refresh();
    assert.equal(branch.failure, undefined);
    assert.equal(branch.readAt, 3000);
  });

  test('a page that fails leaves its cursor to be tried again', async () => {
    const { branch, asked, state, ids } = numbers(5);
    await branch.open();
    state.error = new Error('down');
    await branch.more();
    assert.equal(branch.failure?.of, 'more');
    state.error = undefined;
    await branch.more();
    assert.deepEqual(asked, [undefined, '3', '3']);
    assert.equal(ids().length, 5);
    assert.equal(branch.hasMore, false);
  });

  test('all of it is loaded page by page, stops when told, and goes on later', async () => {
    const { branch } = numbers(30);
    await branch.open();
    const stop = new AbortController();
    const counts: number[] = [];
    await branch.all((loaded) => {
      counts.push(loaded);
      if (loaded >= 9) stop.abort();
    }, stop.signal);
    assert.deepEqual(counts, [6, 9]);
    await branch.all(() => undefined, new AbortController().signal);
    assert.equal(branch.items.length, 30);
    assert.equal(branch.hasMore, false);
  });

  test('no more is held than may be', async () => {
    const { branch } = numbers(1000, { mostHeld: 10 });
    await branch.open();
    await branch.all(() => undefined, new AbortController().signal);
    assert.equal(branch.full, true);
    assert.ok(branch.items.length < 13);
  });

  test('a cursor that comes back ends the list', async () => {
    let reads = 0;
    const branch = new Branch({
      signal: new AbortController().signal,
      begin: () => () => Promise.resolve(page([String(reads++)], 'same')),
    });
    await branch.open();
    await branch.all(() => undefined, new AbortController().signal);
    assert.equal(reads, 2);
  });

  test('empty pages are read past, but not for ever', async () => {
    let reads = 0;
    const branch = new Branch({
      signal: new AbortController().signal,
      begin: () => () => Promise.resolve(page([], String(reads++))),
    });
    await branch.open();
    assert.equal(reads, 5);
    assert.equal(branch.hasMore, true);
  });

  test('one item is asked for by itself, once, whoever wants it, and comes again with a refresh', async () => {
    const sought: string[] = [];
    const find = (id: string): Promise<Item> => Promise.resolve(new Item({ id: (sought.push(id), id) }, schema));
    const { branch, asked } = numbers(30, { find });
    assert.deepEqual(await Promise.all([branch.show('0-9'), branch.show('0-20'), branch.show('0-9')]), [
      true,
      true,
      true,
    ]);
    assert.deepEqual([asked.length, sought], [1, ['0-9', '0-20']]);
    assert.equal(await branch.show('0-1'), true, 'it is loaded');
    await branch.refresh();
    assert.deepEqual(sought, ['0-9', '0-20', '0-9', '0-20']);
    await branch.more();
    await branch.more();
    await branch.more();
    assert.deepEqual(
      branch.beside.map(({ id }) => id),
      ['0-20'],
      'what has come with its page stands there alone',
    );
  });

  test('a list that cannot be asked for one is read on, but not for ever', async () => {
    const { branch, asked } = numbers(3000);
    assert.equal(await branch.show('0-7'), true);
    assert.equal(asked.length, 3);
    assert.equal(await branch.show('0-2999'), false);
    assert.equal(asked.length, 13);
    const { branch: failing, state } = numbers(3000);
    await failing.open();
    state.error = new Error('down');
    assert.equal(await failing.show('0-7'), false);
    assert.equal(failing.failure?.of, 'more');
  });

  test('a growing list is drawn at most once a second, and in growing steps', () => {
    const steps = new GrowingSteps(100);
    const drawn: number[] = [];
    for (let count = 100, now = 0; count <= 100_000; count += 100, now += 50)
      if (steps.isDue(count, now)) drawn.push(count);
    assert.ok(drawn.length < 20 && drawn.length > 3, String(drawn.length));
    for (const [index, count] of drawn.entries()) assert.ok(count >= (drawn[index - 1] ?? 100) * 1.5);
  });
});
