/** Pure: where a resource leads: each id in it, each list that can be filtered by it, and the facts of its kind. */
import { isObject } from '../platform/json.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { factsOf } from './facts.ts';
import type { Filter } from './query.ts';

export type Child =
  /** to another resource, or an organization */
  | { readonly type: 'way'; readonly label: string; readonly kind: string; readonly id: string }
  /** to a list that is filtered by this resource */
  | { readonly type: 'list'; readonly label: string; readonly kind: string; readonly fixed: Filter }
  | {
      readonly type: 'fact';
      readonly label: string;
      readonly value: string;
      readonly icon: string;
      readonly url?: string;
    };

export type Rows = Readonly<Record<string, ResourceRow>>;

/** Ways of one field that are shown; a batch may hold thousands of actions. */
const MOST_WAYS = 50;

/**
 * The children of a resource whose JSON is `raw`. `organization`: the one in whose list it stood, where its own JSON
 * names none.
 */
export function childrenOf(rows: Rows, row: ResourceRow, raw: unknown, organization?: string): readonly Child[] {
  const id = isObject(raw) && typeof raw['id'] === 'string' && raw['id'] !== '' ? raw['id'] : undefined;
  const ways = waysOf(row, raw);
  const home =
    organization !== undefined && !ways.some((way) => way.type === 'way' && way.kind === 'organizations')
      ? [{ type: 'way', label: 'Organization', kind: 'organizations', id: organization } as const]
      : [];
  return [...factsOf(row.kind, raw), ...ways, ...(id === undefined ? [] : listsBy(rows, row.kind, id)), ...home];
}

/** Every list that takes the id of that kind as a parameter. */
export function listsBy(rows: Rows, kind: string, id: string): readonly Child[] {
  return Object.values(rows).flatMap((row) =>
    Object.entries(row.list?.operation.query ?? {}).flatMap(([name, parameter]): Child[] =>
      parameter.type === 'id' && parameter.kind === kind && kind !== 'organizations'
        ? [{ type: 'list', label: row.label, kind: row.kind, fixed: { [name]: id } }]
        : [],
    ),
  );
}

/**
 * What leads on from a wallet, which nothing reads: what it owns and what it did. `field` says how it was named: owners
 * and signers are addresses, `wallet_id` is an id.
 */
export function walletLists(rows: Rows, field: string, id: string): readonly Child[] {
  if (!/owner|signer|sender/i.test(field)) return listsBy(rows, 'wallets', id);
  return Object.values(rows).flatMap((row) =>
    Object.keys(row.list?.operation.query ?? {}).flatMap((name): Child[] =>
      name === 'owner' || name === 'signer'
        ? [{ type: 'list', label: row.label, kind: row.kind, fixed: { [name]: id } }]
        : [],
    ),
  );
}

export function waysOf(row: ResourceRow, raw: unknown): readonly Extract<Child, { type: 'way' | 'fact' }>[] {
  const seen = new Set<string>();
  return Object.entries(row.references).flatMap(([path, kind]) => {
    const label = fieldLabel(path);
    const ids = valuesAt(raw, path).filter((id) => {
      const name = `${label}\n${kind}\n${id}`;
      return !seen.has(name) && seen.add(name);
    });
    const shown = ids.slice(0, MOST_WAYS).map((id) => ({ type: 'way', label, kind, id }) as const);
    const rest = ids.length - shown.length;
    return rest === 0
      ? shown
      : [...shown, { type: 'fact', label, value: `${rest} more, in the document`, icon: 'ellipsis' } as const];
  });
}

/** The ids at a field path: `affected_objects[].template_id`. What is no text, or empty, leads nowhere. */
export function valuesAt(raw: unknown, path: string): readonly string[] {
  let parts: readonly unknown[] = [raw];
  for (const field of path.split('.')) {
    const name = field.replace(/\[\]$/, '');
    parts = parts.flatMap((part) => {
      const value = isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined;
      if (!field.endsWith('[]')) return [value];
      return Array.isArray(value) ? (value as readonly unknown[]) : [];
    });
  }
  return parts.filter((part) => typeof part === 'string' && part !== '' && part.length <= 1024).map(String);
}

/** `metadata.image.id` → `Image`, `affected_objects[].template_id` → `Template`, `owner` → `Owner` */
export function fieldLabel(path: string): string {
  const fields = path.split('.');
  const last = fields.at(-1) ?? path;
  const named = last === 'id' ? singular(fields.at(-2) ?? last) : last;
  const words = named
    .replace(/^org_id$/, 'organization')
    .replace(/_id$/, '')
    .replace(/^affected_/, '')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function singular(field: string): string {
  return field.endsWith('[]') ? field.slice(0, -2).replace(/s$/, '') : field;
}
