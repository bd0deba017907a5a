/** One request and its answer on a pool: written once at most, timed, cancellable, its body bounded. */
import type { Dispatcher } from 'undici';
import type { PlatformError } from '../errors.ts';
import type { Timeouts, TransportRequest } from '../transport.ts';
import { Body, encodingOf, isKnownEncoding, MAX_RATIO, textOf } from './body.ts';
import {
  bomb,
  cancelled,
  damaged,
  silent,
  takenBack,
  toPlatformError,
  tooLarge,
  tooSlow,
  unknownEncoding,
} from './failure.ts';

export interface ExchangeOptions {
  /** host and port for messages */
  readonly peer: string;
  readonly timeouts: Timeouts;
  /** bytes after decompression */
  readonly maxBytes: number;
  readonly take?: TransportRequest['take'];
  readonly signal?: AbortSignal;
  /** called right before the first byte is written; throwing takes the request back */
  readonly onSent?: () => void;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** empty for a redirect: its body is of no use */
  readonly text: string;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** True for the statuses whose `Location` stands for the answer. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

// So much of a redirect's body is read, to keep the connection.
const REDIRECT_BODY = 64 * 1024;

/** Sends one request. Rejects with a PlatformError; any status resolves. */
export function exchange(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: ExchangeOptions,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted === true) {
      reject(cancelled(false));
      return;
    }
    pool.dispatch(request, new Exchange(options, resolve, reject));
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (answer: RawAnswer) => void;
  readonly #reject: (error: PlatformError) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #ended = false;
  #body: Body | undefined;
  /** known from the headers on; its body is only waited for to keep the connection */
  #redirect: RawAnswer | undefined;
  #discarded = 0;
  #timer: NodeJS.Timeout | undefined;
  #activity = 0;
  #deadline: NodeJS.Timeout | undefined;

  constructor(options: ExchangeOptions, resolve: (answer: RawAnswer) => void, reject: (error: PlatformError) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Called right before the first byte is written. Throwing here takes the request back and keeps the connection. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#demandUnsent();
    try {
      this.#options.onSent?.();
    } catch (error) {
      throw takenBack(error);
    }
    // The callback may have cancelled.
    this.#demandUnsent();
    this.#controller = controller;
    const { peer, timeouts } = this.#options;
    const whole = timeouts.whole ?? timeouts.headers + timeouts.body;
    this.#deadline = setTimeout(() => {
      // As in `#watch`: what has already arrived counts first.
      setImmediate(() => {
        if (!this.#ended) this.#fail(tooSlow(peer, whole));
      });
    }, whole);
  }

  #demandUnsent(): void {
    // A second time would be a hidden repetition: undici does so with requests that it believes to be harmless.
    if (this.#settled || this.#controller !== undefined) throw new Error('not to be sent');
  }

  onRequestSent(): void {
    this.#watch('headers');
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Interim answers (1xx) neither settle anything nor buy time.
    if (this.#settled || status < 200) return;
    this.#watch('body');
    const flat = flatten(headers);
    if (isRedirect(status)) {
      this.#redirect = { status, headers: flat, text: '' };
      return;
    }
    const { peer, maxBytes, take } = this.#options;
    if (take === 'nothing') {
      this.#settle(() => {
        this.#resolve({ status, headers: flat, text: '' });
      });
      this.#fail(cancelled(true));
      return;
    }
    const encoding = encodingOf(flat['content-encoding']);
    if (!isKnownEncoding(encoding)) {
      this.#fail(unknownEncoding(peer, status));
      return;
    }
    if (encoding === '' && Number(flat['content-length'] ?? 0) > maxBytes) {
      this.#fail(tooLarge(peer, maxBytes, status));
      return;
    }
    this.#body = new Body(encoding, maxBytes, {
      done: (whole) => {
        this.#succeed({ status, headers: flat, text: take === 'base64' ? whole.toString('base64') : textOf(whole) });
      },
      fail: (problem) => {
        this.#fail(
          problem === 'tooLarge'
            ? tooLarge(peer, maxBytes, status)
            : problem === 'bomb'
              ? bomb(peer, MAX_RATIO, status)
              : damaged(peer, status),
        );
      },
      drain: () => {
        this.#controller?.resume();
        if (!this.#ended) this.#watch('body');
      },
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#activity++;
    this.#timer?.refresh();
    if (this.#redirect !== undefined) {
      this.#discarded += chunk.length;
      if (this.#discarded > REDIRECT_BODY)
        this.#fail(tooLarge(this.#options.peer, this.#options.maxBytes, this.#redirect.status));
    } else if (this.#body?.write(chunk) === false) {
      // The decoder is behind: its time is not the server's.
      this.#unwatch();
      controller.pause();
    }
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#unwatch();
    const redirect = this.#redirect;
    if (redirect !== undefined) this.#succeed(redirect);
    this.#body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#unwatch();
    const { peer } = this.#options;
    const sent = this.#controller !== undefined;
    this.#fail(toPlatformError(error, { peer, sent, headersSeen: this.#body !== undefined }));
  }

  readonly #onAbort = (): void => {
    this.#fail(cancelled(this.#controller !== undefined));
  };

  #watch(phase: 'headers' | 'body'): void {
    const { peer, timeouts } = this.#options;
    this.#unwatch();
    this.#activity++;
    this.#timer = setTimeout(() => {
      const before = this.#activity;
      // After a busy moment, data that has already arrived counts before the clock does.
      setImmediate(() => {
        if (this.#activity === before && !this.#ended) this.#fail(silent(peer, phase, timeouts[phase]));
      });
    }, timeouts[phase]);
  }

  #unwatch(): void {
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
   * One turn later undici has the connection ready again: a caller that asks for the next page at once would
   * otherwise open another.
   */
  #succeed(answer: RawAnswer): void {
    const settle = (): void => {
      this.#settle(() => {
        this.#resolve(answer);
      });
    };
    queueMicrotask(() => setImmediate(settle));
  }

  /** Rejects first, then drops the connection: what undici calls back by that is no longer heard. */
  #fail(error: PlatformError): void {
    const redirect = error.code === 'cancelled' ? undefined : this.#redirect;
    this.#settle(() => {
      if (redirect === undefined) this.#reject(error);
      else this.#resolve(redirect);
    });
    this.#body?.destroy();
    this.#unwatch();
    if (!this.#ended) this.#controller?.abort(error);
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(', ')]],
  );
  return Object.fromEntries(entries);
}
