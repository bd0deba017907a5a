import { systemClock } from '../../model/clock.ts';
import type { LogEntry } from '../../logs/entry.ts';
import { LogBuffer } from '../../logs/stream/buffer.ts';
import { getDateResolution } from '../../logs/stream/query.ts';
import { Tail } from '../../logs/stream/tail.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import { actionLogs } from '../../platform/resources/action-logs.ts';
import { PERMANENT_ERRORS } from '../../watches/engine/watcher.ts';
import type { Connection } from '../connection/open-connection.ts';
import type { Output } from '../output/output.ts';

export interface FollowOptions {
  readonly query: AnyQuery;
  /** milliseconds between two requests */
  readonly interval: number;
  /** what was printed before, oldest first */
  readonly entries: readonly LogEntry[];
  /** Prints entries that are new or have another status. */
  readonly write: (entries: readonly LogEntry[]) => Promise<void>;
  readonly output: Pick<Output, 'note'>;
  readonly signal: AbortSignal;
}

/**
 * Follows action logs until the signal fires. Tells when the platform fails and when it responds again. Rejects with
 * PlatformError for an error that does not pass by itself, and when the signal fires.
 */
export async function followLogs(connection: Connection, options: FollowOptions): Promise<never> {
  const { query, interval, entries, write, output, signal } = options;
  const { client, profile } = connection;
  const buffer = new LogBuffer();
  buffer.add(entries);
  const statuses = new Map(entries.map(({ key, row }) => [key, row.status]));
  const queue = new Map<string, LogEntry>();
  const serverNow = (): number => Date.now() + client.clockAhead;
  const tail = new Tail({
    connection: profile.name,
    read: (pageQuery, { signal: pageSignal }) => client.listPageFor(actionLogs, pageQuery, { signal: pageSignal }),
    query,
    pageSize: profile.pageSize ?? 100,
    dateResolution: getDateResolution(profile.queryFormat.dateFormat),
    clock: systemClock,
    serverNow,
    interval,
    // Entries without a date come first.
    from: entries.find(({ row }) => row.withoutTime !== true)?.time ?? serverNow() - 60_000,
    buffer,
    changed: (change) => {
      for (const entry of change?.changed ?? [])
        if (statuses.get(entry.key) !== entry.row.status) queue.set(entry.key, entry);
    },
  });
  let failure: unknown;
  for (;;) {
    const wait = await tail.poll(signal);
    signal.throwIfAborted();
    const added = [...queue.values()].sort((a, b) => a.time - b.time);
    queue.clear();
    for (const { key, row } of added) statuses.set(key, row.status);
    if (added.length > 0) await write(added);
    const error = tail.failure?.error;
    if (error instanceof PlatformError && PERMANENT_ERRORS.has(error.code)) throw error;
    if (error !== undefined && failure === undefined)
      output.note(`Read action logs: ${getErrorMessage(error)}; trying again`);
    else if (error === undefined && failure !== undefined) output.note('The platform responds again');
    failure = error;
    await systemClock.sleep(wait, signal).catch(() => undefined);
    signal.throwIfAborted();
  }
}
