/** What the filters of lists and of the action logs are called: one word for one field, by query parameter. */
import * as l10n from '@vscode/l10n';
import { getDefinition, kinds } from '../../platform/registry.ts';
import { formatLabelled } from '../text/labels.ts';
import { formatStatus } from '../text/status.ts';
import { formatPair } from '../../platform/text/localization.ts';

/** In the order in which a picker shows them. */
const FILTER_GROUPS = ['name', 'owner', 'state', 'time', 'order', 'shown'] as const;
export type FilterGroup = (typeof FILTER_GROUPS)[number];

interface FilterField {
  readonly label: string;
  readonly group: FilterGroup;
  /** a value as a user would type it */
  readonly example?: string;
}

const ADDRESS = '0x50985d6b7ece173f9d92bb4b95e34ee1ee9d3359';

const fields: Readonly<Record<string, FilterField>> = {
  name: { label: l10n.t('Name'), group: 'name', example: l10n.t('Gala Ticket') },
  autocomplete: { label: l10n.t('Search term'), group: 'name', example: 'gala' },
  id: { label: l10n.t('ID'), group: 'name', example: 'obj_061b1bcaab9a142114a87691' },
  action_id: { label: l10n.t('Action ID'), group: 'name', example: 'act_0262144bdcaacca16aa19d5e' },
  fqdn: { label: l10n.t('Domain name'), group: 'name', example: 'tickets.example.org' },
  template_id: { label: l10n.t('Template'), group: 'owner', example: 'tpl_2c2f0d1e5b7a4c3990ab61f7' },
  org_id: { label: l10n.t('Organization'), group: 'owner', example: 'org_53d67015a8c24f6e7b19d03c' },
  object_id: { label: l10n.t('Object'), group: 'owner', example: 'obj_061b1bcaab9a142114a87691' },
  batch_id: { label: l10n.t('Batch'), group: 'owner', example: 'bat_4f1a09c2d7e85b36a1c07d42' },
  wallet_id: { label: l10n.t('Wallet'), group: 'owner', example: 'wal_eb9ab81802d6bd22fa0e12ae' },
  owner: { label: l10n.t('Owner'), group: 'owner', example: ADDRESS },
  signer: { label: l10n.t('Signer'), group: 'owner', example: ADDRESS },
  status: { label: l10n.t('Status'), group: 'state', example: 'failed' },
  dropped: { label: l10n.t('Dropped'), group: 'state' },
  type: { label: l10n.t('Type'), group: 'state', example: 'image/png' },
  folder: { label: l10n.t('Folder'), group: 'state' },
  language: { label: l10n.t('Language'), group: 'state', example: 'en' },
  system: { label: l10n.t('Publicly accessible'), group: 'state', example: 'true' },
  geo_hash: { label: l10n.t('Geohash'), group: 'state', example: 'u33dc0' },
  when_created: { label: l10n.t('Created'), group: 'time', example: '2026-01-31' },
  when_modified: { label: l10n.t('Modified'), group: 'time', example: '2026-01-31' },
  sortBy: { label: l10n.t('Sorted by'), group: 'order', example: 'when_created' },
  order: { label: l10n.t('Order'), group: 'order' },
};

const groupLabels: Readonly<Record<FilterGroup, string>> = {
  name: l10n.t('Name and ID'),
  owner: l10n.t('Belongs to'),
  state: l10n.t('State'),
  time: l10n.t('Time'),
  order: l10n.t('Order'),
  shown: l10n.t('Shown'),
};

/** Returns how a parameter is called and grouped; one that has no entry is called by its name without `when_` and `_id`. */
export function getFilterField(name: string): FilterField {
  const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (known !== undefined) return known;
  const words = name.replace(/^when_|_id$/g, '').replaceAll('_', ' ');
  return { label: words.slice(0, 1).toUpperCase() + words.slice(1), group: 'state' };
}

/** Returns the kind of the resources whose ID, or address of an account, is the value of a parameter. */
export function getIdKind(name: string): string | undefined {
  for (const kind of kinds) {
    const parameter = getDefinition(kind)?.list?.operation.query[name];
    if (parameter?.type === 'id') return parameter.kind;
    if (parameter?.type === 'text' && parameter.account === true) return WALLETS;
  }
  return undefined;
}

/** Returns the label of a value, else the title of a known resource: of any kind if `kind` is undefined. */
export type GetTitle = (kind: string | undefined, id: string) => string | undefined;

const WALLETS = 'wallets';

/** Returns the title of a resource; for an account its label with the address, which identifies it. */
export function getFullTitle(kind: string, id: string, getTitle: GetTitle): string | undefined {
  const title = getTitle(kind, id);
  return kind === WALLETS && title !== undefined ? formatLabelled(id, title) : title;
}

/** Formats one filter as `Template: Gala Ticket`, by the name of its resource if that is known, a status in the display language. */
export function formatFilterText(name: string, value: string, getTitle: GetTitle): string {
  const { label } = getFilterField(name);
  if (name === 'status') return formatPair(label, formatStatus(value));
  const kind = getIdKind(name);
  return formatPair(label, (kind === undefined ? undefined : getFullTitle(kind, value, getTitle)) ?? value);
}

/** Sorts fields into groups, each with the fields of its own in their order; empty groups are left out. */
export function groupFilterFields<Item>(
  items: readonly Item[],
  getGroup: (item: Item) => FilterGroup,
): readonly { readonly label: string; readonly items: readonly Item[] }[] {
  const byGroup = Map.groupBy(items, getGroup);
  return FILTER_GROUPS.flatMap((group) => {
    const own = byGroup.get(group) ?? [];
    return own.length === 0 ? [] : [{ label: groupLabels[group], items: own }];
  });
}
