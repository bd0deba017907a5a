/** `logs`: the latest action logs, oldest first, and with `--follow` the ones that come. */
import { formatAmount } from '../../platform/text/localization.ts';
import { parseEntry, parseRaw, type LogEntry } from '../../logs/entry.ts';
import { areNewestFirst } from '../../model/newest-first.ts';
import { formatTimestamp } from '../../model/text/time-format.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import { actionLogs } from '../../platform/resources/action-logs.ts';
import type { CommandContext } from '../command-context.ts';
import type { Connection } from '../connection/open-connection.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import type { RecordValues } from '../output/format-options.ts';
import { RecordWriter } from '../output/record-writer.ts';
import type { Column } from '../output/table.ts';
import { parseCount, parseSeconds } from '../options.ts';
import { withConnection } from '../with-connection.ts';
import { followLogs } from './follow-logs.ts';
import { parseFilters, toneStyles } from './list.ts';

export interface LogsValues extends ConnectionValues, RecordValues {
  readonly filter?: readonly string[];
  readonly status?: string;
  readonly limit: string;
  readonly follow?: true;
  readonly interval: string;
}

const MAX_LOGS = 5000;
const MAX_PAGE = 100;

const columns: readonly Column<LogEntry>[] = [
  {
    label: 'Time',
    getValue: ({ row }) => (row.withoutTime === true ? undefined : new Date(row.time).toISOString()),
    getText: ({ row }) => (row.withoutTime === true ? undefined : formatTimestamp(row.time)),
    getStyle: () => 'dim',
  },
  {
    label: 'Status',
    getValue: ({ row }) => row.status,
    getStyle: ({ row }) => toneStyles[actionLogs.summary({ status: row.status }).state?.tone ?? 'unknown'],
  },
  { label: 'Action', getValue: ({ row }) => (row.alias === '' ? row.action : row.alias) },
  { label: 'ID', getValue: ({ row }) => row.id },
  {
    label: 'Objects',
    getValue: ({ row }) => row.objects.join(' '),
    getText: ({ row }) =>
      `${row.objects[0] ?? ''}${row.objectCount > 1 ? ` and ${String(row.objectCount - 1)} more` : ''}`,
    shrinks: true,
  },
  { label: 'Signer', getValue: ({ row }) => row.signer, shrinks: true },
  { label: 'Fee', getValue: ({ row }) => row.fee, getText: ({ row }) => formatAmount(row.fee) },
  { label: 'Message', getValue: ({ row }) => row.message, shrinks: true },
];

/** Prints action logs; with `--follow` until it is interrupted. Rejects as `withConnection` does. */
export async function logs(context: CommandContext, values: LogsValues): Promise<void> {
  const conditions = [...(values.filter ?? []), ...(values.status === undefined ? [] : [`status=${values.status}`])];
  const query = parseFilters(actionLogs, conditions);
  const limit = parseCount('--limit', values.limit, 1, MAX_LOGS);
  const interval = parseSeconds('--interval', values.interval);
  const { output } = context;
  await withConnection(context, values, 'List action logs', async (connection) => {
    // A list that goes on has no end to close it with.
    const format = values.follow === true && values.format === 'json' ? 'ndjson' : values.format;
    const writer = new RecordWriter({
      output,
      values: { ...values, format },
      columns,
      labels: connection.labels,
      // The log as the server sent it; its row, if it was too long to store.
      toJson: (entry) => parseRaw(entry) ?? entry.row,
      definition: actionLogs,
    });
    const { entries, isLatest, invalidCount } = await readLatest(connection, query, limit, context.signal);
    await writer.write(entries);
    if (!isLatest)
      output.note(
        'The platform does not list the newest action logs first, so newer ones may be missing: set query.descending of the context to its word for that order',
      );
    if (invalidCount > 0) output.note(`Action logs without an ID that are left out: ${String(invalidCount)}`);
    if (entries.length === 0 && output.isTerminal) output.note('There are no action logs');
    if (values.follow === true) {
      const write = (entries: readonly LogEntry[]): Promise<void> => writer.write(entries);
      await followLogs(connection, { query, interval, entries, write, output, signal: context.signal });
    }
    await writer.end();
  });
}

/** The newest logs, oldest first; `isLatest`: false if newer ones may be missing. `invalidCount`: logs without an id. */
async function readLatest(
  { client, profile }: Connection,
  query: AnyQuery,
  limit: number,
  signal: AbortSignal,
): Promise<{ readonly entries: readonly LogEntry[]; readonly isLatest: boolean; readonly invalidCount: number }> {
  let isComplete = true;
  let invalidCount = 0;
  const entries = new Map<string, LogEntry>();
  const sorted = { order: 'descending', sortBy: 'when_created', ...query };
  const sized = { ...sorted, limit: Math.min(limit, profile.pageSize ?? MAX_PAGE) };
  for await (const { items, next } of client.listPagesFor(actionLogs, sized, { signal })) {
    for (const { raw } of items) {
      const entry = parseEntry(profile.name, raw, 0, (key) => entries.get(key));
      if (entry === undefined) invalidCount++;
      else entries.set(entry.key, entry);
    }
    isComplete = next === undefined;
    if (entries.size >= limit) break;
  }
  const newest = [...entries.values()].slice(0, limit);
  const isChosen = query['order'] !== undefined || query['sortBy'] !== undefined;
  const times = newest.flatMap(({ row }) => (row.withoutTime === true ? [] : row.time));
  const isLatest = isComplete || isChosen || areNewestFirst(times);
  // Reversed, since sorting keeps the order of those of the same time.
  return { entries: newest.reverse().sort((a, b) => a.time - b.time), isLatest, invalidCount };
}
