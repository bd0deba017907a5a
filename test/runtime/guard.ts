/** Stands before the editor's server of `npm start`: lets in only the browser that opened the printed address. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

const COOKIE = 'smart-objects-start';

export interface Guard {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** The address that lets a browser in: with the token, once; then by its cookie. */
  address(query: Readonly<Record<string, string>>): string;
  close(): void;
}

/** Listens on 127.0.0.1 and passes on to a server that listens on a Unix socket. Rejects where the port is taken. */
export async function startGuard(socketPath: string, port: number): Promise<Guard> {
  const token = randomBytes(32).toString('base64url');
  let hosts: readonly string[] = [];

  /** Why a request is refused, or nothing. A page of another name for this machine must not get in, even with the cookie. */
  const refusal = ({ headers }: http.IncomingMessage): string | undefined => {
    if (!hosts.includes(headers.host ?? '')) return 'This address is not the one that was printed.';
    const cookies = (headers.cookie ?? '').split(/;\s*/);
    const given = cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
    return isToken(given) ? undefined : 'Open the address that npm start printed.';
  };
  const isToken = (given: string | null | undefined): boolean => {
    const [one, other] = [Buffer.from(given ?? ''), Buffer.from(token)];
    return one.length === other.length && timingSafeEqual(one, other);
  };
  const onward = (request: http.IncomingMessage): http.ClientRequest => {
    const { method, url, headers } = request;
    return http.request({ socketPath, method, path: url, headers });
  };

  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://guard');
    if (hosts.includes(request.headers.host ?? '') && isToken(url.searchParams.get('tkn'))) {
      url.searchParams.delete('tkn');
      enter(response, url);
      return;
    }
    const refused = refusal(request);
    if (refused !== undefined) {
      response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(`${refused}\n`);
      return;
    }
    const passed = onward(request);
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    passed.on('error', () => {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    });
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });

  /** Our own page goes on to the editor: a cookie of the strict kind is not sent where another site leads here. */
  const enter = (response: http.ServerResponse, { pathname, search }: URL): void => {
    const target = `${pathname}${search}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
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
    if (refusal(request) !== undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    const passed = onward(request);
    passed.on('upgrade', (answer, far: Socket, first: Buffer) => {
      const lines = [`HTTP/1.1 101 ${answer.statusMessage ?? ''}`];
      for (let at = 0; at < answer.rawHeaders.length; at += 2)
        lines.push(`${answer.rawHeaders[at] ?? ''}: ${answer.rawHeaders[at + 1] ?? ''}`);
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      if (first.length > 0) socket.write(first);
      if (head.length > 0) far.write(head);
      far.pipe(socket).pipe(far);
      far.on('error', () => socket.destroy());
      socket.on('close', () => far.destroy());
    });
    // An answer that is no upgrade, or none at all.
    passed.on('response', () => socket.destroy());
    passed.on('error', () => socket.destroy());
    passed.end();
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  // Listening on a port, so it is no path of a socket.
  const { port: taken } = server.address() as AddressInfo;
  hosts = [`127.0.0.1:${taken}`, `localhost:${taken}`];
  const origin = `http://127.0.0.1:${taken}`;
  return {
    origin,
    address: (query) => `${origin}/?${new URLSearchParams({ tkn: token, ...query }).toString()}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
