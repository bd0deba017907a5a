/** `stats SERIES`: the points of a statistics series. */
import { isDateText } from '../../explorer/filter/filter.ts';
import { resolveRelativeDate } from '../../model/text/time-format.ts';
import { querySeries } from '../../statistics/query-series.ts';
import { createPointRecord, type Point } from '../../statistics/read-points.ts';
import { statisticsSeries, type StatisticsSeries } from '../../platform/resources/statistics.ts';
import { DEFAULT_CONTROLS } from '../../webviews/protocol/statistics.ts';
import type { CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import type { RecordValues } from '../output/format-options.ts';
import { RecordWriter } from '../output/record-writer.ts';
import type { Column } from '../output/table.ts';
import { UsageError } from '../usage-error.ts';
import { withConnection } from '../with-connection.ts';

export interface StatsValues extends ConnectionValues, RecordValues {
  readonly period: string;
  readonly interval: string;
  readonly from?: string;
  readonly until?: string;
  readonly signer?: string;
  readonly action?: string;
  readonly template?: string;
}

const columns: readonly Column<Point>[] = [
  {
    label: 'When',
    getValue: ({ when }) => (when === undefined ? undefined : new Date(when).toISOString()),
    getText: ({ when }) => (when === undefined ? undefined : formatUtc(when)),
  },
  { label: 'Key', getValue: ({ key }) => key },
  { label: 'Value', getValue: formatValue, isNumber: true },
];

/** Intervals begin at UTC times: `2026-03-01`, `2026-03-01 14:00 UTC`. */
function formatUtc(when: number): string {
  const [date = '', time = ''] = new Date(when).toISOString().split('T');
  return time.startsWith('00:00') ? date : `${date} ${time.slice(0, 5)} UTC`;
}

function formatValue({ value }: Point): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' || typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** Prints the points of a series. Rejects as `withConnection` does. */
export async function stats(context: CommandContext, id: StatisticsSeries['id'], values: StatsValues): Promise<void> {
  const series = statisticsSeries.find((candidate) => candidate.id === id);
  if (series === undefined) throw new UsageError(`There is no series ${id}`);
  const { output, signal } = context;
  const { action = '', template = '', signer = '' } = values;
  if (series.id === 'creations' && action !== '') throw new UsageError('--action is for executions and fees');
  if (series.id !== 'creations' && template !== '') throw new UsageError('--template is for creations');
  const [from = '', until = ''] = [parseDate('--from', values.from), parseDate('--until', values.until)];
  if (from !== '' && Date.parse(from) >= (until === '' ? Date.now() : Date.parse(until)))
    throw new UsageError('--from must be before --until');
  if (/^0+(?!\d)/.test(values.period)) throw new UsageError('--period must be longer than 0');
  await withConnection(context, values, `Read ${series.label.toLowerCase()}`, async ({ client, labels }) => {
    const writer = new RecordWriter({
      output,
      values,
      columns,
      labels,
      ...createPointRecord(),
    });
    const { now } = await querySeries({
      client,
      series,
      controls: {
        ...DEFAULT_CONTROLS,
        timeRange: values.period,
        interval: values.interval,
        from,
        until,
        action,
        template,
        signer,
        compare: false,
      },
      now: Date.now(),
      signal,
      onRequest: () => undefined,
    });
    await writer.write(now.points);
    await writer.end();
    if (now.points.length === 0 && output.isTerminal) output.note('There are no points in this period');
    if (now.truncated !== undefined) output.note(`Points may be missing: ${now.truncated}`);
  });
}

/** ISO 8601 of a typed date. Throws UsageError. */
function parseDate(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!isDateText(text)) throw new UsageError(`${option} must be a date, for example 2026-03-01`);
  return new Date(resolveRelativeDate(text, Date.now())).toISOString();
}
