/** Searching every list at once: answers as they come, failures named, and nobody told of a term that was typed over. */
import assert from 'node:assert/strict';
import { Search, type Findings } from '../../../src/explorer/search.ts';
import { Item, type Page } from '../../../src/platform/page.ts';
import { registry } from '../../../src/platform/registry.ts';
import type { ResourceRow } from '../../../src/platform/resource.ts';

const rows: Readonly<Record<string, ResourceRow>> = registry;
const answer = (row: ResourceRow, id: string): Page => ({
  items: [new Item({ id, name: id }, row.schema)],
  beside: {},
  drift: [],
});
const until = (search: Search, term: string, enough: (findings: Findings) => boolean): Promise<Findings> =>
  new Promise((resolve) => {
    search.ask(term, (findings) => {
      if (enough(findings)) resolve(findings);
    });
  });

suite('search', () => {
  test('asks each list that has a term or a name, by that', async () => {
    const asked: string[] = [];
    const search = new Search({
      rows,
      pause: 0,
      read: (row, query) => {
        asked.push(`${row.kind} ${Object.keys(query).join()}`);
        return Promise.resolve(answer(row, row.kind));
      },
    });
    const { found } = await until(search, 'x', ({ waiting }) => waiting === 0);
    assert.deepEqual(asked, [
      'faces autocomplete,limit',
      'templates autocomplete,limit',
      'assets autocomplete,limit',
      'message-templates autocomplete,limit',
      'api-keys name,limit',
    ]);
    assert.deepEqual(
      found.map(({ row }) => row.kind),
      ['faces', 'templates', 'assets', 'message-templates', 'api-keys'],
    );
  });

  test('shows what has arrived while others are waited for, and names those that fail', async () => {
    const slow = Promise.withResolvers<Page>();
    const search = new Search({
      rows,
      pause: 0,
      read: (row) =>
        row.kind === 'faces'
          ? slow.promise
          : row.kind === 'assets'
            ? Promise.reject(new Error('no storage'))
            : Promise.resolve(answer(row, row.kind)),
    });
    const early = await until(search, 'x', ({ waiting }) => waiting === 1);
    assert.equal(early.found.length, 3);
    assert.deepEqual(
      early.failed.map(({ row, reason }) => [row.kind, reason]),
      [['assets', 'no storage']],
    );
    search.cancel();
    slow.reject(new Error('too late'));
  });

  test('a newer term cancels the older, which tells no more', async () => {
    const signals: AbortSignal[] = [];
    const terms: string[] = [];
    const old = Promise.withResolvers<Page>();
    const search = new Search({
      rows: { faces: registry.faces },
      pause: 0,
      read: (row, query, signal) => {
        signals.push(signal);
        return query['autocomplete'] === 'old' ? old.promise : Promise.resolve(answer(row, 'new'));
      },
    });
    await new Promise<void>((resolve) => {
      search.ask('old', ({ term }) => {
        terms.push(term);
        if (signals.length === 0) setTimeout(resolve, 5);
      });
    });
    assert.equal(signals.length, 1);
    terms.length = 0;
    const newer = until(search, 'new', ({ waiting }) => waiting === 0);
    assert.equal(signals[0]?.aborted, true);
    old.resolve(answer(registry.faces, 'old'));
    assert.equal((await newer).found[0]?.item.id, 'new');
    assert.deepEqual(terms, []);
  });

  test('an empty term asks nothing', () => {
    const search = new Search({ rows, pause: 0, read: () => assert.fail('asked') });
    const told: number[] = [];
    search.ask('', ({ waiting }) => told.push(waiting));
    assert.deepEqual(told, [0]);
  });
});
