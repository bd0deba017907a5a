/** API keys and their permissions. The key itself is masked before anything is stored. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { createPermissionFacts } from './facts.ts';
import { defineOperation, pageParameters, sharedParameters } from '../operation.ts';
import { nonEmptyStrings, defineResource } from '../resource.ts';
import { dateTime, undocumented, optional } from '../schema.ts';
import { permission } from './permission.ts';
import { pluralize } from '../text/localization.ts';

const apiKey = z.looseObject({
  id: optional(z.string()),
  name: optional(z.string()),
  wallet_id: undocumented,
  org_id: undocumented,
  fqdn: undocumented,
  key: undocumented,
  expires_at: optional(dateTime),
  permissions: optional(z.array(permission)),
  when_created: optional(dateTime),
  when_modified: optional(dateTime),
});

const listApiKeys = defineOperation({
  method: 'GET',
  path: '/api-keys',
  repeatable: true,
  query: { name: sharedParameters.name, limit: { type: 'limit' }, next: pageParameters.next },
  permission: { resource: 'api-keys', verb: 'read' },
});

export const apiKeys = defineResource({
  kind: 'api-keys',
  label: l10n.t('API Keys'),
  singular: l10n.t('API key'),
  icon: 'key',
  section: 'connection',
  schema: apiKey,
  list: { operation: listApiKeys, key: 'keys', keyRequired: true },
  read: { by: 'paging' },
  secretNames: ['key'],
  references: { wallet_id: 'wallets', org_id: 'organizations' },
  factGroup: { label: l10n.t('Permissions'), fields: ['permissions'] },
  summary: (view) => ({
    title: view.name ?? view.id ?? l10n.t('API key'),
    details: nonEmptyStrings(
      view.expires_at !== undefined && formatExpiry(view.expires_at, Date.now()),
      view.permissions !== undefined && pluralize(view.permissions.length, l10n.t('{0} permission|{0} permissions')),
    ),
    ...(view.when_created !== undefined && { when: view.when_created }),
  }),
  facts: (_view, raw) => createPermissionFacts(raw),
});

/** `expires 2026-03-02`, or `expired …` for a past date. `now`: milliseconds since 1970. */
function formatExpiry(when: string, now: number): string {
  const day = when.slice(0, 10);
  return Date.parse(when) <= now ? l10n.t('expired {0}', day) : l10n.t('expires {0}', day);
}
