/** What the caller's roles grant, for each organization, as far as known. */
import { isObject } from '../../platform/json/json.ts';
import type { Verb } from '../../platform/operation.ts';

type Flags = Readonly<Partial<Record<Verb, boolean>>>;

export interface Grants {
  /** resource, or a wildcard such as `*` or `objects.*` → granted verbs; resources not listed are not granted */
  readonly crud: ReadonlyMap<string, Flags>;
  /** the role has permissions in a form that is not known, which may grant anything */
  readonly hasUnknownForms?: boolean;
}

const VERBS: readonly Verb[] = ['read', 'create', 'update', 'delete'];

/** Reads a role or API key; `undefined` for one without a list of permissions. */
export function readGrants(raw: unknown): Grants | undefined {
  const list: unknown = isObject(raw) ? raw['permissions'] : undefined;
  if (!isObject(raw) || !Array.isArray(list)) return undefined;
  const permissions: readonly unknown[] = list;
  const crud = new Map<string, Partial<Record<Verb, boolean>>>();
  let hasUnknownForms = false;
  for (const permission of permissions) {
    const found = readPermission(permission);
    if (found === undefined) {
      hasUnknownForms = true;
      continue;
    }
    const entry = crud.get(found.resource) ?? {};
    for (const verb of VERBS) {
      const flag = found.flags[verb];
      // A resource listed twice is granted if either entry grants it.
      if (flag !== undefined) entry[verb] = flag || entry[verb] === true;
    }
    crud.set(found.resource, entry);
  }
  return { crud, ...(hasUnknownForms && { hasUnknownForms }) };
}

/** A resource or wildcard, and a verb if there is one: `objects`, `objects.*`, `*`, `objects:read`, `*:*`. */
const NAME = /^(?<resource>\*|[\w-]+(?:\.[\w-]+)*(?:\.\*)?)(?::(?<verb>\*|read|create|update|delete))?$/i;

/** Not names of resources: whatever they grant is unknown. */
const NO_RESOURCE = /^(?:all|any|admin|owner|full|crud|read|write|create|update|delete|manage)$/;

/** Reads a permission of a role, as the contract has it or as text; `undefined` for any other form. */
function readPermission(permission: unknown): { readonly resource: string; readonly flags: Flags } | undefined {
  const name: unknown = isObject(permission) ? permission['resource'] : permission;
  const parts = typeof name === 'string' ? NAME.exec(name.trim())?.groups : undefined;
  const resource = parts?.['resource']?.toLowerCase();
  if (resource === undefined || NO_RESOURCE.test(resource)) return undefined;
  const verb = parts?.['verb']?.toLowerCase();
  if (verb !== undefined) return { resource, flags: createFlags((one) => verb === '*' || verb === one || undefined) };
  if (!isObject(permission)) return resource === '*' ? { resource, flags: createFlags(() => true) } : undefined;
  const { crud } = permission;
  if (crud === '*') return { resource, flags: createFlags(() => true) };
  // Verbs that are not named are unknown.
  const granted = isObject(crud) ? crud : {};
  return {
    resource,
    flags: createFlags((one) =>
      granted['*'] === true ? true : typeof granted[one] === 'boolean' ? granted[one] : undefined,
    ),
  };
}

function createFlags(getFlag: (verb: Verb) => boolean | undefined): Flags {
  const flags: Partial<Record<Verb, boolean>> = {};
  for (const verb of VERBS) {
    const flag = getFlag(verb);
    if (flag !== undefined) flags[verb] = flag;
  }
  return flags;
}

/** `undefined` if the role lists the resource but not the verb, or may grant it in a form that is not known. */
export function isGranted({ crud, hasUnknownForms }: Grants, resource: string, verb: Verb): boolean | undefined {
  const name = resource.toLowerCase();
  const flags = [...crud].flatMap(([pattern, entry]) => {
    if (pattern === name || pattern === '*' || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1))))
      return [entry[verb]];
    // Whether `objects.*` contains `objects` is not known.
    return pattern === `${name}.*` && entry[verb] !== false ? [undefined] : [];
  });
  if (flags.includes(true)) return true;
  return hasUnknownForms === true || flags.includes(undefined) ? undefined : false;
}

/** True if any role grants it, false if all are known to lack it. */
export function isGrantedByAny(
  roles: readonly (Grants | undefined)[],
  resource: string,
  verb: Verb,
): boolean | undefined {
  const answers = roles.map((grants) => (grants === undefined ? undefined : isGranted(grants, resource, verb)));
  if (answers.includes(true)) return true;
  return answers.length > 0 && answers.every((answer) => answer === false) ? false : undefined;
}
