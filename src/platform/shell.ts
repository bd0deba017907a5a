/** Pure: words for a POSIX shell, and a request as a cURL command whose credentials stay variables of the shell. */

/** One word that the shell takes as it stands, whatever is in it. What no argument can hold, NUL, is left out. */
export function shellWord(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}

export interface CurlRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** headers whose value ends in a variable of the shell: a prefix, then `$variable` */
  readonly secrets: readonly { readonly header: string; readonly prefix: string; readonly variable: string }[];
  /** JSON text */
  readonly body?: string;
}

/** Several lines, for people: each option on its own. */
export function curlCommand({ method, url, secrets, body }: CurlRequest): string {
  const options = [
    // Without --globoff, cURL would take brackets and braces of the address for patterns.
    `curl --globoff${method === 'GET' ? '' : ` --request ${method}`} ${shellWord(url)}`,
    `--header 'accept: application/json'`,
    ...secrets.map(({ header, prefix, variable }) => `--header ${withVariable(`${header}: ${prefix}`, variable)}`),
    ...(body === undefined ? [] : [`--header 'content-type: application/json'`, `--data-raw ${shellWord(body)}`]),
  ];
  return options.join(' \\\n  ');
}

/** `"x-api-key: $KEY"`; where the text holds what double quotes would let through, it stands in single ones of its own. */
function withVariable(text: string, variable: string): string {
  return /^[\w .:,=/+-]*$/.test(text) ? `"${text}$${variable}"` : `${shellWord(text)}"$${variable}"`;
}
