/** Sends one operation: credential, limits, sharing, retries, and the error that an answer stands for. */
import { codeOfStatus, PlatformError } from './errors.ts';
import { InFlight } from './in-flight.ts';
import { Limiter } from './limiter.ts';
import { nameOf, type AnyQuery, type Operation } from './operation.ts';
import { redactText, redactUrl } from './redact.ts';
import { parseRetryAfter, withRetry } from './retry.ts';
import { looksLikeHtml, readBody, readServerMessage } from './server-message.ts';
import { credentialHeaders, urlOf, type Credential, type Target } from './target.ts';
import type { Timeouts, Transport, TransportAnswer } from './transport.ts';

/** Bytes of one answer, after decompression. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** What happened to one attempt, for the log: no credential, no body, secret query values masked. */
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

export interface SenderOptions {
  readonly target: Target;
  readonly transport: Transport;
  readonly timeouts: Timeouts;
  /** for `POST /ebus/execute` and `POST /wallets`, where patience costs less than doubt */
  readonly executeTimeouts?: Timeouts;
  /** bytes of one answer after decompression; default 64 MB */
  readonly maxBytes?: number;
  /** at once, over all callers of this client */
  readonly maxConcurrent?: number;
  /** asked before each request; may renew an expired token first */
  readonly credential: (signal: AbortSignal | undefined) => Promise<Credential | undefined>;
  /** asked after a 401 with the credential that was refused; true: there is a newer one, send again once */
  readonly renew?: (refused: Credential | undefined) => Promise<boolean>;
  /** every stored secret that an answer must not show */
  readonly secrets?: () => readonly string[];
  readonly record?: (record: RequestRecord) => void;
  /** for tests */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** `observe` is not told: by the hundred thousand, what no person has met would push out what they have */
  readonly passing?: boolean;
}

/** An answer of status 2xx. `text` is unmasked: it is for the client to parse and print, never for keeping. */
export interface Answer {
  readonly text: string;
  readonly status: number;
  readonly requestId?: string;
}

export interface Outgoing {
  readonly path: Readonly<Record<string, string>>;
  readonly query: AnyQuery;
  /** JSON text, sent as it stands */
  readonly body?: string;
  /** false: no credential is presented; default true */
  readonly authenticated?: boolean;
  readonly signal?: AbortSignal;
}

/** One attempt that is under way. */
interface Attempt {
  readonly url: URL;
  readonly credential: Credential | undefined;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly number: number;
}

