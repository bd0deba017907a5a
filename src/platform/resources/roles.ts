/** Roles of an organization's members. There is no list: one is read by its id, as `default` or as `myrole`. */
import * as z from 'zod/mini';
import { operation } from '../operation.ts';
import { present, resource } from '../resource.ts';
import { dateTime, optional } from '../schema.ts';
import { permission } from './permission.ts';

export const role = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: optional(z.string()),
  permissions: z.array(permission),
  when_created: dateTime,
  when_modified: dateTime,
});

const roleRead = { resource: 'organizations.roles', verb: 'read' } as const;

export const getRole = operation({
  method: 'GET',
  path: '/organizations/{organizationId}/roles/{roleId}',
  repeatable: true,
  query: {},
  permission: roleRead,
});

export const getDefaultRole = operation({
  method: 'GET',
  path: '/organizations/{organizationId}/roles/default',
  repeatable: true,
  query: {},
  permission: roleRead,
});

/** No permission of its own: a member may always ask what it may do. */
export const getMyRole = operation({
  method: 'GET',
  path: '/organizations/{organizationId}/myrole',
  repeatable: true,
  query: {},
});

export const roles = resource({
  kind: 'roles',
  label: 'Roles',
  singular: 'role',
  icon: 'organization',
  section: 'organization',
  schema: role,
  read: {
    by: 'path',
    operation: getRole,
    parameters: ['organizationId', 'roleId'],
    variants: { default: getDefaultRole, myrole: getMyRole },
  },
  references: {},
  summary: (view) => ({
    title: view.name ?? view.id ?? 'role',
    details: present(
      view.description,
      view.permissions !== undefined && `${String(view.permissions.length)} permissions`,
    ),
    ...(view.when_modified !== undefined && { when: view.when_modified }),
  }),
});
