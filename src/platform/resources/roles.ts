/** Roles of an organization's members. The contract has no list of them, only reads: by id, `default` and `myrole`. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { createPermissionFacts } from './facts.ts';
import { defineOperation } from '../operation.ts';
import { nonEmptyStrings, defineResource } from '../resource.ts';
import { dateTime, optional } from '../schema.ts';
import { permission } from './permission.ts';
import { pluralize } from '../text/localization.ts';

const role = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: optional(z.string()),
  permissions: z.array(permission),
  when_created: dateTime,
  when_modified: dateTime,
});

/** In place of a role's id: the caller's own role. */
export const OWN_ROLE = 'myrole';

const roleRead = { resource: 'organizations.roles', verb: 'read' } as const;

export const getRole = defineOperation({
  method: 'GET',
  path: '/organizations/{organizationId}/roles/{roleId}',
  repeatable: true,
  query: {},
  permission: roleRead,
});

export const getDefaultRole = defineOperation({
  method: 'GET',
  path: '/organizations/{organizationId}/roles/default',
  repeatable: true,
  query: {},
  permission: roleRead,
});

/** Needs no permission: members may always read their own role. */
export const getMyRole = defineOperation({
  method: 'GET',
  path: '/organizations/{organizationId}/myrole',
  repeatable: true,
  query: {},
});

export const roles = defineResource({
  kind: 'roles',
  label: l10n.t('Roles'),
  singular: l10n.t('role'),
  icon: 'organization',
  section: 'organization',
  schema: role,
  read: {
    by: 'path',
    operation: getRole,
    parameters: ['organizationId', 'roleId'],
    variants: {
      [OWN_ROLE]: { operation: getMyRole, label: l10n.t('My role') },
      default: { operation: getDefaultRole, label: l10n.t('Default role') },
    },
  },
  references: {},
  factGroup: { label: l10n.t('Permissions'), fields: ['permissions'] },
  summary: (view) => ({
    title: view.name ?? view.id ?? l10n.t('role'),
    details: nonEmptyStrings(
      view.description,
      view.permissions !== undefined && pluralize(view.permissions.length, l10n.t('{0} permission|{0} permissions')),
    ),
    ...(view.when_modified !== undefined && { when: view.when_modified }),
  }),
  facts: (_view, raw) => createPermissionFacts(raw),
});
