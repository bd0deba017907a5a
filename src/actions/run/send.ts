import { stored } from '../../platform/text/message.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { ExecutionResponse, RunPlatform } from './run-platform.ts';

/**
 * Result of the send stage: `notSent` no byte was written · `accepted` a 2xx response · `refused` a status that proves
 * that it was not executed · `doubtful` a 4xx that an executed request can have too · `lost` anything else.
 */
export type SendResult =
  | { readonly kind: 'notSent'; readonly error: unknown }
  | { readonly kind: 'accepted'; readonly response: ExecutionResponse }
  | { readonly kind: 'refused' | 'doubtful'; readonly error: PlatformError; readonly status: number }
  | { readonly kind: 'lost'; readonly error: unknown };

interface SendOptions {
  /** cancels the request while it is queued; no effect once it is sent */
  readonly signal: AbortSignal;
  /** stops waiting for the response */
  readonly stopWaiting?: AbortSignal | undefined;
  /** called right before the first byte is written */
  readonly onSent: () => void;
}

/**
 * A redirect other than 303 asks to send the request elsewhere. Without 409 and the like: a proxy that repeats an
 * executed request gets one of those.
 */
export const REFUSALS: ReadonlySet<number> = new Set([
  301, 302, 307, 308, 400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 422, 429,
]);

/** The send stage: sends the request once. Never rejects. */
export async function send(
  body: string,
  platform: Pick<RunPlatform, 'execute'>,
  options: SendOptions,
): Promise<SendResult> {
  const { signal, stopWaiting, onSent } = options;
  if (signal.aborted || stopWaiting?.aborted === true)
    return {
      kind: 'notSent',
      error: new PlatformError('cancelled', stored('Canceled before it was sent'), { sent: false }),
    };
  const stop = new AbortController();
  let sent = false;
  const cancelQueued = (): void => {
    if (!sent) stop.abort();
  };
  const giveUp = (): void => stop.abort();
  signal.addEventListener('abort', cancelQueued, { once: true });
  stopWaiting?.addEventListener('abort', giveUp, { once: true });
  try {
    const response = await platform.execute(body, {
      signal: stop.signal,
      onSent: () => {
        sent = true;
        onSent();
      },
    });
    return { kind: 'accepted', response };
  } catch (error) {
    return classifyError(error, sent);
  } finally {
    signal.removeEventListener('abort', cancelQueued);
    stopWaiting?.removeEventListener('abort', giveUp);
  }
}

function classifyError(error: unknown, sent: boolean): SendResult {
  const detail = error instanceof PlatformError ? error.detail : undefined;
  const status = detail?.status;
  if (detail?.sent === false || (!sent && status === undefined)) return { kind: 'notSent', error };
  if (!(error instanceof PlatformError) || status === undefined) return { kind: 'lost', error };
  // A response of status 2xx can say that the request was refused.
  if (REFUSALS.has(status) || (status < 300 && error.code === 'badRequest')) return { kind: 'refused', error, status };
  return status >= 400 && status < 500 ? { kind: 'doubtful', error, status } : { kind: 'lost', error };
}
