/** One GET that presents nobody: no credential, no redirect followed, timed and bounded, over the proxy and certificates of all. */
import type { Transport, TransportAnswer } from './transport.ts';

export type Send = Transport['send'];

export interface PlainGet {
  readonly accept: string;
  /** milliseconds for all of it */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** bytes of the body, which comes as base64; absent: headers alone */
  readonly most?: number;
  readonly publicOnly?: boolean;
}

/** Rejects with a PlatformError; any status resolves. */
export function plainGet(send: Send, url: URL, options: PlainGet): Promise<TransportAnswer> {
  const { accept, timeout, signal, most, publicOnly = false } = options;
  return send({
    method: 'GET',
    url,
    // Some sites refuse whoever does not look like a browser.
    headers: { accept, 'user-agent': 'Mozilla/5.0' },
    timeouts: { connect: timeout, headers: timeout, body: timeout },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    redirect: 'answer',
    credentialHeaders: [],
    maxBytes: most ?? 0,
    take: most === undefined ? 'nothing' : 'base64',
    publicOnly,
  });
}
