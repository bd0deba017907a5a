/** How often an early end of a list is doubted. */
import assert from 'node:assert/strict';
import { readPage } from '../../../../src/platform/page.ts';
import { actionLogs } from '../../../../src/platform/resources/action-logs.ts';
import { WindowReader } from '../../../../src/logs/stream/window-reader.ts';

suite('windows of action logs', () => {
  test('a server that ignores the dates and repeats its cursor is doubted a bounded number of times', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({
      id: `log_${String(index)}`,
      when_created: new Date(index * 60_000).toISOString(),
    }));
    let lists = 0;
    const reader = new WindowReader({
      read: ({ next }) => {
        if (next === undefined) lists++;
        return Promise.resolve(readPage(actionLogs.list, actionLogs.schema, { action_logs: items, next: 'same' }));
      },
      query: {},
      limit: 100,
      dateResolution: 1,
      onItems: () => undefined,
      getKnownId: () => undefined,
    });
    const budget = { pages: 10_000 };
    const { done } = await reader.read(0, 100 * 60_000, budget, new AbortController().signal);
    assert.equal(done, true);
    // The window, its halves, and eight more in halves.
    assert.ok(lists > 3 && lists <= 1 + 2 * (1 + 8), `${String(lists)} lists`);
  });
});
