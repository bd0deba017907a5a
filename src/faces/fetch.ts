/** The two requests that previews make by themselves, both by `plainGet`. */
import { isLoopback } from '../platform/proxy.ts';
import { plainGet, type Send } from '../platform/plain-get.ts';
import type { TransportAnswer } from '../platform/transport.ts';

const TIMEOUT = 10_000;
const LARGEST_IMAGE = 4_000_000;

/** An image as a data: URL; `undefined` for whatever is not plainly one. Never rejects. */
export async function fetchImage(send: Send, url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const options = { timeout: TIMEOUT, signal, most: LARGEST_IMAGE, accept: 'image/*' };
    const { status, headers, text } = await plainGet(send, new URL(url), options);
    const type = /^image\/[\w.+-]+/i.exec(headers['content-type'] ?? '')?.[0].toLowerCase();
    return status === 200 && type !== undefined ? `data:${type};base64,${text}` : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The headers of a page. Rejects with a PlatformError when it cannot be had, and with the code `EPRIVATE` in its cause
 * where its host is a private address and not the connection's: `home` is the connection's base URL.
 */
export function fetchHeaders(
  send: Send,
  url: URL,
  home: string | undefined,
  signal: AbortSignal,
): Promise<TransportAnswer> {
  const allowed = home !== undefined && sameSide(url, new URL(home));
  return plainGet(send, url, { timeout: TIMEOUT, signal, accept: 'text/html', publicOnly: !allowed });
}

/** The same host as the connection, or both of them this machine. */
function sameSide(url: URL, home: URL): boolean {
  return url.hostname === home.hostname || (isLoopback(url.hostname) && isLoopback(home.hostname));
}
