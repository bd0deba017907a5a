/** Stored files. */
import * as z from 'zod/mini';
import { operation, shared } from '../operation.ts';
import { present, resource } from '../resource.ts';
import { dateTime, integer, notShown, optional } from '../schema.ts';

export const assetFolders = ['avatars', 'assets', 'support'] as const;
const url = z.url();

export const storedAsset = z.looseObject({
  id: z.string(),
  wallet_id: z.string(),
  org_id: notShown,
  name: z.string(),
  tag: z.string(),
  url,
  path: url,
  size: integer,
  provider: z.enum(['ipfs', 's3', 'gcs']),
  folder: z.enum(assetFolders),
  is_public: optional(z.boolean()),
  type: z.string(),
  hash: optional(z.string()),
  when_created: dateTime,
});

export const listAssets = operation({
  method: 'GET',
  path: '/assets',
  repeatable: true,
  query: {
    id: shared.id,
    name: shared.name,
    autocomplete: shared.autocomplete,
    limit: shared.limit,
    next: shared.next,
    order: shared.order,
    sortBy: shared.sortBy,
    type: { type: 'text', about: 'MIME type', suggestions: ['image/png', 'image/jpeg', 'image/svg+xml', 'text/html'] },
    folder: { type: 'enum', about: 'folder', values: assetFolders },
    when_created: shared.when_created,
  },
  permission: { resource: 'storage', verb: 'read' },
});

export const assets = resource({
  kind: 'assets',
  label: 'Assets',
  singular: 'asset',
  icon: 'file-media',
  section: 'connection',
  schema: storedAsset,
  list: { operation: listAssets, key: 'assets' },
  read: { by: 'filter' },
  references: { wallet_id: 'wallets', org_id: 'organizations' },
  summary: (view) => ({
    title: view.name ?? view.id ?? 'asset',
    details: present(view.type, view.size !== undefined && bytes(view.size), view.folder),
    ...(view.when_created !== undefined && { when: view.when_created }),
  }),
});

/** `1.2 MB`, decimal units; the exact number of bytes below 1000. */
export function bytes(size: number | bigint): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = Number(size);
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? String(size) : value.toFixed(1)} ${units[unit] ?? ''}`;
}
