/** Finds what an id names: asks every kind that can answer for it, all at once. */
import type { ResourceArgument } from '../commands/ids.ts';
import type { Session } from '../connections/types.ts';
import { PlatformError } from '../platform/errors.ts';
import { isKind, kinds, registry } from '../platform/registry.ts';
import type { ResourceRow, Summary } from '../platform/resource.ts';
import { isHeld } from './held.ts';

export interface Found {
  readonly resource: ResourceArgument;
  readonly row: ResourceRow;
  readonly summary: Summary;
}

export interface LookupResult {
  readonly found: readonly Found[];
  /** kinds that gave no answer, neither yes nor no */
  readonly failed: readonly { readonly row: ResourceRow; readonly error: unknown }[];
}

/** A role stands below an organization: as many of those are asked. */
const MOST_ORGANIZATIONS = 20;

/** The addresses that an id may have on a connection, in the tree's order. */
export function candidates(session: Session, id: string): readonly ResourceArgument[] {
  const connection = session.profile.name;
  return kinds.flatMap((kind): ResourceArgument[] => {
    if (registry[kind].read.by === 'held') return isHeld(session, { kind, id }) ? [{ connection, kind, id }] : [];
    if (kind !== 'roles') return [{ connection, kind, id }];
    if (/^[^/]+\/./.test(id)) return [{ connection, kind, id }];
    return session.organizations
      .slice(0, MOST_ORGANIZATIONS)
      .map((organization) => ({ connection, kind, id: `${organization.id}/${id}` }));
  });
}

/** Asks for each candidate; `read` is how. Throws only when it is cancelled. */
export async function lookUp(
  resources: readonly ResourceArgument[],
  read: (resource: ResourceArgument) => Promise<unknown>,
): Promise<LookupResult> {
  const found: Found[] = [];
  const failed: LookupResult['failed'][number][] = [];
  const outcomes = await Promise.allSettled(resources.map(read));
  outcomes.forEach((outcome, index) => {
    const resource = resources[index];
    if (resource === undefined) return;
    const row = rowOf(resource.kind);
    if (row === undefined) return;
    if (outcome.status === 'fulfilled') found.push({ resource, row, summary: row.summary(outcome.value) });
    else if (!saysNo(outcome.reason)) failed.push({ row, error: outcome.reason });
  });
  return { found, failed };
}

export function rowOf(kind: string): ResourceRow | undefined {
  return isKind(kind) ? registry[kind] : undefined;
}

/** The contract answers an unknown batch or role with 400, and an unknown object with 404. */
function saysNo(error: unknown): boolean {
  return error instanceof PlatformError && (error.code === 'notFound' || error.code === 'badRequest');
}
