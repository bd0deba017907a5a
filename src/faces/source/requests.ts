/** The unauthenticated requests of previews. */
import { isLoopback } from '../../platform/http/proxy.ts';
import { getUnauthenticated, type Send } from '../../platform/http/unauthenticated-get.ts';
import type { TransportResponse } from '../../platform/http/transport.ts';

const REQUEST_TIMEOUT_MS = 10_000;
const MAX_IMAGE_BYTES = 4_000_000;

/** Fetches an image as a data: URL; resolves with `undefined` for anything else. Never rejects. */
export async function fetchImage(send: Send, url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const options = { timeout: REQUEST_TIMEOUT_MS, signal, maxBytes: MAX_IMAGE_BYTES, accept: 'image/*' };
    const { status, headers, text } = await getUnauthenticated(send, new URL(url), options);
    const type = /^image\/[\w.+-]+/i.exec(headers['content-type'] ?? '')?.[0].toLowerCase();
    return status === 200 && type !== undefined ? `data:${type};base64,${text}` : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Requests the headers of a page. Rejects with PlatformError; its cause has the code `EPRIVATE` if the host is a private address
 * and not that of `connectionUrl`, the connection's base URL.
 */
export function fetchPageHeaders(
  send: Send,
  url: URL,
  connectionUrl: string | undefined,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const allowed = connectionUrl !== undefined && isSameHost(url, new URL(connectionUrl));
  return getUnauthenticated(send, url, {
    timeout: REQUEST_TIMEOUT_MS,
    signal,
    accept: 'text/html',
    publicOnly: !allowed,
  });
}

/** Whether the page is on the host of the connection, or both are on this machine. */
function isSameHost(url: URL, connectionUrl: URL): boolean {
  return url.hostname === connectionUrl.hostname || (isLoopback(url.hostname) && isLoopback(connectionUrl.hostname));
}
