import type { PlatformClient } from '../../platform/client.ts';
import { createRunPlatform, type RunPlatform } from '../run/run-platform.ts';

/** The requests of a batch. All reject with PlatformError. */
export interface BatchPlatform extends RunPlatform {
  logPages: NonNullable<RunPlatform['logPages']>;
}

/** The requests of a batch over a client. */
export function createBatchPlatform(client: PlatformClient): BatchPlatform {
  return {
    ...createRunPlatform(client),
    async *logPages(period, signal) {
      const query = { limit: 100, order: 'descending', when_created: period } as const;
      for await (const page of client.listPages('action-logs', query, { signal, bulk: true }))
        yield page.items.map((item) => item.raw);
    },
  };
}
