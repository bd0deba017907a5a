/** Says whether a text can be the base URL of a connection, and if not, why (pure). */
import { isLoopback } from '../platform/proxy.ts';

export type BaseUrlCheck =
  | {
      readonly ok: true;
      /** as requests will be sent: host in lower case and ASCII, no trailing slash */
      readonly url: string;
      /** http to another machine: whoever is on the way reads the credential */
      readonly plain: boolean;
    }
  | {
      readonly ok: false;
      /** a sentence without its full stop, never quoting the text */
      readonly reason: string;
    };

const MAX_LENGTH = 2048;
// Invisible characters, and those that turn the direction of writing: a person cannot see what they do.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** The text as typed or written in settings; surrounding spaces are the caller's to trim. */
export function checkBaseUrl(text: string): BaseUrlCheck {
  const reason = problemOf(text);
  if (reason !== undefined) return { ok: false, reason };
  const url = new URL(text);
  return {
    ok: true,
    url: url.origin + url.pathname.replace(/(?<!\/)\/+$/, ''),
    plain: url.protocol === 'http:' && !isLoopback(url.hostname),
  };
}

function problemOf(text: string): string | undefined {
  if (text === '') return 'Enter the address of the API, for example https://api.example.com';
  if (text.length > MAX_LENGTH) return `The address is longer than ${String(MAX_LENGTH)} characters`;
  if (INVISIBLE.test(text)) return 'The address contains an invisible character';
  if (/\s/.test(text)) return 'The address contains a space';
  if (text.includes('\\')) return 'The address contains a backslash; use /';
  const found = /^([a-z][a-z0-9+.-]*):(\/\/)?([^/?#]*)([^?#]*)(.*)$/is.exec(text);
  const [, scheme = '', slashes, authority = '', path = '', rest = ''] = found ?? [];
  if (found === null || (slashes === undefined && /^\d+$/.test(authority))) {
    return 'The address has to begin with https:// or http://';
  }
  if (!/^https?$/i.test(scheme))
    return `The scheme ${scheme.slice(0, 20)}: cannot be used; the address has to begin with https:// or http://`;
  if (slashes === undefined) return `Write two slashes after ${scheme.toLowerCase()}:`;
  if (authority === '') return 'The address has no host';
  if (authority.includes('@'))
    return 'The address contains a user name or password; credentials are entered with Sign In…';
  if (rest.startsWith('?')) return 'The address contains a query (?…); leave it out';
  if (rest.startsWith('#')) return 'The address contains a fragment (#…); leave it out';
  return (
    hostProblem(authority) ??
    pathProblem(path) ??
    (URL.canParse(text) ? hostShape(new URL(text)) : 'The address is not a URL')
  );
}

function hostProblem(authority: string): string | undefined {
  if (authority.includes('%')) return 'The host contains a percent sign; write it plainly';
  if (/^:|^\[\]/.test(authority)) return 'The address has no host';
  const port = /:(\d*)$/.exec(authority.replace(/^\[[^\]]*\]/, ''))?.[1];
  if (port === '') return 'The port is missing after the colon';
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    return 'The port has to be between 1 and 65535';
  return undefined;
}

function pathProblem(path: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(path)) return 'The path contains a percent sign that escapes nothing';
  if (/%(2f|5c|[01][0-9a-f]|7f)/i.test(path)) return 'The path contains an escaped slash or control character';
  const segments = path.split('/').map((segment) => segment.replace(/%2e/gi, '.'));
  return segments.some((segment) => segment === '.' || segment === '..')
    ? 'The path contains . or .. as a step; write the path that is meant'
    : undefined;
}

/** What the URL parser lets through, but no name of a host is. */
function hostShape({ hostname }: URL): string | undefined {
  if (hostname.startsWith('[')) return undefined;
  const labels = hostname.replace(/\.$/, '').split('.');
  return labels.some((label) => label === '' || label.length > 63) ? 'The host is not a valid name' : undefined;
}
