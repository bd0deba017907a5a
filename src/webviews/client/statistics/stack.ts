/** Values of a line at the times of its chart. null: a gap. */
export type Values = (number | null)[];

/** Adds each line to those before it, for areas on top of each other. If no line has a value at a time, there is none. */
export function stackValues(lines: readonly Values[]): Values[] {
  let below: Values = [];
  return lines.map((values) => {
    below = values.map((value, index) =>
      lines.every((line) => line[index] === null) ? null : (below[index] ?? 0) + (value ?? 0),
    );
    return below;
  });
}

/** True if lines can be areas on top of each other: several, without negative values. */
export function canStack(lines: readonly Values[]): boolean {
  return lines.length > 1 && lines.every((values) => values.every((value) => (value ?? 0) >= 0));
}

/** Finds the points between gaps, which are invisible without a dot. */
export function findIsolated(values: ArrayLike<number | null | undefined>): number[] {
  const isolated: number[] = [];
  let hasBefore = false;
  for (let index = 0; index < values.length; index++) {
    const hasValue = values[index] !== null;
    if (hasValue && !hasBefore && (values[index + 1] ?? null) === null) isolated.push(index);
    hasBefore = hasValue;
  }
  return isolated;
}

/**
 * The distance of the mouse from a line, both in pixels from the top. Areas reach down to the line below; lines alone
 * must be near.
 */
export function getDistance(top: number, y: number, isArea: boolean): number {
  const distance = Math.abs(y - top);
  return (isArea && y >= top) || distance <= 12 ? distance : Infinity;
}
