/** Formats a request as a cURL command with shell variables for credentials. */
import { formatList } from '../../platform/text/localization.ts';
import type { AnyQuery, Operation } from '../../platform/operation.ts';
import { formatCurlCommand } from '../../model/text/shell.ts';
import { buildUrl } from '../../platform/target.ts';
import type { Session } from '../../model/session/session.ts';

export const API_KEY_VARIABLE = 'SMART_OBJECTS_API_KEY';
export const TOKEN_VARIABLE = 'SMART_OBJECTS_ACCESS_TOKEN';

export type CurlSession = Pick<Session, 'credentialKinds'> & { readonly client: Pick<Session['client'], 'target'> };

/** The credential variables that the shell expands, for a message. */
export function listCredentialVariables(command: string): string {
  const options = command.replace(/^'[^]*' \|\n(?= {2}curl\.exe)/, '').replace(/ --data-raw [^]*/, '');
  const names = [API_KEY_VARIABLE, TOKEN_VARIABLE].flatMap((name) =>
    [`$${name}`, `$env:${name}`].filter((variable) => options.includes(variable)),
  );
  return formatList(names);
}

/** Formats the command for the default shell. */
export function formatSessionCurl(
  session: CurlSession,
  operation: Operation,
  path: Readonly<Record<string, string>>,
  query: AnyQuery,
  body?: string,
): string {
  const { credentialKinds, client } = session;
  const { apiKeyHeader, tokenHeader, tokenPrefix } = client.target.credentialHeaderNames;
  const apiKey = { header: apiKeyHeader, prefix: '', variable: API_KEY_VARIABLE };
  const token = { header: tokenHeader, prefix: tokenPrefix, variable: TOKEN_VARIABLE };
  return formatCurlCommand({
    method: operation.method,
    url: buildUrl(client.target, operation, path, query).href,
    // The signed-out command still shows how a credential is sent.
    secrets: [
      ...(credentialKinds.has('accessToken') ? [token] : []),
      ...(credentialKinds.has('apiKey') || credentialKinds.size === 0 ? [apiKey] : []),
    ],
    ...(body !== undefined && { body }),
  });
}
