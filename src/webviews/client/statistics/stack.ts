/** A value of a line. null: a gap; undefined: a time of other lines, at which this one goes on. */
export type Value = number | null | undefined;
/** Values of a line at the times of its chart. */
type Values = readonly Value[];

/** Adds each line to those before it, for areas on top of each other. Where no line has a value, there is none. */
export function stackValues(lines: readonly Values[]): Value[][] {
  let below: Values = [];
  return lines.map((values, line) => {
    const sums = values.map((value, index) => {
      const base = below[index] ?? null;
      if (value !== null && value !== undefined) return (base ?? 0) + value;
      if (lines.every((other) => other[index] === undefined)) return undefined;
      return base ?? (lines.slice(line).some((later) => (later[index] ?? null) !== null) ? 0 : null);
    });
    below = sums;
    return sums;
  });
}

/** True if lines can be areas on top of each other: several, without negative values. */
export function canStack(lines: readonly Values[]): boolean {
  return lines.length > 1 && lines.every((values) => values.every((value) => (value ?? 0) >= 0));
}

/**
 * Splits a line into its complete part and the part to draw as incomplete: the segments that lead to the points at
 * `incomplete`. Both have the points where they meet.
 */
export function splitIncomplete(
  values: Values,
  incomplete: ReadonlySet<number>,
): readonly [complete: Value[], incomplete: Value[]] {
  const ends = new Set(
    [...incomplete].flatMap((index) => [findNext(values, index, -1), index, findNext(values, index, 1)]),
  );
  return [
    values.map((value, index) => (incomplete.has(index) ? null : value)),
    values.map((value, index) => (value === undefined || ends.has(index) ? value : null)),
  ];
}

/** Finds the points from index `from` to `to` between gaps. Runs at each redraw, so it allocates nothing else. */
export function findIsolated(values: ArrayLike<Value>, from: number, to: number): number[] {
  const isolated: number[] = [];
  let followsGap = (values[findNext(values, from, -1)] ?? null) === null;
  let candidate = -1;
  for (let index = from; index <= to; index++) {
    const value = values[index];
    if (value === undefined) continue;
    if (value === null && candidate >= 0) isolated.push(candidate);
    candidate = value !== null && followsGap ? index : -1;
    followsGap = value === null;
  }
  if (candidate >= 0 && (values[findNext(values, to, 1)] ?? null) === null) isolated.push(candidate);
  return isolated;
}

/** Finds the index of the next value or gap of a line, which may be past its ends. */
function findNext(values: ArrayLike<Value>, index: number, step: 1 | -1): number {
  let next = index + step;
  while (next >= 0 && next < values.length && values[next] === undefined) next += step;
  return next;
}

/**
 * Finds the line at a height in pixels from the top, given the height of each line there. Areas reach down to the line
 * below; lines alone must be near. `undefined`: none.
 */
export function findLineAt(tops: readonly (number | null)[], y: number, areas: boolean): number | undefined {
  const near = 12;
  let found: { readonly index: number; readonly distance: number } | undefined;
  for (const [index, top] of tops.entries()) {
    if (top === null) continue;
    const distance = areas && y >= top ? y - top : Math.abs(y - top);
    const isInside = areas && y >= top;
    if (!isInside && distance > near) continue;
    if (found === undefined || distance < found.distance) found = { index, distance };
  }
  return found?.index;
}
