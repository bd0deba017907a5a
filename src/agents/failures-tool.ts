/** The tool that reads failures in groups, with what the user has marked: the same groups as Show Failures. */
import * as z from 'zod/mini';
import { parseEntry } from '../logs/entry.ts';
import { FailureReasons } from '../logs/view/failure-reasons.ts';
import { areNewestFirst } from '../model/newest-first.ts';
import { isObject } from '../platform/json/json.ts';
import { registry } from '../platform/registry.ts';
import { groupFailures } from '../webviews/protocol/failure-groups.ts';
import type { LogRow } from '../webviews/protocol/logs.ts';
import { NOT_NEWEST_FIRST, period, resolvePeriod } from './read-items.ts';
import { connection, defineTool, getSession, offset } from './tool.ts';

/** The newest failures that are grouped. */
const MAX_LOGS = 300;
/** Batches are read for reasons some at a time. */
const MAX_UPDATES = 5;

/** ISO 8601; `undefined` for logs without a time. */
const formatTime = (time: number): string | undefined => (time === 0 ? undefined : new Date(time).toISOString());

export const failures = defineTool({
  name: 'smartObjects_failures',
  input: z.strictObject({ connection, ...period, offset }),
  output: z.looseObject({
    failures: z.array(z.looseObject({ action: z.string(), count: z.int(), latest: z.string() })),
  }),
  async run(input, context, signal) {
    const session = getSession(context, input.connection);
    const { name } = session.profile;
    const { from: gte, until: lt } = resolvePeriod(input);
    const created = { ...(gte !== undefined && { gte }), ...(lt !== undefined && { lt }) };
    const query = {
      status: 'failed',
      order: 'descending',
      sortBy: 'when_created',
      limit: 100,
      ...(Object.keys(created).length > 0 && { when_created: created }),
    };
    const rows: LogRow[] = [];
    let hasMore = false;
    for await (const { items, next } of session.client.listPagesFor(registry['action-logs'], query, {
      signal,
      distinct: true,
    })) {
      rows.push(...items.flatMap(({ raw }) => parseEntry(name, raw, 0)?.row ?? []));
      hasMore = next !== undefined;
      if (rows.length >= MAX_LOGS) break;
    }
    const isSorted = areNewestFirst(rows.flatMap(({ time, withoutTime }) => (withoutTime === true ? [] : time)));
    const { runs = [], inbox } = (await context.failures?.()) ?? {};
    const reasons = new FailureReasons({
      runs: () => Promise.resolve(runs),
      readBatch: async (_connection, id) => {
        const batch = await session.client.read('batches', [id], { signal }).catch(() => undefined);
        return isObject(batch?.item.raw) ? batch.item.raw : '';
      },
      now: Date.now,
    });
    // The newest last, as in the view: their reasons are read first.
    const oldestFirst = rows.toSorted((a, b) => a.time - b.time);
    const read = (): readonly LogRow[] => oldestFirst.map((row) => reasons.withReason(row));
    for (let count = 0; count < MAX_UPDATES && read().some(({ reasonUnread }) => reasonUnread); count++)
      await reasons.update(oldestFirst, () => !signal.aborted);
    const groups = groupFailures(read().map((row) => inbox?.mark(row) ?? row));
    return {
      source: name,
      data: {
        failures: groups.map(({ action, message, reasonFrom, count, newCount, isKnown, first, last, latest }) => ({
          action,
          count,
          latest: latest.id,
          ...(message !== '' && { reason: message, reasonFrom }),
          first: formatTime(first),
          last: formatTime(last),
          ...(inbox !== undefined && { new: newCount, known: isKnown }),
          ...(latest.run !== undefined && { run: latest.run.label }),
        })),
      },
      ...(hasMore && {
        note: `${isSorted ? `Only the newest ${String(rows.length)} failures were read` : NOT_NEWEST_FIRST}. from and until choose others.`,
      }),
    };
  },
});
