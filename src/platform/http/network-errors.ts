/** Maps errors of sockets, TLS, proxies and undici to errors that name host and cause, without secrets. */
import { PlatformError, type ErrorDetail } from '../errors.ts';
import { formatCertificateError, isCertificateError } from './certificate-errors.ts';

/** A failed connection; `message` is shown to the user. `code` is never one that undici would retry. */
export class ConnectError extends Error {
  readonly code: string;
  readonly timeout: boolean;
  constructor(code: string, message: string, timeout = false) {
    super(message);
    this.code = code;
    this.timeout = timeout;
  }
}

/** The `code` of `detail.cause` if a proxy requires credentials. */
export const PROXY_AUTHENTICATION = 'PROXY_AUTHENTICATION';

/** `example.com:443`: never userinfo, path or query. */
export function formatAuthority(url: URL): string {
  return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;
}

/** The `code` of a thrown value, or an empty string. */
export function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const CONNECT_MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'reset the connection while connecting',
  EPIPE: 'reset the connection while connecting',
  UND_ERR_SOCKET: 'closed the connection while connecting',
  ENOTFOUND: 'is not a known host name',
  EAI_AGAIN: 'could not be looked up: the name server did not respond',
  EPRIVATE: 'is on a private address',
  EHOSTUNREACH: 'cannot be reached from this network',
  ENETUNREACH: 'cannot be reached from this network',
};

/**
 * The error of a failed connection. `peer` is host and port, or `the proxy proxy.example:3128`; `hint` is appended for
 * certificate problems.
 */
export function toConnectError(error: unknown, peer: string, hint = ''): ConnectError {
  if (error instanceof ConnectError) return error;
  const code = getErrorCode(error);
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new ConnectError(code, `Could not connect: ${peer} did not respond in time.`, true);
  }
  if (isCertificateError(code)) {
    return new ConnectError(code, `Could not connect: ${formatCertificateError(code, peer)}${hint}`);
  }
  const reason = CONNECT_MESSAGES[code];
  if (reason !== undefined) {
    return new ConnectError(safeCode(code), `Could not connect: ${peer} ${reason} (${formatCode(code)}).`);
  }
  if (/^ERR_SSL|^EPROTO|SSL/.test(code)) {
    return new ConnectError(code, `Could not connect: ${peer} does not speak TLS as expected (${code}).`);
  }
  return new ConnectError(
    safeCode(code),
    `Could not connect to ${peer}${code === '' ? '' : ` (${formatCode(code)})`}.`,
  );
}

// undici keeps requests queued and reconnects forever if a connector fails with one of undici's recoverable codes.
function safeCode(code: string): string {
  return code === '' || code.startsWith('UND_ERR') ? 'ECONNRESET' : code;
}

function formatCode(code: string): string {
  return code.startsWith('UND_ERR') ? 'connection closed' : code;
}

interface FailureContext {
  readonly peer: string;
  readonly sent: boolean;
  readonly headersReceived: boolean;
}

/** The PlatformError for any failure of the transport. */
export function toPlatformError(error: unknown, context: FailureContext): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof ConnectError) {
    return new PlatformError(error.timeout ? 'timeout' : 'network', error.message, createDetail(error, false));
  }
  const code = getErrorCode(error);
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    const message = `The request to ${context.peer} was not sent: HTTP does not allow one of its headers or its address.`;
    return new PlatformError('contract', message, createDetail(error, false));
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return cancelledError(context.sent);
  const noHttp = error instanceof Error && error.name === 'HTTPParserError';
  const reason = noHttp ? 'sent something that is not HTTP' : formatBrokenConnection(code, context.headersReceived);
  return new PlatformError('network', `${context.peer} ${reason}.`, createDetail(error, context.sent));
}

function formatBrokenConnection(code: string, headersReceived: boolean): string {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'sent headers that are too large';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'closed the connection before the response was complete';
  const cause = code === '' ? '' : ` (${formatCode(code)})`;
  return `closed the connection ${headersReceived ? 'during the response' : 'before responding'}${cause}`;
}

/** The error for an aborted signal or a closed transport. `sent`: whether the request may have reached the server. */
export function cancelledError(sent?: boolean): PlatformError {
  return new PlatformError('cancelled', 'The request was cancelled.', sent === undefined ? {} : { sent });
}

/** The error for a request whose `onSent` threw: nothing was written. */
export function withdrawnError(cause: unknown): PlatformError {
  return new PlatformError('cancelled', 'The request was cancelled before it was sent.', { sent: false, cause });
}

/** The error for no headers, or no further data of the body, within `milliseconds`. */
export function idleTimeoutError(peer: string, phase: 'headers' | 'body', milliseconds: number): PlatformError {
  const time = `${String(milliseconds / 1000)} s`;
  const reason = phase === 'headers' ? `did not respond within ${time}` : `stopped responding for ${time}`;
  return new PlatformError('timeout', `${peer} ${reason}.`, { sent: true });
}

/** The error for more than `maxBytes`, announced or received. */
export function tooLargeError(peer: string, maxBytes: number, status: number): PlatformError {
  const message = `The response of ${peer} is larger than the limit of ${String(maxBytes)} bytes.`;
  return new PlatformError('tooLarge', message, { status, sent: true });
}

/** The error for a body that decompresses to more than `maxRatio` times its size. */
export function decompressionRatioError(peer: string, maxRatio: number, status: number): PlatformError {
  const message = `The response of ${peer} decompresses to more than ${String(maxRatio)} times its size, which is the limit.`;
  return new PlatformError('tooLarge', message, { status, sent: true });
}

/** The error for a response that is not complete after `milliseconds`. */
export function totalTimeoutError(peer: string, milliseconds: number): PlatformError {
  return new PlatformError('timeout', `${peer} did not finish its response within ${String(milliseconds / 1000)} s.`, {
    sent: true,
  });
}

/** The error for an incomplete or damaged compressed body. */
export function damagedBodyError(peer: string, status: number): PlatformError {
  const message = `${peer} sent an incomplete response: the compressed body is incomplete or damaged.`;
  return new PlatformError('network', message, { status, sent: true });
}

/** The error for a `content-encoding` outside of `ACCEPT_ENCODING`. */
export function unknownEncodingError(peer: string, status: number): PlatformError {
  return new PlatformError('contract', `${peer} responded in an encoding that was not requested.`, {
    status,
    sent: true,
  });
}

function createDetail(error: unknown, sent: boolean): ErrorDetail {
  return { sent, cause: stripCause(error) };
}

/** Keeps only the code: undici's errors carry the server's bytes and the socket, which may contain secrets. */
function stripCause(error: unknown): Error {
  const code = getErrorCode(error);
  return Object.assign(new Error(code === '' ? 'unknown' : code), { code });
}
