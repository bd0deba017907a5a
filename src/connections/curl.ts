/** Pure: a request as a cURL command with what the connection holds; credentials are named, never written. */
import type { AnyQuery, Operation } from '../platform/operation.ts';
import { curlCommand } from '../platform/shell.ts';
import { urlOf } from '../platform/target.ts';
import type { Session } from './types.ts';

const API_KEY_VARIABLE = 'SMART_OBJECTS_API_KEY';
const TOKEN_VARIABLE = 'SMART_OBJECTS_ACCESS_TOKEN';

export type From = Pick<Session, 'holds'> & { readonly client: Pick<Session['client'], 'target'> };

/** The variables that the shell fills in, for a message; the body's are not. */
export function variablesOf(command: string): string {
  const options = command.replace(/^'[^]*' \|\n(?= {2}curl\.exe)/, '').replace(/ --data-raw [^]*/, '');
  const names = [API_KEY_VARIABLE, TOKEN_VARIABLE].flatMap((name) =>
    [`$${name}`, `$env:${name}`].filter((variable) => options.includes(variable)),
  );
  return names.join(' and ');
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
