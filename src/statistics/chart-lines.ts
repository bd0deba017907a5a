import * as l10n from '@vscode/l10n';
import { compareTexts, formatNumber, pluralize } from '../platform/text/localization.ts';
import Big from 'big.js';
import type { SeriesLine } from '../webviews/protocol/statistics.ts';
import { parseAmount, formatDecimal, UnitSums, appendUnit } from './amounts.ts';
import type { Point } from './read-points.ts';

/** The lines of a chart, made from the points of one period. */
export interface ChartLines {
  /** seconds since the epoch, ascending */
  readonly times: readonly number[];
  readonly sums: readonly SeriesLine[];
  readonly groups: readonly SeriesLine[];
  readonly totals: UnitSums;
  readonly lineTotals: ReadonlyMap<SeriesLine, UnitSums>;
  readonly notes: readonly string[];
}

/** Keys with a line of their own; smaller ones are added up in one more. */
const MAX_GROUPS = 7;
/** Units of one series; points in further units are left out. */
const MAX_UNITS = 6;
/** Key of points without one. */
const NO_KEY = '';
/** Key of all smaller keys together. */
const OTHERS = Symbol('others');
const MAX_KEY_LENGTH = 300;
/** Ids are stored by the view, with limits. */
const MAX_ID_LENGTH = 250;
const ZERO = new Big(0);

interface KeySums {
  readonly times: Map<number, UnitSums>;
  /** of points without a time */
  readonly timeless: UnitSums;
  readonly total: UnitSums;
}

const createKeySums = (): KeySums => ({ times: new Map(), timeless: new UnitSums(), total: new UnitSums() });

/** What a line adds up: a key, the points without one, all smaller keys, or everything. */
type LineKind = 'key' | 'none' | 'others' | 'all';

/** The points of one period, added up by time and key. */
interface PointSums {
  readonly times: ReadonlySet<number>;
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
  for (const { when, key, value } of points) {
    const amount = parseAmount(value);
    if (when === undefined) timeless++;
    // A point without a value still makes its time a gap.
    else times.add(when);
    if (amount === undefined) {
      unreadable++;
      continue;
    }
    if (all.total.get(amount.unit) === undefined && all.total.units.length >= MAX_UNITS) {
      foreignUnits++;
      continue;
    }
    const name = key ?? NO_KEY;
    let group = byKey.get(name);
    if (group === undefined) byKey.set(name, (group = createKeySums()));
    for (const part of [all, group]) {
      part.total.add(amount);
      if (when === undefined) {
        part.timeless.add(amount);
        continue;
      }
      let sums = part.times.get(when);
      if (sums === undefined) part.times.set(when, (sums = new UnitSums()));
      sums.add(amount);
    }
  }
  return {
    times,
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

/**
 * Builds the lines of a chart. `step`: milliseconds of an interval, if known; otherwise the smallest distance between
 * points. `keyName` returns the name of a key (an action, a template's id). `keys`: keys with their own line, in order.
 */
export function buildChartLines(
  { times, all, byKey, notes }: PointSums,
  step: number | undefined,
  keyName: (key: string) => string = (key) => key,
  keys: readonly string[] = largestKeys(byKey),
): ChartLines {
  const axis = insertGaps(
    [...times].sort((a, b) => a - b),
    step,
  );
  const { units } = all.total;
  const lineTotals = new Map<SeriesLine, UnitSums>();
  const names = new Set<string>();
  const ids = new Set<string>();
  const lines = (kind: LineKind, title: string, part: KeySums, key?: string): readonly SeriesLine[] =>
    part.total.units.map((unit) => {
      let name = units.length > 1 ? (unit === '' ? l10n.t('{0}, no unit', title) : `${title}, ${unit}`) : title;
      while (names.has(name)) name += '′';
      names.add(name);
      let id = `${kind} ${unit} ${key ?? ''}`.slice(0, MAX_ID_LENGTH);
      while (ids.has(id)) id += '′';
      ids.add(id);
      const line: SeriesLine = {
        id,
        name,
        ...(key !== undefined && key.length <= MAX_KEY_LENGTH && { key }),
        values: axis.map((time) => {
          const value = part.times.get(time)?.get(unit);
          return value === undefined ? null : appendUnit(formatDecimal(value), unit);
        }),
        total: part.total.formatUnit(unit),
      };
      lineTotals.set(line, part.total.only(unit));
      return line;
    });
  const groups = groupKeys(byKey, keys).flatMap(([key, part]) => {
    if (key === NO_KEY) return lines('none', l10n.t('(no key)'), part);
    return key === OTHERS ? lines('others', l10n.t('(others)'), part) : lines('key', keyName(key), part, key);
  });
  names.clear();
  return {
    times: axis.map((time) => time / 1000),
    sums: lines('all', l10n.t({ message: 'All', args: [], comment: 'Line of a chart: all keys together' }), all),
    groups,
    totals: all.total,
    lineTotals,
    notes,
  };
}

/** Returns the keys with the largest sums, those of the first map before keys that only later maps have. */
export function largestKeys(...maps: readonly ReadonlyMap<string, KeySums>[]): readonly string[] {
  const size = ({ total }: KeySums): Big => total.get(total.units[0] ?? '') ?? ZERO;
  const sorted = maps.flatMap((map) =>
    [...map].sort(([a, x], [b, y]) => size(y).cmp(size(x)) || compareTexts(a, b)).map(([key]) => key),
  );
  const keys = [...new Set(sorted)];
  return keys.length > MAX_GROUPS + 1 ? keys.slice(0, MAX_GROUPS) : keys;
}

/** Returns the sums of some keys, and of all others together. */
function groupKeys(
  byKey: ReadonlyMap<string, KeySums>,
  keys: readonly string[],
): readonly (readonly [string | typeof OTHERS, KeySums])[] {
  const rest = createKeySums();
  for (const [key, part] of byKey) {
    if (keys.includes(key)) continue;
    addAll(rest.total, part.total);
    for (const [time, sums] of part.times) {
      const known = rest.times.get(time);
      if (known === undefined) rest.times.set(time, addAll(new UnitSums(), sums));
      else addAll(known, sums);
    }
  }
  return [
    ...keys.flatMap((key) => {
      const part = byKey.get(key);
      return part === undefined ? [] : [[key, part] as const];
    }),
    ...(rest.total.units.length > 0 ? [[OTHERS, rest] as const] : []),
  ];
}

function addAll(to: UnitSums, from: UnitSums): UnitSums {
  for (const amount of from.amounts) to.add(amount);
  return to;
}

/** Inserts a time without values into each gap, which breaks the line there. */
function insertGaps(times: readonly number[], step: number | undefined): readonly number[] {
  const regular = step ?? getUsualInterval(times);
  if (regular === undefined) return times;
  return times.flatMap((time, index) => {
    const next = times[index + 1];
    // Tolerates half an interval more: months differ in length.
    return next !== undefined && next - time > regular * 1.5 ? [time, time + regular] : [time];
  });
}

/** The smallest distance between times if most have it; otherwise the times are irregular and have no gaps. */
function getUsualInterval(times: readonly number[]): number | undefined {
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const smallest = distances.reduce((least, distance) => Math.min(least, distance), Infinity);
  const regular = distances.filter((distance) => distance <= smallest * 1.1).length;
  return distances.length > 0 && regular * 2 >= distances.length ? smallest : undefined;
}
