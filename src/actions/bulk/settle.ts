import type { RowResult } from './batch.ts';

/** Returns the unknown rows that have exactly one possible action log, which is possible for no other row. */
export function findOnlyLogs(results: readonly RowResult[]): ReadonlyMap<number, string> {
  const unknown = results.filter(({ state }) => state === 'unknown');
  const rows = new Map<string, number>();
  for (const log of unknown.flatMap(({ possibleLogs = [] }) => possibleLogs)) rows.set(log, (rows.get(log) ?? 0) + 1);
  return new Map(
    unknown.flatMap(({ row, possibleLogs: [log, ...others] = [] }) =>
      log !== undefined && others.length === 0 && rows.get(log) === 1 ? [[row, log] as const] : [],
    ),
  );
}
