/** The children of a resource: its facts, the resources it references, and the lists that can be filtered by it. */
import * as l10n from '@vscode/l10n';
import { getValuesAt } from '../../platform/json/field-values.ts';
import { getOwn, isObject } from '../../platform/json/json.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import type { Fact } from '../../platform/resources/facts.ts';
import type { Filter } from '../filter/filter.ts';
import { formatNumber } from '../../platform/text/localization.ts';

export type ResourceChild =
  /** to another resource, or an organization */
  | { readonly type: 'reference'; readonly label: string; readonly kind: string; readonly id: string }
  /** to a list that is filtered by this resource */
  | { readonly type: 'list'; readonly label: string; readonly kind: string; readonly fixed: Filter }
  | Fact;

export type ResourceRows = Readonly<Record<string, ResourceDefinition>>;

/** References of one field that are shown; a batch may have thousands of actions. */
const MAX_REFERENCES = 50;

/**
 * Returns the children of a resource whose JSON is `raw`. `organization`: that of the list it is in, used if its JSON
 * names none.
 */
export function getChildren(
  definitions: ResourceRows,
  definition: ResourceDefinition,
  raw: unknown,
  organization?: string,
): readonly ResourceChild[] {
  const id = isObject(raw) && typeof raw['id'] === 'string' && raw['id'] !== '' ? raw['id'] : undefined;
  const references = getReferences(definition, raw);
  const organizationReference =
    organization !== undefined &&
    !references.some((reference) => reference.type === 'reference' && reference.kind === 'organizations')
      ? [{ type: 'reference', label: l10n.t('Organization'), kind: 'organizations', id: organization } as const]
      : [];
  return [
    ...(definition.facts?.(raw) ?? []),
    ...references,
    ...(id === undefined ? [] : getListsFilteredBy(definitions, definition.kind, id)),
    ...organizationReference,
  ];
}

/** Returns every list that has a parameter for ids of that kind. */
export function getListsFilteredBy(definitions: ResourceRows, kind: string, id: string): readonly ResourceChild[] {
  return Object.values(definitions).flatMap((definition) =>
    Object.entries(definition.list?.operation.query ?? {}).flatMap(([name, parameter]): ResourceChild[] =>
      parameter.type === 'id' && parameter.kind === kind
        ? [{ type: 'list', label: definition.label, kind: definition.kind, fixed: { [name]: id } }]
        : [],
    ),
  );
}

/**
 * Returns the lists of what a wallet owns and did. `field`: the field that named it; owners and signers are addresses,
 * `wallet_id` is an id.
 */
export function getWalletLists(
  definitions: ResourceRows,
  kind: string,
  field: string,
  id: string,
): readonly ResourceChild[] {
  if (!/owner|signer|sender/i.test(field)) return getListsFilteredBy(definitions, kind, id);
  return Object.values(definitions).flatMap((definition) =>
    Object.keys(definition.list?.operation.query ?? {}).flatMap((name): ResourceChild[] =>
      name === 'owner' || name === 'signer'
        ? [{ type: 'list', label: definition.label, kind: definition.kind, fixed: { [name]: id } }]
        : [],
    ),
  );
}

/**
 * Returns the resources that the JSON refers to, without duplicates; a last row counts those beyond the maximum of a
 * field.
 */
function getReferences(
  definition: ResourceDefinition,
  raw: unknown,
): readonly Extract<ResourceChild, { type: 'reference' | 'fact' }>[] {
  const names = new Set<string>();
  return Object.entries(definition.references).flatMap(([path, kind]) => {
    const label = formatFieldLabel(path);
    const ids = getValuesAt(raw, path).filter((id) => {
      const name = `${label}\n${kind}\n${id}`;
      return !names.has(name) && names.add(name);
    });
    const visible = ids.slice(0, MAX_REFERENCES).map((id) => ({ type: 'reference', label, kind, id }) as const);
    const rest = ids.length - visible.length;
    return rest === 0
      ? visible
      : [
          ...visible,
          {
            type: 'fact',
            label,
            value: l10n.t('{0} more in the document', formatNumber(rest)),
            icon: 'ellipsis',
          } as const,
        ];
  });
}

/** `metadata.image.id` → `Image`, `affected_objects[].template_id` → `Template`, `owner` → `Owner` */
export function formatFieldLabel(path: string): string {
  const fields = path.split('.');
  const last = fields.at(-1) ?? path;
  const field = last === 'id' ? toSingular(fields.at(-2) ?? last) : last;
  const label = field
    .replace(/^org_id$/, 'organization')
    .replace(/_id$/, '')
    .replace(/^(?:affected|is)_/, '')
    .replaceAll('_', ' ');
  return getOwn(fieldLabels, label) ?? label.charAt(0).toUpperCase() + label.slice(1);
}

/** Fields of several kinds, most of which refer to other resources, and the groups of objects. */
const fieldLabels: Readonly<Record<string, string>> = {
  custom: l10n.t('Custom fields'),
  metadata: l10n.t('Metadata'),
  chain: l10n.t('Chain'),
  name: l10n.t('Name'),
  category: l10n.t('Category'),
  edition: l10n.t('Edition'),
  type: l10n.t('Type'),
  public: l10n.t('Public'),
  status: l10n.t('Status'),
  actions: l10n.t('Actions'),
  assets: l10n.t('Assets'),
  organization: l10n.t('Organization'),
  template: l10n.t('Template'),
  face: l10n.t('Face'),
  object: l10n.t('Object'),
  asset: l10n.t('Asset'),
  image: l10n.t('Image'),
  avatar: l10n.t('Avatar'),
  batch: l10n.t('Batch'),
  action: l10n.t('Action'),
  wallet: l10n.t('Wallet'),
  owner: l10n.t('Owner'),
  signer: l10n.t('Signer'),
  id: l10n.t('ID'),
  url: 'URL',
  fqdn: 'FQDN',
  size: l10n.t('Size'),
  error: l10n.t('Error'),
  location: l10n.t('Location'),
  created: l10n.t('Created'),
  modified: l10n.t('Modified'),
};

function toSingular(field: string): string {
  return field.endsWith('[]') ? field.slice(0, -2).replace(/s$/, '') : field;
}
