/** What the caller's roles grant, for each organization, as far as known. */
import * as l10n from '@vscode/l10n';
import { PlatformError } from '../../platform/errors.ts';
import { getOperationName, type Operation, type Verb } from '../../platform/operation.ts';
import type { role } from '../../platform/resources/roles.ts';
import type { SchemaView } from '../../platform/schema.ts';

export interface Grants {
  /** the role's name as the server wrote it */
  readonly role: string;
  /** resource → granted verbs; resources not listed are not granted */
  readonly crud: ReadonlyMap<string, Readonly<Partial<Record<Verb, boolean>>>>;
}

export const VERBS: readonly Verb[] = ['read', 'create', 'update', 'delete'];

/** The parsed part of a role or API key. */
type Grantor = Partial<Pick<SchemaView<typeof role>, 'id' | 'name' | 'permissions'>>;

/** `undefined` for a role without a list of permissions. */
export function readGrants(view: Grantor | undefined): Grants | undefined {
  if (view?.permissions === undefined) return undefined;
  const crud = new Map<string, Partial<Record<Verb, boolean>>>();
  for (const { resource, crud: flags } of view.permissions) {
    if (resource === undefined) continue;
    const entry = crud.get(resource) ?? {};
    for (const verb of VERBS) {
      const flag = flags?.[verb];
      // A resource listed twice is granted where either entry grants it.
      if (flag !== undefined) entry[verb] = flag || entry[verb] === true;
    }
    crud.set(resource, entry);
  }
  return { role: view.name ?? view.id ?? l10n.t('role'), crud };
}

/** `undefined` where the role lists the resource but not the verb. */
export function isGranted(grants: Grants, resource: string, verb: Verb): boolean | undefined {
  const entry = grants.crud.get(resource);
  return entry === undefined ? false : entry[verb];
}

/** True where any role grants it, false where all are known to lack it. */
export function isGrantedByAny(
  roles: readonly (Grants | undefined)[],
  resource: string,
  verb: Verb,
): boolean | undefined {
  const answers = roles.map((grants) => (grants === undefined ? undefined : isGranted(grants, resource, verb)));
  if (answers.includes(true)) return true;
  return answers.length > 0 && answers.every((answer) => answer === false) ? false : undefined;
}

/** Creates the error `forbidden`, not sent, naming the permission. */
export function createForbiddenError(operation: Operation, heading: string): PlatformError {
  const needed = operation.permission;
  const message =
    needed === undefined
      ? l10n.t('Not sent: your role on {0} does not have the required permission', heading)
      : l10n.t(
          'Not sent: your role on {0} does not have the permission {1}',
          heading,
          `${needed.resource}: ${needed.verb}`,
        );
  return new PlatformError('forbidden', message, {
    operation: getOperationName(operation),
    sent: false,
  });
}
