/** What the tests of the logs share: a sandbox whose clock stands still, a client of it, and a tail that is moved by hand. */
import { PlatformClient } from '../../../src/platform/client.ts';
import { defaultPresentation, defaultQueryWords } from '../../../src/platform/target.ts';
import { createTransport } from '../../../src/platform/undici.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import type { SandboxOptions } from '../../../src/sandbox/options.ts';
import { LogBuffer } from '../../../src/logs/buffer.ts';
import { keyOf } from '../../../src/logs/entry.ts';
import { Tail, type TailOptions } from '../../../src/logs/tail.ts';

export interface Rig {
  readonly sandbox: Sandbox;
  readonly client: PlatformClient;
  close(): Promise<void>;
}

export async function makeRig(options: SandboxOptions = {}, timeout = 200): Promise<Rig> {
  const sandbox = await startSandbox({ seed: 1, objects: 50, logs: 40, clock: 'manual', ...options });
  const transport = createTransport({});
  const client = new PlatformClient({
    target: { name: 'Test', baseUrl: sandbox.baseUrl, presentation: defaultPresentation, words: defaultQueryWords },
    transport,
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

/** A timer that never runs: time passes by hand. */
export const after = (): (() => void) => () => undefined;

export interface Seen {
  readonly tail: Tail;
  readonly buffer: LogBuffer;
  /** how often each id was new */
  readonly firsts: Map<string, number>;
  /** items of each page */
  readonly pages: number[];
  look(): Promise<number>;
}

export function follow(
  { sandbox, client }: Rig,
  options: Partial<TailOptions> = {},
  buffer = new LogBuffer(100_000),
): Seen {
  const firsts = new Map<string, number>();
  const pages: number[] = [];
  const signal = new AbortController().signal;
  const tail = new Tail({
    connection: 'Test',
    read: async (query, { signal }) => {
      const page = await client.page('action-logs', query, { signal });
      pages.push(page.items.length);
      return page;
    },
    query: {},
    pageSize: 100,
    grain: 1,
    clock: { now: () => sandbox.world.clock.now(), sleep: () => Promise.resolve(), after },
    interval: 3000,
    held: buffer,
    take: (entries) => {
      const before = new Set(entries.filter(({ key }) => buffer.get(key) !== undefined).map(({ key }) => key));
      const { added } = buffer.take(entries);
      for (const { key, id } of entries)
        if (!before.has(key) && buffer.get(key) !== undefined) {
          before.add(key);
          firsts.set(id, (firsts.get(id) ?? 0) + 1);
        }
      return added;
    },
    gone: (ids) => {
      buffer.remove(ids.map((id) => keyOf('Test', id)));
    },
    changed: () => undefined,
    ...options,
  });
  return { tail, buffer, firsts, pages, look: () => tail.round(signal) };
}
