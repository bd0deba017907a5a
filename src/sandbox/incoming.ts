/** Reads a request: who may send one at all, its path below the base path, its query and its body. */
import type { IncomingMessage } from 'node:http';
import { badRequest, forbidden, HttpError, notFound, segmentsOf } from './http.ts';

const MAX_BODY = 8 * 1024 * 1024;
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** One request as far as it has been understood. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly method: string;
  /** below the base path, as sent */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly segments: readonly string[];
  readonly header: (name: string) => string | undefined;
}

/** Throws what is due to requests that must not be answered, or are not under the base path. */
export function understand(request: IncomingMessage, basePath: string): Incoming {
  const { headers } = request;
  const header = (name: string): string | undefined => {
    const value = headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  // A page in a browser must not reach us, neither by name (DNS rebinding) nor by a request of its own.
  const host = header('host') ?? '';
  if (!LOOPBACK.test(host)) throw forbidden('the Host header must name this machine');
  const origin = header('origin');
  if (origin !== undefined && origin !== `http://${host}`) throw forbidden('requests from other origins are refused');
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  const whole = mark < 0 ? target : target.slice(0, mark);
  if (!whole.startsWith(`${basePath}/`)) throw notFound('no such path');
  const path = whole.slice(basePath.length);
  const segments = segmentsOf(path);
  const shown = segments[0] === 'pages' || segments[0] === 'files';
  if (header('sec-fetch-site') === 'cross-site' && !shown) throw forbidden('requests from other sites are refused');
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  return { request, method: request.method ?? 'GET', path, query, segments, header };
}

/** Throws 413 for what is too large, once it has been read: a client that still sends would not see the answer. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    if (!Buffer.isBuffer(piece)) continue;
    size += piece.length;
    if (size <= MAX_BODY) pieces.push(piece);
  }
  if (size > MAX_BODY) throw new HttpError(413, 'too_large', `the body is larger than ${MAX_BODY} bytes`);
  return Buffer.concat(pieces).toString('utf8');
}

/** Integers that a double cannot hold are kept to the digit. */
export function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text, (_name, value: unknown, { source }) =>
      typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
        ? JSON.rawJSON(source)
        : value,
    );
  } catch {
    throw badRequest('the body is not JSON');
  }
}
