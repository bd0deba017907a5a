import { parseResource } from '../model/resources/parse-argument.ts';
import { viewStateSchema, type Filters, type ViewState } from '../webviews/protocol/logs.ts';

/** The resource or list that a command was called for; fields missing in its argument are absent. */
interface CommandArgument {
  readonly connection?: string;
  readonly organization?: string;
  readonly kind?: string;
  readonly id?: string;
}

/** Returns the argument if it is a complete view state. */
export function parseViewState(argument: unknown): ViewState | undefined {
  const read = viewStateSchema.safeParse(argument);
  return read.success ? read.data : undefined;
}

/**
 * Reads what a command was called with: a connection's name, a resource, the URI of its document, or a tree row. Fields
 * that are missing or malformed are left out.
 */
export function parseArgument(argument: unknown): CommandArgument {
  if (typeof argument === 'string') return { connection: argument };
  if (typeof argument !== 'object' || argument === null) return {};
  const resource = parseResource(argument);
  const read = (name: 'connection' | 'organization' | 'kind' | 'id'): string | undefined =>
    readString(resource !== undefined && name !== 'organization' ? resource[name] : Reflect.get(argument, name));
  return withoutUndefined({
    connection: read('connection'),
    organization: read('organization'),
    kind: read('kind'),
    id: read('id'),
  });
}

/**
 * Converts an argument to filters: by the id of its resource if logs can be filtered by that kind, else by
 * connection and organization. `undefined` without a connection.
 */
export function getFilters({ connection, organization, kind, id }: CommandArgument): Filters | undefined {
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

function readString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 300 ? value : undefined;
}

function withoutUndefined(fields: { readonly [Name in keyof CommandArgument]: string | undefined }): CommandArgument {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
