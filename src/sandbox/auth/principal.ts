/** The caller of a request: identity, permissions and visible organizations. */
import type { Verb } from '../../platform/operation.ts';
import type { ResourceName } from '../../platform/resources/permission.ts';
import type { Role } from '../data/organizations.ts';
import { forbidden } from '../http/errors.ts';

export interface Principal {
  readonly walletId: string;
  readonly address: string;
  /** organizations that the caller sees; undefined: all */
  readonly organizations: ReadonlySet<string> | undefined;
  getRole(organization: string): Role | undefined;
  isAllowed(resource: ResourceName, verb: Verb, organization?: string): boolean;
}

/** Throws HttpError 403 that names the missing permission. */
export function requirePermission(
  principal: Principal,
  resource: ResourceName,
  verb: Verb,
  organization?: string,
): void {
  if (principal.isAllowed(resource, verb, organization)) return;
  throw forbidden(`missing permission: ${resource} (${verb})`, { resource, verb });
}
