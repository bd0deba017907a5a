import type { EffectOptions, Execution, PlatformClient } from '../../platform/client.ts';
import type { FollowReader } from '../follow/log-follower.ts';

export type ExecutionResponse = Pick<Execution, 'raw' | 'status' | 'requestId'>;

/** The requests of a run. All reject with PlatformError. */
export interface RunPlatform extends FollowReader {
  /** sends one POST; never repeats it. `signal` cancels it while it is queued, and stops waiting for its response afterwards */
  execute(body: string, options: Required<Pick<EffectOptions, 'signal' | 'onSent'>>): Promise<ExecutionResponse>;
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
