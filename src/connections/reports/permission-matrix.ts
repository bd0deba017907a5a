/** Permission matrices of roles and API keys: resource by create, read, update, delete. */
import type { Verb } from '../../platform/operation.ts';
import { resourceNames } from '../../platform/resources/permission.ts';
import { escapeMarkdown, formatTable } from './markdown.ts';
import { isGranted, type Grants } from '../session/permissions.ts';

const columns: readonly Verb[] = ['create', 'read', 'update', 'delete'];

/** The contract's resources in its order, then additional ones of the server. */
export function formatPermissionMatrix(grants: Grants): string {
  const names = new Set<string>(resourceNames);
  const all = [...resourceNames, ...[...grants.crud.keys()].filter((name) => !names.has(name))];
  return formatTable(
    ['Resource', ...columns.map((verb) => verb.charAt(0).toUpperCase() + verb.slice(1))],
    all.map((name) => [
      names.has(name) ? escapeMarkdown(name) : `${escapeMarkdown(name)} (not in the contract)`,
      ...columns.map((verb) => formatGranted(isGranted(grants, name, verb))),
    ]),
  );
}

/** Text instead of symbols, for screen readers and copies. */
function formatGranted(answer: boolean | undefined): string {
  return answer === undefined ? 'not provided' : answer ? '✓ yes' : '– no';
}

/** The expiry of an API key. */
export function formatKeyExpiry(expires: string | undefined, now: number): string {
  if (expires === undefined) return 'no expiration date';
  const at = Date.parse(expires);
  if (Number.isNaN(at)) return `expires ${escapeMarkdown(expires, 40)}`;
  return `${at <= now ? 'expired' : 'expires'} ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
