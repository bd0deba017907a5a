/** What a row of the registry says about one kind of resource: everything the tree, documents, search and sandbox need. */
import * as z from 'zod/mini';
import type { Operation, Parameters } from './operation.ts';
import { viewOf, type ViewOf } from './schema.ts';

export type Tone = 'ok' | 'busy' | 'bad' | 'unknown';

/** How a row looks in a list. Texts may be hostile: whoever shows them cuts and escapes. */
export interface Summary {
  readonly title: string;
  /** what tells rows apart, most telling first */
  readonly details: readonly string[];
  /** the state in the server's own word, and how to colour it */
  readonly state?: { readonly word: string; readonly tone: Tone };
  /** ISO 8601; shown as relative time */
  readonly when?: string;
}

export interface ListRow {
  readonly operation: Operation;
  /** name of the array in the answer */
  readonly key: string;
  /** the contract calls the array itself required */
  readonly keyRequired?: boolean;
  /** schema of an item, where it differs from the kind's own */
  readonly schema?: z.core.SomeType;
}

/** How one resource is read by its identifier. */
export type ReadRow =
  /** an operation of its own, whose path ends in the identifier */
  | {
      readonly by: 'path';
      readonly operation: Operation;
      readonly parameters: readonly string[];
      /** last segments that have an operation of their own */
      readonly variants?: Readonly<Record<string, Operation>>;
    }
  /** the list, filtered by `?id=` */
  | { readonly by: 'filter' }
  /** the list, page by page */
  | { readonly by: 'paging' }
  /** not at all: only held from another answer */
  | { readonly by: 'held' };

export interface ResourceRow<S extends z.core.SomeType = z.core.SomeType> {
  /** last-but-one segment of a document's URI */
  readonly kind: string;
  /** the tree's label, plural */
  readonly label: string;
  /** one of them, lower case, for sentences */
  readonly singular: string;
  /** codicon */
  readonly icon: string;
  /** where the tree puts its section */
  readonly section: 'organization' | 'connection' | 'none';
  readonly schema: S;
  readonly list?: ListRow;
  readonly read: ReadRow;
  /** property names whose value is a secret in this kind, besides those that are secret everywhere */
  readonly secretNames?: readonly string[];
  /** field paths that hold the id of another resource: `affected_objects[].template_id` → `templates` */
  readonly references: Readonly<Record<string, string>>;
  /** field paths that hold a hash or address, and the link template of the connection that opens it */
  readonly links?: Readonly<Record<string, 'transaction' | 'action' | 'account' | 'object' | 'template'>>;
  /** for one item of the list or one that was read; never throws, whatever the server sent */
  summary(raw: unknown): Summary;
}

/** A row of the registry from its own view of a summary; keeps the row's literal types. */
export function resource<S extends z.core.SomeType, const Row extends Omit<ResourceRow<S>, 'schema' | 'summary'>>(
  row: Row & { readonly schema: S; summary(view: ViewOf<S>, raw: unknown): Summary },
): Omit<Row, 'summary'> & Pick<ResourceRow<S>, 'schema' | 'summary'> {
  return {
    ...row,
    summary(raw) {
      const view = viewOf(row.schema, raw);
      return view === undefined ? { title: `not ${articleOf(row)}`, details: [] } : row.summary(view, raw);
    },
  };
}

const SORTED_BY = ['when_created', 'when_modified', 'name'] as const;

/** What to suggest for `sortBy`, whose values the contract does not show: common fields, as far as the list's items have them. */
export function sortFields({ list, schema }: ResourceRow): readonly string[] {
  const item = list?.schema ?? schema;
  return item instanceof z.ZodMiniObject ? SORTED_BY.filter((field) => Object.hasOwn(item.shape, field)) : [];
}

/** Several of a kind, for sentences: `API keys`. */
export function pluralOf({ singular }: Pick<ResourceRow, 'singular'>): string {
  return /(?:ch|sh|s|x)$/.test(singular) ? `${singular}es` : `${singular}s`;
}

/** One of a kind with its article: `an object`. */
export function articleOf({ singular }: Pick<ResourceRow, 'singular'>): string {
  return `${/^[aeiou]/i.test(singular) ? 'an' : 'a'} ${singular}`;
}

/** The parameters that a list's operation accepts. */
export function parametersOf(list: ListRow): Parameters {
  return list.operation.query;
}

/** Drops what is absent. */
export function present(...values: readonly (string | number | bigint | undefined | null | false)[]): string[] {
  return values.filter((value) => value !== undefined && value !== null && value !== false && value !== '').map(String);
}
