/** The send stage: hands one request to the transport, once, and says what its answer proves. Pure. */
import { PlatformError } from '../platform/errors.ts';
import type { ExecutionAnswer, RunPlatform } from './platform.ts';

/**
 * What became of the request:
 * `notSent` no byte left this machine · `accepted` a 2xx answer · `refused` a status that only says that it was not
 * executed · `doubtful` a 4xx that a request which was executed can have too · `lost` anything else.
 */
export type Sent =
  | { readonly kind: 'notSent'; readonly error: unknown }
  | { readonly kind: 'accepted'; readonly answer: ExecutionAnswer }
  | { readonly kind: 'refused' | 'doubtful'; readonly error: PlatformError; readonly status: number }
  | { readonly kind: 'lost'; readonly error: unknown };

export interface SendOptions {
  /** takes the request back while it is queued; no effect once it is sent */
  readonly signal: AbortSignal;
  /** gives up waiting for the answer */
  readonly stopWaiting?: AbortSignal | undefined;
  /** called right before the first byte is written */
  readonly onSent: () => void;
}

/** A request that a proxy repeats is answered by another status the second time (409 and the like): those are not here. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 422, 429]);

/** Never rejects, and never sends twice. */
export async function send(body: string, platform: RunPlatform, options: SendOptions): Promise<Sent> {
  const { signal, stopWaiting, onSent } = options;
  if (signal.aborted || stopWaiting?.aborted === true)
    return { kind: 'notSent', error: new PlatformError('cancelled', 'Cancelled before it was sent', { sent: false }) };
  const stop = new AbortController();
  let sent = false;
  const takeBack = (): void => {
    if (!sent) stop.abort();
  };
  const giveUp = (): void => {
    stop.abort();
  };
  signal.addEventListener('abort', takeBack, { once: true });
  stopWaiting?.addEventListener('abort', giveUp, { once: true });
  try {
    const answer = await platform.execute(body, {
      signal: stop.signal,
      onSent: () => {
        sent = true;
        onSent();
      },
    });
    return { kind: 'accepted', answer };
  } catch (error) {
    return judge(error, sent);
  } finally {
    signal.removeEventListener('abort', takeBack);
    stopWaiting?.removeEventListener('abort', giveUp);
  }
}

function judge(error: unknown, sent: boolean): Sent {
  const detail = error instanceof PlatformError ? error.detail : undefined;
  const status = detail?.status;
  if (detail?.sent === false || (!sent && status === undefined)) return { kind: 'notSent', error };
  if (!(error instanceof PlatformError) || status === undefined || status < 400 || status > 499)
    return { kind: 'lost', error };
  return { kind: REFUSALS.has(status) ? 'refused' : 'doubtful', error, status };
}
