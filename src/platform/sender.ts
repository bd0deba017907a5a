/** Sends one operation: credential, limits, sharing, retries, and the error that an answer stands for. */
import { codeOfStatus, PlatformError } from './errors.ts';
import { InFlight } from './in-flight.ts';
import { limitJson, MAX_VALUES } from './json-limits.ts';
import { Limiter } from './limiter.ts';
import { nameOf, type AnyQuery, type Operation } from './operation.ts';
import { redactText, redactUrl } from './redact.ts';
import { Rate } from './rate.ts';
import { parseRetryAfter, wait, withRetry } from './retry.ts';
import { looksLikeHtml, readBody, readServerMessage } from './server-message.ts';
import { credentialHeaders, urlOf, type Credential, type Target } from './target.ts';
import type { Timeouts, Transport, TransportAnswer } from './transport.ts';

/** Bytes of one answer, after decompression. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** Reads a second in the background, and how many of them may start at once after a rest. */
export const BACKGROUND_RATE = 10;

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
  /** reads at once, over all callers of this client, and as many requests with an effect beside them; default 6 */
  readonly maxConcurrent?: number;
  /** when it fires, reads end and what was not sent yet is refused with `sent: false`; what was sent is left to finish */
  readonly ended?: AbortSignal;
  /** whether the current call is background work: of its reads at most `BACKGROUND_RATE` a second are sent */
  readonly isBackground?: () => boolean;
  /** asked before a request waits for its turn and again when it starts; may renew an expired token first */
  readonly credential: (signal: AbortSignal | undefined) => Promise<Credential | undefined>;
  /** asked after a 401 with the credential that was refused; true: there is a newer one, send again once */
  readonly renew?: (refused: Credential | undefined) => Promise<boolean>;
  /** every stored secret that an answer must not show */
  readonly secrets?: () => readonly string[];
  readonly record?: (record: RequestRecord) => void;
  /** for tests */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
  readonly now?: () => number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** `observe` is not told: by the hundred thousand, what no person has met would push out what they have */
  readonly passing?: boolean;
}

/** For requests that have an effect. */
export interface EffectOptions extends CallOptions {
  /** Called right before the first byte is written; until then the request is queued. Throwing takes it back unsent. */
  readonly onSent?: () => void;
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
  /** see `EffectOptions` */
  readonly onSent?: () => void;
}

/** What each attempt of one call has in common. */
interface Call {
  readonly operation: Operation;
  readonly url: URL;
  readonly body: string | undefined;
  readonly authenticated: boolean;
  readonly onSent: (() => void) | undefined;
  readonly background: boolean;
}

