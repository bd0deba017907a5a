/** What one attempt of a request sent and received, with its times: masked, cut, and safe to show. */
import type { PlatformError } from '../errors.ts';
import type { CredentialHeaderNames } from '../http/credential-headers.ts';
import type { TransportResponse } from '../http/transport.ts';
import { parseJson } from '../json/parse-json.ts';
import { MASK } from '../json/secrets.ts';
import type { Operation } from '../operation.ts';
import { toPlainText, toSingleLine } from '../text/plain-text.ts';
import { redactText } from '../text/redact.ts';

/** Characters that are kept of a formatted body, and those of a body that is formatted at all. */
const MAX_BODY = 64 * 1024;
const MAX_FORMATTED_BODY = 2 * 1024 * 1024;
/** Characters of a URL; one as long as that may be cut. */
export const MAX_TRACED_URL = 2048;
const MAX_HEADERS = 100;
const MAX_HEADER = 1024;
/** Characters of other texts. */
const MAX_TEXT = 1024;

/** Milliseconds. A part is absent if the request did not reach it. */
export interface RequestTimings {
  /** until the request could be sent: the limits of rate and of concurrent requests, and renewing a token */
  readonly queue: number;
  /** until a connection was ready, with name lookup, proxy and TLS; about 0 for one that was open */
  readonly connect?: number;
  /** until the first byte of the response */
  readonly wait?: number;
  /** until its last byte */
  readonly receive?: number;
}

/** The text is formatted JSON if the body is JSON. */
export interface TracedBody {
  readonly text: string;
  /** bytes of the whole body, before masking and after decompression */
  readonly size: number;
  /** the text has only the start of the body, or nothing of it */
  readonly isCut: boolean;
}

export interface TracedHeader {
  readonly name: string;
  readonly value: string;
}

interface TraceDetails {
  readonly requestHeaders: readonly TracedHeader[];
  readonly requestBody?: TracedBody;
  readonly responseHeaders: readonly TracedHeader[];
  readonly responseBody?: TracedBody;
}

export interface RequestTrace {
  /** such as `GET /objects/{objectId}` */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** it has no effect and may be sent again */
  readonly isRead: boolean;
  /** from 1 */
  readonly attempt: number;
  /** milliseconds since 1970, when the request was queued */
  readonly startedAt: number;
  readonly timings: RequestTimings;
  readonly status?: number;
  readonly requestId?: string;
  /** without a usable response, why */
  readonly error?: string;
  /** bytes of the response after decompression */
  readonly size?: number;
  /** what the platform says about its limits, such as `remaining 41 · reset 5` */
  readonly rateLimit?: string;
  /** undefined once they were dropped to limit memory */
  readonly details?: TraceDetails;
}

/** The result of one attempt, for the log: without credential and body, secret query values masked. */
export interface RequestRecord {
  readonly operation: string;
  readonly url: string;
  readonly attempt: number;
  readonly milliseconds: number;
  readonly status?: number;
  readonly requestId?: string;
  readonly bytes?: number;
  readonly error?: PlatformError;
}

/** A record whose attempt can be traced: costs nothing if nobody does. */
export interface TraceableRecord extends RequestRecord {
  /** Headers and bodies, masked and cut, and times. Call it at once. */
  readonly getTrace: () => RequestTrace;
}

/** The times of one attempt. */
export class RequestClock {
  readonly startedAt = Date.now();
  readonly #now: () => number;
  readonly #queued: number;
  #started: number | undefined;
  #connected: number | undefined;
  #responded: number | undefined;

  /** `now`: milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#queued = now();
  }

  /** The request left the queue. */
  start(): void {
    this.#started = this.#now();
  }

  /** A connection is ready; for redirects, the first one counts. */
  connect(): void {
    this.#connected ??= this.#now();
  }

  /** The head of a response arrived; for redirects, the last one counts. */
  respond(): void {
    this.#responded = this.#now();
  }

