/** Pure: a request as a cURL command, one that reads a resource or a list too; credentials are named, never written. */
import type { Session } from '../connections/types.ts';
import { PlatformError } from '../platform/errors.ts';
import type { AnyQuery, Operation } from '../platform/operation.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { curlCommand } from '../platform/shell.ts';
import { urlOf } from '../platform/target.ts';
import { idSegments } from './uri.ts';

const API_KEY_VARIABLE = 'SMART_OBJECTS_API_KEY';
const TOKEN_VARIABLE = 'SMART_OBJECTS_ACCESS_TOKEN';

export type From = Pick<Session, 'holds'> & { readonly client: Pick<Session['client'], 'target'> };

/** Throws PlatformError where no operation of the contract reads such a resource. */
export function curlOfResource(session: From, row: ResourceRow, id: string): string {
  const how = row.read;
  switch (how.by) {
    case 'path': {
      const segments = idSegments(row.kind, id);
      const operation = how.variants?.[segments.at(-1) ?? ''] ?? how.operation;
      const path = Object.fromEntries(how.parameters.map((name, index) => [name, segments[index] ?? '']));
      return curl(session, operation, path, {});
    }
    case 'filter':
      return curlOfList(session, row, { id });
    case 'paging':
      return curlOfList(session, row, { limit: 100 });
    case 'held':
      throw new PlatformError('notFound', `The contract reads no ${row.singular} by its id`, { sent: false });
  }
}

export function curlOfList(session: From, row: ResourceRow, query: AnyQuery): string {
  if (row.list === undefined)
    throw new PlatformError('contract', `The contract has no list of ${row.label.toLowerCase()}`, { sent: false });
  return curl(session, row.list.operation, {}, query);
}

/** The variables that the shell is to fill in, in words; what the body says is not filled in. */
export function variablesOf(command: string): string {
  const head = command.replace(/ --data-raw [^]*/, '');
  return [API_KEY_VARIABLE, TOKEN_VARIABLE].flatMap((name) => (head.includes(name) ? `$${name}` : [])).join(' and ');
}

export function curl(
  session: From,
  operation: Operation,
  path: Readonly<Record<string, string>>,
  query: AnyQuery,
  body?: string,
): string {
  const { holds, client } = session;
  const { apiKeyHeader, tokenHeader, tokenPrefix } = client.target.presentation;
  const apiKey = { header: apiKeyHeader, prefix: '', variable: API_KEY_VARIABLE };
  const token = { header: tokenHeader, prefix: tokenPrefix, variable: TOKEN_VARIABLE };
  return curlCommand({
    method: operation.method,
    url: urlOf(client.target, operation, path, query).href,
    // Signed out, the command still shows how a credential is presented.
    secrets: [
      ...(holds.has('accessToken') ? [token] : []),
      ...(holds.has('apiKey') || holds.size === 0 ? [apiKey] : []),
    ],
    ...(body !== undefined && { body }),
  });
}
