/** What the caller's roles grant, organization by organization, as far as it is known (pure). */
import { PlatformError } from '../platform/errors.ts';
import { nameOf, type Operation, type Verb } from '../platform/operation.ts';
import type { role } from '../platform/resources/roles.ts';
import type { ViewOf } from '../platform/schema.ts';

export interface Grants {
  /** the role's name, as the server wrote it */
  readonly role: string;
  /** resource → what it grants; a resource that is not listed is not granted */
  readonly crud: ReadonlyMap<string, Readonly<Partial<Record<Verb, boolean>>>>;
}

export const verbs: readonly Verb[] = ['read', 'create', 'update', 'delete'];

/** A role or an API key, as far as it was understood. */
type Grantor = Partial<Pick<ViewOf<typeof role>, 'id' | 'name' | 'permissions'>>;

/** A role without a list of permissions says nothing. */
export function grantsOf(view: Grantor | undefined): Grants | undefined {
  if (view?.permissions === undefined) return undefined;
  const crud = new Map<string, Partial<Record<Verb, boolean>>>();
  for (const { resource, crud: flags } of view.permissions) {
    if (resource === undefined) continue;
    const entry = crud.get(resource) ?? {};
    for (const verb of verbs) {
      const flag = flags?.[verb];
      // Listed twice: what either grants is granted.
      if (flag !== undefined) entry[verb] = flag || entry[verb] === true;
    }
    crud.set(resource, entry);
  }
  return { role: view.name ?? view.id ?? 'role', crud };
}

/** `undefined` where the role lists the resource but not the verb. */
export function granted(grants: Grants, resource: string, verb: Verb): boolean | undefined {
  const entry = grants.crud.get(resource);
  return entry === undefined ? false : entry[verb];
}

/** Over several roles: any that grants it suffices; it is denied only where all are known to lack it. */
export function grantedByAny(
  roles: readonly (Grants | undefined)[],
  resource: string,
  verb: Verb,
): boolean | undefined {
  const answers = roles.map((grants) => (grants === undefined ? undefined : granted(grants, resource, verb)));
  if (answers.includes(true)) return true;
  return answers.length > 0 && answers.every((answer) => answer === false) ? false : undefined;
}

/** `forbidden`, not sent, with the permission by name. */
export function lacks(operation: Operation, heading: string): PlatformError {
  const needed = operation.permission;
  const what = needed === undefined ? 'the permission' : `the permission ${needed.resource}: ${needed.verb}`;
  return new PlatformError('forbidden', `Not sent, for your role on ${heading} lacks ${what}`, {
    operation: nameOf(operation),
    sent: false,
  });
}
