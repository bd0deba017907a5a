/** Finds the resources that have an id, by requesting it from every kind in parallel. */
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { Session } from '../../model/session/session.ts';
import { hasErrorCode } from '../../platform/errors.ts';
import { getDefinition, kinds, registry } from '../../platform/registry.ts';
import { isOwnedByOrganization, type ResourceDefinition, type ItemSummary } from '../../platform/resource.ts';
import { isRegisteredWallet } from '../content/registered-wallets.ts';

export interface LookupMatch {
  readonly resource: ResourceArgument;
  readonly definition: ResourceDefinition;
  readonly summary: ItemSummary;
}

export interface LookupResult {
  readonly found: readonly LookupMatch[];
  /** kinds whose request failed for another reason than an unknown id */
  readonly failed: readonly { readonly definition: ResourceDefinition; readonly error: unknown }[];
}

/** Organizations in which a role's id is looked up. */
const MAX_ORGANIZATIONS = 20;

/** Returns the resources that an id may name on a connection, in the tree's order. */
export function getCandidates(session: Session, id: string): readonly ResourceArgument[] {
  const connection = session.profile.name;
  return kinds.flatMap((kind): ResourceArgument[] => {
    const definition: ResourceDefinition = registry[kind];
    if (definition.read.by === 'cache')
      return isRegisteredWallet(session, { kind, id }) ? [{ connection, kind, id }] : [];
    if (!isOwnedByOrganization(definition)) return [{ connection, kind, id }];
    if (/^[^/]+\/./.test(id)) return [{ connection, kind, id }];
    return session.organizations
      .slice(0, MAX_ORGANIZATIONS)
      .map((organization) => ({ connection, kind, id: `${organization.id}/${id}` }));
  });
}

/** Reads each candidate with `read`. Never rejects: failures are part of the result. */
export async function lookUpResources(
  resources: readonly ResourceArgument[],
  read: (resource: ResourceArgument) => Promise<unknown>,
): Promise<LookupResult> {
  const found: LookupMatch[] = [];
  const failed: LookupResult['failed'][number][] = [];
  const outcomes = await Promise.allSettled(resources.map(read));
  outcomes.forEach((outcome, index) => {
    const resource = resources[index];
    if (resource === undefined) return;
    const definition = getDefinition(resource.kind);
    if (definition === undefined) return;
    if (outcome.status === 'fulfilled')
      found.push({ resource, definition, summary: definition.summary(outcome.value) });
    else if (!isNotFound(outcome.reason)) failed.push({ definition, error: outcome.reason });
  });
  return { found, failed };
}

/** The platform responds to an unknown batch or role with 400, an unknown object with 404. */
function isNotFound(error: unknown): boolean {
  return hasErrorCode(error, 'notFound', 'badRequest');
}
