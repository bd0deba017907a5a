/** What the view is told of one series: lines, totals, the period before, what is known to be missing (pure). */
import { plainText } from '../platform/plain-text.ts';
import type { Line, SeriesState } from '../webviews/protocol-statistics.ts';
import { changeOf, Sums } from './amount.ts';
import { assemble, collect, largestKeys, type Assembled } from './assemble.ts';
import type { Reading } from './read.ts';
import { before as windowBefore, moved, type Window } from './windows.ts';

export interface SeriesRead {
  readonly now: Reading;
  readonly before?: Reading;
  /** why the period before is not there although it was asked for */
  readonly beforeFailed?: string;
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
    stale: false,
    other: false,
  };
}

export function seriesState(name: SeriesName, read: SeriesRead, names: ReadonlyMap<string, string>): SeriesState {
  const keyName = (key: string): string => plainText(names.get(key) ?? key, NAME_LENGTH);
  const points = collect(read.now.points);
  const old = read.before === undefined ? undefined : collect(read.before.points);
  const keys = largestKeys(points.byKey, ...(old === undefined ? [] : [old.byKey]));
  const now = assemble(points, read.step, keyName, keys);
  const earlier = old === undefined ? undefined : assemble(old, read.step, keyName, keys);
  const truncated = read.now.truncated !== undefined || read.before?.truncated !== undefined;
  const comparable = truncated ? undefined : earlier;
  const change = comparable === undefined ? undefined : changeOf(now.totals, comparable.totals);
  return {
    ...emptySeries(name),
    times: [...now.times],
    partial: partial(now.times, read),
    sums: compared('sums', now, comparable),
    groups: compared('groups', now, comparable),
    total: now.totals.text,
    notes: [
      ...(read.now.truncated === undefined ? [] : [`Truncated: ${read.now.truncated}.`]),
      ...(read.before?.truncated === undefined ? [] : [`The period before is truncated: ${read.before.truncated}.`]),
      ...(read.beforeFailed === undefined ? [] : [read.beforeFailed.slice(0, 1000)]),
      ...doubled(read.now, 'an answer'),
      ...(read.before === undefined ? [] : doubled(read.before, 'an answer of the period before')),
      ...now.notes.map((note) => `${note}.`),
    ],
    truncated,
    ...(earlier !== undefined && read.window !== undefined && { before: past(now, earlier, read.window, read.step) }),
    ...(earlier !== undefined && { beforeTotal: earlier.totals.text }),
    ...(change !== undefined && { change }),
    read: read.at,
  };
}

function doubled({ doubled: count = 0 }: Reading, where: string): readonly string[] {
  return count === 0
    ? []
    : [`${String(count)} point${count === 1 ? '' : 's'} came more than once in ${where}: counted once.`];
}

/** Each line beside the one of its name in the period before. */
function compared(which: 'sums' | 'groups', now: Assembled, earlier: Assembled | undefined): Line[] {
  const amount = (of: Assembled | undefined, name: string): Sums => {
    const line = of?.[which].find((one) => one.name === name);
    return (line && of?.totalOf.get(line)) ?? new Sums();
  };
  return now[which].map((line) => {
    const change = changeOf(amount(now, line.name), amount(earlier, line.name));
    return change === undefined ? line : { ...line, change };
  });
}

/** The period before over this one's time axis, interval on interval. */
function past(
  now: Assembled,
  { times, sums, groups }: Assembled,
  window: Window,
  step: number | undefined,
): NonNullable<SeriesState['before']> {
  const { from, until } = windowBefore(window, step);
  return {
    from: from / 1000,
    until: until / 1000,
    times: times.map((time) => moved(time * 1000, until - from, step, (now.times[0] ?? 0) * 1000) / 1000),
    when: [...times],
    sums: [...sums],
    groups: [...groups],
  };
}

/** A day of a few hours is no fall of the numbers. */
function partial(times: readonly number[], { window, step }: SeriesRead): number[] {
  if (window === undefined || step === undefined) return [];
  const ends = new Set([...times.slice(0, 1), ...times.slice(-1)]);
  return [...ends].filter((time) => time * 1000 < window.from || time * 1000 + step > window.until);
}
