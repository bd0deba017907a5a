import * as l10n from '@vscode/l10n';
import { pluralize } from '../platform/text/localization.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import type { SeriesLine, SeriesState } from '../webviews/protocol/statistics.ts';
import { formatChange, UnitSums } from './amounts.ts';
import { buildChartLines, sumPoints, largestKeys, type ChartLines } from './chart-lines.ts';
import type { SeriesPointsResult } from './read-points.ts';
import { getIntervalEnd, getPeriodBefore, shiftTime, type Window } from './time-windows.ts';

/** What was read of one series. */
export interface SeriesResult {
  readonly now: SeriesPointsResult;
  readonly before?: SeriesPointsResult;
  /** why the requested period before is missing */
  readonly beforeError?: string;
  readonly window: Window | undefined;
  /** the interval that was requested; empty if none was */
  readonly interval: string;
  /** milliseconds of an interval, if known */
  readonly step: number | undefined;
  /** when it was read: milliseconds since the epoch */
  readonly readAt: number;
}

export interface SeriesName {
  readonly id: SeriesState['id'];
  readonly label: string;
}

const MAX_NAME_LENGTH = 60;

/** The state of a series that was not read yet. */
export function createEmptySeries({ id, label }: SeriesName): SeriesState {
  return {
    id,
    label,
    times: [],
    partial: [],
    interval: '',
    sums: [],
    groups: [],
    total: '',
    notes: [],
    truncated: false,
    stale: false,
    outdatedControls: false,
  };
}

/** Builds the state to show from what was read: lines, totals, the period before, notes. `names`: of keys. */
export function buildSeriesState(
  name: SeriesName,
  read: SeriesResult,
  names: Pick<ReadonlyMap<string, string>, 'get'>,
): SeriesState {
  const keyName = (key: string): string => toPlainText(names.get(key) ?? key, MAX_NAME_LENGTH);
  const points = sumPoints(read.now.points);
  const old = read.before === undefined ? undefined : sumPoints(read.before.points);
  const keys = largestKeys(points.byKey, ...(old === undefined ? [] : [old.byKey]));
  const now = buildChartLines(points, read.step, keyName, keys);
  const earlier = old === undefined ? undefined : buildChartLines(old, read.step, keyName, keys);
  const truncated = read.now.truncated !== undefined || read.before?.truncated !== undefined;
  const comparable = truncated ? undefined : earlier;
  const change = comparable === undefined ? undefined : formatChange(now.totals, comparable.totals);
  return {
    ...createEmptySeries(name),
    times: [...now.times],
    partial: findPartialTimes(now.times, read),
    ...findRunningTime(now.times, read),
    ...(read.window !== undefined && { window: { from: read.window.from / 1000, until: read.window.until / 1000 } }),
    interval: read.interval,
    sums: addChanges('sums', now, comparable),
    groups: addChanges('groups', now, comparable),
    total: now.totals.text,
    notes: [
      ...(read.now.truncated === undefined ? [] : [`${read.now.truncated}.`]),
      ...(read.before?.truncated === undefined ? [] : [l10n.t('Previous period: {0}', `${read.before.truncated}.`)]),
      ...(read.beforeError === undefined ? [] : [read.beforeError.slice(0, 1000)]),
      ...formatDuplicates(read.now),
      ...(read.before === undefined
        ? []
        : formatDuplicates(read.before).map((note) => l10n.t('Previous period: {0}', note))),
      ...now.notes,
    ],
    truncated,
    ...(earlier !== undefined &&
      read.window !== undefined && { previous: alignPeriodBefore(now, earlier, read.window, read.step) }),
    ...(earlier !== undefined && { previousTotal: earlier.totals.text }),
    ...(change !== undefined && { change }),
    readAt: read.readAt,
  };
}

function formatDuplicates({ duplicates: count = 0 }: SeriesPointsResult): readonly string[] {
  if (count === 0) return [];
  return [pluralize(count, l10n.t('{0} duplicate point was ignored.|{0} duplicate points were ignored.'))];
}

/** Adds to each line its change from the same line in the period before. */
function addChanges(which: 'sums' | 'groups', now: ChartLines, earlier: ChartLines | undefined): SeriesLine[] {
  const amount = (of: ChartLines | undefined, id: string): UnitSums => {
    const line = of?.[which].find((other) => other.id === id);
    return (line && of?.lineTotals.get(line)) ?? new UnitSums();
  };
  return now[which].map((line) => {
    const change = formatChange(amount(now, line.id), amount(earlier, line.id));
    return change === undefined ? line : { ...line, change };
  });
}

/** Moves the period before onto this one's time axis, interval on interval. */
function alignPeriodBefore(
  now: ChartLines,
  { times, sums, groups }: ChartLines,
  window: Window,
  step: number | undefined,
): NonNullable<SeriesState['previous']> {
  const { from, until } = getPeriodBefore(window, step);
  return {
    from: from / 1000,
    until: until / 1000,
    times: times.map((time) => shiftTime(time * 1000, until - from, step, (now.times[0] ?? 0) * 1000) / 1000),
    originalTimes: [...times],
    sums: [...sums],
    groups: [...groups],
  };
}

/** Finds times whose interval is only partly in the window, such as today's. */
function findPartialTimes(times: readonly number[], { window, step }: SeriesResult): number[] {
  if (window === undefined || step === undefined) return [];
  const outerTimes = new Set([...times.slice(0, 1), ...times.slice(-1)]);
  return [...outerTimes].filter(
    (time) => time * 1000 < window.from || getIntervalEnd(time * 1000, step) > window.until,
  );
}

/** Finds the time whose interval contains the moment of reading. */
function findRunningTime(times: readonly number[], { step, readAt }: SeriesResult): { running?: number } {
  const running = times.at(-1);
  if (running === undefined || step === undefined) return {};
  return running * 1000 <= readAt && readAt < getIntervalEnd(running * 1000, step) ? { running } : {};
}
