/**
 * The kinds of action, with the fields that deployments accept and a sentence on their effect. Hints only: the contract
 * shows no shape.
 */
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { actionNames } from '../../platform/resources/shared-schemas.ts';
import { isPlaceholder } from '../../model/text/placeholder.ts';
import { MASK } from '../../platform/json/secrets.ts';
import { formatList, pluralize } from '../../platform/text/localization.ts';
import { stored, formatText, type StoredText } from '../../platform/text/message.ts';
import { getNumberText, getProperty, getString, type ActionEntry, type ActionFile } from './action-file.ts';
import { findSimilarLabel, hasWorkspaceLabel, NO_LABELS, type Labels } from '../../model/text/labels.ts';
import { formatLine } from '../../model/runs/run-record.ts';

const MAX_ID_LENGTH = 300;
/** Characters of a name in an effect. */
const MAX_NAME_LENGTH = 60;

/** Kinds of resource whose id an action can name. */
export type IdKind = 'objects' | 'templates' | 'faces' | 'wallets';

/** A field that deployments accept in an action of a kind. */
export interface ActionField {
  readonly name: string;
  readonly about: string;
  /** kind of resource whose id is the value */
  readonly ids?: IdKind;
  /** initial value, as JSON */
  readonly sample: string;
  readonly optional?: boolean;
}

export interface ActionKind {
  readonly name: string;
  readonly about: string;
  readonly fields: readonly ActionField[];
}

const id = (about: string): ActionField => ({ name: 'id', about, ids: 'objects', sample: '""' });
const data = (): ActionField => ({
  name: 'data',
  about: l10n.t('`metadata` and `custom` of the object'),
  sample: '{ "metadata": {}, "custom": {} }',
});
const to = (about: string): ActionField => ({ name: 'to', about, ids: 'wallets', sample: '""' });
const templateId = (about: string): ActionField => ({ name: 'template_id', about, ids: 'templates', sample: '""' });

const kindDetails: Readonly<Record<(typeof actionNames)[number], Omit<ActionKind, 'name'>>> = {
  mint: {
    about: l10n.t('Creates objects from a template'),
    fields: [
      templateId(l10n.t('the template to create objects from')),
      { name: 'num', about: l10n.t('the number of objects'), sample: '1' },
      { ...to(l10n.t('the owner of the new objects; if omitted, the signer')), optional: true },
      { ...data(), optional: true },
    ],
  },
  burn: { about: l10n.t('Permanently destroys an object'), fields: [id(l10n.t('the object to destroy'))] },
  transfer: {
    about: l10n.t('Transfers an object to another owner'),
    fields: [id(l10n.t('the object to transfer')), to(l10n.t('the new owner'))],
  },
  drop: {
    about: l10n.t('Drops an object at a location'),
    fields: [
      id(l10n.t('the object to drop')),
      { name: 'latitude', about: l10n.t('the latitude in degrees, from -90 to 90'), sample: '0.0' },
      { name: 'longitude', about: l10n.t('the longitude in degrees, from -180 to 180'), sample: '0.0' },
    ],
  },
  pickup: { about: l10n.t('Picks up a dropped object'), fields: [id(l10n.t('the object to pick up'))] },
  update: { about: l10n.t('Changes the data of an object'), fields: [id(l10n.t('the object to change')), data()] },
  redeem: {
    about: l10n.t('Redeems an object, optionally for an object of another template'),
    fields: [
      id(l10n.t('the object to redeem')),
      { ...templateId(l10n.t('the template of the object received in return')), optional: true },
    ],
  },
  bridgeNFT: { about: l10n.t('Moves an object to another chain'), fields: [id(l10n.t('the object to move'))] },
  connect: {
    about: l10n.t('Connects an object to a device or an account'),
    fields: [id(l10n.t('the object to connect'))],
  },
  remote: {
    about: l10n.t('Calls the remote service of an object’s template'),
    fields: [
      id(l10n.t('the object to call the service for')),
      { name: 'data', about: l10n.t('the data for the service'), sample: '{}', optional: true },
    ],
  },
};

export const actionKinds: readonly ActionKind[] = actionNames.map((name) => ({ name, ...kindDetails[name] }));

/** Returns the kind of action with that name; `undefined` for an unknown one. */
export function getActionKind(name: string): ActionKind | undefined {
  return actionKinds.find((kind) => kind.name === name);
}

/** Ids of objects that the action names, at most 20. */
export function getTargetIds(file: ActionFile): readonly string[] {
  return [...new Set(file.entries.flatMap(getEntryTargets))].slice(0, 20);
}

function getEntryTargets({ value }: ActionEntry): readonly string[] {
  const one = getString(value, 'id') ?? getString(value, 'object_id');
  const others = (getProperty(value, 'ids')?.children ?? []).map((child): unknown => child.value);
  return [...(one === '' ? [] : [one]), ...others].filter((target) => typeof target === 'string');
}

/** Names of other actions in the description of an action. */
const MAX_OTHERS = 5;

