/** Generates a TypeScript client for templates: the types of their data and a function for each of their actions. */
import { createTypeName, formatComment, formatPropertyName, inferTypes } from '../../model/resources/infer-types.ts';
import { readSamples } from '../../model/resources/read-samples.ts';
import type { PlatformClient } from '../../platform/client.ts';
import { isObject } from '../../platform/json/json.ts';
import { registry } from '../../platform/registry.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { getActionKind, type ActionField } from '../file/action-kinds.ts';
import { CLIENT_RUNTIME } from './client-runtime.ts';

/** What a client is generated from. */
interface ClientTemplate {
  readonly id: string;
  readonly name: string;
  /** names of its actions */
  readonly actions: readonly string[];
  /** custom data of its objects, and its default */
  readonly samples: readonly unknown[];
}

/** Resolves with all templates that are listed. Rejects with PlatformError. */
export async function listTemplates(
  client: PlatformClient,
  signal: AbortSignal,
): Promise<readonly { readonly id: string; readonly title: string }[]> {
  const found: { readonly id: string; readonly title: string }[] = [];
  for await (const { items } of client.listPages('templates', {}, { signal, largest: true, distinct: true }))
    for (const { id, raw } of items)
      if (id !== undefined) found.push({ id, title: registry.templates.summary(raw).title });
  return found;
}

/** Reads a template and objects of it. `report` gets the number of objects. Rejects with PlatformError. */
export async function readClientTemplate(
  client: PlatformClient,
  id: string,
  signal: AbortSignal,
  report?: (count: number) => void,
): Promise<ClientTemplate> {
  const { item } = await client.read('templates', [id], { signal });
  const { name, object, actions } = item.raw as Readonly<Record<string, unknown>>;
  const objects = await readSamples(client, id, signal, report);
  const customs = objects.map((one) => (isObject(one) ? one['custom'] : undefined)).filter(isObject);
  const defaults = isObject(object) && isObject(object['custom']) ? object['custom'] : {};
  // What no object has yet is optional: one sample has it.
  const missing = Object.entries(defaults).filter(([field]) => !customs.some((one) => Object.hasOwn(one, field)));
  const names = (Array.isArray(actions) ? actions : []).map((action: unknown) =>
    isObject(action) && typeof action['name'] === 'string' ? action['name'] : '',
  );
  return {
    id,
    name: typeof name === 'string' ? name : id,
    actions: [...new Set(names)].filter((action) => action !== ''),
    samples: [...customs, { ...customs[0], ...Object.fromEntries(missing) }],
  };
}

/**
 * Returns the source of a client, one file without dependencies. The same templates and objects give the same text, in
 * any order and any language of the editor.
 */
export function generateClient(templates: readonly ClientTemplate[]): string {
  const usedNames = new Set(RUNTIME_NAMES);
  const usedKeys = new Set(['Client']);
  const sorted = [...templates].sort((a, b) => (a.id < b.id ? -1 : 1));
  const parts = sorted.map((template) => {
    const title = toPlainText(template.name, 80);
    const base = createTypeName(title, usedNames);
    const types = inferTypes(`${base} custom`, template.samples, { usedNames, isSorted: true });
    const custom = /^export (?:interface|type) (\w+)/.exec(types)?.[1] ?? 'Record<string, unknown>';
    const key = createTypeName(base, usedKeys);
    return { types, member: formatTemplate(template, key.charAt(0).toLowerCase() + key.slice(1), custom) };
  });
  const ids = sorted.map(({ id }) => formatComment(id)).join(' ');
  return [
    `/**\n * Client of a Smart Object Platform, generated. Do not edit it, but generate it again:\n * smart-objects generate ${ids} --out FILE\n */\n`,
    ...parts.map(({ types }) => `${types}\n`),
    `/** A function for each action of the templates. The functions reject as Client.execute does. */\n`,
    `export function createPlatform(options: ClientOptions) {\n  const client = new Client(options);\n  return {\n`,
    `    client,\n${parts.map(({ member }) => member).join('')}  };\n}\n\n${CLIENT_RUNTIME}`,
  ].join('');
}

/** Names of types that the rest of the file declares or uses. */
const RUNTIME_NAMES = [
  ...['Json', 'ClientOptions', 'Execution', 'PlatformError', 'Asset', 'SmartObject', 'ObjectData', 'Client', 'Error'],
  ...['Promise', 'Readonly', 'Partial', 'Set', 'Math', 'Date', 'Number', 'Array', 'Object', 'JSON', 'BigInt'],
  ...['Request', 'Response', 'AbortSignal', 'AsyncGenerator', 'URLSearchParams', 'SyntaxError', 'TypeError'],
];

/** Names of members that are no action. */
const READERS = ['get', 'list', 'templateId', '__proto__'];

/** The members of the platform that belong to a template. */
function formatTemplate({ id, name, actions }: ClientTemplate, key: string, custom: string): string {
  const literal = formatLiteral(id);
  const read = `      get: (id: string) => client.get<SmartObject<${custom}>>('/objects/' + encodeURIComponent(id)),
      list: (query: Readonly<Record<string, string>> = {}) =>
        client.list<SmartObject<${custom}>>('/objects', 'objects', { ...query, template_id: ${literal} }),\n`;
  const functions = actions.toSorted().map((action) => {
    let member = action;
    while (READERS.includes(member) || (member !== action && actions.includes(member))) member += 'Action';
    return `      ${formatPropertyName(member)}: ${formatAction(action, literal, custom)},\n`;
  });
  const title = `${formatComment(name)} (template ${formatComment(id)})`;
  return `    /** ${title} */\n    ${key}: {\n      templateId: ${literal},\n${read}${functions.join('')}    },\n`;
}

/** `(id: string, fields: { … } = {}) => …`; of an unknown kind, with any fields. */
function formatAction(name: string, template: string, custom: string): string {
  const fields = getActionKind(name)?.fields;
  const hasTarget = fields === undefined || fields.some((field) => field.name === 'id');
  const others = fields?.filter((field) => field.name !== 'id' && (hasTarget || field.name !== 'template_id'));
  const isOptional = (field: ActionField): boolean => field.optional === true || field.name === 'num';
  const type =
    others === undefined
      ? 'Json'
      : `{ ${others.map((field) => `readonly ${field.name}${isOptional(field) ? '?' : ''}: ${getFieldType(name, field, custom)}`).join('; ')} }`;
  const fieldsParameter = `fields: ${type}${others?.some((field) => !isOptional(field)) === true ? '' : ' = {}'}`;
  const parameters = [hasTarget ? 'id: string' : '', others?.length === 0 ? '' : fieldsParameter];
  // Last, so that no value of the fields replaces what the function is called for.
  const values = [
    hasTarget ? '' : 'num: 1',
    others?.length === 0 ? '' : '...fields',
    hasTarget ? 'id' : `template_id: ${template}`,
  ];
  const join = (texts: readonly string[]): string => texts.filter((text) => text !== '').join(', ');
  return `(${join(parameters)}) => client.execute({ ${formatLiteral(name)}: { ${join(values)} } })`;
}

function getFieldType(action: string, { name }: ActionField, custom: string): string {
  if (name === 'data') return action === 'remote' ? 'unknown' : `ObjectData<${custom}>`;
  return ['num', 'latitude', 'longitude'].includes(name) ? 'number' : 'string';
}

/** The text as a string literal, which no character of it can leave. */
function formatLiteral(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
