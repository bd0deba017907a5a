/** Schemas that several resources embed: assets, metadata, factory, template actions, languages. */
import * as z from 'zod/mini';
import { dateTime, freeForm, integer, optional } from '../schema.ts';

/** Embedded reference to a stored file, as in `metadata.image`, `assets` and `avatar`. */
export const assetReference = z.looseObject({
  id: z.string(),
  name: optional(z.string()),
  type: optional(z.string()),
  url: z.string(),
  hash: optional(z.string()),
  is_public: optional(z.boolean()),
  when_created: optional(dateTime),
});

export const objectMetadata = z.looseObject({
  name: optional(z.string()),
  description: optional(z.string()),
  category: optional(z.string()),
  image: optional(assetReference),
  edition: optional(integer),
});

export const factory = z.looseObject({
  max_supply: integer,
  minted_count: integer,
  start_time: optional(dateTime),
  end_time: optional(dateTime),
  whitelist: optional(z.array(z.string())),
});

export const actionNames = [
  'mint',
  'burn',
  'transfer',
  'drop',
  'pickup',
  'update',
  'redeem',
  'bridgeNFT',
  'connect',
  'remote',
] as const;
export const accessTypes = ['public', 'private', 'whitelist', 'token'] as const;

export const templateAction = z.looseObject({
  name: z.enum(actionNames),
  alias: optional(z.string()),
  access: optional(z.looseObject({ type: z.enum(accessTypes), tokens: optional(z.record(z.string(), integer)) })),
  config: optional(freeForm),
  url: optional(z.string()),
});

export const languages = ['en', 'es', 'fr', 'de', 'it', 'pt', 'ru'] as const;
