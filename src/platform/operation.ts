/** An operation of the contract as data: method, path, query parameters, permission, and whether repeating is safe. */
import type { ResourceName } from './resources/permission.ts';

/** One query parameter and how a person or a program may fill it. */
export type Parameter =
  | { readonly type: 'text'; readonly about: string; readonly suggestions?: readonly string[] }
  /** the identifier of a resource of that kind; `organizations` have no list */
  | { readonly type: 'id'; readonly kind: string; readonly about: string }
  | { readonly type: 'enum'; readonly about: string; readonly values: readonly string[] }
  /** sent as the connection's `query.flag`, or as `false`; `beside`: only adds to the answer, so that false is not sent */
  | { readonly type: 'flag'; readonly about: string; readonly beside?: boolean }
  /** `[$gt]`, `[$gte]`, `[$lt]`, `[$lte]` */
  | { readonly type: 'dates'; readonly about: string }
  /** `max` where the contract names one */
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

type ValueOf<P extends Parameter> = P extends { type: 'flag' }
  ? boolean
  : P extends { type: 'dates' }
    ? DateRange
    : P extends { type: 'limit' }
      ? number
      : P extends { type: 'order' }
        ? 'ascending' | 'descending'
        : string;

/** The values a caller may give for a set of parameters. */
export type QueryOf<P extends Parameters> = { readonly [Name in keyof P]?: ValueOf<P[Name]> | undefined };
/** Any operation's query, for callers that read the parameters at run time. */
export type AnyQuery = Readonly<Record<string, string | number | boolean | DateRange | undefined>>;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
/** `/templates/{templateId}` → `{ templateId: string }` */
export type PathOf<Path extends string> = Readonly<Record<Names<Path>, string>>;

export type Verb = 'read' | 'create' | 'update' | 'delete';

export interface Operation<Path extends string = string, P extends Parameters = Parameters> {
  readonly method: 'GET' | 'POST';
  readonly path: Path;
  readonly query: P;
  /** may be sent again after a failure, merged with an equal one in flight, and redirected */
  readonly repeatable: boolean;
  /** what the caller's role must grant; absent where the contract has no such permission */
  readonly permission?: { readonly resource: ResourceName; readonly verb: Verb };
  /** query parameters whose value is redacted wherever the URL appears */
  readonly secretQuery?: readonly string[];
  /** an answer that is refused or of no use is carried by its error, whole */
  readonly keepsAnswer?: boolean;
}

/** Keeps the literal types of an operation, so that its parameters are checked where it is called. */
export function operation<const Path extends string, const P extends Parameters>(
  row: Operation<Path, P>,
): Operation<Path, P> {
  return row;
}

/** `GET /objects/{objectId}`: names an operation without values. */
export function nameOf(row: Operation): string {
  return `${row.method} ${row.path}`;
}

const dates = (what: string): Parameter => ({ type: 'dates', about: `when it was ${what}` });

/** Parameters that many lists share, worded once. */
export const shared = {
  id: { type: 'text', about: 'identifier' },
  org_id: { type: 'id', kind: 'organizations', about: 'organization' },
  name: { type: 'text', about: 'name' },
  autocomplete: { type: 'text', about: 'search term' },
  limit: { type: 'limit', max: 100 },
  next: { type: 'cursor' },
  order: { type: 'order' },
  sortBy: { type: 'text', about: 'field to sort by' },
  when_created: dates('created'),
  when_modified: dates('modified'),
} as const satisfies Parameters;
