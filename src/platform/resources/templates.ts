/** Templates: blueprints of objects. The list yields the public shape, reading one by id the full one. */
import * as z from 'zod/mini';
import { operation, shared } from '../operation.ts';
import { present, resource } from '../resource.ts';
import { dateTime, freeForm, optional, type ViewOf } from '../schema.ts';
import { assetReference, factory, objectMetadata, templateAction } from './shapes.ts';

const name = z.string().check(z.maxLength(255));

/** `GET /public/templates` */
export const publicTemplate = z.looseObject({
  id: z.string(),
  name,
  object: z.looseObject({ metadata: objectMetadata, custom: optional(freeForm) }),
  factory: optional(factory),
  actions: z.array(templateAction),
  face_id: optional(z.string()),
  when_created: dateTime,
  when_modified: dateTime,
});

/** `GET /templates/{templateId}` */
export const template = z.looseObject({
  id: z.string(),
  name,
  fqdn: z.string(),
  object: z.looseObject({
    metadata: objectMetadata,
    custom: optional(freeForm),
    assets: optional(z.array(assetReference)),
  }),
  factory: optional(factory),
  public_access: optional(z.looseObject({ custom: optional(z.array(z.string())) })),
  actions: z.array(templateAction),
  face_id: optional(z.string()),
  when_created: dateTime,
  when_modified: dateTime,
});

export const listPublicTemplates = operation({
  method: 'GET',
  path: '/public/templates',
  repeatable: true,
  query: {
    id: shared.id,
    name: shared.name,
    autocomplete: shared.autocomplete,
    limit: shared.limit,
    next: shared.next,
    order: shared.order,
    sortBy: shared.sortBy,
    when_created: shared.when_created,
  },
});

export const getTemplate = operation({
  method: 'GET',
  path: '/templates/{templateId}',
  repeatable: true,
  query: {},
  permission: { resource: 'templates', verb: 'read' },
});

export const templates = resource({
  kind: 'templates',
  label: 'Templates',
  singular: 'template',
  icon: 'file-code',
  section: 'connection',
  schema: template,
  list: { operation: listPublicTemplates, key: 'templates', schema: publicTemplate },
  read: { by: 'path', operation: getTemplate, parameters: ['templateId'] },
  references: { face_id: 'faces', 'object.metadata.image.id': 'assets', 'object.assets[].id': 'assets' },
  summary: (view) => ({
    title: view.name ?? view.object?.metadata?.name ?? view.id ?? 'template',
    details: present(supply(view.factory), view.fqdn, view.object?.metadata?.category),
    ...(view.when_created !== undefined && { when: view.when_created }),
  }),
});

/** `12 of 100`; nothing where there is no factory or no maximum, since "12 of 0" would mislead. */
export function supply(of: ViewOf<typeof factory> | undefined): string | undefined {
  const max = of?.max_supply;
  const minted = of?.minted_count ?? 0;
  if (max === undefined || max <= 0) return undefined;
  return `${String(minted)} of ${String(max)}`;
}
