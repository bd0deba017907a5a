/**
 * False if times, in the order in which the platform lists them, are not the newest first although that was requested: the
 * contract does not show its word for that order.
 */
export function areNewestFirst(times: readonly number[]): boolean {
  return times.every((time, index) => time <= (times[index - 1] ?? Infinity));
}
