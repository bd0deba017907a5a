import * as l10n from '@vscode/l10n';
import { pluralize } from '../platform/text/localization.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import type { SeriesState } from '../webviews/protocol/statistics.ts';
import { buildLines, insertGaps, sumPoints } from './chart-lines.ts';
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

/** Names of keys. */
export type KeyNames = Pick<ReadonlyMap<string, string>, 'get'>;

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
    notes: [],
    truncated: false,
    stale: false,
    outdatedControls: false,
  };
}

/** Builds the state to show from what was read: lines of both periods on one time axis, totals, notes. */
export function buildSeriesState(name: SeriesName, read: SeriesResult, names: KeyNames): SeriesState {
  const { now: current, before: past, window, step, interval, readAt, beforeError } = read;
  const now = sumPoints(current.points);
  const before = past === undefined ? undefined : sumPoints(past.points);
  const period = window === undefined ? undefined : getPeriodBefore(window, step);
  // The period before is moved onto this one, interval on interval.
  const originals = new Map(
    before?.times.map((time) => [
      period === undefined ? time : shiftTime(time, period.until - period.from, step, now.times[0] ?? 0),
      time,
    ]),
  );
  const own = [...new Set([...now.times, ...originals.keys()])].sort((a, b) => a - b);
  const times = step === undefined ? own : insertGaps(own, step);
  const timesBefore = times.map((time) => originals.get(time));
  const truncated = current.truncated !== undefined || past?.truncated !== undefined;
  const keyName = (key: string): string => toPlainText(names.get(key) ?? key, MAX_NAME_LENGTH);
  const seconds = (time: number): number => time / 1000;
  return {
    ...createEmptySeries(name),
    times: times.map(seconds),
    partial: findPartialTimes(now.times, read).map(seconds),
    ...findRunningTime(now.times, read),
    ...(window !== undefined && { window: { from: seconds(window.from), until: seconds(window.until) } }),
    interval,
    ...buildLines({ now, before, times, timesBefore, comparable: !truncated, keyName }),
    notes: [
      ...formatNotes(current),
      ...(past === undefined ? [] : formatNotes(past).map((note) => l10n.t('Previous period: {0}', note))),
      ...(beforeError === undefined ? [] : [beforeError.slice(0, 1000)]),
      ...now.notes,
    ],
    truncated,
    ...(before !== undefined &&
      period !== undefined && {
        previous: {
          from: seconds(period.from),
          until: seconds(period.until),
          times: timesBefore.map((time) => (time === undefined ? null : seconds(time))),
        },
      }),
    readAt,
  };
}

function formatNotes({ truncated, duplicates = 0 }: SeriesPointsResult): readonly string[] {
  return [
    ...(truncated === undefined ? [] : [`${truncated}.`]),
    ...(duplicates === 0
      ? []
      : [pluralize(duplicates, l10n.t('{0} duplicate point was ignored.|{0} duplicate points were ignored.'))]),
  ];
}

/** Finds times whose interval is only partly in the window, such as today's. */
function findPartialTimes(times: readonly number[], { window, step }: SeriesResult): number[] {
  if (window === undefined || step === undefined) return [];
  const outerTimes = new Set([...times.slice(0, 1), ...times.slice(-1)]);
  return [...outerTimes].filter((time) => time < window.from || getIntervalEnd(time, step) > window.until);
}

/** Finds the time whose interval contains the moment of reading. */
function findRunningTime(times: readonly number[], { step, readAt }: SeriesResult): { running?: number } {
  const running = times.at(-1);
  if (running === undefined || step === undefined) return {};
  return running <= readAt && readAt < getIntervalEnd(running, step) ? { running: running / 1000 } : {};
}
