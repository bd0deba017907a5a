/** An operation of the contract as data: method, path, query parameters, permission, and whether repeating is safe. */
import * as l10n from '@vscode/l10n';
import type { ResourceName } from './resources/permission.ts';

/** One query parameter: its type, description and suggested values. */
export type Parameter =
  /** `account`: the address or name of an account, which may have a label */
  | {
      readonly type: 'text';
      readonly about: string;
      readonly suggestions?: readonly string[];
      readonly account?: true;
    }
  /** the identifier of a resource of that kind; `organizations` have no list */
  | { readonly type: 'id'; readonly kind: string; readonly about: string }
  | { readonly type: 'enum'; readonly about: string; readonly values: readonly string[] }
  /** sent as the connection's `query.flag`, or as `false`; with `addsFields`, `false` is the default and not sent */
  | { readonly type: 'flag'; readonly about: string; readonly addsFields?: boolean }
  /** `[$gt]`, `[$gte]`, `[$lt]`, `[$lte]` */
  | { readonly type: 'dates'; readonly about: string }
  /** `max` if the contract names one */
  | { readonly type: 'limit'; readonly max?: number }
  | { readonly type: 'cursor' }
  /** sent as the connection's `query.ascending` or `query.descending` */
  | { readonly type: 'order' };

export type Parameters = Readonly<Record<string, Parameter>>;

export interface DateRange {
  readonly gt?: Date | string;
  readonly gte?: Date | string;
  readonly lt?: Date | string;
  readonly lte?: Date | string;
}

type ParameterValue<P extends Parameter> = P extends { type: 'flag' }
  ? boolean
  : P extends { type: 'dates' }
    ? DateRange
    : P extends { type: 'limit' }
      ? number
      : P extends { type: 'order' }
        ? 'ascending' | 'descending'
        : string;

/** The values for a set of parameters. */
export type OperationQuery<P extends Parameters> = { readonly [Name in keyof P]?: ParameterValue<P[Name]> | undefined };
/** The query of any operation, for callers that know the parameters only at run time. */
export type AnyQuery = Readonly<Record<string, string | number | boolean | DateRange | undefined>>;

type PathParameterName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameterName<Rest>
  : never;
/** `/templates/{templateId}` → `{ templateId: string }` */
export type PathParameters<Path extends string> = Readonly<Record<PathParameterName<Path>, string>>;

export type Verb = 'read' | 'create' | 'update' | 'delete';

export interface Operation<Path extends string = string, P extends Parameters = Parameters> {
  readonly method: 'GET' | 'POST';
  readonly path: Path;
  readonly query: P;
  /** the request may be retried, shared with an equal one in flight, and redirected */
  readonly repeatable: boolean;
  /** the permission that the caller needs; absent if the contract names none */
  readonly permission?: { readonly resource: ResourceName; readonly verb: Verb };
  /** query parameters whose values are redacted in logs and errors */
  readonly secretQuery?: readonly string[];
  /** errors carry the full response in `detail.body` */
  readonly keepsErrorBody?: boolean;
}

/** Keeps the literal types of an operation, so that callers' parameters are type-checked. */
export function defineOperation<const Path extends string, const P extends Parameters>(
  operation: Operation<Path, P>,
): Operation<Path, P> {
  return operation;
}

/** The name of an operation, without values: `GET /objects/{objectId}`. */
export function getOperationName(operation: Operation): string {
  return `${operation.method} ${operation.path}`;
}

/** Parameters that many lists have. */
export const sharedParameters = {
  id: { type: 'text', about: l10n.t('identifier') },
  org_id: { type: 'id', kind: 'organizations', about: l10n.t('organization') },
  name: { type: 'text', about: l10n.t('name') },
  autocomplete: { type: 'text', about: l10n.t('search term') },
  when_created: { type: 'dates', about: l10n.t('creation date') },
  when_modified: { type: 'dates', about: l10n.t('modification date') },
} as const satisfies Parameters;

/** Parameters of lists that are read in pages and in an order. */
export const pageParameters = {
  limit: { type: 'limit', max: 100 },
  next: { type: 'cursor' },
  order: { type: 'order' },
  sortBy: { type: 'text', about: l10n.t('field to sort by') },
} as const satisfies Parameters;
