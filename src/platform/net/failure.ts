/** Puts what sockets, TLS, proxies and undici throw into plain English that names host and cause, and no secret. */
import { PlatformError, type ErrorDetail } from '../errors.ts';
import { certificateAdvice, isCertificateProblem } from './certificate-problems.ts';

/** A connection that could not be made; `message` is for people. Its `code` is never one that undici would retry. */
export class ConnectFailure extends Error {
  readonly code: string;
  readonly timeout: boolean;
  constructor(code: string, message: string, timeout = false) {
    super(message);
    this.code = code;
    this.timeout = timeout;
  }
}

/** What `detail.cause` of a proxy that wants credentials carries as `code`. */
export const PROXY_AUTHENTICATION = 'PROXY_AUTHENTICATION';

/** `example.com:443`: never userinfo, path or query. */
export function authority(url: URL): string {
  return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;
}

/** The `code` of anything thrown, or an empty string. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const CONNECT_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke the connection while it was being made',
  EPIPE: 'broke the connection while it was being made',
  UND_ERR_SOCKET: 'closed the connection while it was being made',
  ENOTFOUND: 'is not a known host name',
  EAI_AGAIN: 'could not be looked up: the name server did not answer',
  EPRIVATE: 'lies on a private address',
  EHOSTUNREACH: 'cannot be reached from this network',
  ENETUNREACH: 'cannot be reached from this network',
};

/**
 * Why no connection was made. `peer` is host and port, or the proxy's, as in `the proxy proxy.example:3128`;
 * `hint` is a further sentence for certificate problems.
 */
export function connectFailure(error: unknown, peer: string, hint = ''): ConnectFailure {
  if (error instanceof ConnectFailure) return error;
  const code = codeOf(error);
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new ConnectFailure(code, `Could not connect: ${peer} did not answer in time.`, true);
  }
  if (isCertificateProblem(code)) {
    return new ConnectFailure(code, `Could not connect: ${certificateAdvice(code, peer)}${hint}`);
  }
  const words = CONNECT_WORDS[code];
  if (words !== undefined) {
    return new ConnectFailure(safeCode(code), `Could not connect: ${peer} ${words} (${shown(code)}).`);
  }
  if (/^ERR_SSL|^EPROTO|SSL/.test(code)) {
    return new ConnectFailure(code, `Could not connect: ${peer} does not speak TLS as expected (${code}).`);
  }
  return new ConnectFailure(safeCode(code), `Could not connect to ${peer}${code === '' ? '' : ` (${shown(code)})`}.`);
}

// undici leaves requests queued, and connects again for ever, when a connector fails with its own recoverable codes.
function safeCode(code: string): string {
  return code === '' || code.startsWith('UND_ERR') ? 'ECONNRESET' : code;
}

function shown(code: string): string {
  return code.startsWith('UND_ERR') ? 'connection closed' : code;
}

export interface FailedAt {
  readonly peer: string;
  readonly sent: boolean;
  readonly headersSeen: boolean;
}

/** The PlatformError for anything that ends a request at the transport's level. */
export function toPlatformError(error: unknown, at: FailedAt): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof ConnectFailure) {
    return new PlatformError(error.timeout ? 'timeout' : 'network', error.message, detailOf(error, false));
  }
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    const message = `The request to ${at.peer} was not sent: HTTP does not allow one of its headers or its address.`;
    return new PlatformError('contract', message, detailOf(error, false));
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return cancelled(at.sent);
  const noHttp = error instanceof Error && error.name === 'HTTPParserError';
  const words = noHttp ? 'sent something that is not HTTP' : brokenWords(code, at.headersSeen);
  return new PlatformError('network', `${at.peer} ${words}.`, detailOf(error, at.sent));
}

function brokenWords(code: string, headersSeen: boolean): string {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'sent headers that are too large';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'closed the connection before the answer was complete';
  const cause = code === '' ? '' : ` (${shown(code)})`;
  return `broke the connection ${headersSeen ? 'in the middle of its answer' : 'before it answered'}${cause}`;
}

/** The rejection for a caller's AbortSignal or a closed transport. */
export function cancelled(sent: boolean): PlatformError {
  return new PlatformError('cancelled', 'The request was cancelled.', { sent });
}

/** The rejection for a request whose `onSent` threw: nothing was written. */
export function takenBack(cause: unknown): PlatformError {
  return new PlatformError('cancelled', 'The request was taken back before it was sent.', { sent: false, cause });
}

/** No headers, or no more of the body, for `milliseconds`. */
export function silent(peer: string, phase: 'headers' | 'body', milliseconds: number): PlatformError {
  const time = `${String(milliseconds / 1000)} s`;
  const words =
    phase === 'headers' ? `did not answer within ${time}` : `stopped in the middle of its answer for ${time}`;
  return new PlatformError('timeout', `${peer} ${words}.`, { sent: true });
}

/** More than `maxBytes`, announced or arrived. */
export function tooLarge(peer: string, maxBytes: number, status: number): PlatformError {
  const message = `The answer of ${peer} is larger than the limit of ${String(maxBytes)} bytes.`;
  return new PlatformError('tooLarge', message, { status, sent: true });
}

/** Unpacked to more than `maxRatio` times of what arrived. */
export function bomb(peer: string, maxRatio: number, status: number): PlatformError {
  const message = `The answer of ${peer} unpacks to more than ${String(maxRatio)} times its size, the limit.`;
  return new PlatformError('tooLarge', message, { status, sent: true });
}

/** The answer was not complete after `milliseconds`, however much of it arrived. */
export function tooSlow(peer: string, milliseconds: number): PlatformError {
  return new PlatformError('timeout', `${peer} did not finish its answer within ${String(milliseconds / 1000)} s.`, {
    sent: true,
  });
}

/** A compressed body that does not end as it should. */
export function damaged(peer: string, status: number): PlatformError {
  const message = `${peer} broke off in the middle of its answer: the compressed body is incomplete or damaged.`;
  return new PlatformError('network', message, { status, sent: true });
}

/** A `content-encoding` that we never asked for. */
export function unknownEncoding(peer: string, status: number): PlatformError {
  return new PlatformError('contract', `${peer} answered in an encoding that was not asked for.`, {
    status,
    sent: true,
  });
}

function detailOf(error: unknown, sent: boolean): ErrorDetail {
  return { sent, cause: plainCause(error) };
}

/** Only words and code: undici's errors carry the server's bytes and the socket, which may hold secrets. */
function plainCause(error: unknown): Error {
  const code = codeOf(error);
  return Object.assign(new Error(code === '' ? 'unknown' : code), { code });
}
