/** API keys and what they may do; the key itself is never kept. */
import * as z from 'zod/mini';
import { operation, shared } from '../operation.ts';
import { present, resource } from '../resource.ts';
import { dateTime, notShown, optional } from '../schema.ts';
import { permission } from './permission.ts';

export const apiKey = z.looseObject({
  id: optional(z.string()),
  name: optional(z.string()),
  wallet_id: notShown,
  org_id: notShown,
  fqdn: notShown,
  key: notShown,
  expires_at: optional(dateTime),
  permissions: optional(z.array(permission)),
  when_created: optional(dateTime),
  when_modified: optional(dateTime),
});

export const listApiKeys = operation({
  method: 'GET',
  path: '/api-keys',
  repeatable: true,
  query: { name: shared.name, limit: { type: 'limit' }, next: shared.next },
  permission: { resource: 'api-keys', verb: 'read' },
});

export const apiKeys = resource({
  kind: 'api-keys',
  label: 'API Keys',
  singular: 'API key',
  icon: 'key',
  section: 'connection',
  schema: apiKey,
  list: { operation: listApiKeys, key: 'keys', keyRequired: true },
  read: { by: 'paging' },
  secretNames: ['key'],
  references: { wallet_id: 'wallets', org_id: 'organizations' },
  summary: (view) => ({
    title: view.name ?? view.id ?? 'API key',
    details: present(
      view.expires_at !== undefined && expiry(view.expires_at, Date.now()),
      view.permissions !== undefined && `${String(view.permissions.length)} permissions`,
    ),
    ...(view.when_created !== undefined && { when: view.when_created }),
  }),
});

/** `expires 2026-03-02`, or `expired …` where that is past. */
function expiry(when: string, now: number): string {
  return `${Date.parse(when) <= now ? 'expired' : 'expires'} ${when.slice(0, 10)}`;
}
