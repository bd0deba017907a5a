/** The one family of errors that the platform client throws, told apart by `code`. */

/** What went wrong, in the words that callers branch on. */
export type ErrorCode =
  /** no connection, or it broke: nothing is known of the server's side */
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
  /** an answer that is not JSON where JSON was due: often a wrong base URL */
  | 'notJson'
  /** an answer larger than the size limit */
  | 'tooLarge'
  /** JSON, but not what the contract describes; also a redirect that must not be followed */
  | 'contract';

export interface ErrorDetail {
  readonly status?: number;
  /** `x-request-id` or the body's own id of the request */
  readonly requestId?: string;
  /** the server's own words, redacted and cut; hostile text: show it as plain text only */
  readonly serverMessage?: string;
  /** the whole answer that refused an action or could not be used, redacted; as hostile as its words */
  readonly body?: string;
  /** milliseconds that the server asked to wait (`Retry-After`), at most a day */
  readonly retryAfter?: number;
  /** of a list that was left before its end: the cursor of the page to go on with */
  readonly next?: string;
  /** `GET /objects/{objectId}`: the operation, without values */
  readonly operation?: string;
  /** what the user can do about it, a whole sentence, where the usual one for the code does not fit */
  readonly nextStep?: string;
  /** false: the request certainly never reached the server; true or absent: it may have */
  readonly sent?: boolean;
  readonly cause?: unknown;
}

/** Thrown by every function of the client. `message` is plain English, free of secrets. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;
  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.detail = detail;
  }
}

/** The code that stands for an HTTP status. 2xx has none; any 3xx that reaches us was not to be followed. */
export function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'notFound';
  if (status === 429) return 'rateLimited';
  if (status >= 500) return 'server';
  if (status >= 400) return 'badRequest';
  return 'contract';
}
