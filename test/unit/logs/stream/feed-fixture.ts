import type { Session } from '../../../../src/model/session/session.ts';
import { LogBuffer } from '../../../../src/logs/stream/buffer.ts';
import { Feed } from '../../../../src/logs/stream/feed.ts';
import type { Transport } from '../../../../src/platform/http/transport.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { defaultQueryFormat, type DateFormat } from '../../../../src/platform/target.ts';
import type { Filters } from '../../../../src/webviews/protocol/logs.ts';
import { ActionLogServer, VirtualClock, type ActionLogServerOptions } from '../../../support/action-log-server.ts';
import { createSeededRandom } from '../../../support/seeded-random.ts';
import { createTestClient, createTestProfile, createTestTarget } from '../../../support/platform-client.ts';

export const START = Date.parse('2026-03-02T10:00:00Z');
export const MINUTE = 60_000;
export const latest: Filters = { connections: ['Test'], organizations: [], range: 'latest' };

interface FeedOptions extends ActionLogServerOptions {
  /** default 100,000 */
  readonly bufferSize: number;
  readonly dateFormat: DateFormat;
  /** milliseconds that the clock of this computer is ahead of `clock`; default 0 */
  readonly clockAhead: () => number;
}

export interface FollowedFeed {
  readonly clock: VirtualClock;
  readonly platform: ActionLogServer;
  readonly feed: Feed;
  readonly session: Session;
  /** when each id was first added, and how often */
  readonly added: ReadonlyMap<string, { readonly at: number; readonly times: number }>;
  /** Advances the virtual clock, answering requests in between. */
  readonly advanceTo: (moment: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts a server on a virtual clock, and a feed that follows it. */
export async function followFeed(options: Partial<FeedOptions> = {}, filters = latest): Promise<FollowedFeed> {
  const clock = options.clock ?? new VirtualClock(START);
  const platform = await ActionLogServer.start({ ...options, clock });
  const transport = createTransport({});
  const random = createSeededRandom(5);
  let busy = 0;
  const counting: Transport = {
    ...transport,
    send: async (request) => {
      busy++;
      try {
        return await transport.send(request);
      } finally {
        busy--;
      }
    },
  };
  const queryFormat = { ...defaultQueryFormat, dateFormat: options.dateFormat ?? defaultQueryFormat.dateFormat };
  const client = createTestClient(platform.baseUrl, counting, {
    target: { ...createTestTarget(platform.baseUrl), queryFormat },
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    random,
    isBackground: () => true,
    now: () => clock.now(),
  });
  const ending = new AbortController();
  const session = {
    profile: { ...createTestProfile(platform.baseUrl), queryFormat },
    client,
    ended: ending.signal,
    signedOutReason: undefined,
    organizations: [],
  } as unknown as Session;
  const added = new Map<string, { at: number; times: number }>();
  const known = new Set<string>();
  const feed = new Feed({
    getSession: () => session,
    clock: {
      now: () => clock.now() + (options.clockAhead?.() ?? 0),
      sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
      after: (milliseconds, run) => clock.after(milliseconds, run),
    },
    interval: () => 3000,
    buffer: new LogBuffer(options.bufferSize ?? 100_000),
    bufferSize: () => options.bufferSize ?? 100_000,
    started: START,
    changed: (change) => {
      if (change === 'reset') return;
      for (const { id, key } of change.changed) {
        if (known.has(key)) continue;
        known.add(key);
        added.set(id, { at: clock.now(), times: (added.get(id)?.times ?? 0) + 1 });
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
    added,
    async advanceTo(moment) {
      for (;;) {
        // Waits for pending requests, except those that the server never answers.
        for (let idleTurns = 0; idleTurns < 3;)
          idleTurns = (await new Promise<boolean>((resolve) =>
            setImmediate(() => {
              resolve(busy > platform.silent);
            }),
          ))
            ? 0
            : idleTurns + 1;
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
