import * as l10n from '@vscode/l10n';
import { compareTexts, formatNumber, pluralize } from '../platform/text/localization.ts';
import Big from 'big.js';
import type { SeriesLine } from '../webviews/protocol/statistics.ts';
import { formatChange, parseAmount, UnitSums } from './amounts.ts';
import type { Point } from './read-points.ts';
import { getOrAdd } from '../platform/get-or-add.ts';

/** Keys with a line of their own; smaller ones are added up in one more. */
const MAX_GROUPS = 7;
/** Units of one series; points in further units are left out. */
const MAX_UNITS = 6;
/** Key of points without one. */
const NO_KEY = '';
const MAX_KEY_LENGTH = 300;
/** Ids are stored by the view, with limits. */
const MAX_ID_LENGTH = 250;

interface KeySums {
  readonly times: Map<number, UnitSums>;
  /** of points without a time */
  readonly timeless: UnitSums;
  readonly total: UnitSums;
}

const createKeySums = (): KeySums => ({ times: new Map(), timeless: new UnitSums(), total: new UnitSums() });

/** The points of one period, added up by time and key. */
export interface PointSums {
  /** milliseconds since the epoch, ascending */
  readonly times: readonly number[];
  readonly all: KeySums;
  readonly byKey: ReadonlyMap<string, KeySums>;
  readonly notes: readonly string[];
}

/** Adds up points by time and key. Points without a readable value leave a gap. */
export function sumPoints(points: readonly Point[]): PointSums {
  const all = createKeySums();
  const byKey = new Map<string, KeySums>();
  const times = new Set<number>();
  let [timeless, unreadable, foreignUnits] = [0, 0, 0];
  for (const { when, key = NO_KEY, value } of points) {
    const amount = parseAmount(value);
    if (when === undefined) timeless++;
    // A point without a value still makes its time a gap.
    else times.add(when);
    if (amount === undefined) unreadable++;
    else if (all.total.get(amount.unit) === undefined && all.total.units.length >= MAX_UNITS) foreignUnits++;
    else
      for (const part of [all, getOrAdd(byKey, key, createKeySums)]) {
        part.total.add(amount);
        (when === undefined ? part.timeless : getOrAdd(part.times, when, () => new UnitSums())).add(amount);
      }
  }
  return {
    times: [...times].sort((a, b) => a - b),
    all,
    byKey,
    notes: formatNotes(timeless, unreadable, foreignUnits),
  };
}

function formatNotes(timeless: number, unreadable: number, foreignUnits: number): readonly string[] {
  const timelessNote = l10n.t(
    '{0} point without a time is included in the total but not in the chart.|{0} points without a time are included in the total but not in the chart.',
  );
  const unreadableNote = l10n.t(
    '{0} point without a valid value is shown as a gap.|{0} points without a valid value are shown as gaps.',
  );
  const unitsNote = l10n.t(
    'Only the first {1} units are shown. {0} point in another unit is not included.|Only the first {1} units are shown. {0} points in other units are not included.',
  );
  return [
    ...(timeless > 0 ? [pluralize(timeless, timelessNote)] : []),
    ...(unreadable > 0 ? [pluralize(unreadable, unreadableNote)] : []),
    ...(foreignUnits > 0 ? [pluralize(foreignUnits, unitsNote, formatNumber(MAX_UNITS))] : []),
  ];
}

interface LineOptions {
  readonly now: PointSums;
  readonly before: PointSums | undefined;
  /** milliseconds since the epoch */
  readonly times: readonly number[];
  /** the time of the period before at each of them */
  readonly timesBefore: readonly (number | undefined)[];
  /** both periods are complete */
  readonly comparable: boolean;
  /** Returns the name of a key: an action, a template's id. */
  readonly keyName: (key: string) => string;
}

