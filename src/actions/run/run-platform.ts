import type { PlatformClient } from '../../platform/client.ts';
import type { FollowReader } from '../follow/log-follower.ts';
import type { Clock } from '../follow/snapshot.ts';

export interface ExecutionResponse {
  /** the response with credentials masked */
  readonly raw: unknown;
  /** 2xx */
  readonly status: number;
  readonly requestId?: string;
}

interface ExecuteRequestOptions {
  /** cancels the request while it is queued, stops waiting for its response afterwards */
  readonly signal: AbortSignal;
  /** to be called right before the first byte is written */
  readonly onSent: () => void;
}

/** The requests of a run. All reject with PlatformError. */
export interface RunPlatform extends FollowReader {
  /** sends one POST; never repeats it */
  execute(body: string, options: ExecuteRequestOptions): Promise<ExecutionResponse>;
  /** pretty JSON of an object */
  object(id: string, signal: AbortSignal): Promise<string>;
}

/** The requests of a run over a client. */
export function createRunPlatform(client: PlatformClient): RunPlatform {
  return {
    async execute(body, options) {
      const { raw, status, requestId } = await client.execute(body, options);
      return { raw, status, ...(requestId !== undefined && { requestId }) };
    },
    async logs(query, signal) {
      const page = await client.listPage('action-logs', query, { signal });
      return page.items.map((item) => item.raw);
    },
    async batch(id, signal) {
      return (await client.read('batches', [id], { signal })).item.raw;
    },
    async object(id, signal) {
      return (await client.read('objects', [id], { signal })).text;
    },
    clockAhead: () => client.clockAhead,
  };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stopped = (): void => {
        clearTimeout(timer);
        reject(new Error('stopped'));
      };
      if (signal.aborted) {
        reject(new Error('stopped'));
        return;
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stopped);
        resolve();
      }, milliseconds);
      signal.addEventListener('abort', stopped, { once: true });
    }),
};
