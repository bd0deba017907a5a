/** Compares two environments: what differs in meaning, not by ids, times, hashes or an order that means nothing. */
import { diffValues } from '../logs/history/diff-values.ts';
import { isObject } from '../platform/json/json.ts';
import { COMPARED_KINDS, type ComparedKind, type Inventory, type InventoryItem } from './inventory.ts';

/** How a resource differs: `added` is only in the second environment, `removed` only in the first. */
export type Change = 'added' | 'removed' | 'changed';

export interface Difference {
  readonly kind: ComparedKind;
  /** untrusted */
  readonly name: string;
  readonly change: Change;
  /** the resource in each environment without what means nothing */
  readonly from?: { readonly id: string; readonly value: unknown };
  readonly to?: { readonly id: string; readonly value: unknown };
  /** `path: value → value`, for a changed one: untrusted */
  readonly details: readonly string[];
}

export interface Comparison {
  /** by kind, then by name */
  readonly differences: readonly Difference[];
  /** number of resources without a difference */
  readonly equal: number;
  /** kinds that were not compared, with the reason */
  readonly unread: ReadonlyMap<ComparedKind, string>;
}

/** Paths of a changed resource that are listed. */
const MAX_DETAILS = 50;
/** What differs between any two environments: ids, hashes, times, counts of what users did, and addresses of storage. */
const IGNORED = new Set([
  ...['id', 'org_id', 'wallet_id', 'fqdn', 'hash', 'custom_hash', 'content_hash', 'state_root', 'integrity_root'],
  ...['when_created', 'when_modified', 'minted_count', 'path', 'provider'],
]);
/** Their content belongs to people: everything in it counts, and so does its order. */
const FREE_FORM = new Set(['custom', 'config', 'values', 'tokens']);
/** An id that is found within a text: a shorter one could be a word. */
const LONG_ID = /^[\w-]{8,}$/;

/**
 * Compares what was read. `mapping`: ids of the first environment with those of the second, for what neither an equal id
 * nor an equal name matches.
 */
export function compareInventories(
  from: Inventory,
  to: Inventory,
  mapping: Readonly<Record<string, string>> = {},
): Comparison {
  const unread = new Map([...from.unread, ...to.unread]);
  const kinds = COMPARED_KINDS.filter((kind) => !unread.has(kind));
  const pairs = kinds.flatMap((kind) => matchItems(getItems(from, kind), getItems(to, kind), mapping));
  const ids = new Map(Object.entries(mapping));
  for (const [label, id] of from.organizations) ids.set(id, to.organizations.get(label) ?? id);
  for (const [one, other] of pairs) if (one !== undefined && other !== undefined) ids.set(one.id, other.id);
  const replaceIds = createReplacer(ids);
  const differences = pairs.flatMap(([one, other]): readonly Difference[] => {
    const { kind, name } = other ?? one ?? { kind: 'templates', name: '' };
    const before = one && { id: one.id, value: normalize(kind, one.raw, replaceIds) };
    const after = other && { id: other.id, value: normalize(kind, other.raw, (text) => text) };
    if (before === undefined || after === undefined)
      return [
        {
          ...{ kind, name, change: before === undefined ? 'added' : 'removed', details: [] },
          ...(before && { from: before }),
          ...(after && { to: after }),
        },
      ];
    const details = diffValues(before.value, after.value, MAX_DETAILS);
    return details.length === 0 ? [] : [{ kind, name, change: 'changed', from: before, to: after, details }];
  });
  return { differences, equal: pairs.length - differences.length, unread };
}

/** By name; several of one name by their content, so that equal ones meet. */
function getItems({ items }: Inventory, kind: ComparedKind): readonly InventoryItem[] {
  return items
    .filter((item) => item.kind === kind)
    .map((item) => ({ item, content: JSON.stringify(normalize(kind, item.raw, (text) => text)) }))
    .sort((a, b) => compareTexts(a.item.name, b.item.name) || compareTexts(a.content, b.content))
    .map(({ item }) => item);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Pair = readonly [InventoryItem | undefined, InventoryItem | undefined];

/** Pairs by the mapping, by equal ids, then by equal names; several of one name in their order. */
function matchItems(
  from: readonly InventoryItem[],
  to: readonly InventoryItem[],
  mapping: Readonly<Record<string, string>>,
): readonly Pair[] {
  const left = new Set(to);
  const find = (isMatch: (other: InventoryItem) => boolean): InventoryItem | undefined => {
    const found = [...left].find(isMatch);
    if (found !== undefined) left.delete(found);
    return found;
  };
  const known = from.map((one) => find(({ id }) => id === (Object.hasOwn(mapping, one.id) ? mapping[one.id] : one.id)));
  const pairs = from.map((one, index): Pair => {
    const other = known[index];
    return [one, other ?? find(({ name }) => !Object.hasOwn(mapping, one.id) && name === one.name)];
  });
  return [...pairs, ...[...left].map((other): Pair => [undefined, other])];
}

/** Returns a function that replaces the ids of the first environment, also within longer texts such as the content of a face. */
function createReplacer(ids: ReadonlyMap<string, string>): (text: string) => string {
  const others = [...ids].filter(([one, other]) => one !== other);
  const within = others.map(([one]) => one).filter((id) => LONG_ID.test(id));
  if (others.length === 0) return (text) => text;
  const pattern = within.length === 0 ? undefined : new RegExp(within.join('|'), 'g');
  return (text) => ids.get(text) ?? (pattern === undefined ? text : text.replace(pattern, (id) => ids.get(id) ?? id));
}

/** The resource without what is ignored; lists of named parts, whose order the contract does not show, by name. */
function normalize(kind: ComparedKind, raw: unknown, replaceIds: (text: string) => string): unknown {
  const walk = (value: unknown, isFree: boolean): unknown => {
    if (typeof value === 'string') return replaceIds(value);
    if (Array.isArray(value)) {
      const list = value.map((entry: unknown) => walk(entry, isFree));
      return isFree ? list : toNamed(list);
    }
    if (!isObject(value)) return value;
    const isAsset = typeof value['url'] === 'string' && kind !== 'faces';
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => isFree || !(IGNORED.has(name) || (name === 'url' && isAsset)))
        .sort(([a], [b]) => compareTexts(a, b))
        .map(([name, entry]) => [name, walk(entry, isFree || FREE_FORM.has(name))]),
    );
  };
  return walk(raw, false);
}

/** A list as an object by the names of its entries; without names, sorted. */
function toNamed(list: readonly unknown[]): unknown {
  const names = list.map((entry) => {
    const name = isObject(entry) ? (entry['name'] ?? entry['resource'] ?? entry['variant']) : undefined;
    return typeof name === 'string' ? name : undefined;
  });
  if (list.length > 0 && names.every((name) => name !== undefined) && new Set(names).size === names.length)
    return Object.fromEntries(names.map((name, index) => [name, list[index]]));
  return list
    .map((entry) => ({ entry, text: JSON.stringify(entry) }))
    .sort((a, b) => compareTexts(a.text, b.text))
    .map(({ entry }) => entry);
}
