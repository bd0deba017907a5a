/** Validates the base URL of a connection. */
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
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
  if (text === '') return l10n.t('Enter the base URL of the API, for example {0}', 'https://api.example.com');
  if (text.length > MAX_URL_LENGTH)
    return l10n.t('The address is longer than {0} characters', formatNumber(MAX_URL_LENGTH));
  if (INVISIBLE_CHARACTERS.test(text)) return l10n.t('The address contains an invisible character');
  if (/\s/.test(text)) return l10n.t('The address contains a space');
  if (text.includes('\\')) return l10n.t('The address contains a backslash; use /');
  const found = /^([a-z][a-z0-9+.-]*):(\/\/)?([^/?#]*)([^?#]*)(.*)$/is.exec(text);
  const [, scheme = '', slashes, authority = '', path = '', rest = ''] = found ?? [];
  if (found === null || (slashes === undefined && /^\d+$/.test(authority))) {
    return l10n.t('The address must start with https:// or http://');
  }
  if (!/^https?$/i.test(scheme))
    return l10n.t(
      'The scheme {0} is not supported; the address must start with https:// or http://',
      scheme.slice(0, 20),
    );
  if (slashes === undefined) return l10n.t('Add two slashes after {0}', `${scheme.toLowerCase()}:`);
  if (authority === '') return l10n.t('The address has no host');
  if (authority.includes('@'))
    return l10n.t('The address contains a user name or password; enter credentials with Sign In…');
  if (rest.startsWith('?')) return l10n.t('The address contains a query (?…); remove it');
  if (rest.startsWith('#')) return l10n.t('The address contains a fragment (#…); remove it');
  return (
    validateHost(authority) ??
    validatePath(path) ??
    (URL.canParse(text) ? validateHostLabels(new URL(text)) : l10n.t('The address is not a URL'))
  );
}

function validateHost(authority: string): string | undefined {
  if (authority.includes('%')) return l10n.t('The host contains a percent sign');
  if (/^:|^\[\]/.test(authority)) return l10n.t('The address has no host');
  const port = /:(\d*)$/.exec(authority.replace(/^\[[^\]]*\]/, ''))?.[1];
  if (port === '') return l10n.t('The port is missing after the colon');
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    return l10n.t('The port must be between 1 and 65535');
  return undefined;
}

function validatePath(path: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(path)) return l10n.t('The path contains an invalid percent escape');
  if (/%(2f|5c|[01][0-9a-f]|7f)/i.test(path)) return l10n.t('The path contains an escaped slash or control character');
  const segments = path.split('/').map((segment) => segment.replace(/%2e/gi, '.'));
  return segments.some((segment) => segment === '.' || segment === '..')
    ? l10n.t('The path contains . or .. as a segment')
    : undefined;
}

/** Accepted by the URL parser, but not valid in a host name. */
function validateHostLabels({ hostname }: URL): string | undefined {
  if (hostname.startsWith('[')) return undefined;
  const labels = hostname.replace(/\.$/, '').split('.');
  return labels.some((label) => label === '' || label.length > 63) ? l10n.t('The host is not a valid name') : undefined;
}
