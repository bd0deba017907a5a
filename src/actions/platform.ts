/** The platform as runs and checks need it, over the client. Pure: shared by the editor and the command-line runner. */
import type { PlatformClient } from '../platform/client.ts';
import type { FollowReads, FollowTime } from './follow.ts';

export interface ExecutionAnswer {
  /** masked */
  readonly raw: unknown;
  /** 2xx */
  readonly status: number;
  readonly requestId?: string;
}

export interface ExecuteOptions {
  /** takes the request back while it is queued, ends the waiting for its answer afterwards */
  readonly signal: AbortSignal;
  /** to be called right before the first byte is written */
  readonly onSent: () => void;
}

/** What a run asks of the platform; the client behind it throws PlatformError. */
export interface RunPlatform extends FollowReads {
  /** one POST; never repeated */
  execute(body: string, options: ExecuteOptions): Promise<ExecutionAnswer>;
  /** pretty JSON of an object */
  object(id: string, signal: AbortSignal): Promise<string>;
  /** milliseconds that the platform's clock is ahead of ours, as its last answer said */
  clockAhead?(): number;
}

export function runPlatform(client: PlatformClient): RunPlatform {
  return {
    async execute(body, options) {
      const { raw, status, requestId } = await client.execute(body, options);
      return { raw, status, ...(requestId !== undefined && { requestId }) };
    },
    async logs(query, signal) {
      const page = await client.page('action-logs', query, { signal });
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

export const realTime: FollowTime = {
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
