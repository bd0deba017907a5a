/** Reads one page of a list tolerantly: finds the array in the response and wraps each item. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import { PlatformError } from './errors.ts';
import { reportsError } from './json/error-text.ts';
import { isObject, type JsonObject } from './json/json.ts';
import type { ListDefinition } from './resource.ts';
import { findDrift, createView, getShape, type Drift, type SchemaView } from './schema.ts';
import { formatList, formatNumber } from './text/localization.ts';
import { toPlainText } from './text/plain-text.ts';
import { stored } from './text/message.ts';

/** An item of a list: the raw JSON, with view and drift derived on access. */
export class Item<S extends z.core.SomeType = z.core.SomeType> {
  readonly raw: unknown;
  /** the field of the list's element that contained the item, if the element was not the item itself */
  readonly wrapper?: string;
  readonly #schema: S;
  readonly #contract: z.core.SomeType;
  /** `contract`: the schema for drift, if the list's items differ from the kind's own schema */
  constructor(raw: unknown, schema: S, contract: z.core.SomeType = schema, wrapper?: string) {
    this.raw = raw;
    if (wrapper !== undefined) this.wrapper = wrapper;
    this.#schema = schema;
    this.#contract = contract;
  }
  /** `undefined` if the item is not an object. */
  get view(): SchemaView<S> | undefined {
    return createView(this.#schema, this.raw);
  }
  /** Runs a full validation on each access. */
  get drift(): readonly Drift[] {
    return findDrift(this.#contract, this.raw);
  }
  get id(): string | undefined {
    return getItemId(this.raw);
  }
}

/** The non-empty `id` of a resource; one that is an integer as its digits. */
export function getItemId(raw: unknown): string | undefined {
  const id = isObject(raw) ? raw['id'] : undefined;
  if (typeof id === 'string') return id === '' ? undefined : id;
  if (JSON.isRawJSON(id)) return /^\d+$/.test(id.rawJSON) ? id.rawJSON : undefined;
  return Number.isSafeInteger(id) ? String(id) : undefined;
}

/**
 * The field that wraps a resource, as in `{"object": {"id": …}}`: the only one whose value has an id, and not a field of
 * the schema. `undefined` if `raw` has an id itself.
 */
function findWrapper(schema: z.core.SomeType, raw: unknown): string | undefined {
  if (!isObject(raw) || getItemId(raw) !== undefined) return undefined;
  const shape = getShape(schema) ?? {};
  const [only, ...others] = Object.keys(raw).filter((name) => getItemId(raw[name]) !== undefined);
  return others.length > 0 || only === undefined || Object.hasOwn(shape, only) ? undefined : only;
}

/** The path of a resource in a response: empty, `data`, a wrapper field, or a wrapper field in `data`. */
export function findItemPath(schema: z.core.SomeType, response: unknown): readonly string[] {
  const data = isObject(response) && getItemId(response) === undefined && isObject(response['data']) ? ['data'] : [];
  const inner = data.length > 0 && isObject(response) ? response['data'] : response;
  const wrapper = findWrapper(schema, inner);
  return wrapper === undefined ? data : [...data, wrapper];
}

export interface Page<S extends z.core.SomeType = z.core.SomeType> {
  readonly items: readonly Item<S>[];
  /** absent on the last page; never empty */
  readonly next?: string;
  /** the other fields of the response, such as `faces` and `actions` of the objects list */
  readonly extraFields: JsonObject;
  /** drift of the page itself, without its items */
  readonly drift: readonly Drift[];
}

/**
 * The cursor in the text of a response if it is the last field, which costs nothing before the text is parsed. Of valid
 * JSON, the last brace closes the response itself.
 */
export function peekNext(text: string): string | undefined {
  return /[,{]\s*"next"\s*:\s*"([^"\\]+)"\s*\}\s*$/.exec(text.slice(-MAX_PEEKED))?.[1];
}

/** Characters at the end of a response. */
const MAX_PEEKED = 2048;

/** The path of the list in a response. */
interface ListPath {
  readonly path: readonly string[];
}

/** Items of one page. The contract's limit is 100, but some servers send more. */
const MAX_PAGE_ITEMS = 10_000;

/** True for a response that reports an error in place of the list, whatever its HTTP status. */
export function isRefusedList({ key }: ListDefinition, response: unknown): boolean {
  if (!isObject(response)) return false;
  const data = response['data'];
  const lists = [response[key], data, isObject(data) ? data[key] : undefined];
  return reportsError(response, lists.some(Array.isArray));
}

/** Reads a parsed response. Throws PlatformError `contract` if it has no list, `tooLarge` if the list is too long. */
export function readPage<S extends z.core.SomeType>(
  list: ListDefinition,
  schema: S,
  response: unknown,
): Page<S> & ListPath {
  const drift: Drift[] = [];
  const found = findList(list, response, drift);
  if (found.list.length > MAX_PAGE_ITEMS) {
    const [count, limit] = [formatNumber(found.list.length), formatNumber(MAX_PAGE_ITEMS)];
    const message = l10n.t('One page of {0} contains {1} items; the limit is {2}', list.key, count, limit);
    throw new PlatformError('tooLarge', message);
  }
  const next = found.extraFields['next'];
  if (next !== undefined && next !== null && typeof next !== 'string') {
    drift.push({ path: 'next', problem: 'type', message: l10n.t('the cursor is not a string') });
  }
  const items = found.list.map((raw) => {
    const wrapper = findWrapper(schema, raw);
    const inner = wrapper !== undefined && isObject(raw) ? raw[wrapper] : raw;
    return new Item(inner, schema, list.schema ?? schema, wrapper);
  });
  const wrapper = items.find((item) => item.wrapper !== undefined)?.wrapper;
  if (wrapper !== undefined)
    drift.push({
      path: list.key,
      problem: 'type',
      message: l10n.t('items are wrapped in {0}, unlike in the contract', `\`${wrapper}\``),
    });
  return {
    items,
    ...(typeof next === 'string' && next !== '' && { next }),
    extraFields: found.extraFields,
    drift,
    path: found.path,
  };
}

interface FoundList extends ListPath {
  readonly list: readonly unknown[];
  readonly extraFields: JsonObject;
}

function findList(list: ListDefinition, response: unknown, drift: Drift[]): FoundList {
  if (Array.isArray(response)) {
    drift.push({ path: '', problem: 'type', message: l10n.t('a list where the contract has an object') });
    return { list: response, path: [], extraFields: {} };
  }
  if (!isObject(response)) {
    throw new PlatformError('contract', stored('The response contains no list of {0}', list.key));
  }
  const { [list.key]: value, ...extraFields } = response;
  if (Array.isArray(value)) return { list: value, path: [list.key], extraFields };
  if (value === null) {
    drift.push({ path: list.key, problem: 'type', message: l10n.t('null where the contract has a list') });
    return { list: [], path: [list.key], extraFields };
  }
  const data = response['data'];
  if ((value === undefined || value === data) && (isObject(data) || Array.isArray(data))) {
    drift.push({ path: 'data', problem: 'type', message: l10n.t('wrapped in {0}, unlike in the contract', '`data`') });
    if (Array.isArray(data)) return { list: data, path: ['data'], extraFields };
    const inner = findList(list, data, drift);
    return { ...inner, path: ['data', ...inner.path], extraFields: { ...extraFields, ...inner.extraFields } };
  }
  const others = Object.entries(response).filter(([, other]) => Array.isArray(other));
  const other = others[0];
  if (value === undefined && others.length === 1 && other !== undefined && Array.isArray(other[1])) {
    drift.push({
      path: other[0],
      problem: 'type',
      message: l10n.t('contains the list that the contract has in {0}', list.key),
    });
    return { list: other[1], path: [other[0]], extraFields };
  }
  if (value !== undefined) throw new PlatformError('contract', stored('The value of {0} is not a list', list.key));
  if (hasOtherData(list, response) || hasMessage(response)) {
    const names = toPlainText(formatList(Object.keys(response), 'unit'), 200);
    throw new PlatformError('contract', stored('The response contains no list of {0}, only: {1}', list.key, names));
  }
  // An absent list is an empty one: servers omit fields. It is drift if the contract requires the field.
  if (list.keyRequired === true)
    drift.push({ path: list.key, problem: 'missing', message: l10n.t('required by the contract, but missing') });
  return { list: [], path: [list.key], extraFields };
}

/** True if the list may be somewhere else: a required one beside other data, any other one deeper in the response. */
function hasOtherData({ key, keyRequired = false }: ListDefinition, response: JsonObject): boolean {
  return Object.values(response).some((value) =>
    keyRequired
      ? typeof value === 'object' && value !== null && Object.keys(value).length > 0
      : containsList(value, key),
  );
}

/** True for a message that does not say that all is well. */
function hasMessage({ success, status, ...fields }: JsonObject): boolean {
  if (success === true || /^(?:ok|success)$/i.test(String(status))) return false;
  return ['message', 'detail', 'error_message'].some((name) => typeof fields[name] === 'string' && fields[name] !== '');
}

function containsList(value: unknown, key: string): boolean {
  return (
    isObject(value) && (Array.isArray(value[key]) || Object.values(value).some((inner) => containsList(inner, key)))
  );
}
