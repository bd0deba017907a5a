/** Compares two environments: what differs in meaning, not by ids, times, hashes or an order that means nothing. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { diffValues } from '../logs/history/diff-values.ts';
import { isObject } from '../platform/json/json.ts';
import { tryParseJson } from '../platform/json/parse-json.ts';
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
  /** those of the given kinds that were not compared, with the reason */
  readonly unread: ReadonlyMap<ComparedKind, string>;
  /** those of `unread` that both environments can have: a folder never has more than templates and faces */
  readonly missed: readonly ComparedKind[];
  /** number of templates of which only the public fields were compared */
  readonly partial: number;
}

/** Paths of a changed resource that are listed. */
const MAX_DETAILS = 50;
/** What differs between any two environments: ids, hashes, times, and counts of what users did. */
const IGNORED = new Set([
  ...['id', 'org_id', 'wallet_id', 'fqdn', 'hash', 'custom_hash', 'content_hash', 'state_root', 'integrity_root'],
  ...['when_created', 'when_modified', 'minted_count'],
]);
/** Fields with an asset, and those of it that say where it is stored. */
const ASSETS = new Set(['image', 'assets', 'avatar']);
const STORAGE = new Set(['url', 'path', 'provider']);
/** Their content belongs to people: everything in it counts, and so does its order. */
export const FREE_FORM = new Set(['custom', 'config', 'values', 'tokens']);
/** A shorter id could be a word or a number, and is only replaced in a field with an id. */
const MIN_ID_LENGTH = 8;
const ADDRESS_OR_ID = /https?:\/\/[^\s"'`<>()\\]+|[\w-]{8,}/g;

/** IDs of the first environment with those of the second; an empty one: has no counterpart. */
export type Mapping = Readonly<Record<string, string>>;

/** Parses a mapping: a JSON object of IDs; `undefined` for anything else. */
export function parseMapping(text: string): Mapping | undefined {
  return z.safeParse(z.record(z.string(), z.string()), tryParseJson(text)).data;
}

/** What is known of the ids of one environment. */
interface Names {
  /** ids of assets, and of organizations that both have: they say which one is meant, so they count */
  readonly counted: ReadonlySet<string>;
  /** faces were not read: which of them is meant is unknown */
  readonly ignoresFaces?: boolean;
  /** returns the text as the second environment has it; `isId`: it is nothing but an id */
  readonly replace: (text: string, isId: boolean) => string;
}
const NO_NAMES: Names = { counted: new Set(), replace: (text) => text };

/**
 * Compares what was read. `mapping`: ids of the first environment with those of the second, before names, equal ids and,
 * for assets, tags. `kinds`: of the result; all are matched, since resources refer to those of other kinds.
 */
export function compareInventories(
  from: Inventory,
  to: Inventory,
  mapping: Mapping = {},
  kinds: readonly ComparedKind[] = COMPARED_KINDS,
): Comparison {
  const unread = new Map([...from.unread, ...to.unread]);
  // Organizations and their default roles are only read as far as a connection names them.
  const areNamed = [from, to].every(({ items }) => items.some(({ kind }) => kind === 'organizations'));
  const reason = l10n.t('The organizations must be added to both connections');
  for (const kind of ['organizations', 'roles'] as const) if (!areNamed && !unread.has(kind)) unread.set(kind, reason);
  const ids = new Map(Object.entries(mapping));
  // The default role of an organization belongs to it.
  const all = {
    ...mapping,
    ...Object.fromEntries([...ids].map(([one, other]) => [`${one}/default`, `${other}/default`])),
  };
  const counted = [from, to].map(
    ({ items }) => new Set(items.flatMap(({ kind, id }) => (kind === 'assets' && !unread.has(kind) ? [id] : []))),
  );
  const [countedFrom = new Set(), countedTo = new Set()] = counted;
  const pairs: Pair[] = [];
  for (const kind of COMPARED_KINDS) {
    if (unread.has(kind)) continue;
    const matched = matchItems(
      getCandidates(from, kind, (owner) => (countedFrom.has(owner) ? ids.get(owner) : undefined)),
      getCandidates(to, kind, (owner) => (countedTo.has(owner) ? owner : undefined)),
      all,
    );
    if (kinds.includes(kind)) pairs.push(...matched);
    for (const [one, other] of matched) {
      if (one === undefined || other === undefined) continue;
      ids.set(one.id, other.id);
      if (kind === 'organizations') [one, other].forEach(({ id }, index) => counted[index]?.add(id));
      const { url } = one.raw;
      if (kind === 'assets' && typeof url === 'string') ids.set(url, String(other.raw['url']));
    }
  }
  const ignoresFaces = unread.has('faces');
  const names = { counted: countedFrom, ignoresFaces, replace: createReplacer(ids) };
  const otherNames = { ...NO_NAMES, counted: countedTo, ignoresFaces };
  const differences = pairs.flatMap(([one, other]): readonly Difference[] => {
    const { kind, name } = other ?? one ?? { kind: 'templates', name: '' };
    const isPartial = one?.isPartial === true || other?.isPartial === true;
    const before = one && { id: one.id, value: normalize(one, names, isPartial) };
    const after = other && { id: other.id, value: normalize(other, otherNames, isPartial) };
    if (before === undefined || after === undefined)
      return [
        {
          kind,
          name,
          change: before === undefined ? 'added' : 'removed',
          details: [],
          ...(before && { from: before }),
          ...(after && { to: after }),
        },
      ];
    const details = diffValues(before.value, after.value, MAX_DETAILS);
    return details.length === 0 ? [] : [{ kind, name, change: 'changed', from: before, to: after, details }];
  });
  const partial = pairs.filter((pair) => pair.some((item) => item?.isPartial === true)).length;
  const notCompared = new Map([...unread].filter(([kind]) => kinds.includes(kind)));
  const missed = [...notCompared.keys()].filter(
    (kind) => ![from, to].some((side) => side.pulledFrom !== undefined && side.unread.has(kind)),
  );
  return { differences, equal: pairs.length - differences.length, unread: notCompared, missed, partial };
}

/** A resource with what it is matched by, if others have its name. */
interface Candidate {
  readonly item: InventoryItem;
  /** its organization in the second environment; empty: unknown */
  readonly owner: string;
  readonly content: string;
}

/** By name, then by content: the order of the platform does not matter. */
function getCandidates(
  { items }: Inventory,
  kind: ComparedKind,
  getOwner: (id: string) => string | undefined,
): readonly Candidate[] {
  return items
    .filter((item) => item.kind === kind)
    .map((item) => ({
      item,
      owner: getOwner(String(item.raw['org_id'])) ?? '',
      content: JSON.stringify(normalize(item, NO_NAMES)),
    }))
    .sort((a, b) => compareTexts(a.item.name, b.item.name) || compareTexts(a.content, b.content));
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Pair = readonly [InventoryItem | undefined, InventoryItem | undefined];

/** Pairs by the mapping, by names (of equal ones: by id, organization and content), by equal ids, then assets by a tag or name that only one has. */
function matchItems(from: readonly Candidate[], to: readonly Candidate[], mapping: Mapping): readonly Pair[] {
  const pairs = new Map<Candidate, Candidate>();
  const left = new Set(to);
  const match = (
    ones: readonly Candidate[],
    getKey: (one: Candidate) => string,
    { getOther = getKey, isOnly = false } = {},
  ): void => {
    const groups = Map.groupBy(
      ones.filter((one) => !pairs.has(one)),
      getKey,
    );
    const others = Map.groupBy(left, getOther);
    for (const [key, group] of groups) {
      const found = others.get(key) ?? [];
      if (key === '' || (isOnly && (group.length > 1 || found.length > 1))) continue;
      for (const [index, one] of group.entries()) {
        const other = found[index];
        if (other === undefined) break;
        pairs.set(one, other);
        left.delete(other);
      }
    }
  };
  const isMapped = ({ item }: Candidate): boolean => Object.hasOwn(mapping, item.id);
  match(from.filter(isMapped), ({ item }) => mapping[item.id] ?? '', { getOther: ({ item }) => item.id });
  const others = from.filter((one) => !isMapped(one));
  match(others, ({ item }) => JSON.stringify([item.id, item.name]));
  match(others, ({ item, owner, content }) => JSON.stringify([item.name, owner, content]));
  match(others, ({ item, owner }) => JSON.stringify([item.name, owner]));
  match(others, ({ item }) => JSON.stringify(item.name));
  match(others, ({ item }) => item.id);
  for (const field of ['tag', 'name']) match(others, (one) => getAssetField(one, field), { isOnly: true });
  return [
    ...from.map((one): Pair => [one.item, pairs.get(one)?.item]),
    ...[...left].map(({ item }): Pair => [undefined, item]),
  ];
}

function getAssetField({ item: { kind, raw } }: Candidate, field: string): string {
  const value = kind === 'assets' ? raw[field] : '';
  return typeof value === 'string' ? value : '';
}

/** Replaces ids of the first environment, also within longer texts such as the content of a face. */
function createReplacer(ids: ReadonlyMap<string, string>): Names['replace'] {
  const within = [...ids.keys()].filter((id) => id.length >= MIN_ID_LENGTH && /^[\w-]+$/.test(id));
  if (ids.size === 0) return NO_NAMES.replace;
  // The longest first: one id may be the start of another.
  within.sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?<![A-Za-z\\d])(?:${within.join('|')})(?![A-Za-z\\d])`, 'g');
  const get = (text: string): string => ids.get(text) ?? text;
  const replacePart = (part: string): string =>
    ids.get(part) ?? (within.length === 0 ? part : part.replace(pattern, get));
  return (text, isId) =>
    isId || text.length >= MIN_ID_LENGTH ? (ids.get(text) ?? text.replace(ADDRESS_OR_ID, replacePart)) : text;
}

/**
 * The resource without what is ignored; lists of named parts, whose order the contract does not show, by name. `isPartial`:
 * without what only the full template has.
 */
function normalize(
  { kind, raw }: InventoryItem,
  { counted, ignoresFaces, replace }: Names,
  isPartial = false,
): unknown {
  const isIgnored = (parent: string, name: string, value: unknown): boolean => {
    if (STORAGE.has(name)) return ASSETS.has(parent) || (parent === '' && kind === 'assets');
    if (isPartial && ((parent === '' && name === 'public_access') || (parent === 'object' && name === 'assets')))
      return true;
    if (ignoresFaces === true && parent === '' && name === 'face_id') return true;
    const isReference = (name === 'id' && parent !== '') || name === 'org_id';
    return IGNORED.has(name) && !(isReference && typeof value === 'string' && counted.has(value));
  };
  const walk = (value: unknown, parent: string, isFree: boolean): unknown => {
    if (typeof value === 'string') {
      const isContent = parent === 'content' && !isFree;
      const text = isContent ? value.replace(/^\ufeff/, '').replaceAll('\r\n', '\n') : value;
      return replace(text, !isFree && /(?:^|_)id$/.test(parent));
    }
    if (Array.isArray(value)) {
      const list = value.map((entry: unknown) => walk(entry, parent, isFree));
      return isFree ? list : toNamed(list.filter((entry) => entry !== null));
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, entry]) => isFree || !(isEmpty(entry, name) || isIgnored(parent, name, entry)))
        .sort(([a], [b]) => compareTexts(a, b))
        // In `public_access` there are names of custom fields.
        .map(([name, entry]) => [
          name,
          walk(entry, name, isFree || (FREE_FORM.has(name) && parent !== 'public_access')),
        ]),
    );
  };
  return walk(raw, '', false);
}

/** Deployments leave out what others send as null, or as an empty text, list or object; also an object of nothing else. */
function isEmpty(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.every((entry) => entry === null);
  if (!isObject(value)) return value === null || value === '';
  const fields = Object.entries(value);
  return FREE_FORM.has(name) ? fields.length === 0 : fields.every(([field, entry]) => isEmpty(entry, field));
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
