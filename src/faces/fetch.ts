/** The two requests that previews make by themselves: without credentials, without redirects, timed and bounded. */
import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { isLoopback, isPrivateAddress } from './address.ts';

const TIMEOUT = 10_000;
const LARGEST_IMAGE = 4_000_000;

export interface Headers {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
}

/** An image as a data: URL; `undefined` for whatever is not plainly one. Never throws. */
export async function fetchImage(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { status, headers, body } = await get(new URL(url), { signal, body: LARGEST_IMAGE, accept: 'image/*' });
    const type = /^image\/[\w.+-]+/i.exec(headers['content-type'] ?? '')?.[0].toLowerCase();
    if (status !== 200 || type === undefined || body === undefined) return undefined;
    return `data:${type};base64,${body.toString('base64')}`;
  } catch {
    return undefined;
  }
}

/**
 * The headers of a page. Throws when it cannot be had, or when its host is a private address that is not the
 * connection's: `home` is the connection's base URL.
 */
export async function fetchHeaders(url: URL, home: string | undefined, signal: AbortSignal): Promise<Headers> {
  const allowed = home !== undefined && sameSide(url, new URL(home));
  return get(url, { signal, accept: 'text/html', ...(!allowed && { publicOnly: true }) });
}

/** The same host as the connection, or both of them this machine. */
function sameSide(url: URL, home: URL): boolean {
  return url.hostname === home.hostname || (isLoopback(url.hostname) && isLoopback(home.hostname));
}

export class PrivateAddress extends Error {}

interface GetOptions {
  readonly signal: AbortSignal;
  readonly accept: string;
  /** bytes to read at most; absent: only headers */
  readonly body?: number;
  readonly publicOnly?: boolean;
}

function get(url: URL, options: GetOptions): Promise<Headers & { readonly body?: Buffer }> {
  return new Promise((resolve, reject) => {
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (
      options.publicOnly === true &&
      (isLoopback(literal) || (net.isIP(literal) !== 0 && isPrivateAddress(literal)))
    ) {
      reject(new PrivateAddress('The page lies on a private address'));
      return;
    }
    const request = (url.protocol === 'https:' ? https : http).get(
      url,
      {
        headers: { accept: options.accept, 'accept-encoding': 'identity', 'user-agent': 'Mozilla/5.0' },
        signal: AbortSignal.any([options.signal, AbortSignal.timeout(TIMEOUT)]),
        ...(options.publicOnly === true && { lookup: publicLookup }),
      },
      (answer) => {
        const { statusCode: status = 0, headers } = answer;
        if (options.body === undefined) {
          answer.destroy();
          resolve({ status, headers });
          return;
        }
        const most = options.body;
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > most) answer.destroy(new Error('too large'));
          else chunks.push(chunk);
        });
        answer.on('end', () => {
          resolve({ status, headers, body: Buffer.concat(chunks) });
        });
        answer.on('error', reject);
      },
    );
    request.on('error', reject);
  });
}

/** Looks a name up and refuses what is private, on the very addresses that will be connected to. */
const publicLookup: net.LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const hidden = error === null && addresses.some(({ address }) => isPrivateAddress(address));
    const wrong =
      error ?? (hidden || addresses.length === 0 ? new PrivateAddress('The page lies on a private address') : null);
    const [first] = addresses;
    if (wrong !== null || first === undefined) callback(wrong, '', 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
