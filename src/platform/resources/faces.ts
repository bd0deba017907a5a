/** Faces: visual representations of objects. */
import * as z from 'zod/mini';
import { operation, shared } from '../operation.ts';
import { present, resource } from '../resource.ts';
import { dateTime, freeForm, optional } from '../schema.ts';
import { assetReference } from './shapes.ts';

export const face = z.looseObject({
  id: z.string(),
  name: z.string().check(z.maxLength(255)),
  url: optional(z.string()),
  content: optional(z.string()),
  config: optional(freeForm),
  assets: optional(z.array(assetReference)),
  when_created: dateTime,
  when_modified: dateTime,
});

export const listFaces = operation({
  method: 'GET',
  path: '/faces',
  repeatable: true,
  query: {
    id: shared.id,
    org_id: shared.org_id,
    name: shared.name,
    autocomplete: shared.autocomplete,
    limit: shared.limit,
    next: shared.next,
    order: shared.order,
    sortBy: shared.sortBy,
    when_created: shared.when_created,
  },
  permission: { resource: 'faces', verb: 'read' },
});

export const faces = resource({
  kind: 'faces',
  label: 'Faces',
  singular: 'face',
  icon: 'preview',
  section: 'organization',
  schema: face,
  list: { operation: listFaces, key: 'faces' },
  read: { by: 'filter' },
  references: { 'assets[].id': 'assets' },
  summary: (view) => ({
    title: view.name ?? view.id ?? 'face',
    details: present(view.url !== undefined ? 'url' : view.content !== undefined && 'content', view.id),
    ...(view.when_modified !== undefined && { when: view.when_modified }),
  }),
});
