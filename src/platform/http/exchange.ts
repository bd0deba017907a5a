/** Sends one request on a pool and reads its response, with time limits, cancellation and a size limit. */
import type { Dispatcher } from 'undici';
import type { PlatformError } from '../errors.ts';
import type { Timeouts, TransportRequest } from './transport.ts';
import { ResponseBody, parseContentEncoding, isKnownEncoding, MAX_RATIO, decodeUtf8 } from './response-body.ts';
import {
  decompressionRatioError,
  cancelledError,
  damagedBodyError,
  idleTimeoutError,
  withdrawnError,
  toPlatformError,
  tooLargeError,
  totalTimeoutError,
  unknownEncodingError,
} from './network-errors.ts';

interface ExchangeOptions {
  /** host and port for messages */
  readonly peer: string;
  readonly timeouts: Timeouts;
  /** bytes after decompression */
  readonly maxBytes: number;
  readonly responseBody?: TransportRequest['responseBody'];
  readonly signal?: AbortSignal;
  /** Called right before the first byte is written. Throwing withdraws the request. */
  readonly onSent?: () => void;
  /** Called when the head of the response has arrived. */
  readonly onResponse?: () => void;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** empty for a redirect */
  readonly text: string;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** True for the status codes of a redirect with a `Location`. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** Bytes of a redirect's body that are read, so that the connection can be reused. */
const MAX_REDIRECT_BODY = 64 * 1024;

/** Sends one request, at most once. Resolves for any status; rejects with PlatformError. */
export function exchange(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: ExchangeOptions,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted === true) {
      reject(cancelledError(false));
      return;
    }
    pool.dispatch(request, new Exchange(options, resolve, reject));
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (response: RawResponse) => void;
  readonly #reject: (error: PlatformError) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #ended = false;
  #body: ResponseBody | undefined;
  /** set when the headers arrive; the body is read only to reuse the connection */
  #redirect: RawResponse | undefined;
  #discarded = 0;
  #timer: NodeJS.Timeout | undefined;
  #activity = 0;
  #deadline: NodeJS.Timeout | undefined;

  constructor(
    options: ExchangeOptions,
    resolve: (response: RawResponse) => void,
    reject: (error: PlatformError) => void,
  ) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Called right before the first byte is written. Throwing here withdraws the request and keeps the connection. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#assertUnsent();
    try {
      this.#options.onSent?.();
    } catch (error) {
      throw withdrawnError(error);
    }
    // The callback may have cancelled.
    this.#assertUnsent();
    this.#controller = controller;
    const { peer, timeouts } = this.#options;
    const total = timeouts.total ?? timeouts.headers + timeouts.body;
    this.#deadline = setTimeout(() => {
      // As in `#startTimer`: handle data that has already arrived before the timeout.
      setImmediate(() => {
        if (!this.#ended) this.#fail(totalTimeoutError(peer, total));
      });
    }, total);
  }

  #assertUnsent(): void {
    // undici repeats requests that it considers idempotent: refuse a second start.
    if (this.#settled || this.#controller !== undefined) throw new Error('not to be sent');
  }

  onRequestSent(): void {
    this.#startTimer('headers');
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Interim responses (1xx) do not restart the timer.
    if (this.#settled || status < 200) return;
    this.#startTimer('body');
    this.#options.onResponse?.();
    const flat = flatten(headers);
    if (isRedirect(status)) {
      this.#redirect = { status, headers: flat, text: '' };
      return;
    }
    const { peer, maxBytes, responseBody } = this.#options;
    if (responseBody === 'none') {
      this.#settle(() => {
        this.#resolve({ status, headers: flat, text: '' });
      });
      this.#fail(cancelledError(true));
      return;
    }
    const encoding = parseContentEncoding(flat['content-encoding']);
    if (!isKnownEncoding(encoding)) {
      this.#fail(unknownEncodingError(peer, status));
      return;
    }
    if (encoding === '' && Number(flat['content-length'] ?? 0) > maxBytes) {
      this.#fail(tooLargeError(peer, maxBytes, status));
      return;
    }
    this.#body = new ResponseBody(encoding, maxBytes, {
      done: (content) => {
        this.#succeed({
          status,
          headers: flat,
          text: responseBody === 'base64' ? content.toString('base64') : decodeUtf8(content),
        });
      },
      fail: (problem) => {
        this.#fail(
          problem === 'tooLarge'
            ? tooLargeError(peer, maxBytes, status)
            : problem === 'bomb'
              ? decompressionRatioError(peer, MAX_RATIO, status)
              : damagedBodyError(peer, status),
        );
      },
      drain: () => {
        this.#controller?.resume();
        if (!this.#ended) this.#startTimer('body');
      },
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#activity++;
    this.#timer?.refresh();
    if (this.#redirect !== undefined) {
      this.#discarded += chunk.length;
      if (this.#discarded > MAX_REDIRECT_BODY)
        this.#fail(tooLargeError(this.#options.peer, this.#options.maxBytes, this.#redirect.status));
    } else if (this.#body?.write(chunk) === false) {
      // Waiting for the decoder must not count as the server's time.
      this.#stopTimer();
      controller.pause();
    }
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#stopTimer();
    const redirect = this.#redirect;
    if (redirect !== undefined) this.#succeed(redirect);
    this.#body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#stopTimer();
    const { peer } = this.#options;
    const sent = this.#controller !== undefined;
    this.#fail(toPlatformError(error, { peer, sent, headersReceived: this.#body !== undefined }));
  }

  readonly #onAbort = (): void => {
    this.#fail(cancelledError(this.#controller !== undefined));
  };

  #startTimer(phase: 'headers' | 'body'): void {
    const { peer, timeouts } = this.#options;
    this.#stopTimer();
    this.#activity++;
    this.#timer = setTimeout(() => {
      const before = this.#activity;
      // setImmediate: after a busy period, handle data that has already arrived before the timeout.
      setImmediate(() => {
        if (this.#activity === before && !this.#ended) this.#fail(idleTimeoutError(peer, phase, timeouts[phase]));
      });
    }, timeouts[phase]);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #settle(settle: () => void): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    settle();
  }

  /**
   * Resolves one turn later, when undici has released the connection: a caller that requests the next page at once would
   * otherwise open another one.
   */
  #succeed(response: RawResponse): void {
    const settle = (): void => {
      this.#settle(() => {
        this.#resolve(response);
      });
    };
    queueMicrotask(() => setImmediate(settle));
  }

  /** Rejects before dropping the connection, so that callbacks caused by the drop are ignored. */
  #fail(error: PlatformError): void {
    const redirect = error.code === 'cancelled' ? undefined : this.#redirect;
    this.#settle(() => {
      if (redirect === undefined) this.#reject(error);
      else this.#resolve(redirect);
    });
    this.#body?.destroy();
    this.#stopTimer();
    if (!this.#ended) this.#controller?.abort(error);
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
  );
  return Object.fromEntries(entries);
}
