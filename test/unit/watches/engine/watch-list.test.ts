/** Which watches are polled, with which session, and what of them is stored. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Session } from '../../../../src/model/session/session.ts';
import type { StoredWatch } from '../../../../src/watches/engine/stored-watch.ts';
import { WatchList, type FoundIn } from '../../../../src/watches/engine/watch-list.ts';
import { VirtualClock } from '../../../support/action-log-server.ts';
import { useServers } from '../../../support/platform-client.ts';

const START = Date.UTC(2026, 2, 1);
const INTERVAL = 30_000;
const HOUR = 3_600_000;

suite('list of watches', () => {
  const { servers, createClient } = useServers();
  let clock: VirtualClock;
  /** milliseconds that the user set the clock of the system forward or back */
  let shift: number;
  let stop: AbortController;
  let requests: string[];
  /** requests without a response */
  let pending: number;
  let versions: Record<string, number>;
  let status: number;
  let sessions: Map<string, Session>;
  let stored: readonly StoredWatch[];
  const found: FoundIn[][] = [];
  let origin: string;

  setup(async () => {
    clock = new VirtualClock(START);
    shift = 0;
    stop = new AbortController();
    requests = [];
    pending = 0;
    versions = {};
    status = 200;
    sessions = new Map();
    stored = [];
    found.length = 0;
    const server = await servers.http(({ url, headers }, response) => {
      requests.push(`${String(headers['x-api-key'])} ${url}`);
      const id = url.slice('/objects/'.length);
      const body = { id, state_root: `root-${id}-${String(versions[id] ?? 1)}`, metadata: { name: 'secret name' } };
      response.writeHead(status).end(JSON.stringify(body));
    });
    ({ origin } = server);
    addSession('Shop', undefined, 'key');
  });
  teardown(() => {
    stop.abort();
  });

  /** Adds or replaces the session of an identity. */
  function addSession(
    connection: string,
    identity: string | undefined,
    apiKey: string,
    { baseUrl = origin, subject = 'owner', signedOutReason = '' } = {},
  ): AbortController {
    const end = new AbortController();
    const client = createClient({ origin }, { credential: () => Promise.resolve({ apiKey }) });
    const read = client.readFor.bind(client);
    client.readFor = async (...request) => {
      pending++;
      return read(...request).finally(() => pending--);
    };
    const session: Partial<Session> = {
      profile: { name: connection, baseUrl } as Session['profile'],
      client,
      ended: end.signal,
      identity: { subject, systemScoped: false },
      identityName: identity,
      signedOutReason: signedOutReason === '' ? undefined : signedOutReason,
    };
    sessions.set(`${connection}/${identity ?? 'default'}`, session as Session);
    return end;
  }

  /** A window with the stored watches. */
  function open(): WatchList {
    stop.abort();
    stop = new AbortController();
    const list = new WatchList({
      sessions: { getIdentity: (name, identity) => sessions.get(`${name}/${identity ?? 'default'}`) },
      storage: {
        read: () => JSON.parse(JSON.stringify(stored)) as unknown,
        write: (watches) => {
          stored = watches;
        },
      },
      getInterval: () => INTERVAL,
      isAllowed: () => true,
      onDidChange: () => undefined,
      onDidFind: (changes) => found.push([...changes]),
      clock: { now: () => clock.now() + shift, sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal) },
    });
    void list.run(stop.signal);
    return list;
  }

  async function advance(milliseconds: number): Promise<void> {
    const end = clock.now() + milliseconds;
    for (;;) {
      while (pending > 0 || clock.next === undefined) await setImmediate();
      if (clock.next > end) break;
      clock.advanceTo(clock.next);
      await setImmediate();
    }
    clock.advanceTo(end);
  }

  const watchObject = (list: WatchList, id: string, identity?: string): StoredWatch =>
    list.add({
      connection: 'Shop',
      source: { kind: 'objects', id },
      baseUrl: origin,
      account: 'owner',
      ...(identity !== undefined && { identity }),
    });

  test('several changes at once are announced together, and what is stored names no data', async () => {
    const list = open();
    const watches = ['a', 'b', 'c'].map((id) => watchObject(list, id));
    await advance(INTERVAL - 1000);
    assert.equal(found.length, 0);
    versions = { a: 2, b: 2, c: 2 };
    await advance(INTERVAL);
    assert.deepEqual(
      found.map((group) => group.map(({ change }) => `${change.type} ${change.id}`)),
      [['changed a', 'changed b', 'changed c']],
    );
    const [change] = list.get(watches[0]?.key ?? '')?.changes ?? [];
    assert.deepEqual(change?.roots, ['root-a-1', 'root-a-2']);
    assert.ok(!JSON.stringify(stored).includes('secret name'));
  });

  test('a reload keeps watches and changes, and finds what changed meanwhile', async () => {
    watchObject(open(), 'a');
    await advance(1000);
    versions = { a: 2 };
    await advance(INTERVAL);
    stop.abort();
    clock.advanceTo(clock.now() + HOUR);
    const before = requests.length;
    const list = open();
    assert.deepEqual(
      list.all.map(({ source, changes }) => [source.id, changes.length]),
      [['a', 1]],
    );
    versions = { a: 3 };
    await advance(1000);
    assert.equal(requests.length, before + 1);
    assert.deepEqual(
      list.all.map(({ changes }) => changes.length),
      [2],
    );
    assert.equal(found.length, 2);
  });

  for (const hours of [-12, -0.5, 12])
    test(`a clock that is set by ${String(hours)} hours does not stop a watch, nor hurry it`, async () => {
      watchObject(open(), 'a');
      await advance(10 * INTERVAL);
      const before = requests.length;
      shift = hours * HOUR;
      await advance(10 * INTERVAL);
      const count = requests.length - before;
      assert.ok(count >= 9 && count <= 11, String(count));
    });

  test('a paused or removed watch sends nothing; a resumed one goes on', async () => {
    const list = open();
    const { key } = watchObject(list, 'a');
    await advance(1000);
    list.pause(key);
    assert.deepEqual(list.getState(key), { type: 'paused', reason: 'paused' });
    await advance(HOUR);
    assert.equal(requests.length, 1);
    list.resume(key, { baseUrl: origin, account: 'owner' });
    await advance(1000);
    assert.equal(requests.length, 2);
    list.remove(key);
    await advance(HOUR);
    assert.equal(requests.length, 2);
    assert.deepEqual(stored, []);
  });

  test('a watch that the platform refuses is stopped, and can be resumed', async () => {
    const list = open();
    const { key } = watchObject(list, 'a');
    status = 403;
    await advance(HOUR);
    assert.equal(requests.length, 1);
    assert.equal(list.getState(key).type, 'stopped');
    status = 200;
    list.resume(key, { baseUrl: origin, account: 'owner' });
    await advance(1000);
    assert.deepEqual([requests.length, list.getState(key).type], [2, 'active']);
  });

  test('a change is removed alone', async () => {
    const list = open();
    const { key } = watchObject(list, 'a');
    await advance(1000);
    for (const version of [2, 3]) {
      versions = { a: version };
      await advance(INTERVAL);
    }
    const [newest, oldest] = list.get(key)?.changes ?? [];
    list.remove(key, newest);
    assert.deepEqual(list.get(key)?.changes, [oldest]);
    assert.deepEqual(
      stored.map(({ changes }) => changes.length),
      [1],
    );
  });

  test('the same is watched once', async () => {
    const list = open();
    assert.equal(watchObject(list, 'a').key, watchObject(list, 'a').key);
    await advance(INTERVAL / 2);
    assert.equal(list.all.length, 1);
  });

  const missing: readonly (readonly [string, RegExp, () => void])[] = [
    ['connection', /the connection Shop does not exist/, () => sessions.delete('Shop/default')],
    ['base URL', /another base URL/, () => addSession('Shop', undefined, 'other', { baseUrl: 'http://127.0.0.1:9' })],
    ['account', /another account/, () => addSession('Shop', undefined, 'other', { subject: 'somebody' })],
    ['sign-in', /not signed in/, () => addSession('Shop', undefined, 'other', { signedOutReason: 'Not signed in' })],
  ];
  for (const [what, reason, remove] of missing)
    test(`a watch whose ${what} is missing is paused, says so, and takes no other one`, async () => {
      const list = open();
      const { key } = watchObject(list, 'a');
      await advance(1000);
      addSession('Other', undefined, 'other');
      remove();
      list.wakeUp();
      await advance(HOUR);
      assert.deepEqual(requests, ['key /objects/a']);
      const state = list.getState(key);
      assert.equal(state.type, 'paused');
      assert.match('reason' in state ? state.reason : '', reason);
      addSession('Shop', undefined, 'key');
      list.wakeUp();
      await advance(1000);
      assert.equal(requests.length, 2, 'it goes on when it is there again');
    });

  test('a watch of an identity that no longer exists is never one of another identity', async () => {
    addSession('Shop', 'buyer', 'buyer-key');
    const list = open();
    const { key } = watchObject(list, 'a', 'buyer');
    await advance(1000);
    sessions.delete('Shop/buyer');
    list.wakeUp();
    await advance(HOUR);
    assert.deepEqual(requests, ['buyer-key /objects/a']);
    assert.match(JSON.stringify(list.getState(key)), /has no identity buyer/);
  });

  test('a sign-out removes what was read, and keeps the watch', async () => {
    const list = open();
    const { key } = watchObject(list, 'a');
    await advance(1000);
    versions = { a: 2 };
    await advance(INTERVAL);
    list.forgetRead();
    assert.equal(list.get(key)?.changes.length, 1, 'the session is signed in');
    addSession('Shop', undefined, 'other', { signedOutReason: 'VS Code’s secret storage could not be read' });
    list.forgetRead();
    assert.equal(list.get(key)?.changes.length, 1, 'the session is not signed out');
    addSession('Shop', undefined, 'other', { signedOutReason: 'Not signed in' });
    list.forgetRead();
    assert.deepEqual(
      stored.map(({ changes, known }) => [changes, known]),
      [[[], undefined]],
    );
  });

  test('a connection that is not there yet, as a sandbox that starts with the window, removes nothing', async () => {
    watchObject(open(), 'a');
    await advance(1000);
    versions = { a: 2 };
    await advance(INTERVAL);
    sessions.clear();
    const list = open();
    // Another connection is there first.
    list.forgetRead();
    assert.deepEqual(
      list.all.map(({ changes, known }) => [changes.length, known?.digests.length]),
      [[1, 1]],
    );
    addSession('Shop', undefined, 'key');
    list.forgetRead();
    sessions.clear();
    list.forgetRead();
    assert.deepEqual(
      stored.map(({ changes, known }) => [changes, known]),
      [[[], undefined]],
      'the connection was removed',
    );
  });

  test('a watch ends with its session, and takes another base URL only when it is resumed, as a new start', async () => {
    const end = addSession('Shop', undefined, 'key', { baseUrl: 'http://127.0.0.1:9' });
    const list = open();
    const { key } = list.add({
      connection: 'Shop',
      source: { kind: 'objects', id: 'a' },
      baseUrl: 'http://127.0.0.1:9',
      account: 'owner',
    });
    await advance(1000);
    end.abort();
    list.wakeUp();
    await advance(HOUR);
    assert.equal(requests.length, 1);
    addSession('Shop', undefined, 'new-key');
    versions = { a: 2 };
    list.resume(key, { baseUrl: origin, account: 'owner' });
    await advance(1000);
    assert.deepEqual(requests, ['key /objects/a', 'new-key /objects/a']);
    assert.deepEqual(found, []);
  });
});