/** Says what sending does, in a few words without any id, name or full stop. */
export function formatEffectSummary({ entries }: ActionFile): string {
  const [entry] = entries;
  if (entry === undefined) return l10n.t('Executes an action');
  if (entries.length > 1)
    return pluralize(entries.length, l10n.t('Executes {0} action in one request|Executes {0} actions in one request'));
  return getActionKind(entry.kind)?.about ?? l10n.t('Executes {0}', quote(entry.kind));
}

/**
 * Describes what sending does as labelled lines: one value a line, in full and before its name, which anyone may have
 * written. For confirmations.
 */
export function formatEffectLines(
  file: ActionFile,
  getName: (id: string) => string | undefined = () => undefined,
  labels: Pick<Labels, 'get' | 'all'> = NO_LABELS,
): readonly string[] {
  const format = (id: string | undefined): string => formatNamedValue(id, getName, labels);
  const entries = file.entries.slice(0, MAX_OTHERS + 1);
  const left = file.entries.length - entries.length;
  return [
    ...entries.flatMap((entry) => formatEntryLines(file, entry, format)),
    ...(left > 0 ? [pluralize(left, l10n.t('And {0} more action|And {0} more actions'))] : []),
  ];
}

/** As `formatEffect`, with the names last: they may be misleading. For lists of effects. */
export function formatListedEffect(
  file: ActionFile,
  getName: (id: string) => string | undefined,
  labels: Pick<Labels, 'get' | 'all'>,
): string {
  const ids = new Set([...getTargetIds(file), ...getIdFields(file).map(({ id }) => id)]);
  const named = [...ids].filter((id) => getName(id) !== undefined).slice(0, MAX_OTHERS);
  return [formatEffect(file), ...named.map((id) => formatNamedValue(id, getName, labels))].join(' · ');
}

function formatEntryLines(
  file: ActionFile,
  entry: ActionEntry,
  format: (id: string | undefined) => string,
): readonly string[] {
  const { kind, value } = entry;
  const { fields = [] } = getActionKind(kind) ?? {};
  const isShown = (name: string): boolean =>
    getProperty(value, name) !== undefined || fields.some((field) => field.name === name && field.optional !== true);
  const formatField = (name: string): string => {
    const node = getProperty(value, name);
    if (node === undefined || typeof node.value === 'string') return format(getString(value, name));
    return formatValue(file.text.slice(node.offset, node.offset + node.length));
  };
  const show = (name: string, label: (text: string) => string): readonly string[] =>
    isShown(name) ? [label(formatField(name))] : [];
  const targets = getEntryTargets(entry);
  const formatObject = (text: string): string => l10n.t('Object: {0}', text);
  const objects = targets.slice(0, MAX_OTHERS).map((id) => formatObject(format(id)));
  return [
    l10n.t('Action: {0}', getActionKind(kind)?.name ?? quote(kind)),
    ...(objects.length > 0 ? objects : show('id', formatObject)),
    ...(targets.length > objects.length
      ? [pluralize(targets.length - objects.length, l10n.t('And {0} more object|And {0} more objects'))]
      : []),
    ...show('template_id', (text) => l10n.t('Template: {0}', text)),
    ...show('num', (text) => l10n.t('Number: {0}', text)),
    ...show('to', (text) => l10n.t('To: {0}', text)),
    ...show('latitude', (text) => l10n.t('Latitude: {0}', text)),
    ...show('longitude', (text) => l10n.t('Longitude: {0}', text)),
  ];
}

/** A value with its name after it. */
function formatNamedValue(
  value: string | undefined,
  getName: (id: string) => string | undefined,
  labels: Pick<Labels, 'get' | 'all'>,
): string {
  const name = value === undefined || value === '' ? undefined : getName(value);
  if (value === undefined || name === undefined) return formatText(describeReference(value, getName, () => false));
  const id = formatValue(value);
  if (hasWorkspaceLabel(labels, value)) return l10n.t('{0}, a label of this workspace: {1}', id, quote(name));
  const similar = findSimilarLabel(labels, value, name);
  return similar === undefined
    ? `${id} ${quote(name)}`
    : l10n.t('{0}, not {1}, which has a similar label: {2}', id, formatValue(similar.value), quote(name));
}

/** An id in full; a text that cannot be one in quotation marks. */
function formatValue(text: string): string {
  return /^[\w.:@+\-/${}]*$/.test(text) ? formatLine(text, MAX_ID_LENGTH) : quote(text, MAX_ID_LENGTH);
}

/** The text in quotation marks that it cannot contain itself, cut to `maxLength` characters. */
export function quote(text: string, maxLength = MAX_NAME_LENGTH): string {
  return l10n.t('“{0}”', formatName(text, maxLength));
}

