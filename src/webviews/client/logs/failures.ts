/** Failed entries in groups of the same action and message, the latest first. */
import type { LogRow } from '../../protocol-logs.ts';

export interface Failures {
  readonly key: string;
  readonly action: string;
  readonly message: string;
  readonly count: number;
  /** milliseconds since the epoch */
  readonly first: number;
  readonly last: number;
  /** of the latest */
  readonly latest: LogRow;
}

// Ids, hashes and numbers differ from one failure to the next although the reason is the same.
const PARTICULAR = /0x[0-9a-f]{6,}|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[a-z]{2,5}_[0-9a-z]{8,}\b|\b[0-9a-f]{16,}\b|\d+/gi;

/** The group of a failed entry: its action, and in the next line its message without particulars. */
export function groupOf({ action, alias, message }: LogRow): string {
  return `${alias === '' ? action : alias}\n${message.replace(PARTICULAR, '…')}`;
}

export function groupFailures(rows: readonly LogRow[]): readonly Failures[] {
  const groups = new Map<string, Failures>();
  for (const row of rows) {
    if (row.status !== 'failed') continue;
    const key = groupOf(row);
    const known = groups.get(key);
    const latest = known === undefined || row.time >= known.last ? row : known.latest;
    groups.set(key, {
      key,
      action: row.alias === '' ? row.action : row.alias,
      message: latest.message,
      count: (known?.count ?? 0) + 1,
      first: Math.min(known?.first ?? Infinity, row.time),
      last: Math.max(known?.last ?? -Infinity, row.time),
      latest,
    });
  }
  return [...groups.values()].sort((a, b) => b.last - a.last || b.count - a.count);
}
