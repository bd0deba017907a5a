/** Pure: what a command of the logs was given, read defensively: a resource, a tree row, a document's address, or the state of a view. */
import { viewState, type Filters, type ViewState } from '../webviews/protocol-logs.ts';

export interface Given {
  readonly connection?: string;
  readonly organization?: string;
  readonly kind?: string;
  readonly id?: string;
}

export function stateOf(argument: unknown): ViewState | undefined {
  const read = viewState.safeParse(argument);
  return read.success ? read.data : undefined;
}

/** A tree row carries its resource in a field of that name. */
export function givenOf(argument: unknown): Given {
  if (typeof argument === 'string') return { connection: argument };
  if (typeof argument !== 'object' || argument === null) return {};
  const field = (name: string): string | undefined => word(Reflect.get(argument, name));
  if (field('scheme') === 'smartobject') return ofDocument(field('path') ?? '');
  const resource: unknown = Reflect.get(argument, 'resource');
  const inner = typeof resource === 'object' && resource !== null ? givenOf(resource) : {};
  return withoutUndefined({
    connection: inner.connection ?? field('connection'),
    organization: field('organization'),
    kind: inner.kind ?? field('kind'),
    id: inner.id ?? field('id'),
  });
}

/** `/<connection>/<kind>/<id>.json`; a few characters of a name or an id are escaped in it. */
function ofDocument(path: string): Given {
  const [, connection, kind, ...rest] = path
    .replace(/\.json$/, '')
    .split('/')
    .map(decoded);
  return withoutUndefined({
    connection: word(connection),
    kind: word(kind),
    id: word(rest.join('/')),
    organization: undefined,
  });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The filters that a resource or row stands for; a row without a resource stands for its connection. */
export function filtersOf({ connection, organization, kind, id }: Given): Filters | undefined {
  if (connection === undefined) return undefined;
  const base: Filters = {
    connections: [connection],
    organizations: organization === undefined ? [] : [organization],
    range: 'latest',
  };
  if (id === undefined) return base;
  switch (kind) {
    case 'objects':
      return { ...base, object: id };
    case 'batches':
      return { ...base, batch: id };
    case 'action-logs':
      return { ...base, action: id };
    case 'wallets':
      return { ...base, wallet: id };
    default:
      return base;
  }
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 300 ? value : undefined;
}

function withoutUndefined(of: { readonly [Name in keyof Given]: string | undefined }): Given {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined));
}
