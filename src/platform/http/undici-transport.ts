/** The transport on undici's pools, one for each origin and proxy. Load it on first use: it is heavy. */
import Pool from 'undici/lib/dispatcher/pool.js';
import { loadCertificateAuthorities, type CertificateAuthorities, type CertificateSources } from './certificates.ts';
import { PlatformError } from '../errors.ts';
import { ACCEPT_ENCODING } from './response-body.ts';
import { Connector, createProxyError } from './connector.ts';
import { exchange, isRedirect, type RawResponse } from './exchange.ts';
import {
  formatAuthority,
  cancelledError,
  otherOriginError,
  toConnectError,
  toPlatformError,
} from './network-errors.ts';
import { assertPublicHost, publicLookup } from './public-address.ts';
import { getProxy, type ProxyServer } from './proxy.ts';
import type { NetworkSettings, Transport, TransportResponse, TransportRequest } from './transport.ts';
import { stored, type Message } from '../text/message.ts';

interface TransportOptions {
  /** concurrent connections to one origin; further requests wait; default 8 */
  readonly connections?: number;
  /** sources of certificate authorities */
  readonly certificates?: CertificateSources;
}

const MAX_REDIRECTS = 5;
const MAX_POOLS = 32;
/** Headers that the connection sets itself or that are meant for a proxy. A caller's are dropped. */
const RESERVED_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'proxy-authorization',
]);
/** Dropped on a redirect to another origin, in addition to the caller's `credentialHeaders`. */
const CREDENTIAL_HEADERS = ['authorization', 'cookie'];

/** Creates a transport. Opens no connection and reads no certificates before they are needed. */
export function createTransport(settings: NetworkSettings, options: TransportOptions = {}): Transport {
  return new UndiciTransport(settings, options);
}

class UndiciTransport implements Transport {
  readonly #settings: NetworkSettings;
  readonly #connections: number;
  readonly #connector: Connector;
  /** reaches public addresses only */
  readonly #publicConnector: Connector;
  readonly #pools = new Map<string, Pool>();
  #closed = false;