/** Builds the lines of a chart: of all keys together, and of the largest keys, each in every unit that it has. */
export function buildLines({ now, before, times, timesBefore, comparable, keyName }: LineOptions): {
  readonly sums: SeriesLine[];
  readonly groups: SeriesLine[];
} {
  const units = [...new Set([...now.all.total.units, ...(before?.all.total.units ?? [])])].sort();
  const ids = new Set<string>();
  const names = new Set<string>();
  /** `key`: if the line stands for one */
  const createLines = (
    kind: 'key' | 'none' | 'others' | 'all',
    title: string,
    part: KeySums | undefined,
    past: KeySums | undefined,
    key?: string,
  ): SeriesLine[] =>
    units.flatMap((unit): SeriesLine[] => {
      if (part?.total.get(unit) === undefined && past?.total.get(unit) === undefined) return [];
      const format = (sums: KeySums | undefined, time: number | undefined): string | null =>
        (time === undefined ? undefined : sums?.times.get(time)?.format(unit)) ?? null;
      const change = comparable ? formatChange(part?.total.get(unit), past?.total.get(unit)) : undefined;
      const name = units.length === 1 ? title : unit === '' ? l10n.t('{0}, no unit', title) : `${title}, ${unit}`;
      return [
        {
          id: makeUnique(`${kind} ${unit} ${key ?? ''}`.slice(0, MAX_ID_LENGTH), ids),
          name: makeUnique(name, names),
          ...(key !== undefined && key.length <= MAX_KEY_LENGTH && { key }),
          unit,
          values: times.map((time) => format(part, time)),
          total: part?.total.format(unit) ?? '',
          ...(before !== undefined && {
            before: { values: timesBefore.map((time) => format(past, time)), total: past?.total.format(unit) ?? '' },
          }),
          ...(change !== undefined && { change }),
        },
      ];
    });
  const keys = largestKeys(now.byKey, before?.byKey ?? new Map());
  const groups = keys.flatMap((key) => {
    const [part, past] = [now.byKey.get(key), before?.byKey.get(key)];
    return key === NO_KEY
      ? createLines('none', l10n.t('(no key)'), part, past)
      : createLines('key', keyName(key), part, past, key);
  });
  const [others, othersBefore] = [now, before].map((sums) => sums && sumOthers(sums.byKey, keys));
  groups.push(...createLines('others', l10n.t('(others)'), others, othersBefore));
  names.clear();
  const all = l10n.t({ message: 'All', args: [], comment: 'Line of a chart: all keys together' });
  return { sums: createLines('all', all, now.all, before?.all), groups };
}

function makeUnique(text: string, known: Set<string>): string {
  let unique = text;
  while (known.has(unique)) unique += '′';
  known.add(unique);
  return unique;
}

/** Returns the keys with the largest sums, those of the first map before keys that only later maps have. */
function largestKeys(...maps: readonly ReadonlyMap<string, KeySums>[]): readonly string[] {
  const size = ({ total }: KeySums): Big => total.get(total.units[0] ?? '') ?? new Big(0);
  const sorted = maps.flatMap((map) =>
    [...map].sort(([a, x], [b, y]) => size(y).cmp(size(x)) || compareTexts(a, b)).map(([key]) => key),
  );
  const keys = [...new Set(sorted)];
  return keys.length > MAX_GROUPS + 1 ? keys.slice(0, MAX_GROUPS) : keys;
}

function sumOthers(byKey: ReadonlyMap<string, KeySums>, keys: readonly string[]): KeySums {
  const rest = createKeySums();
  for (const [key, part] of byKey) {
    if (keys.includes(key)) continue;
    for (const amount of part.total.amounts) rest.total.add(amount);
    for (const [time, sums] of part.times)
      for (const amount of sums.amounts) getOrAdd(rest.times, time, () => new UnitSums()).add(amount);
  }
  return rest;
}

/** Inserts a time without values into each gap, which breaks the line there. `step`: milliseconds of an interval. */
export function insertGaps(times: readonly number[], step: number): readonly number[] {
  return times.flatMap((time, index) => {
    const next = times[index + 1];
    // Tolerates half an interval more: months differ in length.
    return next !== undefined && next - time > step * 1.5 ? [time, time + step] : [time];
  });
}
