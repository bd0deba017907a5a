/** Stored files. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { createFact, createLinkFact } from './facts.ts';
import { defineOperation, pageParameters, sharedParameters } from '../operation.ts';
import { nonEmptyStrings, defineResource } from '../resource.ts';
import { dateTime, integer, undocumented, optional } from '../schema.ts';
import { formatBytes } from '../text/localization.ts';

export const assetFolders = ['avatars', 'assets', 'support'] as const;
const url = z.url();

export const storedAsset = z.looseObject({
  id: z.string(),
  wallet_id: z.string(),
  org_id: undocumented,
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

const listAssets = defineOperation({
  method: 'GET',
  path: '/assets',
  repeatable: true,
  query: {
    id: sharedParameters.id,
    name: sharedParameters.name,
    autocomplete: sharedParameters.autocomplete,
    ...pageParameters,
    type: {
      type: 'text',
      about: l10n.t('MIME type'),
      suggestions: ['image/png', 'image/jpeg', 'image/svg+xml', 'text/html'],
    },
    folder: { type: 'enum', about: l10n.t('folder'), values: assetFolders },
    when_created: sharedParameters.when_created,
  },
  permission: { resource: 'storage', verb: 'read' },
});

export const assets = defineResource({
  kind: 'assets',
  label: l10n.t('Assets'),
  singular: l10n.t('asset'),
  icon: 'file-media',
  section: 'connection',
  schema: storedAsset,
  list: { operation: listAssets, key: 'assets' },
  read: { by: 'filter' },
  references: { wallet_id: 'wallets', org_id: 'organizations' },
  features: ['filePreview'],
  summary: (view) => ({
    title: view.name ?? view.id ?? l10n.t('asset'),
    details: nonEmptyStrings(view.type, view.size !== undefined && formatBytes(view.size), view.folder),
    ...(view.when_created !== undefined && { when: view.when_created }),
  }),
  facts: (view) => [
    ...createLinkFact('URL', view.url),
    ...createFact(l10n.t('Size'), view.size === undefined ? undefined : formatBytes(view.size), 'database'),
    ...createFact(
      l10n.t('Public'),
      view.is_public === undefined ? undefined : view.is_public ? l10n.t('yes') : l10n.t('no'),
      'eye',
    ),
  ],
});
