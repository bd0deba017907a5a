/** Maps errors of sockets, TLS, proxies and undici to errors that name host and cause, without secrets. */
import { MessageError, joinSentences, stored, type Message, type StoredText } from '../text/message.ts';
import { PlatformError, type ErrorDetail } from '../errors.ts';
import { describeCertificateError, isCertificateError } from './certificate-errors.ts';

/** A failed connection; `message` is shown to the user. `code` is never one that undici would retry. */
export class ConnectError extends MessageError {
  readonly code: string;
  readonly timeout: boolean;
  constructor(code: string, text: StoredText, timeout = false) {
    super(text);
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

const connectMessages: Readonly<Record<string, (peer: StoredText, code: StoredText) => Message>> = {
  ECONNREFUSED: (peer, code) => stored('Could not connect: {0} refused the connection ({1}).', peer, code),
  ECONNRESET: (peer, code) => stored('Could not connect: {0} reset the connection while connecting ({1}).', peer, code),
  EPIPE: (peer, code) => stored('Could not connect: {0} reset the connection while connecting ({1}).', peer, code),
  UND_ERR_SOCKET: (peer, code) =>
    stored('Could not connect: {0} closed the connection while connecting ({1}).', peer, code),
  ENOTFOUND: (peer, code) => stored('Could not connect: {0} is not a known host name ({1}).', peer, code),
  EAI_AGAIN: (peer, code) =>
    stored('Could not connect: {0} could not be looked up because the name server did not respond ({1}).', peer, code),
  EPRIVATE: (peer, code) => stored('Could not connect: {0} is on a private address ({1}).', peer, code),
  EHOSTUNREACH: (peer, code) => stored('Could not connect: {0} can’t be reached from this network ({1}).', peer, code),
  ENETUNREACH: (peer, code) => stored('Could not connect: {0} can’t be reached from this network ({1}).', peer, code),
};

/**
 * The error of a failed connection. `peer` is host and port, or `the proxy proxy.example:3128`; `hints` are sentences that
 * are appended for certificate problems.
 */
export function toConnectError(error: unknown, peer: StoredText, hints: readonly StoredText[] = []): ConnectError {
  if (error instanceof ConnectError) return error;
  const code = getErrorCode(error);
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return connectTimeoutError(peer, code);
  }
  if (isCertificateError(code)) {
    const reason = hints.reduce<StoredText>(joinSentences, describeCertificateError(code, peer));
    return new ConnectError(code, stored('Could not connect: {0}.', reason));
  }
  const message = connectMessages[code]?.(peer, formatCode(code));
  if (message !== undefined) return new ConnectError(safeCode(code), message);
  if (/^EPROTO|SSL/.test(code)) {
    return new ConnectError(code, stored('Could not connect: the TLS handshake with {0} failed ({1}).', peer, code));
  }
  return new ConnectError(
    safeCode(code),
    code === ''
      ? stored('Could not connect to {0}.', peer)
      : stored('Could not connect to {0} ({1}).', peer, formatCode(code)),
  );
}

/** The error for a connection that is not made in time. */
export function connectTimeoutError(peer: StoredText, code = 'ETIMEDOUT'): ConnectError {
  return new ConnectError(code, stored('Could not connect: {0} did not respond in time.', peer), true);
}

// undici keeps requests queued and reconnects forever if a connector fails with one of undici's recoverable codes.
function safeCode(code: string): string {
  return code === '' || code.startsWith('UND_ERR') ? 'ECONNRESET' : code;
}

function formatCode(code: string): StoredText {
  return code.startsWith('UND_ERR') ? stored('connection closed') : code;
}

interface FailureContext {
  readonly peer: StoredText;
  readonly sent: boolean;
  readonly headersReceived: boolean;
}

/** The PlatformError for any failure of the transport. */
export function toPlatformError(error: unknown, context: FailureContext): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof ConnectError) {
    return new PlatformError(error.timeout ? 'timeout' : 'network', error.text, createDetail(error, false));
  }
  const code = getErrorCode(error);
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    const message = stored(
      'The request to {0} was not sent: HTTP does not allow one of its headers or its address.',
      context.peer,
    );
    return new PlatformError('contract', message, createDetail(error, false));
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return cancelledError(context.sent);
  const noHttp = error instanceof Error && error.name === 'HTTPParserError';
  const message = noHttp
    ? stored('{0} sent something that is not HTTP.', context.peer)
    : formatBrokenConnection(code, context);
  return new PlatformError('network', message, createDetail(error, context.sent));
}

