/** Unauthenticated GET requests: no credential and no redirects, with limits, over the usual proxy and certificates. */
import type { Transport, TransportResponse } from './transport.ts';

export type Send = Transport['send'];

export interface UnauthenticatedGetOptions {
  readonly accept: string;
  /** milliseconds in total */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** bytes of the body, which is returned as base64; absent: only headers are read */
  readonly maxBytes?: number;
  readonly publicOnly?: boolean;
}

/** Sends an unauthenticated GET. Resolves for any status; rejects with PlatformError. */
export function getUnauthenticated(
  send: Send,
  url: URL,
  options: UnauthenticatedGetOptions,
): Promise<TransportResponse> {
  const { accept, timeout, signal, maxBytes, publicOnly = false } = options;
  return send({
    method: 'GET',
    url,
    // Some sites refuse clients that do not look like a browser.
    headers: { accept, 'user-agent': 'Mozilla/5.0' },
    timeouts: { connect: timeout, headers: timeout, body: timeout },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    redirect: 'manual',
    credentialHeaders: [],
    maxBytes: maxBytes ?? 0,
    responseBody: maxBytes === undefined ? 'none' : 'base64',
    publicOnly,
  });
}