  /** The parts up to now, to a tenth of a millisecond. */
  getTimings(): RequestTimings {
    const end = this.#now();
    const measure = (from: number, to = end): number => Math.max(0, Math.round((to - from) * 10) / 10);
    return {
      queue: measure(this.#queued, this.#started),
      ...(this.#started !== undefined && { connect: measure(this.#started, this.#connected) }),
      ...(this.#connected !== undefined && { wait: measure(this.#connected, this.#responded) }),
      ...(this.#responded !== undefined && { receive: measure(this.#responded) }),
    };
  }
}

/** What is masked in headers and bodies. */
interface TraceSecrets {
  readonly values: readonly string[];
  /** further property names whose values are secret in this response */
  readonly names: readonly string[];
}

/** What was sent and received, with its secrets. */
interface Exchange {
  readonly operation: Operation;
  readonly startedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly authenticationHeaders: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly response: TransportResponse | undefined;
}

/** Creates the trace of an attempt that has ended. */
export function createTrace(
  { operation: name, url, attempt, status, requestId, error }: RequestRecord,
  { operation, headers, authenticationHeaders, body, response, startedAt }: Exchange,
  timings: RequestTimings,
  { tokenHeader, tokenPrefix }: CredentialHeaderNames,
  secrets: TraceSecrets,
): RequestTrace {
  const responseBody = response && traceBody(response.text, secrets);
  const responseHeaders = traceResponseHeaders(response?.headers ?? {}, secrets.values);
  const rateLimit = formatRateLimit(responseHeaders);
  const credentials = Object.keys(authenticationHeaders).map((header) => ({
    name: header,
    value: (header === tokenHeader ? tokenPrefix : '') + MASK,
  }));
  return {
    operation: name.slice(0, MAX_TEXT),
    method: operation.method,
    isRead: operation.repeatable,
    attempt,
    startedAt,
    timings,
    url: toSingleLine(url).slice(0, MAX_TRACED_URL),
    ...(status !== undefined && { status }),
    ...(requestId !== undefined && { requestId: toPlainText(requestId) }),
    ...(error !== undefined && { error: error.message.slice(0, MAX_TEXT) }),
    ...(responseBody !== undefined && { size: responseBody.size }),
    ...(rateLimit !== '' && { rateLimit }),
    details: {
      requestHeaders: [...Object.entries(headers).map(([header, value]) => ({ name: header, value })), ...credentials],
      ...(body !== undefined && { requestBody: traceBody(body, secrets) }),
      responseHeaders,
      ...(responseBody !== undefined && { responseBody }),
    },
  };
}

/** Masks and cuts a body; one that is too long to be masked by its names is left out. */
function traceBody(text: string, secrets: TraceSecrets): TracedBody {
  const size = Buffer.byteLength(text);
  if (text.length > MAX_FORMATTED_BODY) return { text: '', size, isCut: true };
  let formatted = text;
  try {
    formatted = JSON.stringify(parseJson(text, secrets), null, 2);
  } catch {
    // Not JSON: unchanged.
  }
  const masked = redactText(formatted, secrets.values);
  return { text: masked.slice(0, MAX_BODY), size, isCut: masked.length > MAX_BODY };
}

const SECRET_HEADER = /cookie|token|secret|auth|api-?key/i;

function traceResponseHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): readonly TracedHeader[] {
  return Object.entries(headers)
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => ({
      name: toPlainText(name, 100),
      value: SECRET_HEADER.test(name) ? MASK : toPlainText(redactText(value, secrets), MAX_HEADER),
    }));
}

/** The headers about rate limits by the ends of their names; none of them is alike on all gateways. */
function formatRateLimit(headers: readonly TracedHeader[]): string {
  return headers
    .flatMap(({ name, value }) => {
      const end = /^(?:x-)?(?:rate-?limit-?(.*)|(retry-after))$/i.exec(name);
      return end === null ? [] : [`${end[2] ?? end[1] ?? ''} ${value}`.trim()];
    })
    .join(' · ')
    .slice(0, 200);
}
