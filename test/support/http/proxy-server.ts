/** A local proxy with authentication, tunnels and absolute URLs, which resolves every host to 127.0.0.1. */
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import type { KeyPair, LocalServer, Servers } from './servers.ts';

export interface ProxyOptions {
  /** `user:password`; undefined: open to all */
  readonly credentials?: string;
  /** refuse tunnels with this status */
  readonly refuse?: number;
  /** speak TLS to clients */
  readonly keys?: KeyPair;
}

export interface LocalProxy extends LocalServer {
  /** `CONNECT host:port` and `GET http://host/…`, in order */
  readonly targets: readonly string[];
  /** all bytes that the proxy could read of forwarded and tunnelled requests */
  getReceived(): string;
}

/** Starts a proxy that `servers` closes. */
export async function startProxy(servers: Servers, options: ProxyOptions = {}): Promise<LocalProxy> {
  const targets: string[] = [];
  const receivedHeaders: string[] = [];
  const wanted =
    options.credentials === undefined ? undefined : `Basic ${Buffer.from(options.credentials).toString('base64')}`;
  const admitted = (request: http.IncomingMessage): boolean => {
    targets.push(`${request.method ?? ''} ${request.url ?? ''}`);
    receivedHeaders.push(JSON.stringify(request.headers));
    return wanted === undefined || request.headers['proxy-authorization'] === wanted;
  };
  const server = options.keys === undefined ? http.createServer() : https.createServer(options.keys);
  server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    if (!admitted(request)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="test"' }).end('who are you?');
      return;
    }
    forward(request, response);
  });
  server.on('connect', (request: http.IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => undefined);
    if (!admitted(request)) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    if (options.refuse !== undefined) {
      client.end(`HTTP/1.1 ${options.refuse} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const origin = net.connect(Number((request.url ?? '').split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      origin.write(head);
      client.on('data', (chunk: Buffer) => receivedHeaders.push(chunk.toString('latin1')));
      client.pipe(origin).pipe(client);
    });
    origin.on('error', () => client.destroy());
    client.on('close', () => origin.destroy());
  });
  const local = await servers.add(server, options.keys === undefined ? 'http' : 'https');
  return { ...local, targets, getReceived: () => receivedHeaders.join('\n') };
}

function forward(request: http.IncomingMessage, response: http.ServerResponse): void {
  const url = new URL(request.url ?? '');
  const { 'proxy-authorization': _credentials, ...headers } = request.headers;
  const path = url.pathname + url.search;
  const onward = http.request(
    { host: '127.0.0.1', port: url.port, path, method: request.method, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}
