/** What watches request and what they find, with a server on loopback that counts requests, and a virtual clock. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { PlatformClient } from '../../../../src/platform/client.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { followSource } from '../../../../src/watches/engine/follow.ts';
import { Scheduler } from '../../../../src/watches/engine/scheduler.ts';
import type { WatchSource } from '../../../../src/watches/engine/stored-watch.ts';
import type { KnownItems } from '../../../../src/watches/engine/stored-watch.ts';
import { Watcher, type Change } from '../../../../src/watches/engine/watcher.ts';
import { VirtualClock } from '../../../support/action-log-server.ts';
import type { Received } from '../../../support/http/servers.ts';
import { useServers } from '../../../support/platform-client.ts';

const START = Date.UTC(2026, 2, 1);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const INTERVAL = 30 * SECOND;

/** An object of the contract. */
function createObject(id: string, version = 1): object {
  const root = `root-${id}-${String(version)}`;
  const when = '2026-03-01T00:00:00Z';
  const fields = {
    id,
    org_id: 'org',
    owner: '0xa',
    template_id: 'tpl',
    metadata: { name: id },
    nonce: version,
    version,
  };
  return { ...fields, state_root: root, when_created: when, when_modified: when };
}

function send(
  response: http.ServerResponse,
  status: number,
  body: unknown,
  headers: http.OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

suite('watches', () => {
  const { servers, createClient } = useServers();
  let clock: VirtualClock;
  let stop: AbortController;
  let requests: { readonly at: number; readonly path: string }[];
  let changes: (readonly Change[])[];
  let isFocused: boolean;
  let idle: number;
  /** requests without a response, of platforms that respond */
  let pending: number;
  let scheduler: Scheduler;

  setup(() => {
    clock = new VirtualClock(START);
    stop = new AbortController();
    requests = [];
    changes = [];
    isFocused = true;
    idle = 0;
    pending = 0;
  });
  teardown(() => {
    stop.abort();
  });

  /** Starts watches of a server. */
  async function start(
    sources: readonly WatchSource[],
    respond: (request: Received, response: http.ServerResponse) => void,
    known?: KnownItems,
  ): Promise<readonly Watcher[]> {
    const server = await servers.http((request, response) => {
      requests.push({ at: clock.now() - START, path: request.url });
      respond(request, response);
    });
    const client = createClient(server);
    const watchers = sources.map((source) => new Watcher(source, known, clock.now()));
    startWatches(watchers.map((watcher) => createWatch(watcher, 'Shop', client)));
    return watchers;
  }

  function createWatch(watcher: Watcher, connection: string, client: PlatformClient, hangs = false) {
    return {
      connection,
      get dueAt() {
        return watcher.dueAt;
      },
      poll: async (signal: AbortSignal) => {
        if (!hangs) pending++;
        const found = await watcher.poll(client, { interval: INTERVAL, signal, clock, isAligned: true });
        if (!hangs) pending--;
        if (found.length > 0) changes.push(found);
      },
    };
  }

  function startWatches(watches: readonly ReturnType<typeof createWatch>[]): void {
    const onIdle = (): void => {
      idle++;
    };
    scheduler = new Scheduler({ clock, isAllowed: () => isFocused, getWatches: () => watches, onIdle });
    void scheduler.run(stop.signal);
  }

  /** Runs the clock, while each request takes no time. */
  async function advanceTo(milliseconds: number): Promise<void> {
    for (;;) {
      while (pending > 0 || clock.next === undefined) await setImmediate();
      if (clock.next > START + milliseconds) break;
      clock.advanceTo(clock.next);
      await setImmediate();
    }
    clock.advanceTo(START + milliseconds);
  }

  const objects: readonly WatchSource[] = ['a', 'b', 'c'].map((id) => ({ kind: 'objects', id }));
  const respondWithObject = ({ url }: Received, response: http.ServerResponse): void => {
    send(response, 200, createObject(url.slice('/objects/'.length)));
  };

  test('send what their interval says, and at most one request a second together', async () => {
    await start(objects, respondWithObject);
    await advanceTo(10 * MINUTE);
    for (const id of ['a', 'b', 'c']) {
      const own = requests.filter(({ path }) => path === `/objects/${id}`).map(({ at }) => at);
      assert.ok(own.length === 20 || own.length === 21, `${id}: ${String(own.length)}`);
      assert.ok(own.every((at, index) => index === 0 || at - (own[index - 1] ?? 0) >= INTERVAL));
    }
    assert.deepEqual(
      requests.slice(0, 4).map(({ at }) => at),
      [0, SECOND, 2 * SECOND, INTERVAL],
    );
    assert.ok(requests.every(({ at }, index) => index === 0 || at - (requests[index - 1]?.at ?? 0) >= SECOND));
    // The first reading is what later ones are compared with.
    assert.deepEqual(
      changes.flat().map(({ type }) => type),
      ['first', 'first', 'first'],
    );
  });

  test('are not held up by a platform that never responds, but for those of its connection', async () => {
    const hung = await servers.http(({ url }) => {
      requests.push({ at: clock.now() - START, path: `hung ${url}` });
    });
    const server = await servers.http((request, response) => {
      requests.push({ at: clock.now() - START, path: request.url });
      respondWithObject(request, response);
    });
    const create = (source: WatchSource): Watcher => new Watcher(source, undefined, clock.now());
    const [hanging, responding] = [createClient(hung), createClient(server)];
    startWatches([
      ...objects.slice(0, 2).map((source) => createWatch(create(source), 'Hung', hanging, true)),
      ...objects.map((source) => createWatch(create(source), 'Shop', responding)),
    ]);
    await advanceTo(10 * MINUTE);
    const getTimes = (path: string): readonly number[] =>
      requests.filter((request) => request.path === path).map(({ at }) => at / SECOND);
    while (getTimes('hung /objects/a').length === 0) await setImmediate();
    assert.equal(getTimes('hung /objects/a').length, 1, 'never a second poll beside the first');
    assert.deepEqual(getTimes('hung /objects/b'), []);
    for (const [index, id] of ['a', 'b', 'c'].entries())
      assert.deepEqual(getTimes(`/objects/${id}`).slice(0, 4), [index + 1, 30 + index, 60 + index, 90 + index], id);
    assert.ok(idle > 0, 'changes are announced');
  });

  test('wait a whole interval, also after a first request that was between its multiples', async () => {
    clock = new VirtualClock(START + 14_900);
    await start(objects.slice(0, 1), respondWithObject);
    await advanceTo(5 * MINUTE);
    assert.deepEqual(
      requests.map(({ at }) => at / SECOND),
      [14.9, 60, 90, 120, 150, 180, 210, 240, 270, 300],
    );
  });

  test('send nothing while the window is not focused, and what is due afterwards', async () => {
    await start(objects.slice(0, 1), respondWithObject);
    await advanceTo(MINUTE);
    const before = requests.length;
    isFocused = false;
    await advanceTo(61 * MINUTE);
    assert.equal(requests.length, before);
    isFocused = true;
    scheduler.wakeUp();
    await advanceTo(61 * MINUTE + SECOND);
    assert.equal(requests.length, before + 1);
  });

  test('send nothing without a watch', async () => {
    await start([], respondWithObject);
    await advanceTo(60 * MINUTE);
    assert.deepEqual(requests, []);
    assert.ok(idle > 0);
  });

  test('send one request where others are repeated, and wait longer after each failure', async () => {
    const [watcher] = await start(objects.slice(0, 1), (_request, response) => {
      send(response, 503, { message: 'later' });
    });
    await advanceTo(8 * MINUTE);
    assert.deepEqual(
      requests.map(({ at }) => at / SECOND),
      [0, 30, 90, 210, 450],
    );
    assert.equal(watcher?.problem?.code, 'server');
  });

  test('wait as long as a 429 asks for', async () => {
    await start(objects.slice(0, 1), (request, response) => {
      if (requests.length > 1) respondWithObject(request, response);
      else send(response, 429, {}, { 'retry-after': '300' });
    });
    await advanceTo(6 * MINUTE);
    assert.deepEqual(
      requests.map(({ at }) => at / SECOND),
      [0, 300, 330, 360],
    );
  });

  test('stop at an error that does not pass, until they are reset', async () => {
    const [watcher] = await start(objects.slice(0, 1), (_request, response) => {
      send(response, 403, {});
    });
    await advanceTo(60 * MINUTE);
    assert.equal(requests.length, 1);
    assert.equal(watcher?.dueAt, Infinity);
    watcher.reset(clock.now());
    scheduler.wakeUp();
    await advanceTo(61 * MINUTE);
    assert.equal(requests.length, 2);
  });

  test('make conditional requests where the platform sends an ETag', async () => {
    let version = 1;
    const conditions: unknown[] = [];
    await start(objects.slice(0, 1), ({ headers }, response) => {
      const etag = `"${String(version)}"`;
      conditions.push(headers['if-none-match']);
      if (headers['if-none-match'] === etag) send(response, 304, undefined, { etag });
      else send(response, 200, createObject('a', version), { etag });
    });
    await advanceTo(MINUTE);
    version = 2;
    await advanceTo(2 * MINUTE);
    assert.deepEqual(conditions, [undefined, '"1"', '"1"', '"1"', '"2"']);
    const [, change, ...others] = changes.flat();
    assert.deepEqual([change?.type, change?.item?.id, others], ['changed', 'a', []]);
    assert.deepEqual(change?.before, createObject('a', 1));
  });

  test('find what was added, changed and removed, but not what moved to the next page', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'];
    let versions: Readonly<Record<string, number>> = {};
    let removed: readonly string[] = [];
    await start([{ kind: 'objects', filter: { owner: '0xa' } }], ({ url }, response) => {
      const { searchParams } = new URL(url, 'http://localhost');
      assert.equal(searchParams.get('owner'), '0xa');
      assert.equal(searchParams.get('sortBy'), 'when_created');
      const listed = all.filter((id) => !removed.includes(id)).map((id) => createObject(id, versions[id]));
      send(response, 200, { objects: listed.slice(0, 4), ...(listed.length > 4 && { next: 'page-2' }) });
    });
    const take = async (at: number): Promise<readonly string[]> => {
      await advanceTo(at);
      return changes
        .splice(0)
        .flat()
        .map(({ type, id }) => `${type} ${id}`);
    };
    assert.deepEqual(await take(10), []);
    all.unshift('new');
    assert.deepEqual(await take(INTERVAL), ['added new'], 'd moved to the next page');
    versions = { b: 2 };
    removed = ['a'];
    assert.deepEqual(await take(2 * INTERVAL), ['changed b', 'removed a'], 'd moved to the first page');
    all.push('f');
    all.unshift('newest');
    removed = ['a', 'c'];
    assert.deepEqual(await take(3 * INTERVAL), ['added newest', 'removed c']);
    removed = all;
    assert.deepEqual(await take(4 * INTERVAL), ['removed newest', 'removed new', 'removed b', 'removed d']);
    removed = all.slice(0, -1);
    assert.deepEqual(await take(5 * INTERVAL), ['added f'], 'the list was whole');
  });

  test('do not say that what becomes older than the filter was removed', async () => {
    const create = (id: string, minute: number): { readonly id: string; readonly when_created: string } => ({
      id,
      when_created: new Date(START + minute * MINUTE).toISOString(),
    });
    let logs = [create('new', -1), create('gone', -20), create('old', -58)];
    await start([{ kind: 'action-logs', filter: { when_created: { gte: '-1h' } } }], ({ url }, response) => {
      const since = new URL(url, 'http://localhost').searchParams.get('when_created[$gte]') ?? '';
      send(response, 200, { action_logs: logs.filter((log) => log.when_created >= since) });
    });
    await advanceTo(SECOND);
    await advanceTo(5 * MINUTE);
    assert.equal(changes.length, 0);
    logs = logs.filter(({ id }) => id !== 'gone');
    await advanceTo(6 * MINUTE);
    assert.deepEqual(
      changes.flat().map(({ type, id }) => `${type} ${id}`),
      ['removed gone'],
    );
  });

  test('have only the logs of an action, and say that a resource is gone', async () => {
    const logs: object[] = [
      { id: 'l1', action_name: 'mint', status: 'failed' },
      { id: 'l2', action_name: 'transfer', status: 'failed' },
    ];
    await start([{ kind: 'action-logs', filter: { status: 'failed' }, action: 'transfer' }], (_request, response) => {
      send(response, 200, { action_logs: logs });
    });
    await advanceTo(SECOND);
    logs.unshift(
      { id: 'l3', action_name: 'transfer', status: 'failed' },
      { id: 'l4', action_name: 'mint', status: 'failed' },
      { id: 'l5', action_name: '', name: 'transfer', status: 'failed' },
    );
    await advanceTo(INTERVAL);
    assert.deepEqual(
      changes.flat().map(({ type, id }) => `${type} ${id}`),
      ['added l3', 'added l5'],
    );
    assert.ok(requests.every(({ path }) => path.includes('status=failed')));
  });

  test('find what changed since an earlier window, and that it is gone', async () => {
    let isGone = false;
    const [watcher] = await start(
      objects.slice(0, 1),
      (request, response) => {
        if (isGone) send(response, 404, {});
        else respondWithObject(request, response);
      },
      { digests: [['a', 'digest of an earlier window']], isWhole: true },
    );
    await advanceTo(SECOND);
    assert.deepEqual(
      changes.flat().map(({ type }) => type),
      ['changed'],
    );
    isGone = true;
    await advanceTo(10 * MINUTE);
    assert.deepEqual(
      changes.flat().map(({ type }) => type),
      ['changed', 'removed'],
    );
    assert.equal(watcher?.dueAt, Infinity);
  });

  test('find what was added while others were removed since an earlier window, if the list was whole then', async () => {
    let listed = ['a', 'b'];
    const respond = (_request: Received, response: http.ServerResponse): void => {
      send(response, 200, { objects: listed.map((id) => createObject(id)) });
    };
    const [earlier] = await start([{ kind: 'objects' }], respond);
    await advanceTo(SECOND);
    stop.abort();
    stop = new AbortController();
    const known = JSON.parse(JSON.stringify(earlier?.known)) as KnownItems;
    listed = ['b', 'c'];
    await start([{ kind: 'objects' }], respond, known);
    await advanceTo(2 * SECOND);
    assert.deepEqual(
      changes.flat().map(({ type, id }) => `${type} ${id}`),
      ['added c', 'removed a'],
    );
  });

  test('of programs use the same reading and waiting', async () => {
    clock = new VirtualClock(START + 14_900);
    const statuses = ['pending', 'pending', 'completed'];
    const server = await servers.http((_request, response) => {
      requests.push({ at: clock.now() - START, path: '' });
      send(response, 200, { action_logs: [{ id: 'l1', status: statuses.shift() }] });
    });
    const found: unknown[] = [];
    const following = (async () => {
      const options = { interval: INTERVAL, signal: stop.signal, clock };
      for await (const { type, item } of followSource(createClient(server), { kind: 'action-logs', id: 'l1' }, options))
        found.push([type, item?.raw]);
    })();
    const state = { isOver: false };
    const end = following.finally(() => (state.isOver = true));
    while (!state.isOver) {
      if (clock.next !== undefined) clock.advanceTo(clock.next);
      await setImmediate();
    }
    await end;
    assert.deepEqual(found, [
      ['first', { id: 'l1', status: 'pending' }],
      ['changed', { id: 'l1', status: 'completed' }],
    ]);
    assert.deepEqual(
      requests.map(({ at }) => at - 14_900),
      [0, INTERVAL, 2 * INTERVAL],
    );
  });

  test('of programs wait no longer after the clock was set back', async () => {
    clock = new VirtualClock(START);
    let shift = 0;
    const server = await servers.http((_request, response) => {
      requests.push({ at: clock.now() - START, path: '' });
      if (requests.length === 2) shift = -60 * MINUTE;
      send(response, 200, { action_logs: [{ id: 'l1', status: requests.length < 5 ? 'pending' : 'completed' }] });
    });
    const options = {
      interval: INTERVAL,
      signal: stop.signal,
      clock: {
        now: () => clock.now() + shift,
        sleep: (milliseconds: number, signal: AbortSignal) => clock.sleep(milliseconds, signal),
      },
    };
    const state = { isOver: false };
    const following = (async () => {
      const source = { kind: 'action-logs', id: 'l1' } as const;
      let changes = 0;
      for await (const { type } of followSource(createClient(server), source, options))
        changes += type === 'changed' ? 1 : 0;
      assert.equal(changes, 1);
    })();
    const end = following.finally(() => (state.isOver = true));
    while (!state.isOver) {
      if (clock.next !== undefined) clock.advanceTo(clock.next);
      await setImmediate();
    }
    await end;
    assert.ok((requests.at(-1)?.at ?? 0) <= 6 * INTERVAL, JSON.stringify(requests));
  });

  test('of programs say when the platform fails and when it responds again', async () => {
    const codes = [200, 503, 503, 200];
    const server = await servers.http((_request, response) => {
      const code = codes.shift() ?? 200;
      send(
        response,
        code,
        code === 200 ? { action_logs: [{ id: 'l1', status: codes.length > 0 ? 'pending' : 'failed' }] } : {},
      );
    });
    const problems: unknown[] = [];
    const onProblem = (problem: unknown): number =>
      problems.push(problem instanceof PlatformError ? problem.code : problem);
    const options = { interval: INTERVAL, signal: stop.signal, clock, onProblem };
    let count = 0;
    const following = (async () => {
      const source: WatchSource = { kind: 'action-logs', id: 'l1' };
      for await (const _change of followSource(createClient(server), source, options)) count++;
    })();
    const state = { isOver: false };
    const end = following.finally(() => (state.isOver = true));
    while (!state.isOver) {
      if (clock.next !== undefined) clock.advanceTo(clock.next);
      await setImmediate();
    }
    await end;
    assert.equal(count, 2);
    assert.deepEqual(problems, ['server', undefined]);
  });
});
