/** What the view is told of one series: lines, totals, the period before, what is known to be missing (pure). */
import { plain } from '../ui/plain.ts';
import type { SeriesState } from '../webviews/protocol-statistics.ts';
import { changeOf } from './amount.ts';
import { assemble } from './assemble.ts';
import type { Reading } from './read.ts';
import type { Window } from './windows.ts';

export interface SeriesRead {
  readonly now: Reading;
  readonly before?: Reading;
  readonly window: Window | undefined;
  /** milliseconds of an interval, where it can be told */
  readonly step: number | undefined;
  /** when it was read */
  readonly at: number;
}

export interface SeriesName {
  readonly id: SeriesState['id'];
  readonly label: string;
}

const NAME_LENGTH = 60;

export function emptySeries({ id, label }: SeriesName): SeriesState {
  return {
    id,
    label,
    times: [],
    partial: [],
    sums: [],
    groups: [],
    total: '',
    notes: [],
    truncated: false,
    other: false,
  };
}

export function seriesState(name: SeriesName, read: SeriesRead, names: ReadonlyMap<string, string>): SeriesState {
  const keyName = (key: string): string => plain(names.get(key) ?? key, NAME_LENGTH);
  const now = assemble(read.now.points, read.step, keyName);
  const earlier = read.before === undefined ? undefined : assemble(read.before.points, read.step, keyName);
  const truncated = read.now.truncated !== undefined || read.before?.truncated !== undefined;
  const change = earlier === undefined || truncated ? undefined : changeOf(now.totals, earlier.totals);
  const length = read.window === undefined ? 0 : (read.window.until - read.window.from) / 1000;
  return {
    ...emptySeries(name),
    times: [...now.times],
    partial: partial(now.times, read),
    sums: [...now.sums],
    groups: [...now.groups],
    total: now.totals.text,
    notes: [
      ...(read.now.truncated === undefined ? [] : [`Truncated: ${read.now.truncated}.`]),
      ...(read.before?.truncated === undefined ? [] : [`The period before is truncated: ${read.before.truncated}.`]),
      ...now.notes.map((note) => `${note}.`),
    ],
    truncated,
    ...(earlier !== undefined && {
      before: { times: earlier.times.map((time) => time + length), sums: [...earlier.sums] },
      beforeTotal: earlier.totals.text,
    }),
    ...(change !== undefined && { change }),
    read: read.at,
  };
}

/** A day of a few hours is no fall of the numbers. */
function partial(times: readonly number[], { window, step }: SeriesRead): number[] {
  if (window === undefined || step === undefined) return [];
  const ends = new Set([...times.slice(0, 1), ...times.slice(-1)]);
  return [...ends].filter((time) => time * 1000 < window.from || time * 1000 + step > window.until);
}
