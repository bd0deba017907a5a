/** A feed that follows a platform server of the tests, on a virtual clock. */
import type { Session } from '../../../src/connections/types.ts';
import { Feed } from '../../../src/logs/feed.ts';
import { PlatformClient } from '../../../src/platform/client.ts';
import { defaultPresentation, defaultQueryWords } from '../../../src/platform/target.ts';
import { createTransport } from '../../../src/platform/undici.ts';
import type { Filters } from '../../../src/webviews/protocol-logs.ts';
import { LogPlatform, randomOf, VirtualClock, type LogPlatformOptions } from '../../support/log-platform.ts';

export const START = Date.parse('2026-03-02T10:00:00Z');
export const MINUTE = 60_000;
const latest: Filters = { connections: ['Test'], organizations: [], range: 'latest' };

export interface Watched {
  readonly clock: VirtualClock;
  readonly platform: LogPlatform;
  readonly feed: Feed;
  readonly session: Session;
  /** when each id was first held, and how often it was new */
  readonly held: ReadonlyMap<string, { readonly at: number; readonly times: number }>;
  /** Lets time pass until a moment of the virtual clock. */
  readonly until: (moment: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function watch(options: Partial<LogPlatformOptions> = {}, filters = latest): Promise<Watched> {
  const clock = options.clock ?? new VirtualClock(START);
  const platform = await LogPlatform.start({ ...options, clock });
  const transport = createTransport({});
  const random = randomOf(5);
  let busy = 0;
  const client = new PlatformClient({
    target: { name: 'Test', baseUrl: platform.baseUrl, presentation: defaultPresentation, words: defaultQueryWords },
    transport: {
      ...transport,
      send: async (request) => {
        busy++;
        try {
          return await transport.send(request);
        } finally {
          busy--;
        }
      },
    },
    timeouts: { connect: 60_000, headers: 60_000, body: 60_000 },
    credential: () => Promise.resolve({ apiKey: 'key-of-the-test' }),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    random,
    isBackground: () => true,
    now: () => clock.now(),
  });
  const ending = new AbortController();
  const session = {
    profile: {
      name: 'Test',
      baseUrl: platform.baseUrl,
      organizations: [],
      presentation: defaultPresentation,
      links: {},
      words: defaultQueryWords,
      source: 'user',
    },
    client,
    ended: ending.signal,
    signedOutBecause: undefined,
    organizations: [],
  } as unknown as Session;
  const held = new Map<string, { at: number; times: number }>();
  const known = new Set<string>();
  const feed = new Feed({
    session: () => session,
    clock,
    interval: () => 3000,
    bufferSize: () => 100_000,
    started: START,
    changed: (change) => {
      if (change === 'reset') return;
      for (const { id, key } of change.changed) {
        if (known.has(key)) continue;
        known.add(key);
        held.set(id, { at: clock.now(), times: (held.get(id)?.times ?? 0) + 1 });
      }
      for (const key of change.removed) known.delete(key);
    },
    stateChanged: () => undefined,
  });
  feed.follow(filters);
  return {
    clock,
    platform,
    feed,
    session,
    held,
    async until(moment) {
      for (;;) {
        // What is under way first; a request that the server keeps without an answer waits for a timer.
        for (let still = 0; still < 3;)
          still = (await new Promise<boolean>((resolve) =>
            setImmediate(() => {
              resolve(busy > platform.silent);
            }),
          ))
            ? 0
            : still + 1;
        const { next } = clock;
        if (next === undefined || next > moment) break;
        clock.advanceTo(next);
      }
      if (clock.now() < moment) clock.advanceTo(moment);
    },
    async close() {
      feed.dispose();
      ending.abort();
      await transport.close();
      await platform.close();
    },
  };
}
