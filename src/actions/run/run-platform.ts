import type { PlatformClient } from '../../platform/client.ts';
import type { FollowReader } from '../follow/log-follower.ts';

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
    execute: (body, options) => client.execute(body, options),
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
