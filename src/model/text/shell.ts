/** Quotes arguments and requests for the shell of the user's platform; credentials stay shell variables. */
import * as l10n from '@vscode/l10n';

export type Shell = 'posix' | 'powershell';

export const defaultShell: Shell = process.platform === 'win32' ? 'powershell' : 'posix';

/**
 * Quotes one argument so that the shell passes it unchanged. Drops NUL, which arguments cannot contain. Throws if
 * PowerShell 5 cannot pass it: a double quote, or a trailing backslash.
 */
export function quoteShellArgument(text: string, shell = defaultShell): string {
  if (shell === 'posix') return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
  if (/"|\\$/.test(text))
    throw new Error(l10n.t('PowerShell can’t pass an argument that contains a double quote or ends with a backslash'));
  return quotePowerShell(text.replaceAll('\0', ''));
}

/** A command line; plain arguments are not quoted. Throws for control characters, which a terminal would execute. */
export function formatCommandLine(args: readonly string[], shell = defaultShell): string {
  return args
    .map((word) => {
      if (/\p{Cc}/u.test(word)) throw new Error(l10n.t('A command with control characters can’t be copied'));
      return /^(?:--)?[\w./:][\w./:=@-]*$/.test(word) ? word : quoteShellArgument(word, shell);
    })
    .join(' ');
}

export interface CurlRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** headers whose value ends in a shell variable: a prefix, then the variable */
  readonly secrets: readonly { readonly header: string; readonly prefix: string; readonly variable: string }[];
  /** JSON text */
  readonly body?: string;
}

/** A multi-line cURL command, one option a line. Throws as `quoteShellArgument` does. */
export function formatCurlCommand({ method, url, secrets, body }: CurlRequest, shell = defaultShell): string {
  const isPosix = shell === 'posix';
  const quote = (text: string): string => quoteShellArgument(text, shell);
  const header = (text: string): string => `--header ${quote(text)}`;
  const options = [
    // Without --globoff, cURL would expand brackets and braces in the URL. Windows PowerShell aliases `curl`.
    `${isPosix ? 'curl' : 'curl.exe'} --globoff${method === 'GET' ? '' : ` --request ${method}`} ${quote(url)}`,
    header('accept: application/json'),
    ...secrets.map(({ header: name, prefix, variable }) => {
      const text = `${name}: ${prefix}`;
      return `--header ${isPosix ? quoteWithVariable(text, variable) : `(${quote(text)} + $env:${variable})`}`;
    }),
    ...(body === undefined ? [] : [header('content-type: application/json')]),
  ];
  if (isPosix) return [...options, ...(body === undefined ? [] : [`--data-raw ${quote(body)}`])].join(' \\\n  ');
  const lines = [...options, ...(body === undefined ? [] : [`--data-binary '@-'`])].join(' `\n  ');
  // PowerShell arguments lose double quotes, and its pipe loses characters beyond ASCII.
  return body === undefined ? lines : `${quotePowerShell(escapeNonAscii(body))} |\n  ${lines}`;
}

/** `"x-api-key: $KEY"`; text that double quotes would expand is put in single quotes. */
function quoteWithVariable(text: string, variable: string): string {
  return /^[\w .:,=/+-]*$/.test(text) ? `"${text}$${variable}"` : `${quoteShellArgument(text, 'posix')}"$${variable}"`;
}

/** PowerShell treats typographic quotes as single quotes; doubling escapes them. */
function quotePowerShell(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** Only strings contain characters beyond ASCII. */
function escapeNonAscii(json: string): string {
  return json.replace(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
