/** Searching all lists in parallel: answers as they arrive, failures, and cancelled terms. */
import assert from 'node:assert/strict';
import { ListSearch, type SearchResults } from '../../../../src/explorer/search/list-search.ts';
import { Item, type Page } from '../../../../src/platform/page.ts';
import { registry } from '../../../../src/platform/registry.ts';
import type { ResourceDefinition } from '../../../../src/platform/resource.ts';

const { objects, faces, support, templates, assets, 'message-templates': messages, 'api-keys': keys } = registry;
const definitions: Readonly<Record<string, ResourceDefinition>> = {
  objects,
  faces,
  support,
  templates,
  assets,
  messages,
  keys,
};
const answer = (definition: ResourceDefinition, id: string): Page => ({
  items: [new Item({ id, name: id }, definition.schema)],
  extraFields: {},
  drift: [],
});
const waitForResults = (
  search: ListSearch,
  term: string,
  enough: (findings: SearchResults) => boolean,
): Promise<SearchResults> =>
  new Promise((resolve) => {
    search.start(term, (findings) => {
      if (enough(findings)) resolve(findings);
    });
  });

suite('search', () => {
  test('searches each list by its autocomplete or name parameter', async () => {
    const queries: string[] = [];
    const search = new ListSearch({
      definitions,
      debounce: 0,
      read: (definition, query) => {
        queries.push(`${definition.kind} ${Object.keys(query).join()}`);
        return Promise.resolve(answer(definition, definition.kind));
      },
    });
    const { found } = await waitForResults(search, 'x', ({ pendingCount: waiting }) => waiting === 0);
    assert.deepEqual(queries, [
      'faces autocomplete,limit',
      'templates autocomplete,limit',
      'assets autocomplete,limit',
      'message-templates autocomplete,limit',
      'api-keys name,limit',
    ]);
    assert.deepEqual(
      found.map(({ definition }) => definition.kind),
      ['faces', 'templates', 'assets', 'message-templates', 'api-keys'],
    );
  });

  test('sends other requests beside those of the term, and alone without one', async () => {
    const kinds: string[] = [];
    const search = new ListSearch({
      definitions: { faces },
      debounce: 0,
      read: (definition) => {
        kinds.push(definition.kind);
        return Promise.resolve(answer(definition, definition.kind));
      },
    });
    const narrowed = { definition: objects, read: () => Promise.resolve(answer(objects, 'obj_1')) };
    for (const [term, expected] of [
      ['x', ['faces', 'obj_1']],
      ['', ['obj_1']],
    ] as const) {
      const results = await new Promise<SearchResults>((resolve) => {
        search.start(
          term,
          (latest) => {
            if (latest.pendingCount === 0) resolve(latest);
          },
          { faces },
          [narrowed],
        );
      });
      assert.deepEqual(
        results.found.map(({ item }) => item.id),
        expected,
      );
    }
    assert.deepEqual(kinds, ['faces']);
  });

  test('shows results as they arrive, and names the kinds that fail', async () => {
    const slow = Promise.withResolvers<Page>();
    const search = new ListSearch({
      definitions,
      debounce: 0,
      read: (definition) =>
        definition.kind === 'faces'
          ? slow.promise
          : definition.kind === 'assets'
            ? Promise.reject(new Error('no storage'))
            : Promise.resolve(answer(definition, definition.kind)),
    });
    const early = await waitForResults(search, 'x', ({ pendingCount: waiting }) => waiting === 1);
    assert.equal(early.found.length, 3);
    assert.deepEqual(
      early.failed.map(({ definition, reason }) => [definition.kind, reason]),
      [['assets', 'no storage']],
    );
    search.cancel();
    slow.reject(new Error('too late'));
  });

  test('a newer term cancels the older one, whose answers are ignored', async () => {
    const signals: AbortSignal[] = [];
    const terms: string[] = [];
    const old = Promise.withResolvers<Page>();
    const asked = Promise.withResolvers<undefined>();
    const search = new ListSearch({
      definitions: { faces: registry.faces },
      debounce: 0,
      read: (definition, query, signal) => {
        signals.push(signal);
        asked.resolve(undefined);
        return query['autocomplete'] === 'old' ? old.promise : Promise.resolve(answer(definition, 'new'));
      },
    });
    search.start('old', ({ term }) => terms.push(term));
    await asked.promise;
    assert.equal(signals.length, 1);
    terms.length = 0;
    const newer = waitForResults(search, 'new', ({ pendingCount: waiting }) => waiting === 0);
    assert.equal(signals[0]?.aborted, true);
    old.resolve(answer(registry.faces, 'old'));
    assert.equal((await newer).found[0]?.item.id, 'new');
    assert.deepEqual(terms, []);
  });

  test('an empty term sends nothing', () => {
    const search = new ListSearch({ definitions, debounce: 0, read: () => assert.fail('asked') });
    const counts: number[] = [];
    search.start('', ({ pendingCount: waiting }) => counts.push(waiting));
    assert.deepEqual(counts, [0]);
  });
});
