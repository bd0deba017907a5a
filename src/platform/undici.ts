/** The transport on undici: pools by origin and proxy, redirects that leak nothing. Load it on first use only. */
import Pool from 'undici/lib/dispatcher/pool.js';
import { loadAuthorities, type Authorities, type CertificateSources } from './certificates.ts';
import { PlatformError } from './errors.ts';
import { ACCEPT_ENCODING } from './net/body.ts';
import { Dialler, refusedByProxy } from './net/connect.ts';
import { exchange, isRedirect, type RawAnswer } from './net/exchange.ts';
import { authority, cancelled, connectFailure, toPlatformError } from './net/failure.ts';
import { demandPublic, publicLookup } from './net/public.ts';
import { proxyFor, type ProxyServer } from './proxy.ts';
import type { NetworkSettings, Transport, TransportAnswer, TransportRequest } from './transport.ts';

export interface TransportParts {
  /** connections to one origin at the same time, further requests wait; default 8 */
  readonly connections?: number;
  /** where certificate authorities come from */
  readonly certificates?: CertificateSources;
}

const MAX_REDIRECTS = 5;
const MAX_POOLS = 32;
/** Set by the connection itself, or meant for a proxy: never taken from a caller. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'proxy-authorization',
]);
/** Never sent to another origin, whatever the caller lists. */
const ALWAYS_CREDENTIALS = ['authorization', 'cookie'];

/** Opens nothing by itself: certificates are read on the first TLS connection. */
export function createTransport(settings: NetworkSettings, parts: TransportParts = {}): Transport {
  return new UndiciTransport(settings, parts);
}

class UndiciTransport implements Transport {
  readonly #settings: NetworkSettings;
  readonly #connections: number;
  readonly #dialler: Dialler;
  /** reaches public addresses only */
  readonly #careful: Dialler;
  readonly #pools = new Map<string, Pool>();
  #closed = false;

  constructor(settings: NetworkSettings, parts: TransportParts) {
    this.#settings = settings;
    this.#connections = parts.connections ?? 8;
    let authorities: Promise<Authorities> | undefined;
    const load = (): Promise<Authorities> => (authorities ??= loadAuthorities(settings, parts.certificates));
    this.#dialler = new Dialler(settings.strictSsl ?? true, load);
    this.#careful = new Dialler(settings.strictSsl ?? true, load, publicLookup);
  }

  async send(request: TransportRequest): Promise<TransportAnswer> {
    let url = bare(request.url);
    let headers = ownHeaders(request.headers);
    for (let hop = 0; ; hop++) {
      const answer = await this.#once(request, url, headers);
      if (!isRedirect(answer.status) || request.redirect === 'answer') return { ...answer, url };
      const target = redirectTarget(request, url, answer, hop);
      // Once dropped, never regained: a later hop cannot bring credentials back.
      if (target.origin !== url.origin) headers = withoutCredentials(headers, request.credentialHeaders);
      url = target;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#dialler.close();
    this.#careful.close();
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  async #once(request: TransportRequest, url: URL, headers: Readonly<Record<string, string>>): Promise<RawAnswer> {
    if (this.#closed) throw cancelled(false);
    const { method, signal, timeouts, maxBytes, body, take, publicOnly = false, lane = 'read', onSent } = request;
    const proxy = proxyFor(url, this.#settings);
    if (publicOnly)
      await demandPublic(url, timeouts.connect, signal).catch((error: unknown) => {
        if (signal?.aborted === true) throw cancelled(false);
        const peer = authority(url);
        throw toPlatformError(connectFailure(error, peer), { peer, sent: false, headersSeen: false });
      });
    // A proxy forwards http itself, most refuse a tunnel to it; https goes through a tunnel, unread.
    const forward = url.protocol === 'http:' ? proxy : undefined;
    const pool = this.#pool(url, proxy, timeouts.connect, lane, publicOnly && proxy === undefined);
    const answer = await exchange(
      pool,
      {
        method,
        path: forward === undefined ? url.pathname + url.search : url.origin + url.pathname + url.search,
        headers: forward === undefined ? { ...headers } : { ...headers, ...forwardHeaders(url, forward) },
        body: body ?? null,
      },
      {
        peer: authority(url),
        timeouts,
        maxBytes,
        ...(take !== undefined && { take }),
        ...(signal !== undefined && { signal }),
        ...(onSent !== undefined && { onSent }),
      },
    );
    if (forward !== undefined && answer.status === 407) {
      throw toPlatformError(refusedByProxy(407, forward), { peer: forward.label, sent: false, headersSeen: true });
    }
    return answer;
  }

  #pool(url: URL, proxy: ProxyServer | undefined, connectTimeout: number, lane: string, careful: boolean): Pool {
    const forward = url.protocol === 'http:' && proxy !== undefined;
    const origin = forward ? proxy.origin : url.origin;
    const key = `${origin} ${proxy?.origin ?? ''} ${String(connectTimeout)} ${lane} ${String(careful)}`;
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    this.#forgetIdle();
    const dialler = careful ? this.#careful : this.#dialler;
    const connect = forward
      ? dialler.connector(proxy.label, connectTimeout)
      : dialler.connector(authority(url), connectTimeout, proxy);
    // Time limits are kept by each exchange; `pipelining: 1` keeps undici from ever repeating a request by itself.
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

  /** Redirects may lead to any number of origins: old pools that have nothing to do make room. */
  #forgetIdle(): void {
    for (const [key, pool] of this.#pools) {
      if (this.#pools.size < MAX_POOLS) return;
      if (pool.stats.size > 0) continue;
      this.#pools.delete(key);
      void pool.close();
    }
  }
}

/** Without userinfo and fragment, which are never sent. */
function bare(url: URL): URL {
  if (url.username === '' && url.password === '' && url.hash === '') return url;
  const copy = new URL(url);
  copy.username = '';
  copy.password = '';
  copy.hash = '';
  return copy;
}

function ownHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  const asksEncoding = kept.some(([name]) => name.toLowerCase() === 'accept-encoding');
  return Object.fromEntries(asksEncoding ? kept : [...kept, ['accept-encoding', ACCEPT_ENCODING]]);
}

function withoutCredentials(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const secret = new Set([...ALWAYS_CREDENTIALS, ...names.map((name) => name.toLowerCase())]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.has(name.toLowerCase())));
}

function forwardHeaders(url: URL, proxy: ProxyServer): Readonly<Record<string, string>> {
  return {
    host: url.host,
    ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
  };
}

/** Where to go next; throws PlatformError `contract` for what must not be followed. */
function redirectTarget(request: TransportRequest, from: URL, answer: RawAnswer, hop: number): URL {
  const location = answer.headers['location'];
  const target = location !== undefined && URL.canParse(location, from) ? bare(new URL(location, from)) : undefined;
  const refuse = (reason: string): PlatformError =>
    new PlatformError('contract', `${authority(from)} answered with a redirect (${String(answer.status)}) ${reason}.`, {
      status: answer.status,
      sent: true,
    });
  if (target === undefined) throw refuse('that names no address');
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    throw refuse(`to ${target.protocol}, which is not a web address`);
  if (request.redirect === 'error' || request.method !== 'GET')
    throw refuse(`to ${target.origin}, which is not followed here`);
  if (from.protocol === 'https:' && target.protocol === 'http:')
    throw refuse(`from https to ${target.origin}, which is not encrypted`);
  if (hop >= MAX_REDIRECTS) throw refuse(`to ${target.origin} after ${String(MAX_REDIRECTS)} others`);
  return target;
}
