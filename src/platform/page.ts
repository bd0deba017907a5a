/** One page of a list, read tolerantly: the array found wherever the server put it, each item raw and viewed on demand. */
import * as z from 'zod/mini';
import { PlatformError } from './errors.ts';
import { isObject, type JsonObject } from './json.ts';
import type { ListRow } from './resource.ts';
import { driftOf, viewOf, type Drift, type ViewOf } from './schema.ts';

/** An item of a list. The raw JSON is what the server sent; the view and the drift are derived when asked for. */
export class Item<S extends z.core.SomeType = z.core.SomeType> {
  readonly raw: unknown;
  /** the field of its list's element that it stood in, where that was no resource itself */
  readonly wrapper?: string;
  readonly #schema: S;
  readonly #contract: z.core.SomeType;
  /** `contract`: what it is held against, where a list promises less than one resource */
  constructor(raw: unknown, schema: S, contract: z.core.SomeType = schema, wrapper?: string) {
    this.raw = raw;
    if (wrapper !== undefined) this.wrapper = wrapper;
    this.#schema = schema;
    this.#contract = contract;
  }
  /** `undefined` for an item that is not even an object; it still is a row, and says so. */
  get view(): ViewOf<S> | undefined {
    return viewOf(this.#schema, this.raw);
  }
  /** Costs a full validation. */
  get drift(): readonly Drift[] {
    return driftOf(this.#contract, this.raw);
  }
  get id(): string | undefined {
    return idOf(this.raw);
  }
}

/** The identifier that each resource of the contract has. */
export function idOf(raw: unknown): string | undefined {
  const id = isObject(raw) ? raw['id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * The field in which a resource stands one level down, `{"object": {"id": …}}`: the only one that holds an object with an id, and
 * none that the contract has there. `undefined` for what has an id itself.
 */
export function wrapperOf(schema: z.core.SomeType, raw: unknown): string | undefined {
  if (!isObject(raw) || idOf(raw) !== undefined) return undefined;
  const shape = schema instanceof z.ZodMiniObject ? schema.shape : {};
  const [only, ...others] = Object.keys(raw).filter((name) => idOf(raw[name]) !== undefined);
  return others.length > 0 || only === undefined || Object.hasOwn(shape, only) ? undefined : only;
}

export interface Page<S extends z.core.SomeType = z.core.SomeType> {
  readonly items: readonly Item<S>[];
  /** absent on the last page; never empty */
  readonly next?: string;
  /** what stood beside the list: `faces` and `actions` of the objects list */
  readonly beside: JsonObject;
  /** how the page itself (not its items) departs from the contract */
  readonly drift: readonly Drift[];
}

/** Where in an answer its list stands. */
export interface Placed {
  readonly path: readonly string[];
}

/** Items of one page: the contract's limit is 100, and not every server keeps it. */
export const MAX_ITEMS = 10_000;

/** Throws PlatformError `contract` where there is no list to be found, `tooLarge` where it has too many items. */
export function readPage<S extends z.core.SomeType>(list: ListRow, schema: S, answer: unknown): Page<S> & Placed {
  const drift: Drift[] = [];
  const found = findList(list, answer, drift);
  if (found.list.length > MAX_ITEMS) {
    const [count, limit] = [found.list.length, MAX_ITEMS].map((number) => number.toLocaleString('en'));
    throw new PlatformError('tooLarge', `One page of ${list.key} holds ${count} items; the limit is ${limit}`);
  }
  const next = found.beside['next'];
  if (next !== undefined && next !== null && typeof next !== 'string') {
    drift.push({ path: 'next', problem: 'type', message: 'the cursor is no string' });
  }
  const items = found.list.map((raw) => {
    const wrapper = wrapperOf(schema, raw);
    const inner = wrapper !== undefined && isObject(raw) ? raw[wrapper] : raw;
    return new Item(inner, schema, list.schema ?? schema, wrapper);
  });
  const wrapper = items.find((item) => item.wrapper !== undefined)?.wrapper;
  if (wrapper !== undefined)
    drift.push({ path: list.key, problem: 'type', message: `items stand in \`${wrapper}\`, unlike the contract` });
  return {
    items,
    ...(typeof next === 'string' && next !== '' && { next }),
    beside: found.beside,
    drift,
    path: found.path,
  };
}

interface Found extends Placed {
  readonly list: readonly unknown[];
  readonly beside: JsonObject;
}

function findList(list: ListRow, answer: unknown, drift: Drift[]): Found {
  if (Array.isArray(answer)) {
    drift.push({ path: '', problem: 'type', message: 'a bare list where the contract has an object' });
    return { list: answer, path: [], beside: {} };
  }
  if (!isObject(answer)) {
    throw new PlatformError('contract', `The answer holds no list of ${list.key}`);
  }
  const { [list.key]: value, ...beside } = answer;
  if (Array.isArray(value)) return { list: value, path: [list.key], beside };
  if (value === null) {
    drift.push({ path: list.key, problem: 'type', message: 'null where the contract has a list' });
    return { list: [], path: [list.key], beside };
  }
  const data = answer['data'];
  if ((value === undefined || value === data) && (isObject(data) || Array.isArray(data))) {
    drift.push({ path: 'data', problem: 'type', message: 'wrapped in `data`, unlike the contract' });
    if (Array.isArray(data)) return { list: data, path: ['data'], beside };
    const inner = findList(list, data, drift);
    return { ...inner, path: ['data', ...inner.path], beside: { ...beside, ...inner.beside } };
  }
  const others = Object.entries(answer).filter(([, other]) => Array.isArray(other));
  const other = others[0];
  if (value === undefined && others.length === 1 && other !== undefined && Array.isArray(other[1])) {
    drift.push({ path: other[0], problem: 'type', message: `the list stands here instead of in ${list.key}` });
    return { list: other[1], path: [other[0]], beside };
  }
  if (value !== undefined) throw new PlatformError('contract', `What stands in ${list.key} is no list`);
  // An absent list is an empty one, unless the contract calls it required.
  if (list.keyRequired === true)
    drift.push({ path: list.key, problem: 'missing', message: 'required by the contract, but absent' });
  return { list: [], path: [list.key], beside };
}
