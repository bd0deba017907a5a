/**
 * Opens the sockets of the pools, directly or through a proxy's tunnel. undici's ProxyAgent is not used: it reports a
 * refused tunnel (407) as an aborted request, has no single time limit for tunnel and handshake, and no access to the
 * socket, which interim responses and cancellation need.
 */
import { isIP, Socket, type LookupFunction } from 'node:net';
import tls from 'node:tls';
import type { buildConnector } from 'undici';
import build, { type Connect } from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';
import type { CertificateAuthorities } from './certificates.ts';
import type { ProxyServer } from './proxy.ts';
import { connectTimeoutError, toConnectError, ConnectError, PROXY_AUTHENTICATION } from './network-errors.ts';
import { rewriteInterimResponses } from './interim-responses.ts';
import { stored, type StoredText } from '../text/message.ts';

/** Opens the sockets of one transport. Loads its certificate authorities once, on the first TLS connection. */
export class Connector {
  readonly #options: Parameters<typeof build>[0];
  readonly #plain: Connect;
  readonly #closing = new AbortController();
  readonly #strict: boolean;
  readonly #loadAuthorities: () => Promise<CertificateAuthorities>;
  #secure: Promise<{ readonly dial: Connect; readonly hints: CertificateAuthorities['hints'] }> | undefined;

  /** `lookup`: resolves host names; default: `dns.lookup`. */
  constructor(strict: boolean, load: () => Promise<CertificateAuthorities>, lookup?: LookupFunction) {
    this.#strict = strict;
    this.#loadAuthorities = load;
    this.#options = { timeout: 0, allowH2: false, ...(lookup !== undefined && { lookup }) };
    this.#plain = build(this.#options);
  }

  /** Aborts all pending connections. */
  close(): void {
    this.#closing.abort(new ConnectError('ECANCELED', stored('The connection attempt was canceled.')));
  }

  /**
   * A connector for one pool. `timeout`: milliseconds until connected, with tunnel and handshake. It fails only with
   * ConnectError.
   */
  createConnector(peer: StoredText, timeout: number, tunnel?: ProxyServer): buildConnector.connector {
    return (target, callback) => {
      const stop = new AbortController();
      // setImmediate: after a busy period, handle sockets that are ready before the timeout.
      const expire = (): void =>
        void setImmediate(() => {
          stop.abort(connectTimeoutError(tunnel?.label ?? peer));
        });
      const timer = setTimeout(expire, timeout);
      const signal = AbortSignal.any([stop.signal, this.#closing.signal]);
      this.#open(target, peer, tunnel, signal)
        .finally(() => {
          clearTimeout(timer);
        })
        .then(
          (socket) => {
            rewriteInterimResponses(socket);
            callback(null, socket);
          },
          (error: unknown) => {
            callback(toConnectError(error, peer), null);
          },
        );
    };
  }

  async #open(
    target: buildConnector.Options,
    peer: StoredText,
    tunnel: ProxyServer | undefined,
    signal: AbortSignal,
  ): Promise<Socket> {
    if (tunnel === undefined) return await this.#connect(target, peer, signal);
    const httpSocket = await this.#openTunnel(target, tunnel, signal);
    try {
      return await this.#connect({ ...target, httpSocket }, peer, signal);
    } catch (error) {
      if (!(error instanceof ConnectError) || error.code !== 'ECONNRESET') throw error;
      throw new ConnectError(
        'ECONNRESET',
        stored('Could not connect: {0} closed the tunnel to {1}.', tunnel.label, peer),
      );
    }
  }

  async #connect(to: buildConnector.Options, peer: StoredText, signal: AbortSignal): Promise<Socket> {
    if (to.protocol !== 'https:') return await connectSocket(this.#plain, to, signal);
    const { dial, hints } = await (this.#secure ??= this.#loadSecure());
    // undici would take the server name from the Host header, which is another server's if a proxy forwards.
    const target = { ...to, servername: isIP(to.hostname) === 0 ? to.hostname : '' };
    try {
      return await connectSocket(dial, target, signal);
    } catch (error) {
      throw toConnectError(error, peer, hints);
    }
  }

  async #loadSecure(): Promise<{ readonly dial: Connect; readonly hints: CertificateAuthorities['hints'] }> {
    const { pem, hints } = await this.#loadAuthorities();
    // One context for all connections: parsing hundreds of authorities takes milliseconds.
    const secureContext = tls.createSecureContext({ ca: [...pem] });
    const connect = build({ ...this.#options, secureContext, rejectUnauthorized: this.#strict });
    return { dial: connect, hints };
  }

  /** Requests a tunnel. Only the proxy gets its credentials, and it gets no header of the request. */
  async #openTunnel(target: buildConnector.Options, proxy: ProxyServer, signal: AbortSignal): Promise<Socket> {
    const client = new Client(proxy.origin, {
      connect: (to, callback) => {
        this.#connect(to, proxy.label, signal).then(
          (socket) => {
            callback(null, socket);
          },
          (error: unknown) => {
            callback(toConnectError(error, proxy.label), null);
          },
        );
      },
      headersTimeout: 0,
      allowH2: false,
      useMilo: false,
    });
    const destroyClient = (): void => void client.destroy();
    signal.addEventListener('abort', destroyClient, { once: true });
    try {
      return await requestTunnel(client, `${bracketIpv6(target.hostname)}:${target.port || '443'}`, proxy);
    } catch (error) {
      signal.throwIfAborted();
      throw toConnectError(error, proxy.label);
    } finally {
      signal.removeEventListener('abort', destroyClient);
      void client.destroy();
    }
  }
}

function bracketIpv6(hostname: string): string {
  return hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
}

function requestTunnel(client: Client, path: string, proxy: ProxyServer): Promise<Socket> {
  const headers = {
    host: path,
    ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
  };
  return new Promise((resolve, reject) => {
    client.dispatch(
      { method: 'CONNECT', path, headers },
      {
        onRequestStart() {
          // undici requires this function
        },
        onRequestUpgrade(_controller, status, _headers, socket) {
          if (status >= 200 && status < 300 && socket instanceof Socket) {
            resolve(socket);
            return;
          }
          socket.destroy();
          reject(createProxyError(status, proxy));
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}

/** The error of a proxy's refusal; 407 means missing or wrong credentials. */
export function createProxyError(status: number, proxy: ProxyServer): ConnectError {
  if (status !== 407)
    return new ConnectError('EPROXY', stored('Could not connect: {0} responded {1}.', proxy.label, String(status)));
  const message =
    proxy.authorization === undefined
      ? stored(
          'Could not connect: {0} requires credentials (407). Set user and password in the proxy address (http.proxy or HTTPS_PROXY).',
          proxy.label,
        )
      : stored(
          'Could not connect: {0} did not accept the credentials (407). Set user and password in the proxy address (http.proxy or HTTPS_PROXY).',
          proxy.label,
        );
  return new ConnectError(PROXY_AUTHENTICATION, message);
}

function connectSocket(connect: Connect, target: buildConnector.Options, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect(target, (error, connected) => {
      signal.removeEventListener('abort', onAbort);
      if (error === null) resolve(connected);
      else reject(error);
    });
    const onAbort = (): void => {
      socket.destroy();
      reject(
        signal.reason instanceof Error
          ? signal.reason
          : new ConnectError('ECANCELED', stored('The connection attempt was canceled.')),
      );
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
