/** Smart objects, minted from templates. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { createFact } from './facts.ts';
import { defineOperation, pageParameters, sharedParameters } from '../operation.ts';
import { nonEmptyStrings, defineResource } from '../resource.ts';
import { dateTime, freeForm, integer, optional, type SchemaView } from '../schema.ts';
import { assetReference, objectMetadata } from './shared-schemas.ts';

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

/** Fields that the flags `faces` and `actions` add to a page of the list. */
export const objectExtras = z.looseObject({
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

const listObjects = defineOperation({
  method: 'GET',
  path: '/objects',
  repeatable: true,
  query: {
    id: sharedParameters.id,
    org_id: sharedParameters.org_id,
    ...pageParameters,
    faces: { type: 'flag', about: l10n.t('the templates’ faces beside the objects'), addsFields: true },
    actions: { type: 'flag', about: l10n.t('the templates’ actions beside the objects'), addsFields: true },
    owner: { type: 'text', about: l10n.t('owner address'), account: true },
    fqdn: { type: 'text', about: l10n.t('fully qualified domain name') },
    dropped: { type: 'flag', about: l10n.t('dropped objects') },
    geo_hash: { type: 'text', about: l10n.t('geohash') },
    template_id: { type: 'id', kind: 'templates', about: l10n.t('template') },
    when_created: sharedParameters.when_created,
    when_modified: sharedParameters.when_modified,
  },
  permission: { resource: 'objects', verb: 'read' },
});

const getObject = defineOperation({
  method: 'GET',
  path: '/objects/{objectId}',
  repeatable: true,
  query: {},
  permission: { resource: 'objects', verb: 'read' },
});

/** The name and the edition, unless the name ends in it; the edition alone without a name, else `undefined`. */
function formatObjectTitle(metadata: SchemaView<typeof objectMetadata> | undefined): string | undefined {
  const { name = '', edition } = metadata ?? {};
  const number = edition === undefined || name.split(/\D+/).at(-1) === String(edition) ? '' : `#${String(edition)}`;
  return nonEmptyStrings(name, number).join(' ') || undefined;
}

export const objects = defineResource({
  kind: 'objects',
  label: l10n.t('Objects'),
  singular: l10n.t('object'),
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
  templateField: 'template_id',
  idLink: 'object',
  features: ['face', 'history', 'actionFile'],
  summary: (view) => ({
    title: formatObjectTitle(view.metadata) ?? view.id ?? l10n.t('object'),
    ...((view.metadata?.name ?? '') === '' && { isUnnamed: true }),
    details: nonEmptyStrings(
      view.metadata?.category,
      formatObjectTitle(view.metadata) === undefined ? undefined : view.id,
    ),
    // The order of the list.
    ...(view.when_created !== undefined && { when: view.when_created }),
  }),
  facts: ({ location, chain }) => {
    const place = nonEmptyStrings(location?.latitude, location?.longitude).join(', ');
    const geoHash = location?.geo_hash;
    return [
      ...createFact(l10n.t('Location'), geoHash === undefined ? place : `${place} (${geoHash})`, 'location'),
      ...createFact(l10n.t('Chain'), nonEmptyStrings(chain?.network, chain?.contract_address).join(' · '), 'link'),
    ];
  },
});
