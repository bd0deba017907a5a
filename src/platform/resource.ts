/** The definition of a resource kind: what tree, documents, search and sandbox need to know about it. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import type { Operation } from './operation.ts';
import type { Fact } from './resources/facts.ts';
import { createView, getShape, type SchemaView } from './schema.ts';

export type Tone = 'ok' | 'busy' | 'bad' | 'unknown';

/** The texts of a list row. Untrusted: sanitize and cut them before display. */
export interface ItemSummary {
  readonly title: string;
  /** the title is no name: an edition, or the id; `getTitle` of its template gives it one, see `getItemTitle` */
  readonly isUnnamed?: boolean;
  /** distinguishing values, most useful first */
  readonly details: readonly string[];
  /** the state as the server names it, and its tone */
  readonly state?: { readonly label: string; readonly tone: Tone };
  /** ISO 8601; displayed as relative time */
  readonly when?: string;
}

export interface ListDefinition {
  readonly operation: Operation;
  /** name of the array in the response */
  readonly key: string;
  /** the contract requires the array */
  readonly keyRequired?: boolean;
  /** schema of an item, if it differs from the kind's own */
  readonly schema?: z.core.SomeType;
}

/** How one resource is read by its identifier. */
type ReadDefinition =
  /** an operation of its own, whose path ends in the identifier */
  | {
      readonly by: 'path';
      readonly operation: Operation;
      readonly parameters: readonly string[];
      /** special last segments such as `default`, with their operations; in the order of the tree */
      readonly variants?: Readonly<Record<string, { readonly operation: Operation; readonly label: string }>>;
    }
  /** the list, filtered by `?id=` */
  | { readonly by: 'filter' }
  /** the list, page by page */
  | { readonly by: 'paging' }
  /** no read operation: only from the local cache of another response */
  | { readonly by: 'cache' };

/** What a connection can have a link template for. */
export const LINK_KINDS = ['transaction', 'object', 'template', 'action', 'account'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/**
 * What a resource offers besides its document: the preview of its face or of the file itself, its state history, the
 * action logs that name it, and a new action file about it.
 */
export type ResourceFeature = 'face' | 'filePreview' | 'history' | 'actionLogs' | 'actionFile';

export interface ResourceDefinition<S extends z.core.SomeType = z.core.SomeType> {
  /** the kind's name, also a segment of document URIs */
  readonly kind: string;
  /** the tree's label, plural */
  readonly label: string;
  /** singular, lower case, for sentences */
  readonly singular: string;
  /** codicon */
  readonly icon: string;
  /** the tree's parent of its section */
  readonly section: 'organization' | 'connection' | 'none';
  readonly schema: S;
  readonly list?: ListDefinition;
  readonly read: ReadDefinition;
  /** property names whose values are secret in this kind, besides those that are secret everywhere */
  readonly secretNames?: readonly string[];
  /** field paths that hold the id of another resource: `affected_objects[].template_id` → `templates` */
  readonly references: Readonly<Record<string, string>>;
  /** field paths that hold a hash or address, and the link template of the connection that opens it */
  readonly links?: Readonly<Record<string, LinkKind>>;
  /** the link template that opens a resource by its id */
  readonly idLink?: LinkKind;
  readonly features?: readonly ResourceFeature[];
  /** field with the id of the template it is made from, which gives it its picture and the common part of its name */
  readonly templateField?: string;
  /** True if `raw` is an earlier state of a resource than `known`, which is kept then. Never throws. */
  readonly isOlder?: (raw: unknown, known: unknown) => boolean;
  /** The texts of an item. Never throws, whatever the server sent. */
  summary(raw: unknown): ItemSummary;
  /** properties that the tree shows below a resource; never throws */
  facts?(raw: unknown): readonly Fact[];
  /** the facts of kinds with many as a group, and the fields that they describe */
  readonly factGroup?: { readonly label: string; readonly fields: readonly string[] };
}

/** Creates a definition whose `summary` gets a typed view. Keeps the literal types of its fields. */
export function defineResource<
  S extends z.core.SomeType,
  const Row extends Omit<ResourceDefinition<S>, 'schema' | 'summary' | 'facts'>,
>(
  definition: Row & {
    readonly schema: S;
    summary(view: SchemaView<S>, raw: unknown): ItemSummary;
    facts?(view: SchemaView<S>, raw: unknown): readonly Fact[];
  },
): Omit<Row, 'summary' | 'facts'> & Pick<Required<ResourceDefinition<S>>, 'schema' | 'summary' | 'facts'> {
  return {
    ...definition,
    summary(raw) {
      const view = createView(definition.schema, raw);
      return view === undefined
        ? { title: l10n.t('Invalid resource ({0})', definition.singular), details: [] }
        : definition.summary(view, raw);
    },
    facts(raw) {
      const view = createView(definition.schema, raw);
      return view === undefined ? [] : (definition.facts?.(view, raw) ?? []);
    },
  };
}

const SORT_FIELDS = ['when_created', 'when_modified', 'name'] as const;

/** Suggestions for `sortBy`, whose values the contract does not show: the common fields that the list's items have. */
export function getSortFields({ list, schema }: ResourceDefinition): readonly string[] {
  const shape = getShape(list?.schema ?? schema) ?? {};
  return SORT_FIELDS.filter((field) => Object.hasOwn(shape, field));
}

/** Whether resources of the kind are identified by `organization/id`. */
export function isOwnedByOrganization({ read }: Pick<ResourceDefinition, 'read'>): boolean {
  return read.by === 'path' && read.parameters.length > 1;
}

/** Whether the kind has no list, so that only references lead to its resources. */
export function isUnlisted(row: Pick<ResourceDefinition, 'list' | 'read'> | undefined): boolean {
  return row?.read.by === 'path' && row.list === undefined;
}

/** The plural of a kind in English, for sentences of the terminal: `API keys`. */
export function formatPlural({ singular }: Pick<ResourceDefinition, 'singular'>): string {
  return /(?:ch|sh|s|x)$/.test(singular) ? `${singular}es` : `${singular}s`;
}

/** The values as strings, without absent, false and empty ones. */
export function nonEmptyStrings(...values: readonly (string | number | bigint | undefined | null | false)[]): string[] {
  return values.filter((value) => value !== undefined && value !== null && value !== false && value !== '').map(String);
}
