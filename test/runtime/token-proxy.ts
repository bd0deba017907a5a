/** Proxy of the editor's server in `npm start`: accepts only the browser that opened the printed address. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

const COOKIE = 'smart-objects-start';

export interface TokenProxy {
  /** `http://smart-objects-<random>.localhost:<port>`: browsers send the cookie of this name to no other local server */
  readonly origin: string;
  readonly port: number;
  /** The address with the token. Opening it sets a cookie that later requests are accepted with. */
  address(query: Readonly<Record<string, string>>): string;
  close(): void;
}

/** Listens on 127.0.0.1 and forwards to a server on a Unix socket. Rejects if the port is in use. */
export async function startTokenProxy(socketPath: string, port: number): Promise<TokenProxy> {
  const token = randomBytes(32).toString('base64url');
  const name = `smart-objects-${randomBytes(8).toString('hex')}.localhost`;
  let host = '';

  /**
   * Why a request is refused, or undefined. Checks host and origin too, against DNS rebinding and pages of other servers of
   * this computer with a valid cookie.
   */
  const refusal = ({ headers }: http.IncomingMessage, isUpgrade = false): string | undefined => {
    const origin = headers.origin ?? (isUpgrade ? '' : `http://${host}`);
    if (headers.host !== host || origin !== `http://${host}`) return 'This address is not the one that was printed.';
    const cookies = (headers.cookie ?? '').split(/;\s*/);
    const value = cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
    return isToken(value) ? undefined : 'Open the address that npm start printed.';
  };
  const isToken = (value: string | null | undefined): boolean => {
    const [actual, expected] = [Buffer.from(value ?? ''), Buffer.from(token)];
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  };
  const forward = (request: http.IncomingMessage): http.ClientRequest => {
    const { method, url, headers } = request;
    return http.request({ socketPath, method, path: url, headers });
  };

  const server = http.createServer((request, response) => {
    const query = new URLSearchParams(/\?(.*)/.exec(request.url ?? '')?.[1]);
    if (request.headers.host === host && isToken(query.get('tkn'))) {
      query.delete('tkn');
      sendEntryPage(response, query);
      return;
    }
    const refused = refusal(request);
    if (refused !== undefined) {
      response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(`${refused}\n`);
      return;
    }
    const forwarded = forward(request);
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    forwarded.on('error', () => {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    });
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });

  /** Redirects by a page of this origin: a SameSite=Strict cookie is not sent after a redirect from another site. */
  const sendEntryPage = (response: http.ServerResponse, query: URLSearchParams): void => {
    const target = `/?${query.toString()}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    response.writeHead(200, {
      'set-cookie': `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict`,
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    response.end(`<!doctype html><meta http-equiv="refresh" content="0;url=${target}">`);
  };

  server.on('upgrade', (request: http.IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (refusal(request, true) !== undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    const forwarded = forward(request);
    forwarded.on('upgrade', (answer, upstream: Socket, first: Buffer) => {
      const lines = [`HTTP/1.1 101 ${answer.statusMessage ?? ''}`];
      for (let at = 0; at < answer.rawHeaders.length; at += 2)
        lines.push(`${answer.rawHeaders[at] ?? ''}: ${answer.rawHeaders[at + 1] ?? ''}`);
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      if (first.length > 0) socket.write(first);
      if (head.length > 0) upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
      upstream.on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
    });
    // The server refused the upgrade or closed the connection.
    forwarded.on('response', () => socket.destroy());
    forwarded.on('error', () => socket.destroy());
    forwarded.end();
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  // `address()` returns an object for a TCP port.
  const { port: assignedPort } = server.address() as AddressInfo;
  host = `${name}:${assignedPort}`;
  const origin = `http://${host}`;
  return {
    origin,
    port: assignedPort,
    address: (query) => `${origin}/?${new URLSearchParams({ tkn: token, ...query }).toString()}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
