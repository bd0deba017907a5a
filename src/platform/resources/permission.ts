/** Permissions of roles and API keys. */
import * as z from 'zod/mini';

/** The contract's list of permission resources. */
export const resourceNames = [
  'api-keys',
  'ebus.actions',
  'ebus.action-logs',
  'faces',
  'faces.pages',
  'faces.assistant',
  'indexer',
  'notifications.templates',
  'notifications.messages',
  'objects',
  'objects.state-changes',
  'organizations',
  'organizations.members',
  'organizations.roles',
  'sequencer.batches',
  'stats.wallets',
  'stats.objects',
  'stats.actions',
  'storage',
  'templates',
  'wallets',
  'webhooks',
] as const;

export type ResourceName = (typeof resourceNames)[number];

export const permission = z.looseObject({
  resource: z.enum(resourceNames),
  crud: z.looseObject({ read: z.boolean(), create: z.boolean(), update: z.boolean(), delete: z.boolean() }),
});
