/** Decides, without any I/O, which proxy a URL goes through. */
import { BlockList, isIP } from 'node:net';
import { PlatformError } from './errors.ts';
import type { NetworkSettings } from './transport.ts';

export interface ProxyServer {
  /** `http://proxy.example:3128`, without credentials */
  readonly origin: string;
  /** `the proxy proxy.example:3128`, for messages */
  readonly label: string;
  /** value of `Proxy-Authorization`, from the address's user and password */
  readonly authorization?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for `url`, or undefined for a direct connection. As in VS Code: loopback addresses are always direct,
 * `http.proxy` comes before the environment, https falls back to HTTP_PROXY. The lists of `http.noProxy` and NO_PROXY
 * both count for both. Throws PlatformError `contract` for a proxy address that cannot be used (socks, for one).
 */
export function proxyFor(
  url: URL,
  settings: Pick<NetworkSettings, 'proxy' | 'noProxy' | 'environment'>,
): ProxyServer | undefined {
  if (isLoopback(url.hostname)) return undefined;
  const environment = settings.environment ?? process.env;
  const explicit = (settings.proxy ?? '').trim();
  const address = explicit === '' ? environmentProxy(url, environment) : explicit;
  if (address === undefined) return undefined;
  const excluded = [...(settings.noProxy ?? []), variable(environment, 'no_proxy') ?? ''].flatMap(entries);
  return excluded.some((entry) => matches(entry, url)) ? undefined : parseProxy(address);
}

function variable(environment: Environment, name: string): string | undefined {
  const value = (environment[name] ?? environment[name.toUpperCase()] ?? '').trim();
  return value === '' ? undefined : value;
}

function environmentProxy(url: URL, environment: Environment): string | undefined {
  const names = url.protocol === 'https:' ? ['https_proxy', 'http_proxy', 'all_proxy'] : ['http_proxy', 'all_proxy'];
  for (const name of names) {
    const value = variable(environment, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** True for this computer's own names and addresses. `hostname` as `URL` gives it. */
export function isLoopback(hostname: string): boolean {
  const name = plainHost(hostname);
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'))
  );
}

function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

function entries(list: string): readonly string[] {
  return list.split(/[\s,]+/).filter((entry) => entry !== '');
}

/**
 * One entry of a no-proxy list: `*`, `host`, `.suffix`, `*.suffix`, each with `:port` if wanted, an address, or a
 * CIDR range. A name stands for itself and for everything below it.
 */
function matches(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const host = plainHost(url.hostname);
  if (entry.includes('/')) return inRange(entry, host);
  const { name, port } = splitPort(entry.toLowerCase());
  if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
  const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '');
  if (suffix === '*') return true;
  if (suffix === '') return false;
  return host === canonicalAddress(suffix) || (isIP(host) === 0 && host.endsWith(`.${suffix}`));
}

/** `[::0:1]` and `::1` are one address: compared in the form that `URL` gives. */
function canonicalAddress(name: string): string {
  if (isIP(name) !== 6) return name;
  return URL.canParse(`http://[${name}]`) ? plainHost(new URL(`http://[${name}]`).hostname) : name;
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
  if (url === undefined || url.hostname === '') throw unusable('it is not an address');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw unusable(`${url.protocol}// is not supported, use http:// or https://`);
  }
  const server = { origin: url.origin, label: `the proxy ${url.host}` };
  if (url.username === '') return server;
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  return { ...server, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

// Not code `network`: trying again would not help.
function unusable(reason: string): PlatformError {
  const message = `The proxy in http.proxy or the proxy environment variables cannot be used: ${reason}.`;
  return new PlatformError('contract', message, { sent: false });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
