/** The latest requests of one connection, within limits of count and memory. */
import type { RequestTrace, TracedBody, TracedHeader } from '../../platform/requests/request-trace.ts';

const MAX_REQUESTS = 1000;
/** Bytes of text that a history keeps: at most two for each character. */
export const MAX_HISTORY_BYTES = 16 * 1024 * 1024;

/** A trace with a number that is unique in its history. */
export interface RecordedRequest {
  readonly id: number;
  readonly trace: RequestTrace;
}

/** Keeps the latest requests. Above the limit of memory, the oldest ones lose their headers and bodies first. */
export class RequestHistory {
  readonly #requests: RecordedRequest[] = [];
  #nextId = 1;
  #bytes = 0;

  /** The oldest first. */
  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  /** Bytes of the texts that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a request, and drops what is beyond the limits. */
  add(trace: RequestTrace): void {
    this.#requests.push({ id: this.#nextId++, trace });
    this.#bytes += measureTrace(trace);
    if (this.#requests.length > MAX_REQUESTS) this.#bytes -= measureTrace(this.#requests.shift()?.trace);
    for (let at = 0; this.#bytes > MAX_HISTORY_BYTES && at < this.#requests.length; at++) this.#dropDetails(at);
  }

  /** Drops all requests; their numbers are not used again. */
  clear(): void {
    this.#requests.length = 0;
    this.#bytes = 0;
  }

  #dropDetails(at: number): void {
    const request = this.#requests[at];
    if (request?.trace.details === undefined) return;
    const { details: _details, ...trace } = request.trace;
    this.#bytes -= measureTrace(request.trace) - measureTrace(trace);
    this.#requests[at] = { ...request, trace };
  }
}

/** The size of the objects without their texts. */
const OBJECT_BYTES = 1024;

function measureTrace(trace: RequestTrace | undefined): number {
  if (trace === undefined) return 0;
  const { operation, url, requestId = '', error = '', rateLimit = '', details } = trace;
  const own = [operation, url, requestId, error, rateLimit];
  const texts = details === undefined ? own : [...own, ...listTexts(details.requestHeaders, details.requestBody)];
  const all = details === undefined ? texts : [...texts, ...listTexts(details.responseHeaders, details.responseBody)];
  return OBJECT_BYTES + 2 * all.reduce((sum, text) => sum + text.length, 0);
}

function listTexts(headers: readonly TracedHeader[], body: TracedBody | undefined): readonly string[] {
  return [...headers.flatMap(({ name, value }) => [name, value]), body?.text ?? ''];
}