/** A name as one line without quotation marks, nor the separator of values in an input box. */
export function formatName(text: string, maxLength = MAX_NAME_LENGTH): string {
  return formatLine(text, maxLength).replace(/["‖\p{Pi}\p{Pf}„‚〝〞〟＂″]/gu, "'");
}

/**
 * Describes what sending does in one sentence without the full stop, for what is stored. `getName` returns a readable name of an id,
 * `isOfWorkspace` says whether the workspace gave it, and not the user.
 */
export function describeEffect(
  file: ActionFile,
  getName: (id: string) => string | undefined = () => undefined,
  isOfWorkspace: (id: string) => boolean = () => false,
): StoredText {
  const [entry, ...others] = file.entries;
  if (entry === undefined) return stored('Executes an action');
  const effect = describeMainEffect(file, entry, (text) => describeReference(text, getName, isOfWorkspace));
  if (others.length === 0) return effect;
  const names = others.slice(0, MAX_OTHERS).map(({ kind }) => formatName(kind, 40));
  const list = formatList(names, 'unit');
  const left = others.length - names.length;
  return stored('{0}, and {1}', effect, left > 0 ? stored('{0} and {1} more', list, left) : list);
}

/** As `describeEffect`, in the display language. */
export function formatEffect(...facts: Parameters<typeof describeEffect>): string {
  return formatText(describeEffect(...facts));
}

/** An id or address with its name. */
function describeReference(
  text: string | undefined,
  getName: (id: string) => string | undefined,
  isOfWorkspace: (id: string) => boolean,
): StoredText {
  if (text === undefined || text === '') return stored('(not specified)');
  const column = /^\$\{row:([^{}]+)\}$/.exec(text)?.[1];
  if (column !== undefined) return stored('in column “{0}”', formatName(column, 80));
  const name = getName(text);
  // In full: a name may be misleading.
  const value = formatValue(text);
  if (name === undefined) return value;
  return isOfWorkspace(text)
    ? stored('“{0}”, a label of this workspace ({1})', formatName(name), value)
    : stored('“{0}” ({1})', formatName(name), value);
}

function describeMainEffect(
  file: ActionFile,
  { kind, value }: ActionEntry,
  format: (text: string | undefined) => StoredText,
): StoredText {
  const object = format(getString(value, 'id'));
  switch (kind) {
    case 'mint': {
      const count = getNumberText(file, value, 'num') ?? '1';
      const template = format(getString(value, 'template_id'));
      const receiver = getString(value, 'to');
      // The count as it is written: a number would lose digits.
      return receiver === undefined
        ? stored('Mints {1} object from template {2}|Mints {1} objects from template {2}', count, count, template)
        : stored(
            'Mints {1} object from template {2} for {3}|Mints {1} objects from template {2} for {3}',
            count,
            count,
            template,
            format(receiver),
          );
    }
    case 'burn':
      return stored('Permanently destroys object {0}', object);
    case 'transfer':
      return stored('Transfers object {0} to {1}', object, format(getString(value, 'to')));
    case 'drop': {
      const [latitude, longitude] = ['latitude', 'longitude'].map((name) => getNumberText(file, value, name) ?? '?');
      return stored('Drops object {0} at {1}, {2}', object, latitude ?? '?', longitude ?? '?');
    }
    case 'pickup':
      return stored('Picks up object {0}', object);
    case 'update':
      return stored('Changes the data of object {0}', object);
    case 'redeem':
      return stored('Redeems object {0}', object);
    case 'bridgeNFT':
      return stored('Moves object {0} to another chain', object);
    case 'connect':
      return stored('Connects object {0}', object);
    case 'remote':
      return stored('Calls the remote service of object {0}', object);
    default:
      return getString(value, 'id') === undefined
        ? stored('Executes {0}', formatName(kind, 40))
        : stored('Executes {0} on object {1}', formatName(kind, 40), object);
  }
}

/** `{ "mint": { … } }` with the required fields of the kind and those of `values`, which are JSON texts. */
export function formatSampleAction(kind: string, values: Readonly<Record<string, string>> = {}): string {
  const fields = (getActionKind(kind)?.fields ?? [])
    .filter((field) => field.optional !== true || values[field.name] !== undefined)
    .map((field) => `${JSON.stringify(field.name)}: ${values[field.name] ?? field.sample}`);
  return `{ ${JSON.stringify(kind)}: { ${fields.join(', ')} } }`;
}

/** False for a text that cannot be read by: a variable without its value, a masked value, or a placeholder. */
export function isReadableId(id: string): boolean {
  return id !== '' && !id.includes('${') && !id.includes(MASK) && !isPlaceholder(id);
}

/** The fields of the action that hold an id, without variables and placeholders. */
export function getIdFields(file: ActionFile): readonly {
  readonly node: Node;
  readonly ids: IdKind;
  readonly id: string;
  readonly field: string;
  readonly kind: string;
}[] {
  return file.entries.flatMap(({ kind, value }) =>
    (getActionKind(kind)?.fields ?? []).flatMap((field) => {
      const node = getProperty(value, field.name);
      const id = getString(value, field.name);
      if (field.ids === undefined || node === undefined || id === undefined || !isReadableId(id)) return [];
      return [{ node, ids: field.ids, id, field: field.name, kind }];
    }),
  );
}
