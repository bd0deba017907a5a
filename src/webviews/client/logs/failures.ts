/** Failed entries in groups of the same action and reason, or signer where there is no reason, the latest first. */
import type { LogRow, ReasonSource } from '../../protocol-logs.ts';

export interface Failures {
  readonly key: string;
  readonly action: string;
  /** the reason of the latest; empty where the platform gives none */
  readonly message: string;
  readonly reasonFrom?: ReasonSource;
  /** of the latest; of all where there is no reason */
  readonly signer: string;
  readonly count: number;
  /** milliseconds since the epoch */
  readonly first: number;
  readonly last: number;
  /** of the latest */
  readonly latest: LogRow;
}

// Ids, hashes and numbers differ from one failure to the next although the reason is the same.
const PARTICULAR = /0x[0-9a-f]{6,}|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[a-z]{2,5}_[0-9a-z]{8,}\b|\b[0-9a-f]{16,}\b|\d+/gi;

/** The group of a failed entry, in lines: its action, its reason without particulars, and its signer if there is none. */
export function groupOf({ action, alias, message, signer }: LogRow): string {
  const name = alias === '' ? action : alias;
  return message === '' ? `${name}\n\n${signer}` : `${name}\n${message.replace(PARTICULAR, '…')}`;
}

/** A group as `groupOf` tells it, in words. */
export function groupText(group: string): string {
  const [action = '', reason = '', signer = ''] = group.split('\n');
  const why = reason === '' ? `signed by ${signer === '' ? 'nobody named' : signer}` : reason;
  return `${action === '' ? 'no action named' : action}: ${why}`;
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
      ...(latest.reasonFrom !== undefined && { reasonFrom: latest.reasonFrom }),
      signer: latest.signer,
      count: (known?.count ?? 0) + 1,
      first: Math.min(known?.first ?? Infinity, row.time),
      last: Math.max(known?.last ?? -Infinity, row.time),
      latest,
    });
  }
  return [...groups.values()].sort((a, b) => b.last - a.last || b.count - a.count);
}
