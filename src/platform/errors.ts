/** The error class of the platform client. */

import { MessageError, type StoredText } from './text/message.ts';

/** The kinds of failure that callers distinguish. */
export type ErrorCode =
  /** no connection, or a broken one: the effect on the server is unknown */
  | 'network'
  /** connect, headers or body took longer than allowed */
  | 'timeout'
  /** the caller's AbortSignal fired */
  | 'cancelled'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'badRequest'
  | 'rateLimited'
  | 'server'
  /** a response that is not JSON: often a wrong base URL */
  | 'notJson'
  /** a response larger than the size limit */
  | 'tooLarge'
  /** JSON, but not what the contract describes; also a redirect that must not be followed */
  | 'contract';

export interface ErrorDetail {
  readonly status?: number;
  /** from the header `x-request-id` or the body */
  readonly requestId?: string;
  /** the server's message, redacted and cut; untrusted: show it as plain text only */
  readonly serverMessage?: string;
  /** the full response that refused an action or was unusable, redacted; untrusted */
  readonly body?: string;
  /** milliseconds to wait according to `Retry-After`, at most a day */
  readonly retryAfter?: number;
  /** cursor of the next page, if reading a list stopped before its end */
  readonly next?: string;
  /** `unauthenticated`, `forbidden`: the connection that needs another sign-in or identity */
  readonly connection?: string;
  /** origin that the base URL redirects to */
  readonly redirect?: string;
  /** advice to the user as a full sentence, if the default one of the code does not fit */
  readonly nextStep?: string;
  /** false: the request certainly never reached the server; true or absent: it may have */
  readonly sent?: boolean;
  readonly cause?: unknown;
}

/** The error of every client function. Its texts are plain text without secrets. */
export class PlatformError extends MessageError {
  override readonly name = 'PlatformError';
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;
  constructor(code: ErrorCode, text: StoredText, detail: ErrorDetail = {}) {
    super(text, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.detail = detail;
  }
}

/** Whether the platform client failed with one of these codes. */
export function hasErrorCode(error: unknown, ...codes: readonly ErrorCode[]): error is PlatformError {
  return error instanceof PlatformError && codes.includes(error.code);
}

/** The error code of an HTTP status outside 2xx. A 3xx here is a redirect that must not be followed: `contract`. */
export function toErrorCode(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'notFound';
  if (status === 429) return 'rateLimited';
  if (status >= 500) return 'server';
  if (status >= 400) return 'badRequest';
  return 'contract';
}