function formatBrokenConnection(code: string, { peer, headersReceived }: FailureContext): Message {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return stored('{0} sent headers that are too large.', peer);
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return stored('{0} closed the connection before the response was complete.', peer);
  const cause = code === '' ? stored('unknown error') : formatCode(code);
  return headersReceived
    ? stored('{0} closed the connection during the response ({1}).', peer, cause)
    : stored('{0} closed the connection before responding ({1}).', peer, cause);
}

/** The error for an aborted signal or a closed transport. `sent`: whether the request may have reached the server. */
export function cancelledError(sent?: boolean): PlatformError {
  return new PlatformError('cancelled', stored('The request was canceled.'), sent === undefined ? {} : { sent });
}

/** The error for a request whose `onSent` threw: nothing was written. */
export function withdrawnError(cause: unknown): PlatformError {
  return new PlatformError('cancelled', stored('The request was canceled before it was sent.'), {
    sent: false,
    cause,
  });
}

/** The error for a redirect to another origin, which gets no credential. */
export function otherOriginError(peer: StoredText, origin: string, status: number): PlatformError {
  const message = stored('{0} redirects to {1}: change the base URL?', peer, origin);
  return new PlatformError('contract', message, { status, sent: true, redirect: origin });
}

/** The error for no headers, or no further data of the body, within `milliseconds`. */
export function idleTimeoutError(peer: StoredText, phase: 'headers' | 'body', milliseconds: number): PlatformError {
  const seconds = String(milliseconds / 1000);
  const message =
    phase === 'headers'
      ? stored('{0} did not respond within {1} s.', peer, seconds)
      : stored('{0} stopped responding for {1} s.', peer, seconds);
  return new PlatformError('timeout', message, { sent: true });
}

/** The error for more than `maxBytes`, announced or received. */
export function tooLargeError(peer: StoredText, maxBytes: number, status: number): PlatformError {
  const message = stored('The response from {0} is larger than the limit of {1} bytes.', peer, String(maxBytes));
  return new PlatformError('tooLarge', message, { status, sent: true });
}

/** The error for a body that decompresses to more than `maxRatio` times its size. */
export function decompressionRatioError(peer: StoredText, maxRatio: number, status: number): PlatformError {
  const message = stored(
    'The response from {0} decompresses to more than {1} times its size, which is the limit.',
    peer,
    String(maxRatio),
  );
  return new PlatformError('tooLarge', message, { status, sent: true });
}

/** The error for a response that is not complete after `milliseconds`. */
export function totalTimeoutError(peer: StoredText, milliseconds: number): PlatformError {
  const message = stored('{0} did not finish its response within {1} s.', peer, String(milliseconds / 1000));
  return new PlatformError('timeout', message, { sent: true });
}

/** The error for an incomplete or damaged compressed body. */
export function damagedBodyError(peer: StoredText, status: number): PlatformError {
  const message = stored('{0} sent an incomplete response: the compressed body is incomplete or damaged.', peer);
  return new PlatformError('network', message, { status, sent: true });
}

/** The error for a `content-encoding` outside of `ACCEPT_ENCODING`. */
export function unknownEncodingError(peer: StoredText, status: number): PlatformError {
  return new PlatformError('contract', stored('{0} responded in an encoding that was not requested.', peer), {
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
  return createCodedError(code === '' ? 'unknown' : code, code);
}

/** Creates an error with a code like those of Node. */
export function createCodedError(message: string, code: string): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(message);
  error.code = code;
  return error;
}
