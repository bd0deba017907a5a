/** Formats a recorded request as code that sends it again; credentials are environment variables. */
import * as l10n from '@vscode/l10n';
import { API_KEY_VARIABLE, TOKEN_VARIABLE } from '../connections/session/session-curl.ts';
import { defaultShell, formatCurlCommand, type CurlRequest } from '../model/text/shell.ts';
import { MASK } from '../platform/json/secrets.ts';
import { MAX_TRACED_URL, type RequestTrace, type TracedHeader } from '../platform/requests/request-trace.ts';
import type { CopyFormat } from '../webviews/protocol/requests.ts';

interface CodeRequest extends CurlRequest {
  /** headers without a credential */
  readonly headers: readonly TracedHeader[];
}

interface RequestCode {
  readonly text: string;
  /** the environment variables that it reads */
  readonly variables: readonly string[];
}

/** Throws Error if the request can't be repeated from what is kept of it. `apiKeyHeader`: of the connection. */
export function formatRequestCode(
  { method, url, details }: RequestTrace,
  format: CopyFormat,
  apiKeyHeader: string,
  shell = defaultShell,
): RequestCode {
  if (details === undefined) throw new Error(l10n.t('The headers and bodies of this request are no longer kept'));
  if (details.requestBody?.isCut === true || url.length === MAX_TRACED_URL)
    throw new Error(l10n.t('The request is too long to be copied'));
  const [secrets, headers] = [details.requestHeaders, details.requestHeaders].map((all, index) =>
    all.filter(({ value }) => value.endsWith(MASK) === (index === 0)),
  );
  const request: CodeRequest = {
    method,
    url,
    headers: headers ?? [],
    secrets: (secrets ?? []).map(({ name, value }) => ({
      header: name,
      prefix: value.slice(0, -MASK.length),
      variable: name.toLowerCase() === apiKeyHeader.toLowerCase() ? API_KEY_VARIABLE : TOKEN_VARIABLE,
    })),
    ...(details.requestBody !== undefined && { body: details.requestBody.text }),
  };
  const formats = { curl: () => formatCurlCommand(request, shell), fetch: formatFetch, python: formatPython };
  return { text: formats[format](request), variables: request.secrets.map(({ variable }) => variable) };
}

function formatFetch(request: CodeRequest): string {
  const { method, url, body } = request;
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    '  headers: {',
    ...formatHeaders(request, (variable) => `process.env.${variable}`),
    '  },',
    ...(body === undefined ? [] : [`  body: ${JSON.stringify(body)},`]),
    '});',
    'console.log(response.status, await response.text());',
    '',
  ].join('\n');
}

/** A string of JSON is a literal of Python too. */
function formatPython(request: CodeRequest): string {
  const { method, url, body } = request;
  return [
    'import os',
    'import requests',
    '',
    'response = requests.request(',
    `  ${JSON.stringify(method)},`,
    `  ${JSON.stringify(url)},`,
    '  headers={',
    ...formatHeaders(request, (variable) => `os.environ["${variable}"]`),
    '  },',
    ...(body === undefined ? [] : [`  data=${JSON.stringify(body)}.encode(),`]),
    ')',
    'print(response.status_code, response.text)',
    '',
  ].join('\n');
}

/** The lines of an object with the headers, which is written alike in both languages. */
function formatHeaders({ headers, secrets }: CodeRequest, readVariable: (name: string) => string): readonly string[] {
  return [
    ...headers.map(({ name, value }) => [name, JSON.stringify(value)] as const),
    ...secrets.map(({ header, prefix, variable }) => {
      const value = readVariable(variable);
      return [header, prefix === '' ? value : `${JSON.stringify(prefix)} + ${value}`] as const;
    }),
  ].map(([name, value]) => `    ${JSON.stringify(name)}: ${value},`);
}
