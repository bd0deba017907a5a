/** Makes connections for the pools: direct, or through a proxy's tunnel, with our certificates and one time limit. */
import { isIP, Socket, type LookupFunction } from 'node:net';
import tls from 'node:tls';
import type { buildConnector } from 'undici';
import build, { type Dial } from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';
import type { Authorities } from '../certificates.ts';
import type { ProxyServer } from '../proxy.ts';
import { connectFailure, ConnectFailure, PROXY_AUTHENTICATION } from './failure.ts';
import { passInterim } from './interim.ts';

/** Sockets of one transport: its certificates are read on the first TLS connection, and kept. */
export class Dialler {
  readonly #options: Parameters<typeof build>[0];
  readonly #plain: Dial;
  readonly #closing = new AbortController();
  readonly #strict: boolean;
  readonly #load: () => Promise<Authorities>;
  #secure: Promise<{ readonly dial: Dial; readonly hint: string }> | undefined;

  /** `lookup`: how names become addresses; default: the system's way. */
  constructor(strict: boolean, load: () => Promise<Authorities>, lookup?: LookupFunction) {
    this.#strict = strict;
    this.#load = load;
    this.#options = { timeout: 0, allowH2: false, ...(lookup !== undefined && { lookup }) };
    this.#plain = build(this.#options);
  }

  /** Gives up every attempt under way. */
  close(): void {
    this.#closing.abort(new ConnectFailure('ECANCELED', 'The connection was given up.'));
  }

  /**
   * A connector for one pool. `timeout`: milliseconds for the whole way, tunnel and handshake included. It fails with
   * a ConnectFailure only.
   */
  connector(peer: string, timeout: number, tunnel?: ProxyServer): buildConnector.connector {
    return (target, callback) => {
      const stop = new AbortController();
      // Through setImmediate: after a busy moment, sockets that are ready count before the clock does.
      const expire = (): void =>
        void setImmediate(() => {
          stop.abort(expired(tunnel?.label ?? peer));
        });
      const timer = setTimeout(expire, timeout);
      const signal = AbortSignal.any([stop.signal, this.#closing.signal]);
      this.#open(target, peer, tunnel, signal)
        .finally(() => {
          clearTimeout(timer);
        })
        .then(
          (socket) => {
            passInterim(socket);
            callback(null, socket);
          },
          (error: unknown) => {
            callback(connectFailure(error, peer), null);
          },
        );
    };
  }

  async #open(
    target: buildConnector.Options,
    peer: string,
    tunnel: ProxyServer | undefined,
    signal: AbortSignal,
  ): Promise<Socket> {
    if (tunnel === undefined) return await this.#dial(target, peer, signal);
    const httpSocket = await this.#tunnel(target, tunnel, signal);
    return await this.#dial({ ...target, httpSocket }, peer, signal);
  }

  async #dial(to: buildConnector.Options, peer: string, signal: AbortSignal): Promise<Socket> {
    if (to.protocol !== 'https:') return await attempt(this.#plain, to, signal);
    const { dial, hint } = await (this.#secure ??= this.#loadSecure());
    // undici takes the name to check from the Host header, which names another server when a proxy forwards.
    const target = { ...to, servername: isIP(to.hostname) === 0 ? to.hostname : '' };
    try {
      return await attempt(dial, target, signal);
    } catch (error) {
      throw connectFailure(error, peer, hint);
    }
  }

  async #loadSecure(): Promise<{ readonly dial: Dial; readonly hint: string }> {
    const { pem, hint } = await this.#load();
    // One context for all connections: parsing hundreds of authorities costs milliseconds.
    const secureContext = tls.createSecureContext({ ca: [...pem] });
    const dial = build({ ...this.#options, secureContext, rejectUnauthorized: this.#strict });
    return { dial, hint };
  }

  /** Asks the proxy for a tunnel. Its credentials go to it alone; it never sees a header of the origin's. */
  async #tunnel(target: buildConnector.Options, proxy: ProxyServer, signal: AbortSignal): Promise<Socket> {
    const client = new Client(proxy.origin, {
      connect: (to, callback) => {
        this.#dial(to, proxy.label, signal).then(
          (socket) => {
            callback(null, socket);
          },
          (error: unknown) => {
            callback(connectFailure(error, proxy.label), null);
          },
        );
      },
      headersTimeout: 0,
      allowH2: false,
      useMilo: false,
    });
    const give = (): void => void client.destroy();
    signal.addEventListener('abort', give, { once: true });
    try {
      return await requestTunnel(client, `${bracketed(target.hostname)}:${target.port || '443'}`, proxy);
    } catch (error) {
      signal.throwIfAborted();
      throw connectFailure(error, proxy.label);
    } finally {
      signal.removeEventListener('abort', give);
      void client.destroy();
    }
  }
}

function bracketed(hostname: string): string {
  return hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
}

function expired(peer: string): ConnectFailure {
  return new ConnectFailure('ETIMEDOUT', `Could not connect: ${peer} did not answer in time.`, true);
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
          // undici insists on this function; nothing is to be done yet
        },
        onRequestUpgrade(_controller, status, _headers, socket) {
          if (status >= 200 && status < 300 && socket instanceof Socket) {
            resolve(socket);
            return;
          }
          socket.destroy();
          reject(refusedByProxy(status, proxy));
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}

/** Why a proxy's answer ends the request; 407 asks for credentials. */
export function refusedByProxy(status: number, proxy: ProxyServer): ConnectFailure {
  if (status !== 407)
    return new ConnectFailure('EPROXY', `Could not connect: ${proxy.label} answered ${String(status)}.`);
  const reason =
    proxy.authorization === undefined ? 'wants credentials' : 'did not accept the credentials it was given';
  const advice = 'put user and password into the address of the proxy (http.proxy or HTTPS_PROXY)';
  return new ConnectFailure(PROXY_AUTHENTICATION, `Could not connect: ${proxy.label} ${reason} (407); ${advice}.`);
}

function attempt(dial: Dial, target: buildConnector.Options, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = dial(target, (error, connected) => {
      signal.removeEventListener('abort', give);
      if (error === null) resolve(connected);
      else reject(error);
    });
    const give = (): void => {
      socket.destroy();
      reject(
        signal.reason instanceof Error
          ? signal.reason
          : new ConnectFailure('ECANCELED', 'The connection was given up.'),
      );
    };
    signal.addEventListener('abort', give, { once: true });
  });
}
