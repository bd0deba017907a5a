import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Session } from '../../../../src/model/session/session.ts';
import { LogBuffer } from '../../../../src/logs/stream/buffer.ts';
import { Feed } from '../../../../src/logs/stream/feed.ts';
import { getStreams } from '../../../../src/logs/stream/query.ts';
import { formatEnd, canReadOlder, formatPhase } from '../../../../src/webviews/client/logs/header/feed-status.ts';
import type { Filters } from '../../../../src/webviews/protocol/logs.ts';
import { neverRun, startSandboxFixture, type SandboxFixture } from './sandbox-fixture.ts';
import { createTestProfile } from '../../../support/platform-client.ts';

const base: Filters = { connections: ['A', 'B'], organizations: [], range: 'latest' };

interface Platform {
  readonly rig: SandboxFixture;
  session: Session;
  end(): void;
}

suite('two platforms in one view', () => {
  let a: Platform;
  let b: Platform;
  let feed: Feed;
  let resets = 0;
  let size = 10_000;
  let interval = 1000;
  /** last requested wait in milliseconds */
  let waited = 0;
  /** waits that have not ended; while there are none and no request runs, nothing polls */
  let waiting = 0;

  function createSession(
    rig: SandboxFixture,
    name: string,
    more: Partial<Session> = {},
  ): Pick<Platform, 'session' | 'end'> {
    const ending = new AbortController();
    const session = {
      profile: { ...createTestProfile(rig.sandbox.baseUrl), name },
      client: rig.client,
      ended: ending.signal,
      signedOutReason: undefined,
      organizations: [],
      ...more,
    } as unknown as Session;
    const end = (): void => {
      ending.abort();
    };
    return { session, end };
  }

  setup(async () => {
    const [one, other] = await Promise.all([startSandboxFixture(), startSandboxFixture({ seed: 2 })]);
    a = { rig: one, ...createSession(one, 'A') };
    b = { rig: other, ...createSession(other, 'B') };
    resets = 0;
    size = 10_000;
    interval = 1000;
    feed = new Feed({
      getSession: (name) => (name === 'A' ? a.session : name === 'B' ? b.session : undefined),
      clock: {
        now: () => a.rig.sandbox.world.clock.now(),
        after: neverRun,
        sleep: async (milliseconds, signal) => {
          waited = milliseconds;
          waiting++;
          // A long wait ends only by abort.
          await wait(milliseconds < 1_000_000 ? 20 : milliseconds, undefined, { signal }).finally(() => waiting--);
        },
      },
      interval: () => interval,
      buffer: new LogBuffer(size),
      bufferSize: () => size,
      started: 0,
      changed: (change) => {
        if (change === 'reset') resets++;
      },
      stateChanged: () => undefined,
    });
    feed.follow(base);
    feed.setVisible(true);
    await until(
      () =>
        getIds('A').length >= 40 && getIds('B').length >= 40 && feed.state.complete && feed.state.stale.length === 0,
    );
  });
  teardown(async () => {
    feed.dispose();
    await Promise.all([a.rig.close(), b.rig.close()]);
  });

  const getIds = (name: string): readonly string[] =>
    feed.buffer.list.filter(({ row }) => row.connection === name).map(({ id }) => id);
  const inject = ({ rig }: Platform): string[] =>
    rig.sandbox.settlement.injectLogs({ count: 7, spread: 0, tie: 1, status: 'completed', late: 0 });
  const hasIds = (name: string, ids: readonly string[]): boolean => {
    const loaded = new Set(getIds(name));
    return ids.every((id) => loaded.has(id));
  };

  const countRequests = ({ sandbox }: SandboxFixture): number =>
    sandbox.recorder.requests.filter(({ route }) => route === 'GET /ebus/action-logs').length;

  /** Resolves when requests that were sent before have arrived, and one that runs could have led to a wait. */
  async function flushRequests(): Promise<void> {
    for (let time = 0; time < 5; time++)
      await Promise.all([a, b].map(({ rig }) => rig.client.listPage('objects', { limit: 1 })));
  }

  async function until(done: () => boolean): Promise<void> {
    while (!done()) await wait(10);
  }

  test('a slow or failing platform does not delay the other, and catches up', async () => {
    for (const fault of ['slowHeaders', 'serverError'] as const) {
      const since = feed.state.since;
      assert.equal(since, undefined);
      a.rig.sandbox.faults.add({ route: '*', fault, count: null, delay: 3_600_000 });
      await until(() => feed.state.stale.length > 0);
      const { reason = '' } = feed.state;
      assert.match(reason, /Read action logs of A/);
      assert.doesNotMatch(reason, /of B/);
      const [late, live] = [inject(a), inject(b)];
      await until(() => hasIds('B', live));
      assert.ok(!hasIds('A', late));
      assert.deepEqual(feed.state.stale, ['A: not up to date']);
      assert.match(formatPhase(feed.state), /^Live.* · A: not up to date$/);
      a.rig.sandbox.faults.clear();
      await until(() => hasIds('A', late) && feed.state.since === undefined);
    }
    assert.equal(new Set(feed.buffer.list.map(({ key }) => key)).size, feed.buffer.size);
    assert.equal(resets, 1);
  });

  test('signed out of one: its entries stay with a Sign In; the other continues without restart', async () => {
    const before = getIds('A').length;
    a.end();
    a.session = createSession(a.rig, 'A', { signedOutReason: 'Not signed in' }).session;
    feed.sessionsChanged();
    assert.equal(getIds('A').length, before);
    assert.equal(feed.state.signIn, 'A');
    assert.equal(feed.state.since, a.rig.sandbox.world.clock.now());
    const live = inject(b);
    await until(() => hasIds('B', live));
    // Another identity: removes the entries of the first one, but not of the other connection.
    const countBefore = getIds('B').length;
    a.session = createSession(a.rig, 'A').session;
    feed.sessionsChanged();
    assert.equal(getIds('A').length, 0);
    assert.equal(getIds('B').length, countBefore);
    await until(() => getIds('A').length >= before && feed.state.signIn === undefined);
    assert.equal(resets, 1);
    assert.deepEqual(feed.state.stale, []);
  });

  test('an expired session is named, and leads to its sign-in', async () => {
    a.session = createSession(a.rig, 'A', { expired: true }).session;
    a.rig.sandbox.faults.add({ route: '*', fault: 'unauthorized', count: null });
    feed.follow(base);
    await until(() => feed.state.signIn === 'A' && feed.state.phase === 'live');
    assert.equal(formatPhase(feed.state), 'Live · A: session expired');
  });

  test('reads older entries while another connection is missing or fails', async () => {
    await b.rig.close();
    const rig = await startSandboxFixture({ seed: 2, logs: 1500 });
    b = { rig, ...createSession(rig, 'B') };
    a.rig.sandbox.faults.add({ route: '*', fault: 'serverError', count: null });
    feed.follow({ ...base, connections: ['A', 'B', 'C'] });
    await until(() => feed.state.stale.length === 2 && feed.state.phase === 'live' && !feed.state.readingOlder);
    assert.equal(formatPhase(feed.state), 'Live · C: does not exist, A: not up to date');
    const before = getIds('B').length;
    assert.ok(before < 1500 && canReadOlder(feed.state));
    feed.readOlder(5000);
    await until(() => getIds('B').length > before && feed.state.complete);
    assert.ok(getIds('B').length >= 1500);
    assert.equal(formatEnd(feed.state, 'latest'), 'No older entries on connections that are up to date');
    feed.follow({ ...base, connections: ['C'] });
    assert.ok(!canReadOlder(feed.state));
  });

  test('reads dropped entries again after the limit is raised', async () => {
    const ids = [
      ...inject(a),
      ...inject(b),
      ...a.rig.sandbox.settlement.injectLogs({ count: 200, spread: 9000, tie: 50, status: 'completed', late: 0 }),
    ];
    await until(() => hasIds('A', ids.slice(14)));
    const all = feed.buffer.size;
    for (const range of ['latest', 'session'] as const) {
      size = 100;
      feed.follow({ ...base, range });
      feed.updateLimit();
      await until(() => feed.buffer.size === 100 && feed.buffer.dropped > 0 && feed.state.phase === 'live');
      assert.equal(formatEnd(feed.state, range), 'Older entries were removed (limit: 100)');
      assert.ok(!canReadOlder(feed.state));
      size = 10_000;
      feed.updateLimit();
      assert.equal(feed.state.limit, size);
      if (range === 'latest') {
        await until(() => canReadOlder(feed.state) || feed.state.complete);
        feed.readOlder(1000);
      }
      await until(() => feed.buffer.size >= all && feed.state.complete);
      assert.match(formatEnd(feed.state, range), /^No older entries/);
    }
  });

  test('reads the whole range where all is requested, also after a sign-in, as far as it may be held', async () => {
    const small = a;
    const large = await startSandboxFixture({ seed: 3, logs: 900 });
    try {
      a = { rig: large, ...createSession(large, 'A') };
      const filters = { ...base, connections: ['A'] };
      feed.follow(filters);
      await until(() => feed.state.phase === 'live' && !feed.state.readingOlder);
      assert.ok(feed.state.loaded >= 300 && !feed.state.complete, 'the newest ones only');
      feed.follow(filters, true);
      await until(() => feed.state.complete);
      assert.ok(feed.state.loaded >= 900);
      a = { rig: large, ...createSession(large, 'A') };
      feed.sessionsChanged();
      await until(() => feed.state.complete && feed.state.loaded >= 900);
      size = 400;
      feed.updateLimit();
      feed.follow(filters, true);
      await until(() => feed.state.phase === 'live' && !feed.state.readingOlder && feed.state.loaded === 400);
      assert.ok(!feed.state.complete);
    } finally {
      feed.dispose();
      a = small;
      await large.close();
    }
  });

  test('sends no requests while hidden or paused', async () => {
    for (const [stop, go] of [
      [
        () => {
          feed.setVisible(false);
        },
        () => {
          feed.setVisible(true);
        },
      ],
      [
        () => {
          feed.setPaused(true);
        },
        () => {
          feed.setPaused(false);
        },
      ],
    ] as const) {
      stop();
      const countAll = (): number => [a, b].reduce((sum, { rig }) => sum + countRequests(rig), 0);
      // Requests that were aborted may still arrive.
      await flushRequests();
      const before = countAll();
      const ids = inject(a);
      await flushRequests();
      assert.equal(waiting, 0);
      assert.equal(countAll(), before);
      go();
      // Not live before the first poll.
      assert.equal(feed.state.phase, 'reading');
      await until(() => hasIds('A', ids));
    }
  });

  test('paused with a connection signed out: shows both, polls once on retry, and resumes', async () => {
    a.end();
    a.session = createSession(a.rig, 'A', { signedOutReason: 'Not signed in' }).session;
    feed.sessionsChanged();
    feed.setPaused(true);
    assert.equal(feed.state.paused, true);
    assert.equal(formatPhase(feed.state), 'Paused · A: not signed in');
    const once = inject(b);
    feed.refresh();
    await until(() => hasIds('B', once));
    const later = inject(b);
    await flushRequests();
    assert.equal(waiting, 0);
    assert.ok(!hasIds('B', later));
    assert.equal(formatPhase(feed.state), 'Paused · A: not signed in');
    feed.setPaused(false);
    await until(() => hasIds('B', later) && feed.state.phase === 'live');
    assert.equal(formatPhase(feed.state), 'Live · A: not signed in');
  });

  test('applies a changed interval at once', async () => {
    feed.follow({ ...base, connections: ['A'] });
    interval = 10_000_000;
    await until(() => waited >= interval);
    interval = 1000;
    const ids = inject(a);
    feed.intervalChanged();
    await until(() => hasIds('A', ids));
    await until(() => waited < 1_000_000);
  });

  test('the last hour moves on: older entries are removed and not read again', async () => {
    const { sandbox } = a.rig;
    const hour = 3_600_000;
    feed.follow({ ...base, connections: ['A'], range: 'hour' });
    const early = [
      ...inject(a),
      ...sandbox.settlement.injectLogs({ count: 3, spread: 0, tie: 1, status: 'pending', late: 0, settle: 9 * hour }),
    ];
    await until(() => hasIds('A', early) && feed.state.complete);
    sandbox.advance(hour / 2);
    const late = inject(a);
    await until(() => hasIds('A', late));
    assert.ok(hasIds('A', early));
    sandbox.advance(hour / 2 + 60_000);
    await until(() => feed.from === sandbox.world.clock.now() - hour);
    // Enough polls to read everything again.
    const requestsBefore = countRequests(a.rig);
    await until(() => countRequests(a.rig) > requestsBefore + 60);
    assert.ok(!early.some((id) => getIds('A').includes(id)));
    assert.ok(hasIds('A', late));
    // Older windows are not requested, although some entries have not settled.
    const start = new Date(sandbox.world.clock.now() - hour).toISOString();
    for (const { query } of sandbox.recorder.requests.slice(requestsBefore))
      assert.ok((query['when_created[$gte]'] ?? '') >= start, JSON.stringify(query));
    assert.ok(feed.buffer.list.every(({ time }) => time >= sandbox.world.clock.now() - hour));
  });

  test('an organization filters only the connections that have it', async () => {
    const all = getIds('A').length;
    const [own] = a.rig.sandbox.world.organizations;
    a.session = createSession(a.rig, 'A', { organizations: [{ id: own.id, source: 'settings' }] }).session;
    feed.follow({ ...base, organizations: [own.id] });
    await until(() => feed.state.complete && getIds('B').length >= 40);
    assert.ok(getIds('A').length > 0 && getIds('A').length < all);
    const hasOrganization = (connection: string, id: string): boolean => connection === id[0];
    const streams = (organizations: string[]): unknown[] =>
      getStreams({ ...base, organizations }, hasOrganization).map(({ connection, query }) => [
        connection,
        query['org_id'],
      ]);
    assert.deepEqual(streams(['A1', 'A2', 'B1']), [
      ['A', 'A1'],
      ['A', 'A2'],
      ['B', 'B1'],
    ]);
    assert.deepEqual(streams(['A1']), [
      ['A', 'A1'],
      ['B', undefined],
    ]);
    assert.deepEqual(streams(['x']), [
      ['A', 'x'],
      ['B', 'x'],
    ]);
  });
});
