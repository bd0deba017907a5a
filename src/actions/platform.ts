/** The platform as runs and checks need it, over the client. Pure: shared by the editor and the command-line runner. */
import type { PlatformClient } from '../platform/client.ts';
import type { FollowTime } from './follow.ts';
import type { RunPlatform } from './run.ts';

export function runPlatform(client: PlatformClient): RunPlatform {
  const options = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });
  return {
    async execute(body, signal) {
      const { raw, requestId } = await client.execute(body, options(signal));
      return { raw, ...(requestId !== undefined && { requestId }) };
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
