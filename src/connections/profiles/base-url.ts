/** Validates the base URL of a connection. */
import { isLoopback } from '../../platform/http/proxy.ts';

type BaseUrlResult =
  | {
      readonly ok: true;
      /** normalized as sent: lower-case ASCII host, no trailing slash */
      readonly url: string;
      /** plain http to another machine: the network can read the credential */
      readonly plain: boolean;
    }
  | {
      readonly ok: false;
      /** a sentence without its full stop, never quoting the text */
      readonly reason: string;
    };

const MAX_URL_LENGTH = 2048;
// Invisible characters and those that change the text direction.
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Validates a typed or configured base URL, already trimmed. */
export function parseBaseUrl(text: string): BaseUrlResult {
  const reason = validateUrlText(text);
  if (reason !== undefined) return { ok: false, reason };
  const url = new URL(text);
  return {
    ok: true,
    url: url.origin + url.pathname.replace(/(?<!\/)\/+$/, ''),
    plain: url.protocol === 'http:' && !isLoopback(url.hostname),
  };
}

function validateUrlText(text: string): string | undefined {
  if (text === '') return 'Enter the address of the API, for example https://api.example.com';
  if (text.length > MAX_URL_LENGTH) return `The address is longer than ${String(MAX_URL_LENGTH)} characters`;
  if (INVISIBLE_CHARACTERS.test(text)) return 'The address contains an invisible character';
  if (/\s/.test(text)) return 'The address contains a space';
  if (text.includes('\\')) return 'The address contains a backslash; use /';
  const found = /^([a-z][a-z0-9+.-]*):(\/\/)?([^/?#]*)([^?#]*)(.*)$/is.exec(text);
  const [, scheme = '', slashes, authority = '', path = '', rest = ''] = found ?? [];
  if (found === null || (slashes === undefined && /^\d+$/.test(authority))) {
    return 'The address must start with https:// or http://';
  }
  if (!/^https?$/i.test(scheme))
    return `The scheme ${scheme.slice(0, 20)}: cannot be used; the address must start with https:// or http://`;
  if (slashes === undefined) return `Add two slashes after ${scheme.toLowerCase()}:`;
  if (authority === '') return 'The address has no host';
  if (authority.includes('@'))
    return 'The address contains a user name or password; credentials are entered with Sign In…';
  if (rest.startsWith('?')) return 'The address contains a query (?…); remove it';
  if (rest.startsWith('#')) return 'The address contains a fragment (#…); remove it';
  return (
    validateHost(authority) ??
    validatePath(path) ??
    (URL.canParse(text) ? validateHostLabels(new URL(text)) : 'The address is not a URL')
  );
}

function validateHost(authority: string): string | undefined {
  if (authority.includes('%')) return 'The host contains a percent sign';
  if (/^:|^\[\]/.test(authority)) return 'The address has no host';
  const port = /:(\d*)$/.exec(authority.replace(/^\[[^\]]*\]/, ''))?.[1];
  if (port === '') return 'The port is missing after the colon';
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return 'The port must be between 1 and 65535';
  return undefined;
}

function validatePath(path: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(path)) return 'The path contains an invalid percent escape';
  if (/%(2f|5c|[01][0-9a-f]|7f)/i.test(path)) return 'The path contains an escaped slash or control character';
  const segments = path.split('/').map((segment) => segment.replace(/%2e/gi, '.'));
  return segments.some((segment) => segment === '.' || segment === '..')
    ? 'The path contains . or .. as a segment'
    : undefined;
}

/** Accepted by the URL parser, but not valid in a host name. */
function validateHostLabels({ hostname }: URL): string | undefined {
  if (hostname.startsWith('[')) return undefined;
  const labels = hostname.replace(/\.$/, '').split('.');
  return labels.some((label) => label === '' || label.length > 63) ? 'The host is not a valid name' : undefined;
}
