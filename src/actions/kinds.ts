/** The kinds of action: the fields that deployments take, and each one's effect in a sentence. Pure: hints, never rules. */
import { actionNames } from '../platform/resources/shapes.ts';
import { numberAt, propertyOf, stringAt, type ActionFile } from './file.ts';
import { lineOf } from './record.ts';

export interface Field {
  readonly name: string;
  readonly about: string;
  /** whose id stands here */
  readonly ids?: 'objects' | 'templates' | 'faces' | 'wallets';
  /** a value to start from, as JSON */
  readonly sample: string;
  readonly optional?: boolean;
}

export interface ActionKind {
  readonly name: string;
  readonly about: string;
  readonly fields: readonly Field[];
}

const id = (about: string): Field => ({ name: 'id', about, ids: 'objects', sample: '""' });
const data: Field = {
  name: 'data',
  about: '`metadata` and `custom` of the object',
  sample: '{ "metadata": {}, "custom": {} }',
};
const to = (about: string): Field => ({ name: 'to', about, ids: 'wallets', sample: '""' });
const templateId = (about: string): Field => ({ name: 'template_id', about, ids: 'templates', sample: '""' });

const known: Readonly<Record<(typeof actionNames)[number], Omit<ActionKind, 'name'>>> = {
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

export const actionKinds: readonly ActionKind[] = actionNames.map((name) => ({ name, ...known[name] }));

export function kindOf(name: string): ActionKind | undefined {
  return actionKinds.find((kind) => kind.name === name);
}

/** Objects that the action names: read before sending, so that the difference can be shown. */
export function targetsOf(file: ActionFile): readonly string[] {
  const found = new Set<string>();
  for (const { value } of file.entries) {
    const one = stringAt(value, 'id') ?? stringAt(value, 'object_id');
    if (one !== undefined && one !== '') found.add(one);
    for (const child of propertyOf(value, 'ids')?.children ?? [])
      if (typeof child.value === 'string') found.add(child.value);
  }
  return [...found].slice(0, 20);
}

/** What sending does, in one sentence without the full stop. `nameOf` yields a readable name of an id where one is known. */
export function effectOf(file: ActionFile, nameOf: (id: string) => string | undefined = () => undefined): string {
  const entry = file.entries[0];
  if (entry === undefined) return 'Executes an action';
  const { kind, value } = entry;
  const shown = (field: string, what: string): string => {
    const text = stringAt(value, field);
    if (text === undefined || text === '') return what === '' ? 'nothing' : `a ${what} that is not named`;
    const name = nameOf(text);
    const short = lineOf(text, 60);
    return `${what === '' ? '' : `${what} `}${name === undefined ? short : `“${lineOf(name)}” (${short})`}`;
  };
  const others = file.entries.slice(1, 6).map((other) => lineOf(other.kind, 40));
  const left = file.entries.length - 1 - others.length;
  if (left > 0) others.push(`${String(left)} more`);
  const more = others.length > 0 ? `, and ${others.join(', ')}` : '';
  const one = shown('id', 'object');
  switch (kind) {
    case 'mint': {
      const count = numberAt(file, value, 'num') ?? '1';
      const receiver = stringAt(value, 'to') === undefined ? '' : ` for ${shown('to', '')}`;
      return `Mints ${count} ${count === '1' ? 'object' : 'objects'} from ${shown('template_id', 'template')}${receiver}${more}`;
    }
    case 'burn':
      return `Destroys ${one} for good${more}`;
    case 'transfer':
      return `Transfers ${one} to ${shown('to', '')}${more}`;
    case 'drop':
      return `Drops ${one} at ${numberAt(file, value, 'latitude') ?? '?'}, ${numberAt(file, value, 'longitude') ?? '?'}${more}`;
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
      return `Executes ${lineOf(kind, 40)}${stringAt(value, 'id') === undefined ? '' : ` on ${one}`}${more}`;
  }
}
