/** Words and requests as commands for the shell of a platform; credentials stay variables of the shell. */

export type Shell = 'posix' | 'powershell';

export const platformShell: Shell = process.platform === 'win32' ? 'powershell' : 'posix';

/**
 * One word that the shell takes as it stands, whatever is in it. NUL, which no argument can hold, is left out. Throws
 * for what PowerShell 5 does not pass on to a program: a double quote, or a backslash at the end.
 */
export function shellWord(text: string, shell = platformShell): string {
  if (shell === 'posix') return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
  if (/"|\\$/.test(text))
    throw new Error('PowerShell cannot pass on a word with a double quote or a backslash at its end');
  return powerShellString(text.replaceAll('\0', ''));
}

/** A command of several words; plain ones stand without quotes. Throws for control characters: a terminal obeys them. */
export function commandLine(words: readonly string[], shell = platformShell): string {
  return words
    .map((word) => {
      if (/\p{Cc}/u.test(word)) throw new Error('A command cannot be copied with control characters in it');
      return /^(?:--)?[\w./:][\w./:=@-]*$/.test(word) ? word : shellWord(word, shell);
    })
    .join(' ');
}

export interface CurlRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** headers whose value ends in a variable of the shell: a prefix, then the variable */
  readonly secrets: readonly { readonly header: string; readonly prefix: string; readonly variable: string }[];
  /** JSON text */
  readonly body?: string;
}

/** Several lines, each option on its own. Throws as `shellWord` does. */
export function curlCommand({ method, url, secrets, body }: CurlRequest, shell = platformShell): string {
  const isPosix = shell === 'posix';
  const word = (text: string): string => shellWord(text, shell);
  const header = (text: string): string => `--header ${word(text)}`;
  const options = [
    // Without --globoff, cURL would take brackets and braces of the address for patterns. Windows PowerShell has another `curl`.
    `${isPosix ? 'curl' : 'curl.exe'} --globoff${method === 'GET' ? '' : ` --request ${method}`} ${word(url)}`,
    header('accept: application/json'),
    ...secrets.map(({ header: name, prefix, variable }) => {
      const text = `${name}: ${prefix}`;
      return `--header ${isPosix ? withVariable(text, variable) : `(${word(text)} + $env:${variable})`}`;
    }),
    ...(body === undefined ? [] : [header('content-type: application/json')]),
  ];
  if (isPosix) return [...options, ...(body === undefined ? [] : [`--data-raw ${word(body)}`])].join(' \\\n  ');
  const lines = [...options, ...(body === undefined ? [] : [`--data-binary '@-'`])].join(' `\n  ');
  // Its double quotes would not survive as an argument, nor characters beyond ASCII the pipe of Windows PowerShell.
  return body === undefined ? lines : `${powerShellString(asciiJson(body))} |\n  ${lines}`;
}

/** `"x-api-key: $KEY"`; where the text holds what double quotes would let through, it stands in single ones of its own. */
function withVariable(text: string, variable: string): string {
  return /^[\w .:,=/+-]*$/.test(text) ? `"${text}$${variable}"` : `${shellWord(text, 'posix')}"$${variable}"`;
}

/** PowerShell takes typographic quotes for single ones too; two of a kind stand for one. */
function powerShellString(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** Strings alone hold characters beyond ASCII. */
function asciiJson(json: string): string {
  return json.replace(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
