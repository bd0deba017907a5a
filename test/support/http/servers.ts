/** Local servers for transport tests, which record their requests. */
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { once } from 'node:events';

/** One received request. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface LocalServer {
  readonly port: number;
  /** `http://127.0.0.1:1234` */
  readonly origin: string;
  readonly received: readonly Received[];
  /** how many TCP connections were accepted */
  connections(): number;
}

export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

export type Handler = (request: Received, response: http.ServerResponse) => void;

/** Servers of one test; `close` ends them with all their connections. */
export class Servers {
  readonly #closers: (() => void)[] = [];

  /** With `keys` it speaks TLS. */
  async http(handler: Handler, keys?: KeyPair): Promise<LocalServer> {
    const received: Received[] = [];
    const listener = (request: http.IncomingMessage, response: http.ServerResponse): void => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
        received.push(one);
        handler(one, response);
      });
    };
    const server = keys === undefined ? http.createServer(listener) : https.createServer(keys, listener);
    return this.#listen(server, received, keys === undefined ? 'http' : 'https');
  }

  /** A TCP server; received bytes are passed on as latin1 text. */
  async raw(onData: (text: string, socket: net.Socket, connection: number) => void): Promise<LocalServer> {
    let accepted = 0;
    const server = net.createServer((socket) => {
      const connection = ++accepted;
      socket.on('data', (chunk) => {
        onData(chunk.toString('latin1'), socket, connection);
      });
      socket.on('error', () => undefined);
    });
    return this.#listen(server, [], 'http');
  }

  /** Adds another server, which must not be listening yet. */
  async add(server: net.Server, protocol: 'http' | 'https' = 'http'): Promise<LocalServer> {
    return this.#listen(server, [], protocol);
  }

  /** Closes all servers and their connections. */
  close(): void {
    for (const close of this.#closers.splice(0)) close();
  }

  async #listen(server: net.Server, received: readonly Received[], protocol: string): Promise<LocalServer> {
    let accepted = 0;
    const sockets = new Set<net.Socket>();
    server.on('connection', (socket: net.Socket) => {
      accepted++;
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#closers.push(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const origin = `${protocol}://127.0.0.1:${address.port}`;
    return { port: address.port, origin, received, connections: () => accepted };
  }
}

/** A port on which no server listens. */
export async function closedPort(): Promise<number> {
  const servers = new Servers();
  const { port } = await servers.raw(() => undefined);
  servers.close();
  return port;
}