export class Sender {
  readonly #options: SenderOptions;
  readonly #reads: Limiter;
  readonly #effects: Limiter;
  readonly #rate: Rate;
  readonly #flights = new InFlight<Answer>();
  /** the credential that a refused request presented */
  readonly #refused = new WeakMap<PlatformError, Credential>();
  /** milliseconds, by the last answer's `Date` */
  clockAhead = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#reads = new Limiter(options.maxConcurrent ?? 6);
    this.#effects = new Limiter(options.maxConcurrent ?? 6);
    this.#rate = new Rate({
      perSecond: BACKGROUND_RATE,
      burst: BACKGROUND_RATE,
      now: options.now ?? (() => performance.now()),
      sleep: options.sleep ?? wait,
    });
  }

  /** Every stored secret. */
  get secrets(): readonly string[] {
    return this.#options.secrets?.() ?? [];
  }

  /**
   * Sends an operation, as often as it may be sent. Resolves to an answer of status 2xx; rejects with PlatformError.
   */
  async send(operation: Operation, outgoing: Outgoing): Promise<Answer> {
    const { path, query, body, authenticated = true, signal, onSent } = outgoing;
    const url = urlOf(this.#options.target, operation, path, query);
    const background = operation.repeatable && this.#options.isBackground?.() === true;
    const call: Call = { operation, url, body, authenticated, onSent, background };
    // Renewing a token or asking the user takes long: not while holding a slot.
    const credential = await this.#credential(call, signal);
    if (!operation.repeatable) return this.#attempt(this.#effects, call, signal, 1);
    try {
      return await this.#repeatable(call, credential, signal);
    } catch (error) {
      const { renew } = this.#options;
      if (!(error instanceof PlatformError) || error.code !== 'unauthenticated' || renew === undefined) throw error;
      if (!(await renew(this.#refused.get(error)))) throw error;
      return this.#repeatable(call, await this.#credential(call, signal), signal);
    }
  }

  #repeatable(call: Call, credential: Credential | undefined, signal: AbortSignal | undefined): Promise<Answer> {
    const { sleep, random } = this.#options;
    const key = [call.url.href, credential?.apiKey ?? '', credential?.accessToken ?? ''].join('\n');
    return this.#flights.join(key, signal, (shared) =>
      withRetry((number) => this.#attempt(this.#reads, call, shared, number), {
        repeatable: true,
        signal: shared,
        ...(sleep !== undefined && { sleep }),
        ...(random !== undefined && { random }),
      }),
    );
  }

  async #attempt(slots: Limiter, call: Call, signal: AbortSignal | undefined, number: number): Promise<Answer> {
    const { ended } = this.#options;
    const effect = call.operation.repeatable ? undefined : new AbortController();
    const end = (): void => effect?.abort();
    ended?.addEventListener('abort', end, { once: true });
    const signals = [signal, effect?.signal ?? ended].filter((one) => one !== undefined);
    const stop = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    try {
      if (call.background) await this.#rate.turn(stop);
      return await slots.run(async () => {
        const credential = await this.#credential(call, stop);
        const onSent = (): void => {
          call.onSent?.();
          ended?.removeEventListener('abort', end);
        };
        return this.#once(call, credential, stop, number, onSent);
      }, stop);
    } finally {
      ended?.removeEventListener('abort', end);
    }
  }

  async #credential(call: Call, signal: AbortSignal | undefined): Promise<Credential | undefined> {
    const { ended, target, credential } = this.#options;
    const stillOpen = (): void => {
      if (ended?.aborted === true)
        throw new PlatformError('cancelled', `The session on ${target.name} has ended`, { sent: false });
    };
    stillOpen();
    const found = call.authenticated ? await credential(signal) : undefined;
    stillOpen();
    return found;
  }

  async #once(
    { operation, url, body }: Call,
    credential: Credential | undefined,
    signal: AbortSignal | undefined,
    number: number,
    onSent: () => void,
  ): Promise<Answer> {
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
        ...(!operation.repeatable && { lane: 'effect' }),
        credentialHeaders: Object.keys(presented).map((name) => name.toLowerCase()),
        maxBytes: maxBytes ?? MAX_ANSWER,
        onSent,
      });
      const date = Date.parse(answer.headers['date'] ?? '');
      if (Number.isFinite(date)) this.clockAhead = date - Date.now();
      const requestId = answer.headers['x-request-id'];
      const known = requestId === undefined ? {} : { requestId: redactText(requestId, this.secrets).slice(0, 128) };
      const problem = this.#problem(operation, answer, known);
      const unsigned = problem?.detail.status === 401 && Object.keys(presented).length === 0;
      const error = unsigned ? noneSent(problem) : problem;
      note({ status: answer.status, bytes: answer.text.length, ...known, ...(error !== undefined && { error }) });
      if (error !== undefined) {
        if (credential !== undefined) this.#refused.set(error, credential);
        throw error;
      }
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

  /** Why an answer cannot be used, if so. */
  #problem(
    operation: Operation,
    answer: TransportAnswer,
    known: { readonly requestId?: string },
  ): PlatformError | undefined {
    // Shorter ones cannot hold as many.
    const isTooLarge = answer.text.length > MAX_VALUES && limitJson(answer.text) === undefined;
    if (answer.status < 200 || answer.status >= 300)
      return this.#refusal(operation, answer, isTooLarge ? '' : answer.text, known);
    const detail = { operation: nameOf(operation), status: answer.status, sent: true, ...known };
    if (isTooLarge) {
      const message = `The answer holds more than ${MAX_VALUES.toLocaleString('en')} values, the limit`;
      return new PlatformError('tooLarge', message, detail);
    }
    // Where no length was announced, only the text shows that the connection was lost.
    return operation.repeatable && isCutOff(answer.text)
      ? new PlatformError('network', 'The answer was cut off in the middle', detail)
      : undefined;
  }

  #refusal(
    operation: Operation,
    answer: TransportAnswer,
    text: string,
    known: { readonly requestId?: string },
  ): PlatformError {
    const { message, requestId } = readServerMessage(text, this.secrets);
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
        ...this.kept(operation, text),
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

/** True for a text that begins as JSON does and does not end so. */
function isCutOff(text: string): boolean {
  const [first, last] = [text.trimStart()[0], text.trimEnd().at(-1)];
  return (first === '{' && last !== '}') || (first === '[' && last !== ']');
}

/** A 401 to a request without a credential: none was refused. */
function noneSent({ code, detail }: PlatformError): PlatformError {
  const nextStep = 'Sign in first.';
  return new PlatformError(code, 'The platform asks for a credential, and none was sent (HTTP 401)', {
    ...detail,
    nextStep,
  });
}

const statusWords: Readonly<Partial<Record<PlatformError['code'], string>>> = {
  unauthenticated: 'The platform did not accept the credential',
  forbidden: 'The permission for this is missing',
  notFound: 'The platform found nothing there',
  badRequest: 'The platform refused the request',
  rateLimited: 'The platform asks to slow down',
  server: 'The platform failed',
};
