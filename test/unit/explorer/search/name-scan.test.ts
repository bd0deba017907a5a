/** Searching names page by page: what is loaded first, limits, pausing, failures. */
import assert from 'node:assert/strict';
import { NameScan } from '../../../../src/explorer/search/name-scan.ts';
import { Item, type Page } from '../../../../src/platform/page.ts';
import { objects } from '../../../../src/platform/resources/objects.ts';

const MATCHES_PER_PASS = 20;
const PAGES_PER_PASS = 10;
const item = (id: string, name: string): Item => new Item({ id, metadata: { name } }, objects.schema);
const getName = ({ raw }: Item): string => objects.summary(raw).title;

/** A list of `pages` pages with one item each, called `Ticket 1`, `Ticket 2`, …; records the cursors. */
function createPages(pages: number): {
  readonly cursors: (string | undefined)[];
  readonly read: (cursor?: string) => Promise<Page>;
} {
  const cursors: (string | undefined)[] = [];
  return {
    cursors,
    read(cursor) {
      cursors.push(cursor);
      const number = Number(cursor ?? 1);
      const items = [item(`obj_${String(number)}`, `Ticket ${String(number)}`)];
      return Promise.resolve({
        items,
        extraFields: {},
        drift: [],
        ...(number < pages && { next: String(number + 1) }),
      });
    },
  };
}

/** Searches a term. Resolves at the end of the pass. */
const search = (scan: NameScan, term: string): Promise<readonly string[]> =>
  new Promise((resolve) => {
    const changed = (): void => {
      if (!scan.isReading) resolve(scan.matches.map(({ id }) => id ?? ''));
    };
    scan.search(term, changed);
    changed();
  });

/** Searches the whole list. Resolves at its end, or at enough matches. */
const searchWhole = (scan: NameScan, term: string): Promise<void> =>
  new Promise((resolve) => {
    let isWhole = false;
    scan.search(term, () => {
      if (isWhole && !scan.isReading) resolve();
    });
    isWhole = true;
    scan.searchAll();
  });

suite('search by name', () => {
  test('finds what is loaded at once, and what is read once only', async () => {
    const { cursors, read } = createPages(3);
    const scan = new NameScan({
      read,
      getName,
      loaded: [item('obj_a', 'Red ticket'), item('obj_2', 'Ticket 2')],
      interval: 0,
    });
    scan.search('red', () => undefined);
    assert.deepEqual(
      scan.matches.map(({ id }) => id),
      ['obj_a'],
    );
    assert.deepEqual(await search(scan, 'ticket'), ['obj_a', 'obj_2', 'obj_1', 'obj_3']);
    assert.deepEqual(await search(scan, 'ticket 3'), ['obj_3']);
    assert.deepEqual([cursors, scan.searchedCount, scan.hasMore], [[undefined, '2', '3'], 4, false]);
  });

  test('counts objects once that a page repeats, and no invalid ones', async () => {
    const items = [item('obj_1', 'Ticket 1'), item('obj_1', 'Ticket 1'), new Item('oops', objects.schema)];
    const read = (): Promise<Page> => Promise.resolve({ items, extraFields: {}, drift: [] });
    const scan = new NameScan({ read, getName, interval: 0 });
    assert.deepEqual(await search(scan, 'ticket'), ['obj_1']);
    assert.equal(scan.searchedCount, 1);
  });

  test('compares every word, in any order and case; one letter reads nothing', async () => {
    const { cursors, read } = createPages(2);
    const scan = new NameScan({ read, getName, interval: 0 });
    assert.deepEqual(await search(scan, 't'), []);
    assert.equal(cursors.length, 0);
    assert.deepEqual(await search(scan, '2 TICKET'), ['obj_2']);
  });

  test('stops after some pages, and then searches the rest in one go', async () => {
    const { cursors, read } = createPages(PAGES_PER_PASS * 3);
    const scan = new NameScan({ read, getName, interval: 0 });
    const last = `Ticket ${String(PAGES_PER_PASS * 3)}`;
    assert.deepEqual(await search(scan, last), []);
    assert.deepEqual([cursors.length, scan.hasMore], [PAGES_PER_PASS, true]);
    // Another term does not read further either.
    assert.deepEqual(await search(scan, 'nothing'), []);
    assert.equal(cursors.length, PAGES_PER_PASS);
    await searchWhole(scan, last);
    assert.equal(scan.matches.length, 1);
    assert.equal(new Set(cursors).size, cursors.length, 'no page is read twice');
  });

  test('stops at enough matches, and when it is paused', async () => {
    const many = Array.from({ length: MATCHES_PER_PASS }, (_, index) => item(`loaded_${String(index)}`, 'Ticket'));
    const { cursors, read } = createPages(3);
    assert.equal(
      (await search(new NameScan({ read, getName, loaded: many, interval: 0 }), 'ticket')).length,
      MATCHES_PER_PASS,
    );
    assert.equal(cursors.length, 0);
    const full = new NameScan({ read, getName, loaded: many, interval: 0 });
    assert.equal((await search(full, 'ticket')).length, MATCHES_PER_PASS);
    await searchWhole(full, 'ticket');
    assert.equal(full.matches.length, MATCHES_PER_PASS + 3, 'and the list was read');
    cursors.length = 0;
    const scan = new NameScan({
      read: async (cursor) => {
        const page = await read(cursor);
        scan.pause();
        return page;
      },
      getName,
      interval: 0,
    });
    await new Promise<void>((resolve) => {
      scan.search('ticket', () => {
        if (scan.matches.length > 0) resolve();
      });
    });
    assert.deepEqual([cursors.length, scan.hasMore, scan.isReading], [1, true, false]);
  });

  test('reports a failure, and reads the failed page again', async () => {
    const { cursors, read } = createPages(2);
    let failures = 1;
    const scan = new NameScan({
      read: (cursor) => (cursor === '2' && failures-- > 0 ? Promise.reject(new Error('offline')) : read(cursor)),
      getName,
      interval: 0,
    });
    assert.deepEqual(await search(scan, 'ticket'), ['obj_1']);
    assert.match(String(scan.failure), /offline/);
    await searchWhole(scan, 'ticket');
    assert.equal(scan.failure, undefined);
    assert.deepEqual(cursors, [undefined, '2']);
  });
});
