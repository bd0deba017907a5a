/** Faces: visual representations of objects. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { createLinkFact } from './facts.ts';
import { defineOperation, pageParameters, sharedParameters } from '../operation.ts';
import { nonEmptyStrings, defineResource } from '../resource.ts';
import { dateTime, freeForm, optional } from '../schema.ts';
import { assetReference } from './shared-schemas.ts';

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

const listFaces = defineOperation({
  method: 'GET',
  path: '/faces',
  repeatable: true,
  query: {
    id: sharedParameters.id,
    org_id: sharedParameters.org_id,
    name: sharedParameters.name,
    autocomplete: sharedParameters.autocomplete,
    ...pageParameters,
    when_created: sharedParameters.when_created,
  },
  permission: { resource: 'faces', verb: 'read' },
});

export const faces = defineResource({
  kind: 'faces',
  label: l10n.t('Faces'),
  singular: l10n.t('face'),
  icon: 'preview',
  section: 'organization',
  schema: face,
  list: { operation: listFaces, key: 'faces' },
  read: { by: 'filter' },
  references: { 'assets[].id': 'assets' },
  features: ['face'],
  summary: (view) => ({
    title: view.name ?? view.id ?? l10n.t('face'),
    details: nonEmptyStrings(view.url !== undefined ? 'url' : view.content !== undefined && 'content', view.id),
    ...(view.when_modified !== undefined && { when: view.when_modified }),
  }),
  facts: (view) => createLinkFact('URL', view.url),
});
