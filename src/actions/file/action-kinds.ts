/**
 * The kinds of action, with the fields that deployments accept and a sentence on their effect. Hints only: the contract
 * shows no shape.
 */
import type { Node } from 'jsonc-parser';
import { actionNames } from '../../platform/resources/shared-schemas.ts';
import { isPlaceholder } from '../../model/placeholder.ts';
import { MASK } from '../../platform/json/secrets.ts';
import { getNumberText, getProperty, getString, type ActionFile } from './action-file.ts';
import { formatLine } from '../../model/run-record.ts';

const MAX_ID_LENGTH = 300;

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
const data: ActionField = {
  name: 'data',
  about: '`metadata` and `custom` of the object',
  sample: '{ "metadata": {}, "custom": {} }',
};
const to = (about: string): ActionField => ({ name: 'to', about, ids: 'wallets', sample: '""' });
const templateId = (about: string): ActionField => ({ name: 'template_id', about, ids: 'templates', sample: '""' });

const kindDetails: Readonly<Record<(typeof actionNames)[number], Omit<ActionKind, 'name'>>> = {
  mint: {
    about: 'Makes new objects from a template',
    fields: [
      templateId('the template to make objects from'),
      { name: 'num', about: 'how many', sample: '1' },
      { ...to('who will own them; absent: the signer'), optional: true },
      { ...data, optional: true },
    ],
  },
  burn: { about: 'Destroys an object for good', fields: [id('the object to destroy')] },
  transfer: {
    about: 'Gives an object to another owner',
    fields: [id('the object to give'), to('the new owner')],
  },
  drop: {
    about: 'Leaves an object at a place',
    fields: [
      id('the object to leave'),
      { name: 'latitude', about: 'degrees, -90 to 90', sample: '0.0' },
      { name: 'longitude', about: 'degrees, -180 to 180', sample: '0.0' },
    ],
  },
  pickup: { about: 'Picks up an object that was dropped', fields: [id('the object to pick up')] },
  update: { about: "Changes an object's data", fields: [id('the object to change'), data] },
  redeem: {
    about: 'Redeems an object, for another where a template is named',
    fields: [id('the object to redeem'), { ...templateId('the template of what is received'), optional: true }],
  },
  bridgeNFT: { about: 'Moves an object to another chain', fields: [id('the object to move')] },
  connect: { about: 'Connects an object to a device or an account', fields: [id('the object to connect')] },
  remote: {
    about: "Calls the template's remote service for an object",
    fields: [
      id('the object to call for'),
      { name: 'data', about: 'what the service is given', sample: '{}', optional: true },
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
  const found = new Set<string>();
  for (const { value } of file.entries) {
    const one = getString(value, 'id') ?? getString(value, 'object_id');
    if (one !== undefined && one !== '') found.add(one);
    for (const child of getProperty(value, 'ids')?.children ?? [])
      if (typeof child.value === 'string') found.add(child.value);
  }
  return [...found].slice(0, 20);
}

/**
 * Describes what sending does in one sentence without the full stop. `getName` returns a readable name of an id,
 * `hasWorkspaceLabel` says whether the workspace gave it, and not the user.
 */
export function formatEffect(
  file: ActionFile,
  getName: (id: string) => string | undefined = () => undefined,
  hasWorkspaceLabel: (id: string) => boolean = () => false,
): string {
  const entry = file.entries[0];
  if (entry === undefined) return 'Executes an action';
  const { kind, value } = entry;
  const formatReference = (field: string, noun: string): string => {
    const text = getString(value, field);
    if (text === undefined || text === '') return noun === '' ? 'nothing' : `a ${noun} that is not named`;
    const column = /^\$\{row:([^{}]+)\}$/.exec(text)?.[1];
    if (column !== undefined) return `the ${noun === '' ? 'value' : noun} of column “${formatLine(column, 80)}”`;
    const name = getName(text);
    // In full: a name may be misleading.
    const short = formatLine(text, MAX_ID_LENGTH);
    const remark = hasWorkspaceLabel(text) ? ', a label of this workspace' : '';
    return `${noun === '' ? '' : `${noun} `}${name === undefined ? short : `“${formatLine(name)}”${remark} (${short})`}`;
  };
  const others = file.entries.slice(1, 6).map((other) => formatLine(other.kind, 40));
  const left = file.entries.length - 1 - others.length;
  if (left > 0) others.push(`${String(left)} more`);
  const more = others.length > 0 ? `, and ${others.join(', ')}` : '';
  const one = formatReference('id', 'object');
  switch (kind) {
    case 'mint': {
      const count = getNumberText(file, value, 'num') ?? '1';
      const receiver = getString(value, 'to') === undefined ? '' : ` for ${formatReference('to', '')}`;
      return `Mints ${count} ${count === '1' ? 'object' : 'objects'} from ${formatReference('template_id', 'template')}${receiver}${more}`;
    }
    case 'burn':
      return `Destroys ${one} for good${more}`;
    case 'transfer':
      return `Transfers ${one} to ${formatReference('to', '')}${more}`;
    case 'drop':
      return `Drops ${one} at ${getNumberText(file, value, 'latitude') ?? '?'}, ${getNumberText(file, value, 'longitude') ?? '?'}${more}`;
    case 'pickup':
      return `Picks up ${one}${more}`;
    case 'update':
      return `Changes the data of ${one}${more}`;
    case 'redeem':
      return `Redeems ${one}${more}`;
    case 'bridgeNFT':
      return `Moves ${one} to another chain${more}`;
    case 'connect':
      return `Connects ${one}${more}`;
    case 'remote':
      return `Calls the remote service of ${one}${more}`;
    default:
      return `Executes ${formatLine(kind, 40)}${getString(value, 'id') === undefined ? '' : ` on ${one}`}${more}`;
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
