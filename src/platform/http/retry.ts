/**
 * Retries of repeatable requests. undici's retry interceptor is not used: each attempt needs a fresh credential, a slot of
 * the concurrency limit and an entry in the log, and an interrupted body must not be resumed by range.
 */
import { setTimeout } from 'node:timers/promises';
import { PlatformError } from '../errors.ts';
import { isCertificateError } from './certificate-errors.ts';
import { cancelledError, getErrorCode, PROXY_AUTHENTICATION } from './network-errors.ts';
import { getPollMemory } from './poll.ts';

const MAX_ATTEMPTS = 3;
/** Milliseconds. */
const BASE_DELAY = 300;
const MAX_BACKOFF = 5_000;
const MAX_WAIT = 60_000;
const MAX_RETRY_AFTER = 86_400_000;

const STATUSES = new Set([429, 500, 502, 503, 504]);

/** True for 429, 500, 502, 503, 504, lost connections and truncated responses; false for timeouts and refused certificates. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof PlatformError)) return false;
  if (error.code === 'network') {
    const cause = getErrorCode(error.detail.cause);
    return cause !== PROXY_AUTHENTICATION && !isCertificateError(cause);
  }
  return STATUSES.has(error.detail.status ?? 0) && (error.code === 'rateLimited' || error.code === 'server');
}

/**
 * Milliseconds to wait after attempt number `attempt` (from 1) failed with `error`: exponential backoff with 50 to 100 %
 * jitter, added to the server's `Retry-After`. `random` returns 0 ≤ x < 1.
 */
export function getRetryDelay(attempt: number, error: unknown, random: () => number): number {
  const backoff = (0.5 + random() / 2) * Math.min(MAX_BACKOFF, BASE_DELAY * 2 ** (attempt - 1));
  const retryAfter = error instanceof PlatformError ? (error.detail.retryAfter ?? 0) : 0;
  return Math.min(MAX_WAIT, retryAfter + backoff);
}

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [ \da-z-]+ \d\d:\d\d:\d\d( \d{4}| GMT)$/i;

/**
 * `Retry-After` as milliseconds from `now` (milliseconds since 1970), at most a day. Reads seconds and HTTP dates;
 * undefined for an absent or invalid value.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : HTTP_DATE.test(text) ? parseDate(text) - now : NaN;
  return Number.isNaN(wait) ? undefined : Math.min(MAX_RETRY_AFTER, Math.max(0, wait));
}

// The oldest of the three date formats has no zone and means GMT.
function parseDate(text: string): number {
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

export interface RetryOptions {
  /** false: `run` is called only once */
  readonly repeatable: boolean;
  /** aborts the waiting too */
  readonly signal?: AbortSignal;
  /** Resolves after that many milliseconds; rejects when the signal fires. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** 0 ≤ x < 1 */
  readonly random?: () => number;
  /** Called before each wait with the number of the failed attempt (from 1), its error and the milliseconds to wait. */
  readonly onRetry?: (attempt: number, error: unknown, milliseconds: number) => void;
}

/** Calls `run` at most three times, in a poll once. Rejects with the last error, or with `cancelled` if aborted while waiting. */
export async function withRetry<T>(run: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, sleep = delay, random = Math.random, onRetry } = options;
  const repeatable = options.repeatable && getPollMemory() === undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(attempt);
    } catch (error) {
      if (!repeatable || attempt >= MAX_ATTEMPTS || signal?.aborted === true || !isRetryable(error)) throw error;
      const milliseconds = getRetryDelay(attempt, error, random);
      onRetry?.(attempt, error, milliseconds);
      await sleep(milliseconds, signal);
    }
  }
}

/** Resolves after that many milliseconds, in the next turn if they have passed. Rejects with `cancelled` (not sent) when the signal fires. */
export async function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    // Node.js warns about a negative number on the standard error.
    await setTimeout(Math.max(0, milliseconds), undefined, { signal });
  } catch {
    // The only error of a timer.
    throw cancelledError(false);
  }
}
