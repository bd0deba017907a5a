import * as l10n from '@vscode/l10n';
import { formatPair } from '../../platform/text/localization.ts';
import type { LogRow, ReasonSource } from './logs.ts';

/** Failed entries of the same action and reason, or of the same action if there is no reason. */
export interface FailureGroup {
  readonly key: string;
  readonly action: string;
  /** reason of the latest; empty if the platform gives none */
  readonly message: string;
  readonly reasonFrom?: ReasonSource;
  /** each once, that of the latest first; empty: unknown */
  readonly signers: readonly string[];
  readonly count: number;
  /** those since the user last looked */
  readonly newCount: number;
  /** the user marked it as known, on each connection of it */
  readonly isKnown: boolean;
  /** milliseconds since the epoch */
  readonly first: number;
  readonly last: number;
  /** the latest failure */
  readonly latest: LogRow;
}

// Ids, hashes and numbers differ from one failure to the next although the reason is the same.
const VARIABLE_PARTS =
  /0x[0-9a-f]{6,}|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[a-z]{2,5}_[0-9a-z]{8,}\b|\b[0-9a-f]{16,}\b|\d+/gi;

/** Key of a failed entry's group: its action, and its reason without ids and numbers, in lines. */
export function getFailureGroup({ action, alias, message }: LogRow): string {
  return `${alias === '' ? action : alias}\n${message.replace(VARIABLE_PARTS, '…')}`;
}

/** Returns a regular expression that finds a reason, with any ids and numbers. */
export function formatReasonPattern(message: string): string {
  const parts = message.split(VARIABLE_PARTS);
  return parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('.+');
}

/**
 * Returns a test for the failures of a group. Its reasons may have been read since it was chosen, so that none is without
 * one: then they are all of its action.
 */
export function createGroupTest(group: string, rows: readonly LogRow[]): (row: LogRow) => boolean {
  const isExact = (row: LogRow): boolean => row.status === 'failed' && getFailureGroup(row) === group;
  if (!group.endsWith('\n') || rows.some(isExact)) return isExact;
  return (row) => row.status === 'failed' && getFailureGroup(row).startsWith(group);
}

/** Formats the key of a group. */
export function formatFailureGroup(group: string): string {
  const [action = '', reason = ''] = group.split('\n');
  const name = action === '' ? l10n.t('Unknown action') : action;
  return reason === '' ? name : formatPair(name, reason);
}

/** Groups the failed rows: those with new ones first, known ones last, the largest first among each. */
export function groupFailures(rows: readonly LogRow[]): readonly FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const row of rows) {
    if (row.status !== 'failed') continue;
    const key = getFailureGroup(row);
    const known = groups.get(key);
    const latest = known === undefined || row.time >= known.last ? row : known.latest;
    groups.set(key, {
      key,
      action: row.alias === '' ? row.action : row.alias,
      message: latest.message,
      ...(latest.reasonSource !== undefined && { reasonFrom: latest.reasonSource }),
      signers: [...new Set([latest.signer, row.signer, ...(known?.signers ?? [])])],
      count: (known?.count ?? 0) + 1,
      newCount: (known?.newCount ?? 0) + (row.isNew === true ? 1 : 0),
      isKnown: (known?.isKnown ?? true) && row.isKnown === true,
      first: Math.min(known?.first ?? Infinity, row.time),
      last: Math.max(known?.last ?? -Infinity, row.time),
      latest,
    });
  }
  const rank = ({ isKnown, newCount }: FailureGroup): number => (isKnown ? 2 : newCount > 0 ? 0 : 1);
  return [...groups.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count || b.last - a.last);
}
