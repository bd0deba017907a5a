/** Templates: blueprints of objects. The list returns the public shape, a read by id the full one. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { createActionFact, createFact } from './facts.ts';
import { defineOperation, pageParameters, sharedParameters } from '../operation.ts';
import { nonEmptyStrings, defineResource } from '../resource.ts';
import { dateTime, freeForm, optional, type SchemaView } from '../schema.ts';
import { assetReference, factory, objectMetadata, templateAction } from './shared-schemas.ts';

const name = z.string().check(z.maxLength(255));

/** `GET /public/templates` */
const publicTemplate = z.looseObject({
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

const listPublicTemplates = defineOperation({
  method: 'GET',
  path: '/public/templates',
  repeatable: true,
  query: {
    id: sharedParameters.id,
    name: sharedParameters.name,
    autocomplete: sharedParameters.autocomplete,
    ...pageParameters,
    when_created: sharedParameters.when_created,
  },
});

const getTemplate = defineOperation({
  method: 'GET',
  path: '/templates/{templateId}',
  repeatable: true,
  query: {},
  permission: { resource: 'templates', verb: 'read' },
});

export const templates = defineResource({
  kind: 'templates',
  label: l10n.t('Templates'),
  singular: l10n.t('template'),
  icon: 'file-code',
  section: 'connection',
  schema: template,
  list: { operation: listPublicTemplates, key: 'templates', schema: publicTemplate },
  read: { by: 'path', operation: getTemplate, parameters: ['templateId'] },
  references: { face_id: 'faces', 'object.metadata.image.id': 'assets', 'object.assets[].id': 'assets' },
  idLink: 'template',
  features: ['face', 'actionFile'],
  factGroup: { label: l10n.t('Rules and supply'), fields: ['actions'] },
  summary: (view) => ({
    title: view.name ?? view.object?.metadata?.name ?? view.id ?? l10n.t('template'),
    details: nonEmptyStrings(formatSupply(view.factory), view.fqdn, view.object?.metadata?.category),
    ...(view.when_created !== undefined && { when: view.when_created }),
  }),
  facts: (view) => [
    ...(view.actions ?? []).map(createActionFact),
    ...createFact(l10n.t('Supply'), formatSupply(view.factory), 'package'),
    ...createFact(l10n.t('Whitelist'), view.factory?.whitelist?.length, 'list-selection'),
  ],
});

/** `12 of 100`; undefined without a factory or a maximum, since "12 of 0" would mislead. */
export function formatSupply(factoryView: SchemaView<typeof factory> | undefined): string | undefined {
  const max = factoryView?.max_supply;
  const minted = factoryView?.minted_count ?? 0;
  if (max === undefined || max <= 0) return undefined;
  return l10n.t('{0} of {1}', String(minted), String(max));
}
