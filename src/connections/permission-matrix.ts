/** Roles and API keys as readable matrices: resource by create, read, update, delete (pure). */
import type { Verb } from '../platform/operation.ts';
import { resourceNames } from '../platform/resources/permission.ts';
import { plain, table } from './markdown.ts';
import { granted, type Grants } from './permissions.ts';

const columns: readonly Verb[] = ['create', 'read', 'update', 'delete'];

/** The contract's resources in its order, then what the server has beyond them. */
export function matrix(grants: Grants): string {
  const names = new Set<string>(resourceNames);
  const all = [...resourceNames, ...[...grants.crud.keys()].filter((name) => !names.has(name))];
  return table(
    ['Resource', ...columns.map((verb) => verb.charAt(0).toUpperCase() + verb.slice(1))],
    all.map((name) => [
      names.has(name) ? plain(name) : `${plain(name)} (not in the contract)`,
      ...columns.map((verb) => mark(granted(grants, name, verb))),
    ]),
  );
}

/** Words, not signs alone: they are read out, and survive being pasted. */
function mark(answer: boolean | undefined): string {
  return answer === undefined ? 'not said' : answer ? '✓ yes' : '– no';
}

/** An API key's end, in words. */
export function expiryOf(expires: string | undefined, now: number): string {
  if (expires === undefined) return 'no expiry named';
  const at = Date.parse(expires);
  if (Number.isNaN(at)) return `expires ${plain(expires, 40)}`;
  return `${at <= now ? 'expired' : 'expires'} ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
