/** Formats a recorded request as code that sends it again; credentials are environment variables. */
import * as l10n from '@vscode/l10n';
import { API_KEY_VARIABLE, TOKEN_VARIABLE } from '../connections/session/session-curl.ts';
import { defaultShell, formatCurlCommand } from '../model/text/shell.ts';
import { MASK } from '../platform/json/secrets.ts';
import type { RequestTrace } from '../platform/requests/request-trace.ts';
import type { CopyFormat } from '../webviews/protocol/requests.ts';

interface CodeRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** headers without a credential */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly secrets: readonly { readonly header: string; readonly prefix: string; readonly variable: string }[];
  readonly body?: string;
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
  if (details.requestBody?.isCut === true) throw new Error(l10n.t('The body is too long to be copied'));
  const [secrets, headers] = [details.requestHeaders, details.requestHeaders].map((all, index) =>
    all.filter(({ value }) => value.endsWith(MASK) === (index === 0)),
  );
  const request: CodeRequest = {
    ...{ method, url, headers: headers ?? [] },
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

function formatFetch({ method, url, headers, secrets, body }: CodeRequest): string {
  const lines = [
    ...headers.map(({ name, value }) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...secrets.map(({ header, prefix, variable }) => {
      const value = `process.env.${variable}`;
      return `${JSON.stringify(header)}: ${prefix === '' ? value : `${JSON.stringify(prefix)} + ${value}`}`;
    }),
  ];
  const options = [
    `method: ${JSON.stringify(method)},`,
    'headers: {',
    ...lines.map((line) => `  ${line},`),
    '},',
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body)},`]),
  ];
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...options.map((line) => `  ${line}`),
    '});',
    'console.log(response.status, await response.text());',
    '',
  ].join('\n');
}

/** A string of JSON is a literal of Python too. */
function formatPython({ method, url, headers, secrets, body }: CodeRequest): string {
  const lines = [
    ...headers.map(({ name, value }) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...secrets.map(({ header, prefix, variable }) => {
      const value = `os.environ[${JSON.stringify(variable)}]`;
      return `${JSON.stringify(header)}: ${prefix === '' ? value : `${JSON.stringify(prefix)} + ${value}`}`;
    }),
  ];
  return [
    'import os',
    'import requests',
    '',
    'response = requests.request(',
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    '    headers={',
    ...lines.map((line) => `        ${line},`),
    '    },',
    ...(body === undefined ? [] : [`    data=${JSON.stringify(body)}.encode(),`]),
    ')',
    'print(response.status_code, response.text)',
    '',
  ].join('\n');
}
