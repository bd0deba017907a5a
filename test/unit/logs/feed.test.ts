/** One view over two platforms: each is followed by itself, whatever happens to the other. */
import assert from 'node:assert/strict';
import type { Session } from '../../../src/connections/types.ts';
import { Feed } from '../../../src/logs/feed.ts';
import { followed, unpinned } from '../../../src/logs/following.ts';
import { streamsOf } from '../../../src/logs/query.ts';
import { defaultPresentation, defaultQueryWords } from '../../../src/platform/target.ts';
import { endText, mayReadOlder, phaseText } from '../../../src/webviews/client/logs/phase.ts';
import type { Filters, ViewState } from '../../../src/webviews/protocol-logs.ts';
import { after, makeRig, type Rig } from './support.ts';

const base: Filters = { connections: ['A', 'B'], organizations: [], range: 'latest' };

interface Place {
  readonly rig: Rig;
  session: Session;
  end(): void;
}

suite('logs: two platforms in one view', function () {
  this.timeout(30_000);
  let a: Place;
  let b: Place;
  let feed: Feed;
  let resets = 0;
  let size = 10_000;
  let interval = 1000;
  /** how long the tails last wanted to wait */
  let waited = 0;

  function sessionOf(rig: Rig, name: string, more: Partial<Session> = {}): Pick<Place, 'session' | 'end'> {
    const ending = new AbortController();
    const session = {
      profile: {
        name,
        baseUrl: rig.sandbox.baseUrl,
        organizations: [],
        presentation: defaultPresentation,
        links: {},
        words: defaultQueryWords,
        source: 'user',
      },
      client: rig.client,
      ended: ending.signal,
      signedOutBecause: undefined,
      organizations: [],
      ...more,
    } as unknown as Session;
    const end = (): void => {
      ending.abort();
    };
    return { session, end };
  }

  setup(async () => {
    const [one, other] = await Promise.all([makeRig(), makeRig({ seed: 2 })]);
    a = { rig: one, ...sessionOf(one, 'A') };
    b = { rig: other, ...sessionOf(other, 'B') };
    resets = 0;
    size = 10_000;
    interval = 1000;
    feed = new Feed({
      session: (name) => (name === 'A' ? a.session : name === 'B' ? b.session : undefined),
      clock: {
        now: () => a.rig.sandbox.world.clock.now(),
        after,
        sleep: (milliseconds, signal) =>
          new Promise((resolve, reject) => {
            waited = milliseconds;
            // A long wait ends only when it is ended.
            if (milliseconds < 1_000_000) setTimeout(resolve, 20);
            signal.addEventListener('abort', reject);
          }),
      },
      interval: () => interval,
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
      () => of('A').length >= 40 && of('B').length >= 40 && feed.state.complete && feed.state.stale.length === 0,
    );
  });
  teardown(async () => {
    feed.dispose();
    await Promise.all([a.rig.close(), b.rig.close()]);
  });

  const of = (name: string): readonly string[] =>
    feed.buffer.list.filter(({ row }) => row.connection === name).map(({ id }) => id);
  const inject = ({ rig }: Place): string[] =>
    rig.sandbox.settlement.inject({ count: 7, spread: 0, tie: 1, status: 'completed', late: 0 });
  const holds = (name: string, ids: readonly string[]): boolean => {
    const held = new Set(of(name));
    return ids.every((id) => held.has(id));
  };

  const asks = ({ sandbox }: Rig): number => sandbox.recorder.requests.length;

  async function until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  test('one that answers late or never does not hold up the other, and nothing is missing afterwards', async () => {
    for (const fault of ['slowHeaders', 'serverError'] as const) {
      const since = feed.state.since;
      assert.equal(since, undefined);
      a.rig.sandbox.faults.add({ route: '*', fault, count: null, delay: 5000 });
      await until(() => feed.state.stale.length > 0);
      const { reason = '' } = feed.state;
      assert.match(reason, /Read action logs of A/);
      assert.doesNotMatch(reason, /of B/);
      const [late, live] = [inject(a), inject(b)];
      await until(() => holds('B', live));
      assert.ok(!holds('A', late));
      assert.deepEqual(feed.state.stale, ['A stale']);
      assert.match(phaseText(feed.state), /^Live.*; A stale$/);
      a.rig.sandbox.faults.clear();
      await until(() => holds('A', late) && feed.state.since === undefined);
    }
    assert.equal(new Set(feed.buffer.list.map(({ key }) => key)).size, feed.buffer.size);
    assert.equal(resets, 1);
  });

  test('signed out of one: its entries stay and the way back is named; the other goes on, and is not read anew', async () => {
    const before = of('A').length;
    a.end();
    a.session = sessionOf(a.rig, 'A', { signedOutBecause: 'Not signed in' }).session;
    feed.sessionsChanged();
    assert.equal(of('A').length, before);
    assert.equal(feed.state.signIn, 'A');
    assert.equal(feed.state.since, a.rig.sandbox.world.clock.now());
    const live = inject(b);
    await until(() => holds('B', live));
    // Another identity: what the first one saw goes, what the other connection showed does not.
    const kept = of('B').length;
    a.session = sessionOf(a.rig, 'A').session;
    feed.sessionsChanged();
    assert.equal(of('A').length, 0);
    assert.equal(of('B').length, kept);
    await until(() => of('A').length >= before && feed.state.signIn === undefined);
    assert.equal(resets, 1);
    assert.deepEqual(feed.state.stale, []);
  });

  test('older ones of the others are read while one is missing or fails, and the end says what it is the end of', async () => {
    await b.rig.close();
    const rig = await makeRig({ seed: 2, logs: 1500 });
    b = { rig, ...sessionOf(rig, 'B') };
    a.rig.sandbox.faults.add({ route: '*', fault: 'serverError', count: null });
    feed.follow({ ...base, connections: ['A', 'B', 'C'] });
    await until(() => feed.state.stale.length === 2 && feed.state.phase === 'live' && !feed.state.older);
    assert.equal(phaseText(feed.state), 'Live; C missing, A stale');
    const before = of('B').length;
    assert.ok(before < 1500 && mayReadOlder(feed.state));
    feed.older(5000);
    await until(() => of('B').length > before && feed.state.complete);
    assert.ok(of('B').length >= 1500);
    assert.equal(endText(feed.state, 'latest'), 'The oldest one, but for what is stale');
    feed.follow({ ...base, connections: ['C'] });
    assert.ok(!mayReadOlder(feed.state));
  });

  test('older ones that went are read again once there is room for them', async () => {
    const ids = [
      ...inject(a),
      ...inject(b),
      ...a.rig.sandbox.settlement.inject({ count: 200, spread: 9000, tie: 50, status: 'completed', late: 0 }),
    ];
    await until(() => holds('A', ids.slice(14)));
    const all = feed.buffer.size;
    for (const range of ['latest', 'session'] as const) {
      size = 100;
      feed.follow({ ...base, range });
      feed.setLimit();
      await until(() => feed.buffer.size === 100 && feed.buffer.dropped > 0 && feed.state.phase === 'live');
      assert.equal(endText(feed.state, range), 'Older ones went: at most 100 are held');
      assert.ok(!mayReadOlder(feed.state));
      size = 10_000;
      feed.setLimit();
      assert.equal(feed.state.limit, size);
      if (range === 'latest') {
        assert.ok(mayReadOlder(feed.state));
        feed.older(1000);
      }
      await until(() => feed.buffer.size >= all && feed.state.complete);
      assert.match(endText(feed.state, range), /^The (oldest one|range begins here)$/);
    }
  });

  test('hidden or paused: not one request to either', async () => {
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
      const asked = (): number => [a, b].reduce((sum, { rig }) => sum + asks(rig), 0);
      // What was under way is cut off, but may have been counted.
      let before = -1;
      while (before !== asked()) {
        before = asked();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const ids = inject(a);
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.equal(asked(), before);
      go();
      // Not live over old entries.
      assert.equal(feed.state.phase, 'reading');
      await until(() => holds('A', ids));
    }
  });

  test('paused beside one that is signed out: it says both, looks once when it is told to, and can be resumed', async () => {
    a.end();
    a.session = sessionOf(a.rig, 'A', { signedOutBecause: 'Not signed in' }).session;
    feed.sessionsChanged();
    feed.setPaused(true);
    assert.equal(feed.state.paused, true);
    assert.equal(phaseText(feed.state), 'Paused; A not signed in');
    const once = inject(b);
    feed.retry();
    await until(() => holds('B', once));
    const later = inject(b);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.ok(!holds('B', later));
    assert.equal(phaseText(feed.state), 'Paused; A not signed in');
    feed.setPaused(false);
    await until(() => holds('B', later) && feed.state.phase === 'live');
    assert.equal(phaseText(feed.state), 'Live; A not signed in');
  });

  test('another interval counts at once, also for a view that is open', async () => {
    feed.follow({ ...base, connections: ['A'] });
    interval = 10_000_000;
    await until(() => waited >= interval);
    interval = 1000;
    const ids = inject(a);
    feed.intervalChanged();
    await until(() => holds('A', ids));
    await until(() => waited < 1_000_000);
  });

  test('the last hour is that of now: what has grown older goes, and is not taken back', async () => {
    const { sandbox } = a.rig;
    const hour = 3_600_000;
    feed.follow({ ...base, connections: ['A'], range: 'hour' });
    const early = [
      ...inject(a),
      ...sandbox.settlement.inject({ count: 3, spread: 0, tie: 1, status: 'pending', late: 0, settle: 9 * hour }),
    ];
    await until(() => holds('A', early) && feed.state.complete);
    sandbox.advance(hour / 2);
    const late = inject(a);
    await until(() => holds('A', late));
    assert.ok(holds('A', early));
    sandbox.advance(hour / 2 + 60_000);
    await until(() => feed.from === sandbox.world.clock.now() - hour);
    // Looks that go over all that was read before.
    const asked = asks(a.rig);
    await until(() => asks(a.rig) > asked + 60);
    assert.ok(!early.some((id) => of('A').includes(id)));
    assert.ok(holds('A', late));
    // Nor is it asked for again, although some of it has not settled.
    const begin = new Date(sandbox.world.clock.now() - hour).toISOString();
    for (const { query } of sandbox.recorder.requests.slice(asked))
      assert.ok((query['when_created[$gte]'] ?? '') >= begin, JSON.stringify(query));
    assert.ok(feed.buffer.list.every(({ time }) => time >= sandbox.world.clock.now() - hour));
  });

  test('an organization narrows the connections that have it, and no other', async () => {
    const all = of('A').length;
    const [own] = a.rig.sandbox.world.organizations;
    a.session = sessionOf(a.rig, 'A', { organizations: [{ id: own.id, source: 'settings' }] }).session;
    feed.follow({ ...base, organizations: [own.id] });
    await until(() => feed.state.complete && of('B').length >= 40);
    assert.ok(of('A').length > 0 && of('A').length < all);
    const knows = (connection: string, id: string): boolean => connection === id[0];
    const streams = (organizations: string[]): unknown[] =>
      streamsOf({ ...base, organizations }, knows).map(({ connection, query }) => [connection, query['org_id']]);
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

suite('logs: which connection is followed', () => {
  const state = (filters: Partial<Filters>, following?: boolean): ViewState => ({
    mode: 'logs',
    text: '',
    filters: { ...base, connections: ['A'], ...filters },
    ...(following !== undefined && { following }),
  });
  const connections = (of: ViewState): readonly string[] => of.filters.connections;

  test('the active one, unless another was chosen or what is shown belongs to one', () => {
    assert.deepEqual(connections(followed(state({ status: 'failed' }, true), 'B')), ['B']);
    assert.deepEqual(connections(followed(state({ connections: [] }), 'B')), ['B']);
    for (const kept of [
      state({}),
      state({}, false),
      state({ object: 'o' }, true),
      state({ organizations: ['x'] }, true),
      state({ actions: ['x'] }, true),
      { ...state({}, true), mode: 'history' as const },
    ])
      assert.equal(followed(kept, 'B'), kept);
    assert.deepEqual(connections(followed(state({}, true), undefined)), ['A']);
  });

  test('following again leaves behind what belongs to other connections', () => {
    const { filters, following } = unpinned(state({ object: 'o', status: 'failed', range: 'hour' }), 'B');
    assert.deepEqual(filters, { connections: ['B'], organizations: [], status: 'failed', range: 'hour' });
    assert.equal(following, true);
    assert.deepEqual(unpinned(state({ object: 'o' }), 'A').filters.object, 'o');
  });
});
