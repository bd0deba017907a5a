/** The three organizations and their roles. */
import { resourceNames, type ResourceName } from '../../platform/resources/permission.ts';
import type { Verb } from '../../platform/operation.ts';
import type { Item } from '../generation/collection.ts';
import { IdGenerator } from '../generation/random.ts';
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

/** A permission for a resource: `grant('objects', 'read', 'create')`. */
export function grant(resource: ResourceName, ...verbs: readonly Verb[]): Grant {
  const has = (verb: Verb): boolean => verbs.includes(verb);
  return {
    resource,
    crud: { read: has('read'), create: has('create'), update: has('update'), delete: has('delete') },
  };
}

export const ALL: readonly Grant[] = resourceNames.map((name) => grant(name, 'read', 'create', 'update', 'delete'));
export const READ: readonly Grant[] = resourceNames.map((name) => grant(name, 'read'));
const FIELD_AGENT: readonly Grant[] = [
  grant('objects', 'read', 'update'),
  grant('objects.state-changes', 'read'),
  grant('faces', 'read'),
  grant('templates', 'read'),
  grant('storage', 'read'),
  grant('ebus.actions', 'create'),
  grant('ebus.action-logs', 'read'),
  grant('stats.actions', 'read'),
  grant('stats.objects', 'read'),
];

const CUSTOMER: readonly Grant[] = [
  grant('objects', 'read'),
  grant('objects.state-changes', 'read'),
  grant('faces', 'read'),
  grant('templates', 'read'),
  grant('storage', 'read'),
  grant('ebus.actions', 'create'),
  grant('ebus.action-logs', 'read'),
  grant('sequencer.batches', 'read'),
];

const ROLES = [
  { name: 'Administrator', description: 'Everything, including members and API keys', permissions: ALL },
  { name: 'Viewer', description: 'Reads everything, changes nothing', permissions: READ },
  { name: 'Field agent', permissions: FIELD_AGENT },
] as const;
/** The role of the buyer: without `objects: update`, only an owner may change an object. */
const CUSTOMER_ROLE = { name: 'Customer', description: 'Acts on what it owns', permissions: CUSTOMER };

/** Index of the own wallet's role, by organization. */
const OWN_ROLE = [0, 1, 2] as const;
/** Index of a new member's role, by organization. */
const DEFAULT_ROLE = [1, 1, 2] as const;

const NAMES = [
  { name: 'Harbourlight Events', fqdn: 'harbourlight.events' },
  { name: 'Alpine Trails Association', fqdn: 'alpine-trails.org' },
  { name: 'Meridian Goods', fqdn: 'meridian.goods' },
] as const;

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

/** The organizations with their roles. */
export function createOrganizations(context: GenerationContext): readonly [Organization, Organization, Organization] {
  const ids = new IdGenerator(context.seed, 'org');
  const roleIds = new IdGenerator(context.seed, 'rol');
  const make = (index: 0 | 1 | 2): Organization => {
    const createRole = (role: Omit<Role, 'id' | 'item'>, id: string, place: number): Role => {
      const created = context.epoch - (200 - 7 * place - 3 * index) * DAY;
      const when = { when_created: formatIso(created), when_modified: formatIso(created + place * DAY) };
      return { id, name: role.name, permissions: role.permissions, item: { id, ...role, ...when } };
    };
    const roles = ROLES.map((role, place) => createRole(role, roleIds.at(index * ROLES.length + place), place));
    const customerRole = createRole(CUSTOMER_ROLE, roleIds.at(NAMES.length * ROLES.length + index), ROLES.length);
    const [first] = roles;
    if (first === undefined) throw new Error('an organization has roles');
    return {
      id: ids.at(index),
      ...NAMES[index],
      roles: [...roles, customerRole],
      customerRole,
      defaultRole: roles[DEFAULT_ROLE[index]] ?? first,
      ownRole: roles[OWN_ROLE[index]] ?? first,
    };
  };
  return [make(0), make(1), make(2)];
}
