/** When a request that may be repeated is sent again, and after how long; loads nothing but the error family. */
import { PlatformError } from './errors.ts';
import { isCertificateProblem } from './net/certificate-problems.ts';
import { codeOf, PROXY_AUTHENTICATION } from './net/failure.ts';

const MAX_TRIES = 3;
/** Milliseconds. */
const BASE_DELAY = 300;
const MAX_BACKOFF = 5_000;
const MAX_WAIT = 60_000;
const MAX_RETRY_AFTER = 86_400_000;

const STATUSES = new Set([429, 500, 502, 503, 504]);

/** True for 429, 500, 502, 503, 504, lost connections and cut answers; timeouts and refused certificates or credentials stay as they are. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof PlatformError)) return false;
  if (error.code === 'network') {
    const cause = codeOf(error.detail.cause);
    return cause !== PROXY_AUTHENTICATION && !isCertificateProblem(cause);
  }
  return STATUSES.has(error.detail.status ?? 0) && (error.code === 'rateLimited' || error.code === 'server');
}

/**
 * Milliseconds to wait before try `attempt + 1`, after try `attempt` (from 1) ended with `error`: half and a random part
 * of the other half of a time that doubles, and never less than the server asked for. `random` gives 0 ≤ x < 1.
 */
export function delayBefore(attempt: number, error: unknown, random: () => number): number {
  const backoff = (0.5 + random() / 2) * Math.min(MAX_BACKOFF, BASE_DELAY * 2 ** (attempt - 1));
  const asked = error instanceof PlatformError ? (error.detail.retryAfter ?? 0) : 0;
  return Math.min(MAX_WAIT, asked + backoff);
}

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [ \da-z-]+ \d\d:\d\d:\d\d( \d{4}| GMT)$/i;

/**
 * `Retry-After` as milliseconds from `now` (milliseconds since 1970), at most a day. Reads seconds and HTTP dates;
 * undefined for an absent or senseless value.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : HTTP_DATE.test(text) ? parseDate(text) - now : NaN;
  return Number.isNaN(wait) ? undefined : Math.min(MAX_RETRY_AFTER, Math.max(0, wait));
}

// The oldest of the three forms names no zone, and means GMT all the same.
function parseDate(text: string): number {
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

export interface RetryOptions {
  /** false: `run` is called once, whatever happens */
  readonly repeatable: boolean;
  /** ends the waiting too */
  readonly signal?: AbortSignal;
  /** resolves after so many milliseconds; rejects when the signal fires */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** 0 ≤ x < 1 */
  readonly random?: () => number;
  /** before each wait: which try failed (from 1), why, and how many milliseconds until the next */
  readonly onRetry?: (attempt: number, error: unknown, milliseconds: number) => void;
}

/** Runs at most three times. Rejects with the last error, or with `cancelled` when the signal fires while waiting. */
export async function withRetry<T>(run: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { repeatable, signal, sleep = wait, random = Math.random, onRetry } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(attempt);
    } catch (error) {
      if (!repeatable || attempt >= MAX_TRIES || signal?.aborted === true || !isRetryable(error)) throw error;
      const milliseconds = delayBefore(attempt, error, random);
      onRetry?.(attempt, error, milliseconds);
      await sleep(milliseconds, signal);
    }
  }
}

/** Resolves after so many milliseconds; rejects with `cancelled`, not sent, when the signal fires. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new PlatformError('cancelled', 'The request was cancelled.', { sent: false }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
