/** The organizations and their roles: three as they are found in practice, and one of edge cases. */
import * as z from 'zod/mini';
import { resourceNames, type ResourceName } from '../../platform/resources/permission.ts';
import type { Verb } from '../../platform/operation.ts';
import type { Item } from '../generation/collection.ts';
import { IdGenerator } from '../generation/random.ts';
import { readWorld } from '../static-files.ts';
import { DAY, formatIso, type GenerationContext } from '../generation/generated-source.ts';

export interface Grant {
  readonly resource: ResourceName;
  readonly crud: {
    readonly read: boolean;
    readonly create: boolean;
    readonly update: boolean;
    readonly delete: boolean;
  };
}

const verbs = ['read', 'create', 'update', 'delete'] as const satisfies readonly Verb[];
/** Permissions: verbs by resource, or those of every resource. */
export const grants = z.pipe(
  z.union([z.enum(['all', 'read']), z.partialRecord(z.enum(resourceNames), z.array(z.enum(verbs)))]),
  z.transform((given): readonly Grant[] =>
    resourceNames.flatMap((resource) => {
      const granted = given === 'all' ? verbs : given === 'read' ? ['read'] : given[resource];
      if (granted === undefined) return [];
      const has = (verb: Verb): boolean => granted.some((name) => name === verb);
      return [
        { resource, crud: { read: has('read'), create: has('create'), update: has('update'), delete: has('delete') } },
      ];
    }),
  ),
);
const nameAndDomain = z.object({ name: z.string(), fqdn: z.string() });
const rolePlan = z.object({ name: z.string(), description: z.optional(z.string()), permissions: grants });
const world = readWorld(
  'organizations',
  z.object({
    names: z.tuple([nameAndDomain, nameAndDomain, nameAndDomain, nameAndDomain]),
    roles: z.array(rolePlan),
    /** of the buyer: without `objects: update`, only an owner may change an object */
    customerRole: rolePlan,
  }),
);

/** Index of the own wallet's role, by organization. */
const OWN_ROLE = [0, 1, 2, 2] as const;
/** Index of a new member's role, by organization. */
const DEFAULT_ROLE = [1, 1, 2, 2] as const;

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Grant[];
  readonly item: Item;
}

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly fqdn: string;
  readonly roles: readonly Role[];
  readonly defaultRole: Role;
  /** role of the wallet of the printed access token */
  readonly ownRole: Role;
  /** role of the wallet of the buyer */
  readonly customerRole: Role;
}

/** Three ordinary organizations, and that of the edge cases. */
export type Organizations = readonly [Organization, Organization, Organization, Organization];

/** The organizations with their roles. */
export function createOrganizations(context: GenerationContext): Organizations {
  const ids = new IdGenerator(context.seed, 'org');
  const roleIds = new IdGenerator(context.seed, 'rol');
  const count = world.roles.length;
  const make = (index: 0 | 1 | 2 | 3): Organization => {
    const createRole = (role: Omit<Role, 'id' | 'item'>, id: string, place: number): Role => {
      const created = context.epoch - (200 - 7 * place - 3 * index) * DAY;
      const when = { when_created: formatIso(created), when_modified: formatIso(created + place * DAY) };
      return { id, name: role.name, permissions: role.permissions, item: { id, ...role, ...when } };
    };
    const roles = world.roles.map((role, place) =>
      createRole(role, roleIds.at((index < 3 ? index * count : 3 * count + 4) + place), place),
    );
    const customerRole = createRole(world.customerRole, roleIds.at(3 * count + index), count);
    const [first] = roles;
    if (first === undefined) throw new Error('an organization has roles');
    return {
      id: ids.at(index),
      ...world.names[index],
      roles: [...roles, customerRole],
      customerRole,
      defaultRole: roles[DEFAULT_ROLE[index]] ?? first,
      ownRole: roles[OWN_ROLE[index]] ?? first,
    };
  };
  return [make(0), make(1), make(2), make(3)];
}
