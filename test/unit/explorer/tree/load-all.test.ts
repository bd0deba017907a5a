/** Load all of a list by a clock of our own: how often the branch is drawn for how many pages. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as z from 'zod/mini';
import type { Services } from '../../../../src/commands/context.ts';
import { PagedList } from '../../../../src/explorer/tree/paged-list.ts';
import { loadAll } from '../../../../src/explorer/tree/load-all.ts';
import type { ListNode } from '../../../../src/explorer/tree/nodes.ts';
import type { Tree } from '../../../../src/explorer/tree/tree.ts';
import { Item } from '../../../../src/platform/page.ts';

const schema = z.looseObject({ id: z.string() });
const list: ListNode = {
  type: 'list',
  key: 'l',
  connection: 'c',
  kind: 'objects',
  label: 'Objects',
  fixed: {},
  filter: {},
};

suite('load all', () => {
  teardown(() => {
    mock.restoreAll();
  });

  for (const [pages, milliseconds, most] of [
    [300, 100, 14],
    [300, 2000, 16],
    [1000, 10, 7],
  ] as const) {
    test(`${String(pages)} pages of ${String(milliseconds)} ms draw the branch at most ${String(most)} times`, async () => {
      let now = 0;
      mock.method(Date, 'now', () => now);
      const branch = new PagedList({
        signal: new AbortController().signal,
        createPageReader: () => (cursor) => {
          now += milliseconds;
          const at = Number(cursor ?? 0);
          const items = Array.from({ length: 100 }, (_, index) => new Item({ id: String(at * 100 + index) }, schema));
          return Promise.resolve({
            items,
            extraFields: {},
            drift: [],
            ...(at + 1 < pages && { next: String(at + 1) }),
          });
        },
      });
      const renders: { readonly at: number; readonly rows: number }[] = [];
      const messages: string[] = [];
      const tree: Partial<Tree> = {
        getPagedList: () => branch,
        rerender: () => {
          renders.push({ at: now, rows: branch.items.length });
        },
      };
      const ui = {
        progress: (_title: string, work: (signal: AbortSignal, report: (step: string) => void) => Promise<unknown>) =>
          work(new AbortController().signal, (step) => messages.push(step)),
      };
      await loadAll(tree as Tree, { ui } as unknown as Services, list);
      assert.equal(branch.items.length, pages * 100);
      assert.ok(renders.length >= 1 && renders.length <= most, `${String(renders.length)} times`);
      assert.equal(renders.at(-1)?.rows, pages * 100, 'the end is drawn');
      renders.slice(1, -1).forEach(({ at, rows }, index) => {
        const before = renders[index] ?? assert.fail();
        assert.ok(at - before.at >= 1000 && rows >= before.rows * 1.5, JSON.stringify([before, { at, rows }]));
      });
      assert.match(messages.at(-1) ?? '', /^[\d,]+ so far$/);
    });
  }
});
