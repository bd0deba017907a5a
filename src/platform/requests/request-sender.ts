/** Sends operations: adds the credential, applies limits, shares and retries requests, and maps responses to errors. */
import * as l10n from '@vscode/l10n';
import { stored } from '../text/message.ts';
import { PlatformError, hasErrorCode } from '../errors.ts';
import { SharedRequests } from './shared-requests.ts';

import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { getOperationName, type AnyQuery, type Operation } from '../operation.ts';
import { redactText, redactUrl } from '../text/redact.ts';
import { reportProgress } from './progress.ts';
import { RateLimiter } from './rate-limiter.ts';
import { createTrace, RequestClock, type RequestRecord, type TraceableRecord } from './request-trace.ts';
import { formatAuthority, otherOriginError } from '../http/network-errors.ts';
import { getPollMemory } from '../http/poll.ts';
import { delay, withRetry } from '../http/retry.ts';
import { ResponseErrors, type ServiceResponse } from './response-errors.ts';
import { createCredentialHeaders, type Credential } from '../http/credential-headers.ts';
import { createMissingCredentialError } from './status-errors.ts';
import { buildUrl, type Target } from '../target.ts';
import type { Timeouts, Transport, TransportResponse } from '../http/transport.ts';
import { formatNumber } from '../text/localization.ts';

/** Bytes of one response, after decompression. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Background reads a second, and also the burst after an idle period. */
const BACKGROUND_RATE = 10;

export interface RequestSenderOptions {
  readonly target: Target;
  readonly transport: Transport;
  readonly timeouts: Timeouts;
  /** for requests with an effect: waiting longer is better than an unknown outcome */
  readonly executeTimeouts?: Timeouts;
  /** bytes of one response after decompression; default 64 MB */
  readonly maxBytes?: number;
  /** concurrent reads of this client, and separately as many concurrent requests with an effect; default 6 */
  readonly maxConcurrent?: number;
  /** aborts reads and requests that are not sent yet (`sent: false`); sent requests with an effect finish */
  readonly ended?: AbortSignal;
  /** whether the current call is background work: of its reads at most `BACKGROUND_RATE` a second are sent */
  readonly isBackground?: () => boolean;
  /** Called before a request is queued and again when it starts. May renew an expired token. */
  readonly credential: (signal: AbortSignal | undefined) => Promise<Credential | undefined>;
  /**
   * Called after a 401 with the refused credential. Resolves to true if there is a newer one: the request is sent once more.
   * `mayAsk`: the user may be asked to sign in; false for requests with an effect.
   */
  readonly renew?: (refused: Credential | undefined, options: { readonly mayAsk: boolean }) => Promise<boolean>;
  /** every stored secret, to be masked in responses */
  readonly secrets?: () => readonly string[];
  readonly record?: (record: TraceableRecord) => void;
  /** Called when a read begins to wait that long because the platform asked for it. */
  readonly onWait?: (milliseconds: number) => void;
  /** for tests */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
  readonly now?: () => number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** skips `observe`: bulk reads would evict the caches */
  readonly bulk?: boolean;
  /**
   * For reading a whole list: requests pages of the largest size that the contract allows and the platform takes, and the
   * next page while one is used.
   */
  readonly largest?: boolean;
  /** Called with the cursor of the next page of a list, if it is at hand before this page is parsed, which waits for it. */
  readonly onNext?: ((cursor: string) => Promise<void>) | undefined;
}

/** For requests that have an effect. */
export interface EffectOptions extends CallOptions {
  /** Called right before the first byte is written; until then the request is queued. Throwing withdraws it unsent. */
  readonly onSent?: () => void;
}

export interface OutgoingRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: AnyQuery;
  /** JSON text, sent unchanged */
  readonly body?: string;
  /** false: no credential is presented; default true */
  readonly authenticated?: boolean;
  readonly signal?: AbortSignal;
  /** see `EffectOptions` */
  readonly onSent?: () => void;
}

/** The values that all attempts of one call share. */
interface Call {
  readonly operation: Operation;
  readonly url: URL;
  readonly body: string | undefined;
  readonly authenticated: boolean;
  readonly onSent: (() => void) | undefined;
  readonly background: boolean;
}

