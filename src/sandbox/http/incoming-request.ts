/** Parses requests, and refuses those of web pages. */
import type { IncomingMessage } from 'node:http';
import { badRequest, forbidden, HttpError, notFound } from './errors.ts';

const MAX_BODY = 8 * 1024 * 1024;
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** A parsed request. */
export interface IncomingRequest {
  readonly request: IncomingMessage;
  readonly method: string;
  /** below the base path, still encoded */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly segments: readonly string[];
  readonly header: (name: string) => string | undefined;
}

/** Parses a request without its body. Throws HttpError for other hosts, origins and paths. */
export function parseRequest(request: IncomingMessage, basePath: string): IncomingRequest {
  const { headers } = request;
  const header = (name: string): string | undefined => {
    const value = headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  // Web pages must not reach the sandbox, neither by DNS rebinding nor by cross-origin requests.
  const host = header('host') ?? '';
  if (!LOOPBACK.test(host)) throw forbidden('the Host header must name this machine');
  const origin = header('origin');
  if (origin !== undefined && origin !== `http://${host}`) throw forbidden('requests from other origins are refused');
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  const fullPath = mark < 0 ? target : target.slice(0, mark);
  if (!fullPath.startsWith(`${basePath}/`)) throw notFound('no such path');
  const path = fullPath.slice(basePath.length);
  const segments = parseSegments(path);
  const isEmbeddable = segments[0] === 'pages' || segments[0] === 'files';
  if (header('sec-fetch-site') === 'cross-site' && !isEmbeddable)
    throw forbidden('requests from other sites are refused');
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  return { request, method: request.method ?? 'GET', path, query, segments, header };
}

/** Rejects with HttpError 413 after reading a body that is too large: a client that still sends would miss the response. */
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

/** Parses a JSON body; integers past 2^53 become `RawNumber`. Throws HttpError 400. */
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

/** Decodes each segment separately, so that escaped slashes and dots remain within their segment. */
function parseSegments(path: string): readonly string[] {
  try {
    return path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
  } catch {
    throw badRequest('the path is not well escaped');
  }
}
