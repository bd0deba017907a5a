/** Makes lines for a chart from the points of a series: sums, groups, gaps, totals (pure). */
import Big from 'big.js';
import type { Line } from '../webviews/protocol-statistics.ts';
import { amountOf, digits, Sums, withUnit } from './amount.ts';
import type { Point } from './read.ts';

export interface Assembled {
  /** seconds, rising */
  readonly times: readonly number[];
  readonly sums: readonly Line[];
  readonly groups: readonly Line[];
  readonly totals: Sums;
  readonly totalOf: ReadonlyMap<Line, Sums>;
  readonly notes: readonly string[];
}

/** Lines that the eye can tell apart; what is smaller is one more. */
const MOST_GROUPS = 7;
/** A server that names more of them is not taken at its word. */
const MOST_UNITS = 6;
export const NO_KEY = '(no key)';
const OTHERS = '(others)';
const ZERO = new Big(0);

interface Cell {
  readonly times: Map<number, Sums>;
  /** of points without a time */
  readonly timeless: Sums;
  readonly total: Sums;
}

const cell = (): Cell => ({ times: new Map(), timeless: new Sums(), total: new Sums() });

/** The points of one period, added up. */
export interface Collected {
  readonly times: ReadonlySet<number>;
  readonly all: Cell;
  readonly byKey: ReadonlyMap<string, Cell>;
  readonly notes: readonly string[];
}

export function collect(points: readonly Point[]): Collected {
  const all = cell();
  const byKey = new Map<string, Cell>();
  const times = new Set<number>();
  let [timeless, valueless, strange] = [0, 0, 0];
  for (const { when, key, value } of points) {
    const amount = amountOf(value);
    if (when === undefined) timeless++;
    // A point that says nothing but its time still makes that time a gap.
    else times.add(when);
    if (amount === undefined) {
      valueless++;
      continue;
    }
    if (all.total.get(amount.unit) === undefined && all.total.units.length >= MOST_UNITS) {
      strange++;
      continue;
    }
    const name = key === undefined || key === '' ? NO_KEY : key;
    let group = byKey.get(name);
    if (group === undefined) byKey.set(name, (group = cell()));
    for (const part of [all, group]) {
      part.total.add(amount);
      if (when === undefined) {
        part.timeless.add(amount);
        continue;
      }
      let sums = part.times.get(when);
      if (sums === undefined) part.times.set(when, (sums = new Sums()));
      sums.add(amount);
    }
  }
  const notes = [
    [timeless, 'without a time: in the total, not in the chart'],
    [valueless, 'without a readable value: a gap, not zero'],
    [strange, `in further units than ${MOST_UNITS}: left out`],
  ] as const;
  return {
    times,
    all,
    byKey,
    notes: notes.flatMap(([count, what]) => (count > 0 ? [`${count} point${count === 1 ? '' : 's'} ${what}`] : [])),
  };
}

/**
 * `step`: milliseconds of an interval, where it can be told; else the smallest distance between points counts. `keyName`
 * turns a key (an action, a template's id) into words. `keys`: those that have a line of their own, in their order.
 */
export function assemble(
  { times, all, byKey, notes }: Collected,
  step: number | undefined,
  keyName: (key: string) => string = (key) => key,
  keys: readonly string[] = largestKeys(byKey),
): Assembled {
  const axis = withGaps(
    [...times].sort((a, b) => a - b),
    step,
  );
  const { units } = all.total;
  const totalOf = new Map<Line, Sums>();
  const names = new Set<string>();
  const lines = (title: string, part: Cell): readonly Line[] =>
    part.total.units.map((unit) => {
      let name = units.length > 1 ? `${title}, ${unit === '' ? 'no unit' : unit}` : title;
      while (names.has(name)) name += '′';
      names.add(name);
      const line: Line = {
        name,
        values: axis.map((time) => {
          const value = part.times.get(time)?.get(unit);
          return value === undefined ? null : withUnit(digits(value), unit);
        }),
        total: part.total.textOf(unit),
      };
      totalOf.set(line, part.total.only(unit));
      return line;
    });
  const groups = grouped(byKey, keys).flatMap(([name, part]) =>
    lines(name === NO_KEY || name === OTHERS ? name : keyName(name), part),
  );
  names.clear();
  return {
    times: axis.map((time) => time / 1000),
    sums: lines('All', all),
    groups,
    totals: all.total,
    totalOf,
    notes,
  };
}

/** The largest first, of the first map that has a key: keys of the period before come after this one's. */
export function largestKeys(...maps: readonly ReadonlyMap<string, Cell>[]): readonly string[] {
  const size = ({ total }: Cell): Big => total.get(total.units[0] ?? '') ?? ZERO;
  const sorted = maps.flatMap((map) =>
    [...map].sort(([a, x], [b, y]) => size(y).cmp(size(x)) || (a < b ? -1 : 1)).map(([key]) => key),
  );
  const keys = [...new Set(sorted)];
  return keys.length > MOST_GROUPS + 1 ? keys.slice(0, MOST_GROUPS) : keys;
}

/** Those keys, and all others together. */
function grouped(byKey: ReadonlyMap<string, Cell>, keys: readonly string[]): readonly (readonly [string, Cell])[] {
  const rest = cell();
  for (const [key, part] of byKey) {
    if (keys.includes(key)) continue;
    addAll(rest.total, part.total);
    for (const [time, sums] of part.times) {
      const known = rest.times.get(time);
      if (known === undefined) rest.times.set(time, addAll(new Sums(), sums));
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

function addAll(to: Sums, from: Sums): Sums {
  for (const amount of from.amounts) to.add(amount);
  return to;
}

/** One time without values in each gap breaks the line there. */
function withGaps(times: readonly number[], step: number | undefined): readonly number[] {
  const regular = step ?? usualDistance(times);
  if (regular === undefined) return times;
  return times.flatMap((time, index) => {
    const next = times[index + 1];
    // Months differ in length; half an interval more is no gap yet.
    return next !== undefined && next - time > regular * 1.5 ? [time, time + regular] : [time];
  });
}

/** The smallest distance, where most points keep it: else the points have no rhythm that a gap could break. */
function usualDistance(times: readonly number[]): number | undefined {
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const smallest = distances.reduce((least, distance) => Math.min(least, distance), Infinity);
  const regular = distances.filter((distance) => distance <= smallest * 1.1).length;
  return distances.length > 0 && regular * 2 >= distances.length ? smallest : undefined;
}
