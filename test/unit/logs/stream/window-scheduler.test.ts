/** How far back entries that come late are expected. */
import assert from 'node:assert/strict';
import { readPage } from '../../../../src/platform/page.ts';
import { actionLogs } from '../../../../src/platform/resources/action-logs.ts';
import { LogBuffer } from '../../../../src/logs/stream/buffer.ts';
import { WindowReader } from '../../../../src/logs/stream/window-reader.ts';
import { WindowScheduler } from '../../../../src/logs/stream/window-scheduler.ts';
import { at, entry } from '../entries.ts';
import { neverRun } from './tail-fixture.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');

suite('windows of new action logs', () => {
  test('after a late entry, entries that come somewhat later still are read again', async () => {
    const buffer = new LogBuffer();
    // So many that each poll reads back a short time only.
    buffer.add(Array.from({ length: 300 }, (_, index) => entry(`log_${String(index)}`, NOW - index * 10)));
    const reader = new WindowReader({
      read: () =>
        Promise.resolve(
          readPage(actionLogs.list, actionLogs.schema, { action_logs: [{ id: 'log_1', when_created: at(NOW) }] }),
        ),
      query: {},
      limit: 100,
      dateResolution: 1,
      onItems: () => undefined,
      getKnownId: () => undefined,
    });
    const clock = { now: () => NOW, sleep: () => Promise.resolve(), after: neverRun };
    const from = NOW - 24 * 3_600_000;
    const scheduler = new WindowScheduler(
      { from, to: undefined, buffer, clock, pageSize: 100, changed: () => undefined },
      reader,
    );
    await scheduler.poll(new AbortController().signal);
    const usual = NOW - scheduler.pendingBefore;
    for (const delay of [200_000, 600_000]) {
      scheduler.recordDelays([entry('late', NOW - delay)]);
      const expected = NOW - scheduler.pendingBefore;
      assert.ok(delay > usual, `${String(usual)} ms are usual`);
      assert.ok(expected >= delay * 1.2 && expected <= delay * 1.5, `${String(expected)} ms after ${String(delay)} ms`);
    }
  });
});
