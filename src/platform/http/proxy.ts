/**
 * Selects the proxy of a URL. undici's EnvHttpProxyAgent does not fit: it knows no CIDR ranges and no ALL_PROXY, sends
 * loopback addresses through the proxy, and is built on ProxyAgent (see connector.ts).
 */
import { BlockList, isIP } from 'node:net';
import { PlatformError } from '../errors.ts';
import { stored, type Message, type StoredText } from '../text/message.ts';
import type { NetworkSettings } from './transport.ts';

export interface ProxyServer {
  /** `http://proxy.example:3128`, without credentials */
  readonly origin: string;
  /** `the proxy proxy.example:3128`, for messages */
  readonly label: StoredText;
  /** value of `Proxy-Authorization`, from the user and password of the proxy's URL */
  readonly authorization?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for `url`, or undefined for a direct connection. As in VS Code: loopback addresses are always direct,
 * `http.proxy` precedes the environment, https falls back to HTTP_PROXY. `http.noProxy` and NO_PROXY both apply to
 * either. Throws PlatformError `contract` for an unusable proxy address, such as socks.
 */
export function getProxy(
  url: URL,
  settings: Pick<NetworkSettings, 'proxy' | 'noProxy' | 'environment'>,
): ProxyServer | undefined {
  if (isLoopback(url.hostname)) return undefined;
  const environment = settings.environment ?? process.env;
  const explicit = (settings.proxy ?? '').trim();
  const address = explicit === '' ? environmentProxy(url, environment) : explicit;
  if (address === undefined) return undefined;
  const excluded = [...(settings.noProxy ?? []), readVariable(environment, 'no_proxy') ?? ''].flatMap(splitEntries);
  return excluded.some((entry) => matchesEntry(entry, url)) ? undefined : parseProxy(address);
}

function readVariable(environment: Environment, name: string): string | undefined {
  const value = (environment[name] ?? environment[name.toUpperCase()] ?? '').trim();
  return value === '' ? undefined : value;
}

function environmentProxy(url: URL, environment: Environment): string | undefined {
  const names = url.protocol === 'https:' ? ['https_proxy', 'http_proxy', 'all_proxy'] : ['http_proxy', 'all_proxy'];
  for (const name of names) {
    const value = readVariable(environment, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** True for loopback names and addresses. `hostname` as in `URL.hostname`. */
export function isLoopback(hostname: string): boolean {
  const name = normalizeHost(hostname);
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'))
  );
}

/** Lower case, without the brackets of an IPv6 address and without a trailing dot. */
export function normalizeHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

function splitEntries(list: string): readonly string[] {
  return list.split(/[\s,]+/).filter((entry) => entry !== '');
}

/**
 * Matches one entry of a no-proxy list: `*`, `host`, `.suffix`, `*.suffix`, each with an optional `:port`, an address, or
 * a CIDR range. A name also matches its subdomains.
 */
function matchesEntry(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const host = normalizeHost(url.hostname);
  if (entry.includes('/')) return inRange(entry, host);
  const { name, port } = splitPort(entry.toLowerCase());
  if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
  const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '');
  if (suffix === '*') return true;
  if (suffix === '') return false;
  return host === canonicalAddress(suffix) || (isIP(host) === 0 && host.endsWith(`.${suffix}`));
}

/** The form of an IPv6 address that `URL` returns: `[::0:1]` and `::1` are the same address. */
function canonicalAddress(name: string): string {
  if (isIP(name) !== 6) return name;
  return URL.canParse(`http://[${name}]`) ? normalizeHost(new URL(`http://[${name}]`).hostname) : name;
}

function splitPort(entry: string): { readonly name: string; readonly port?: string } {
  if (isIP(entry) === 6) return { name: entry };
  const found = /^(.*):(\d+)$/.exec(entry);
  const name = (found?.[1] ?? entry).replace(/^\[|\]$/g, '');
  return found?.[2] === undefined ? { name } : { name, port: String(Number(found[2])) };
}

function inRange(entry: string, host: string): boolean {
  const family = isIP(host);
  const [network = '', bits = ''] = entry.split('/');
  const width = family === 6 ? 128 : 32;
  if (family === 0 || isIP(network) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > width) return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(network, Number(bits), type);
  return list.check(host, type);
}

function parseProxy(address: string): ProxyServer {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '')
    throw unusableProxyError(
      stored('The proxy in http.proxy or the proxy environment variables is not a valid address.'),
    );
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw unusableProxyError(
      stored(
        'The proxy in http.proxy or the proxy environment variables uses {0}, which is not supported. Use http:// or https://.',
        `${url.protocol}//`,
      ),
    );
  }
  const server = { origin: url.origin, label: stored('the proxy {0}', url.host) };
  if (url.username === '') return server;
  const credentials = `${decodePart(url.username)}:${decodePart(url.password)}`;
  return { ...server, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

// Not code `network`: a retry would not help.
function unusableProxyError(message: Message): PlatformError {
  return new PlatformError('contract', message, { sent: false });
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