  constructor(settings: NetworkSettings, options: TransportOptions) {
    this.#settings = settings;
    this.#connections = options.connections ?? 8;
    let authorities: Promise<CertificateAuthorities> | undefined;
    const load = (): Promise<CertificateAuthorities> =>
      (authorities ??= loadCertificateAuthorities(settings, options.certificates));
    this.#connector = new Connector(settings.strictSsl ?? true, load);
    this.#publicConnector = new Connector(settings.strictSsl ?? true, load, publicLookup);
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    // undici's redirect interceptor does not fit: it follows redirects from https to http, and sends each hop through the
    // pool of the first, while proxy, certificates and the check for public addresses depend on the URL of the hop.
    let url = stripCredentials(request.url);
    let headers = filterHeaders(request.headers);
    for (let hop = 0; ; hop++) {
      const response = await this.#sendOnce(request, url, headers);
      if (!isRedirect(response.status) || request.redirect === 'manual') return { ...response, url };
      const target = getRedirectTarget(request, url, response, hop);
      // Dropped for all later hops, even if one returns to the first origin.
      if (target.origin !== url.origin) headers = withoutCredentials(headers, request.credentialHeaders);
      url = target;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#connector.close();
    this.#publicConnector.close();
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  async #sendOnce(
    request: TransportRequest,
    url: URL,
    headers: Readonly<Record<string, string>>,
  ): Promise<RawResponse> {
    if (this.#closed) throw cancelledError(false);
    const { method, signal, timeouts, maxBytes, body, responseBody, publicOnly = false, onSent, onResponse } = request;
    const proxy = getProxy(url, this.#settings);
    if (publicOnly)
      await assertPublicHost(url, timeouts.connect, signal).catch((error: unknown) => {
        if (signal?.aborted === true) throw cancelledError(false);
        const peer = formatAuthority(url);
        throw toPlatformError(toConnectError(error, peer), { peer, sent: false, headersReceived: false });
      });
    // http is forwarded by the proxy, since most refuse tunnels for it; https goes through a tunnel.
    const forward = url.protocol === 'http:' ? proxy : undefined;
    const poolName = request.pool ?? 'read';
    const pool = this.#getPool(url, proxy, timeouts.connect, poolName, publicOnly && proxy === undefined);
    const response = await exchange(
      pool,
      {
        method,
        path: forward === undefined ? url.pathname + url.search : url.origin + url.pathname + url.search,
        headers: forward === undefined ? { ...headers } : { ...headers, ...forwardHeaders(url, forward) },
        body: body ?? null,
      },
      {
        peer: formatAuthority(url),
        timeouts,
        maxBytes,
        ...(responseBody !== undefined && { responseBody }),
        ...(signal !== undefined && { signal }),
        ...(onSent !== undefined && { onSent }),
        ...(onResponse !== undefined && { onResponse }),
      },
    );
    if (forward !== undefined && response.status === 407) {
      throw toPlatformError(createProxyError(407, forward), {
        peer: forward.label,
        sent: false,
        headersReceived: true,
      });
    }
    return response;
  }

  #getPool(
    url: URL,
    proxy: ProxyServer | undefined,
    connectTimeout: number,
    poolName: string,
    publicOnly: boolean,
  ): Pool {
    const forward = url.protocol === 'http:' && proxy !== undefined;
    const origin = forward ? proxy.origin : url.origin;
    const key = `${origin} ${proxy?.origin ?? ''} ${String(connectTimeout)} ${poolName} ${String(publicOnly)}`;
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    this.#closeIdlePools();
    const connector = publicOnly ? this.#publicConnector : this.#connector;
    const connect = forward
      ? connector.createConnector(proxy.label, connectTimeout)
      : connector.createConnector(formatAuthority(url), connectTimeout, proxy);
    // Each exchange has its own time limits. `pipelining: 1` prevents undici from repeating requests by itself.
    const pool = new Pool(origin, {
      connections: this.#connections,
      connect,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      useMilo: false,
    });
    this.#pools.set(key, pool);
    return pool;
  }

  /** Closes the oldest idle pools above the limit: redirects may lead to any number of origins. */
  #closeIdlePools(): void {
    for (const [key, pool] of this.#pools) {
      if (this.#pools.size < MAX_POOLS) return;
      if (pool.stats.size > 0) continue;
      this.#pools.delete(key);
      void pool.close();
    }
  }
}

/** The URL without userinfo and fragment, which are never sent. */
function stripCredentials(url: URL): URL {
  if (url.username === '' && url.password === '' && url.hash === '') return url;
  const copy = new URL(url);
  copy.username = '';
  copy.password = '';
  copy.hash = '';
  return copy;
}

function filterHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const allowed = Object.entries(headers).filter(([name]) => !RESERVED_HEADERS.has(name.toLowerCase()));
  const hasEncoding = allowed.some(([name]) => name.toLowerCase() === 'accept-encoding');
  return Object.fromEntries(hasEncoding ? allowed : [...allowed, ['accept-encoding', ACCEPT_ENCODING]]);
}

function withoutCredentials(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const secret = new Set([...CREDENTIAL_HEADERS, ...names.map((name) => name.toLowerCase())]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.has(name.toLowerCase())));
}

function forwardHeaders(url: URL, proxy: ProxyServer): Readonly<Record<string, string>> {
  return {
    host: url.host,
    ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
  };
}

/** The target of a redirect. Throws PlatformError `contract` for redirects that must not be followed. */
function getRedirectTarget(request: TransportRequest, from: URL, response: RawResponse, hop: number): URL {
  const location = response.headers['location'];
  const target =
    location !== undefined && URL.canParse(location, from) ? stripCredentials(new URL(location, from)) : undefined;
  const { status } = response;
  const code = String(status);
  const peer = formatAuthority(from);
  const redirectError = (message: Message): PlatformError =>
    new PlatformError('contract', message, { status, sent: true });
  if (target === undefined)
    throw redirectError(stored('{0} responded with a redirect ({1}) without an address.', peer, code));
  const { origin, protocol } = target;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw redirectError(
      stored('{0} responded with a redirect ({1}) to {2}, which is not a web address.', peer, code, protocol),
    );
  if (request.method !== 'GET' && origin !== from.origin) throw otherOriginError(peer, origin, status);
  if (request.redirect === 'error' || request.method !== 'GET')
    throw redirectError(
      stored('{0} responded with a redirect ({1}) to {2}, which is not followed.', peer, code, origin),
    );
  if (from.protocol === 'https:' && protocol === 'http:')
    throw redirectError(
      stored('{0} responded with a redirect ({1}) from https to {2}, which is not encrypted.', peer, code, origin),
    );
  if (hop >= MAX_REDIRECTS)
    throw redirectError(
      stored(
        '{0} responded with a redirect ({1}) to {2} after {3} other redirects.',
        peer,
        code,
        origin,
        MAX_REDIRECTS,
      ),
    );
  return target;
}