export class Sender {
  readonly #options: SenderOptions;
  readonly #limiter: Limiter;
  readonly #flights = new InFlight<Answer>();
  /** milliseconds, by the last answer's `Date` */
  clockAhead = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#limiter = new Limiter(options.maxConcurrent ?? 6);
  }

  /** Every stored secret. */
  get secrets(): readonly string[] {
    return this.#options.secrets?.() ?? [];
  }

  /**
   * Sends an operation, as often as it may be sent. Resolves to an answer of status 2xx; rejects with PlatformError.
   */
  async send(operation: Operation, { path, query, body, authenticated = true, signal }: Outgoing): Promise<Answer> {
    const url = urlOf(this.#options.target, operation, path, query);
    const credential = authenticated ? await this.#options.credential(signal) : undefined;
    if (!operation.repeatable) return this.#limited(operation, { url, credential, body, signal, number: 1 });
    try {
      return await this.#repeatable(operation, url, credential, signal);
    } catch (error) {
      const refused = error instanceof PlatformError && error.code === 'unauthenticated';
      if (!refused || this.#options.renew === undefined || !(await this.#options.renew(credential))) throw error;
      return this.#repeatable(operation, url, await this.#options.credential(signal), signal);
    }
  }

  #repeatable(
    operation: Operation,
    url: URL,
    credential: Credential | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const { sleep, random } = this.#options;
    const key = [url.href, credential?.apiKey ?? '', credential?.accessToken ?? ''].join('\n');
    return this.#flights.join(key, signal, (shared) =>
      withRetry((number) => this.#limited(operation, { url, credential, body: undefined, signal: shared, number }), {
        repeatable: true,
        signal: shared,
        ...(sleep !== undefined && { sleep }),
        ...(random !== undefined && { random }),
      }),
    );
  }

  #limited(operation: Operation, attempt: Attempt): Promise<Answer> {
    return this.#limiter.run(() => this.#once(operation, attempt), attempt.signal);
  }

  async #once(operation: Operation, { url, credential, body, signal, number }: Attempt): Promise<Answer> {
    const { transport, target, timeouts, executeTimeouts, maxBytes, record } = this.#options;
    const presented = credentialHeaders(target, credential);
    const started = performance.now();
    const note = (outcome: Partial<RequestRecord>) =>
      record?.({
        operation: nameOf(operation),
        url: redactUrl(url, operation.secretQuery ?? [], this.secrets),
        attempt: number,
        milliseconds: Math.round(performance.now() - started),
        ...outcome,
      });
    try {
      const answer = await transport.send({
        method: operation.method,
        url,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...presented,
        },
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
        timeouts: operation.repeatable ? timeouts : (executeTimeouts ?? timeouts),
        redirect: operation.repeatable ? 'follow' : 'error',
        credentialHeaders: Object.keys(presented).map((name) => name.toLowerCase()),
        maxBytes: maxBytes ?? MAX_ANSWER,
      });
      const date = Date.parse(answer.headers['date'] ?? '');
      if (Number.isFinite(date)) this.clockAhead = date - Date.now();
      const requestId = answer.headers['x-request-id'];
      const known = requestId === undefined ? {} : { requestId: redactText(requestId, this.secrets).slice(0, 128) };
      const error = answer.status >= 200 && answer.status < 300 ? undefined : this.#refusal(operation, answer, known);
      note({ status: answer.status, bytes: answer.text.length, ...known, ...(error !== undefined && { error }) });
      if (error !== undefined) throw error;
      return { text: answer.text, status: answer.status, ...known };
    } catch (error) {
      if (error instanceof PlatformError) {
        if (error.detail.status === undefined) note({ error });
        throw error;
      }
      const operationName = { operation: nameOf(operation) };
      throw new PlatformError('network', 'The request failed for an unknown reason', {
        ...operationName,
        cause: error,
      });
    }
  }

  #refusal(operation: Operation, answer: TransportAnswer, known: { readonly requestId?: string }): PlatformError {
    const { message, requestId } = readServerMessage(answer.text, this.secrets);
    const code = codeOfStatus(answer.status);
    const retryAfter = parseRetryAfter(answer.headers['retry-after'], Date.now());
    return new PlatformError(
      code,
      `${statusWords[code] ?? 'The platform answered unexpectedly'} (HTTP ${String(answer.status)})`,
      {
        status: answer.status,
        operation: nameOf(operation),
        ...(requestId !== undefined && { requestId }),
        ...known,
        ...(message !== undefined && { serverMessage: message }),
        ...this.kept(operation, answer.text),
        ...(retryAfter !== undefined && { retryAfter }),
      },
    );
  }

  /** The error for an answer of status 2xx that is not the JSON it should be. */
  notJson(operation: Operation, answer: Answer): PlatformError {
    const { message } = looksLikeHtml(answer.text) ? readServerMessage(answer.text, this.secrets) : {};
    const what = looksLikeHtml(answer.text)
      ? 'The answer is a web page, not JSON: the base URL is probably not the API’s'
      : answer.text.trim() === ''
        ? 'The answer is empty where JSON was due'
        : 'The answer is not JSON, or was cut off';
    return new PlatformError('notJson', what, {
      operation: nameOf(operation),
      status: answer.status,
      ...(answer.requestId !== undefined && { requestId: answer.requestId }),
      ...(message !== undefined && { serverMessage: message }),
      ...this.kept(operation, answer.text),
    });
  }

  /** The whole of an answer that is an error, redacted, where the operation keeps it. */
  kept(operation: Operation, text: string): { readonly body?: string } {
    return operation.keepsAnswer === true && text !== '' ? { body: readBody(text, this.secrets) } : {};
  }
}

const statusWords: Readonly<Partial<Record<PlatformError['code'], string>>> = {
  unauthenticated: 'The platform did not accept the credential',
  forbidden: 'The permission for this is missing',
  notFound: 'The platform found nothing there',
  badRequest: 'The platform refused the request',
  rateLimited: 'The platform asks to slow down',
  server: 'The platform failed',
};