/** Sends the operations of one connection. */
export class RequestSender {
  /** creates the errors of responses that cannot be used */
  readonly errors: ResponseErrors;
  readonly #options: RequestSenderOptions;
  readonly #getSecretNames: (path: string) => readonly string[];
  readonly #reads: ConcurrencyLimiter;
  readonly #effects: ConcurrencyLimiter;
  readonly #rate: RateLimiter;
  readonly #shared = new SharedRequests<ServiceResponse>();
  /** credentials of refused requests, by their error */
  readonly #refused = new WeakMap<PlatformError, Credential>();
  /** milliseconds by which the server's clock is ahead, from the last `Date` header */
  clockAhead = 0;

  /** `getSecretNames`: property names whose values are secret in the responses of a path */
  constructor(options: RequestSenderOptions, getSecretNames: (path: string) => readonly string[]) {
    this.#options = options;
    this.#getSecretNames = getSecretNames;
    this.errors = new ResponseErrors(options.target.name, () => this.secrets);
    this.#reads = new ConcurrencyLimiter(options.maxConcurrent ?? 6);
    this.#effects = new ConcurrencyLimiter(options.maxConcurrent ?? 6);
    this.#rate = new RateLimiter({
      perSecond: BACKGROUND_RATE,
      burst: BACKGROUND_RATE,
      now: options.now ?? (() => performance.now()),
      sleep: options.sleep ?? delay,
    });
  }

  /** Every stored secret. */
  get secrets(): readonly string[] {
    return this.#options.secrets?.() ?? [];
  }

  /**
   * Sends an operation, with retries if it is repeatable. Resolves to a response of status 2xx; rejects with
   * PlatformError.
   */
  async send(operation: Operation, outgoing: OutgoingRequest): Promise<ServiceResponse> {
    const { path, query, body, authenticated = true, signal, onSent } = outgoing;
    const url = buildUrl(this.#options.target, operation, path, query);
    const background = operation.repeatable && this.#options.isBackground?.() === true;
    const call: Call = { operation, url, body, authenticated, onSent, background };
    // Before a slot is taken: renewing a token may take long.
    const credential = await this.#credential(call, signal);
    const attempt = (presented: Credential | undefined): Promise<ServiceResponse> =>
      operation.repeatable
        ? this.#sendRepeatable(call, presented, signal)
        : this.#attempt(this.#effects, call, signal, 1);
    try {
      return await attempt(credential);
    } catch (error) {
      const { renew } = this.#options;
      if (!hasErrorCode(error, 'unauthenticated') || renew === undefined) throw error;
      // A 401 proves that a request with an effect was not executed; the user starts it again after signing in.
      if (!(await renew(this.#refused.get(error), { mayAsk: operation.repeatable }))) throw error;
      return attempt(await this.#credential(call, signal));
    }
  }

  #sendRepeatable(
    call: Call,
    credential: Credential | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ServiceResponse> {
    const { sleep, random } = this.#options;
    // What is sent in the background or by a poll waits longer, or is not repeated.
    const mode = [call.background, getPollMemory() !== undefined];
    const key = [call.url.href, credential?.apiKey ?? '', credential?.accessToken ?? '', ...mode].join('\n');
    return this.#shared.join(key, signal, (shared) =>
      withRetry((number) => this.#attempt(this.#reads, call, shared, number), {
        repeatable: true,
        signal: shared,
        onRetry: (_attempt, error, milliseconds) => reportWait(error, milliseconds, this.#options.onWait),
        ...(sleep !== undefined && { sleep }),
        ...(random !== undefined && { random }),
      }),
    );
  }

  async #attempt(
    slots: ConcurrencyLimiter,
    call: Call,
    signal: AbortSignal | undefined,
    number: number,
  ): Promise<ServiceResponse> {
    const { ended, now } = this.#options;
    const clock = new RequestClock(now);
    const effect = call.operation.repeatable ? undefined : new AbortController();
    const end = (): void => effect?.abort();
    ended?.addEventListener('abort', end, { once: true });
    const signals = [signal, effect?.signal ?? ended].filter((item) => item !== undefined);
    const stop = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    try {
      if (call.background) await this.#rate.acquire(stop);
      return await slots.run(async () => {
        const credential = await this.#credential(call, stop);
        const onSent = (): void => {
          call.onSent?.();
          ended?.removeEventListener('abort', end);
        };
        clock.start();
        return this.#sendOnce(call, credential, stop, { number, clock }, onSent);
      }, stop);
    } finally {
      ended?.removeEventListener('abort', end);
    }
  }

  async #credential(call: Call, signal: AbortSignal | undefined): Promise<Credential | undefined> {
    const { ended, target, credential } = this.#options;
    const assertOpen = (): void => {
      if (ended?.aborted === true)
        throw new PlatformError('cancelled', stored('The session on {0} has ended', target.name), {
          sent: false,
        });
    };
    assertOpen();
    const found = call.authenticated ? await credential(signal) : undefined;
    assertOpen();
    return found;
  }

  async #sendOnce(
    { operation, url, body }: Call,
    credential: Credential | undefined,
    signal: AbortSignal | undefined,
    { number, clock }: { readonly number: number; readonly clock: RequestClock },
    onSent: () => void,
  ): Promise<ServiceResponse> {
    const { transport, target, timeouts, executeTimeouts, maxBytes, record } = this.#options;
    const authenticationHeaders = createCredentialHeaders(target.credentialHeaderNames, credential);
    const poll = operation.method === 'GET' ? getPollMemory() : undefined;
    const headers = {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...poll?.getHeaders(url),
    };
    const started = performance.now();
    const report = (outcome: Partial<RequestRecord>, response?: TransportResponse) => {
      if (record === undefined) return;
      const entry: RequestRecord = {
        operation: getOperationName(operation),
        url: redactUrl(url, operation.secretQuery ?? [], this.secrets),
        attempt: number,
        milliseconds: Math.round(performance.now() - started),
        ...outcome,
      };
      const exchange = { operation, headers, authenticationHeaders, body, response, startedAt: clock.startedAt };
      record({
        ...entry,
        getTrace: () => {
          const secrets = { values: this.secrets, names: this.#getSecretNames(operation.path) };
          return createTrace(entry, exchange, clock.getTimings(), target.credentialHeaderNames, secrets);
        },
      });
    };
    let received: TransportResponse | undefined;
    try {
      received = await transport.send({
        method: operation.method,
        url,
        headers: { ...headers, ...authenticationHeaders },
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
        timeouts: operation.repeatable ? timeouts : (executeTimeouts ?? timeouts),
        redirect: operation.repeatable ? 'follow' : 'error',
        ...(!operation.repeatable && { pool: 'effect' }),
        credentialHeaders: Object.keys(authenticationHeaders).map((name) => name.toLowerCase()),
        maxBytes: maxBytes ?? MAX_RESPONSE_BYTES,
        onSent: () => {
          onSent();
          clock.connect();
        },
        onResponse: () => clock.respond(),
      });
      const response = poll?.resolve(url, received) ?? received;
      const date = Date.parse(received.headers['date'] ?? '');
      if (Number.isFinite(date)) this.clockAhead = date - Date.now();
      const requestId = received.headers['x-request-id'];
      const requestIdDetail =
        requestId === undefined ? {} : { requestId: redactText(requestId, this.secrets).slice(0, 128) };
      // The other origin got no credential.
      const isElsewhere = response.url.origin !== url.origin && response.status >= 400;
      const problem = isElsewhere
        ? otherOriginError(formatAuthority(url), response.url.origin, response.status)
        : this.errors.find(operation, response, requestIdDetail);
      const isMissingCredential = problem?.detail.status === 401 && Object.keys(authenticationHeaders).length === 0;
      const error = isMissingCredential ? createMissingCredentialError(problem) : problem;
      report(
        {
          status: received.status,
          bytes: received.text.length,
          ...requestIdDetail,
          ...(error !== undefined && { error }),
        },
        received,
      );
      if (error !== undefined) {
        if (credential !== undefined) this.#refused.set(error, credential);
        throw error;
      }
      return { text: response.text, status: response.status, ...requestIdDetail };
    } catch (error) {
      if (error instanceof PlatformError) {
        const { status } = error.detail;
        if (received === undefined) report({ error, ...(status !== undefined && { status }) });
        throw error;
      }
      throw new PlatformError('network', stored('The request failed for an unknown reason'), { cause: error });
    }
  }
}

/** Reports a wait that the platform asked for; others are short. */
function reportWait(error: unknown, milliseconds: number, onWait: RequestSenderOptions['onWait']): void {
  const { retryAfter = 0, status = 0 } = error instanceof PlatformError ? error.detail : {};
  if (retryAfter === 0) return;
  const wait = Math.min(retryAfter, milliseconds);
  onWait?.(wait);
  const seconds = (duration: number): string => formatNumber(Math.ceil(duration / 1000));
  reportProgress(
    l10n.t(
      'The platform asks to wait {0} s ({1}); the request is repeated in {2} s',
      seconds(retryAfter),
      status,
      seconds(milliseconds),
    ),
    wait,
  );
}
