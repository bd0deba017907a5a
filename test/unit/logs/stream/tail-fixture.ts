import type { PlatformClient } from '../../../../src/platform/client.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { startSandbox, type Sandbox } from '../../../../src/sandbox/server.ts';
import type { SandboxOptions } from '../../../../src/sandbox/options.ts';
import { LogBuffer } from '../../../../src/logs/stream/buffer.ts';
import { getEntryKey } from '../../../../src/logs/entry.ts';
import { Tail } from '../../../../src/logs/stream/tail.ts';
import type { TailOptions } from '../../../../src/logs/stream/tail-options.ts';
import { createTestClient } from '../../../support/platform-client.ts';

export interface SandboxFixture {
  readonly sandbox: Sandbox;
  readonly client: PlatformClient;
  close(): Promise<void>;
}

/** Starts a sandbox with a manual clock, and a client of it. */
export async function startSandboxFixture(options: SandboxOptions = {}, timeout = 200): Promise<SandboxFixture> {
  const sandbox = await startSandbox({ seed: 1, objects: 50, logs: 40, clock: 'manual', ...options });
  const transport = createTransport({});
  const client = createTestClient(sandbox.baseUrl, transport, {
    timeouts: { connect: 5000, headers: timeout, body: timeout },
    maxBytes: 8 * 1024 * 1024,
    credential: () => Promise.resolve({ apiKey: sandbox.apiKey }),
    secrets: () => [sandbox.apiKey],
    sleep: () => Promise.resolve(),
  });
  return {
    sandbox,
    client,
    async close() {
      await transport.close();
      await sandbox.close();
    },
  };
}

/** A timer that never fires. */
export const neverRun = (): (() => void) => () => undefined;

export interface FollowedTail {
  readonly tail: Tail;
  readonly buffer: LogBuffer;
  /** how often each id was new */
  readonly additions: Map<string, number>;
  /** items of each page */
  readonly pages: number[];
  poll(): Promise<number>;
}

/** Creates a tail of the sandbox that polls when called. */
export function follow(
  { sandbox, client }: SandboxFixture,
  options: Partial<TailOptions> = {},
  buffer = new LogBuffer(100_000),
): FollowedTail {
  const additions = new Map<string, number>();
  const pages: number[] = [];
  const signal = new AbortController().signal;
  const tail = new Tail({
    connection: 'Test',
    read: async (query, { signal }) => {
      const page = await client.listPage('action-logs', query, { signal });
      pages.push(page.items.length);
      return page;
    },
    query: {},
    pageSize: 100,
    dateResolution: 1,
    clock: { now: () => sandbox.world.clock.now(), sleep: () => Promise.resolve(), after: neverRun },
    interval: 3000,
    buffer,
    addEntries: (entries) => {
      const before = new Set(entries.filter(({ key }) => buffer.get(key) !== undefined).map(({ key }) => key));
      const { added } = buffer.add(entries);
      for (const { key, id } of entries)
        if (!before.has(key) && buffer.get(key) !== undefined) {
          before.add(key);
          additions.set(id, (additions.get(id) ?? 0) + 1);
        }
      return added;
    },
    removeIds: (ids) => {
      buffer.remove(ids.map((id) => getEntryKey('Test', id)));
    },
    changed: () => undefined,
    ...options,
  });
  return { tail, buffer, additions, pages, poll: () => tail.readOnce(signal) };
}
