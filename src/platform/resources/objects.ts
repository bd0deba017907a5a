/** Smart objects, made from templates. */
import * as z from 'zod/mini';
import { operation, shared } from '../operation.ts';
import { present, resource } from '../resource.ts';
import { dateTime, freeForm, integer, optional } from '../schema.ts';
import { assetReference, objectMetadata } from './shapes.ts';

export const smartObject = z.looseObject({
  id: z.string(),
  org_id: z.string(),
  chain: optional(z.looseObject({ contract_address: z.string(), network: z.string(), chain_id: integer })),
  custom: optional(freeForm),
  custom_hash: optional(z.string()),
  metadata: objectMetadata,
  assets: optional(z.array(assetReference)),
  owner: z.string(),
  template_id: z.string(),
  location: optional(z.looseObject({ latitude: z.number(), longitude: z.number(), geo_hash: z.string() })),
  nonce: integer,
  version: integer,
  state_root: z.string(),
  integrity_root: optional(z.string()),
  when_created: dateTime,
  when_modified: dateTime,
});

/** What the list answers beside `objects` when asked with the flags `faces` and `actions`. */
export const objectSidecars = z.looseObject({
  faces: optional(
    z.array(
      z.looseObject({
        template_id: z.string(),
        face: z.looseObject({
          id: optional(z.string()),
          url: optional(z.string()),
          config: optional(freeForm),
          content: optional(z.string()),
        }),
      }),
    ),
  ),
  actions: optional(z.array(z.looseObject({ template_id: z.string(), actions: z.array(z.string()) }))),
});

export const listObjects = operation({
  method: 'GET',
  path: '/objects',
  repeatable: true,
  query: {
    id: shared.id,
    org_id: shared.org_id,
    limit: shared.limit,
    next: shared.next,
    order: shared.order,
    sortBy: shared.sortBy,
    faces: { type: 'flag', about: "the templates' faces beside the objects", beside: true },
    actions: { type: 'flag', about: "the templates' actions beside the objects", beside: true },
    owner: { type: 'text', about: 'owner address' },
    fqdn: { type: 'text', about: 'fully qualified domain name' },
    dropped: { type: 'flag', about: 'dropped objects' },
    geo_hash: { type: 'text', about: 'geo hash' },
    template_id: { type: 'id', kind: 'templates', about: 'template' },
    when_created: shared.when_created,
    when_modified: shared.when_modified,
  },
  permission: { resource: 'objects', verb: 'read' },
});

export const getObject = operation({
  method: 'GET',
  path: '/objects/{objectId}',
  repeatable: true,
  query: {},
  permission: { resource: 'objects', verb: 'read' },
});

export const objects = resource({
  kind: 'objects',
  label: 'Objects',
  singular: 'object',
  icon: 'symbol-object',
  section: 'organization',
  schema: smartObject,
  list: { operation: listObjects, key: 'objects', keyRequired: true },
  read: { by: 'path', operation: getObject, parameters: ['objectId'] },
  references: {
    org_id: 'organizations',
    template_id: 'templates',
    owner: 'wallets',
    'metadata.image.id': 'assets',
    'assets[].id': 'assets',
  },
  links: { 'chain.contract_address': 'account', owner: 'account' },
  summary: (view) => ({
    title: view.metadata?.name ?? view.id ?? 'object',
    details: present(
      view.metadata?.edition !== undefined && `#${String(view.metadata.edition)}`,
      view.metadata?.category,
      view.metadata?.name === undefined ? undefined : view.id,
    ),
    ...(view.when_modified !== undefined && { when: view.when_modified }),
  }),
});
