/** Values of a line at the times of its chart; null where it has no point. */
export type Values = readonly (number | null)[];

/** Adds each line to those before it, for areas on top of each other. Where no line has a value, there is none. */
export function stackValues(lines: readonly Values[]): (number | null)[][] {
  let below: Values = [];
  return lines.map((values, line) => {
    const sums = values.map((value, index) => {
      const base = below[index] ?? null;
      if (value !== null) return (base ?? 0) + value;
      return base ?? (lines.slice(line).some((later) => (later[index] ?? null) !== null) ? 0 : null);
    });
    below = sums;
    return sums;
  });
}

/** True if lines can be areas on top of each other: several, without negative values. */
export function canStack(lines: readonly Values[]): boolean {
  return lines.length > 1 && lines.every((values) => values.every((value) => value === null || value >= 0));
}

/**
 * Splits a line into its complete part and the part to draw as incomplete: the segments that lead to the points at
 * `incomplete`. Both have the points where they meet.
 */
export function splitIncomplete(
  values: Values,
  incomplete: ReadonlySet<number>,
): readonly [complete: (number | null)[], incomplete: (number | null)[]] {
  return [
    values.map((value, index) => (incomplete.has(index) ? null : value)),
    values.map((value, index) =>
      incomplete.has(index) || incomplete.has(index - 1) || incomplete.has(index + 1) ? value : null,
    ),
  ];
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
