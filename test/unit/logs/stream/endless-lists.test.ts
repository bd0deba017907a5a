import assert from 'node:assert/strict';
import { readHistory } from '../../../../src/logs/history/read-history.ts';
import { MINUTE, START, followFeed, type FollowedFeed } from './feed-fixture.ts';

suite('lists that never end', () => {
  let watched: FollowedFeed;
  teardown(() => watched.close());

  const item = (at: number, more: object = {}): object => ({
    id: `log_${String(at)}`,
    action_name: 'update',
    status: 'completed',
    affected_objects: [{ id: 'obj_1', prev_state_root: `r${String(at)}`, next_state_root: `r${String(at + 1)}` }],
    when_created: new Date(START - 60_000 + at * 7).toISOString(),
    ...more,
  });
  const all = Array.from({ length: 260 }, (_, at) => item(at));
  const inWindow = (query: URLSearchParams): object[] =>
    all.filter((one) => {
      const created = String(Reflect.get(one, 'when_created'));
      const [from, to] = [query.get('when_created[$gte]'), query.get('when_created[$lt]')];
      return !(from !== null && created < from) && !(to !== null && created >= to);
    });

  const servers: Readonly<Record<string, (query: URLSearchParams, request: number) => object>> = {
    'empty pages with ever new cursors': (_query, request) => ({ action_logs: [], next: `c${String(request)}` }),
    'one page that comes again with ever new cursors': (query, request) => ({
      action_logs: inWindow(query).slice(0, 100),
      next: `c${String(request)}`,
    }),
    'one page that comes again with its own cursor': (query) => ({
      action_logs: inWindow(query).slice(0, 100),
      next: 'same',
    }),
    'two pages in turns': (query, request) => ({
      action_logs: inWindow(query).slice(request % 2 === 0 ? 0 : 100, request % 2 === 0 ? 100 : 200),
      next: `c${String(request)}`,
    }),
    'whole lists with empty pages behind them': (query, request) => {
      const at = Number(query.get('next')?.split('.')[0] ?? 0);
      return {
        action_logs: inWindow(query).slice(at, at + 100),
        next: `${String(at + 100)}.${String(request)}`,
      };
    },
    'bad items only': (_query, request) => ({ action_logs: ['x', null], next: `c${String(request)}` }),
  };

  for (const [name, answer] of Object.entries(servers))
    test(`${name}: reading stops, with a note in the state`, async () => {
      watched = await followFeed({ answer });
      const { platform, feed, advanceTo: until } = watched;
      feed.setVisible(true);
      await until(START + 5 * MINUTE);
      assert.ok(
        platform.maxRequestsWithin(MINUTE) <= 600,
        `${String(platform.maxRequestsWithin(MINUTE))} requests in a minute`,
      );
      assert.ok(platform.requests.length <= 2000, `${String(platform.requests.length)} requests in five minutes`);
      const none = name === 'empty pages with ever new cursors' || name === 'bad items only';
      assert.equal(feed.buffer.size, none ? 0 : all.length);
      if (!name.endsWith('own cursor')) assert.match(feed.state.note ?? '', /several pages contained nothing new/);
      feed.setVisible(false);
      const hidden = platform.requests.length;
      await until(START + 10 * MINUTE);
      assert.equal(platform.requests.length, hidden);
    });

  test('a list that goes on after many empty pages: Refresh reads on', async () => {
    watched = await followFeed({
      answer: (query) => {
        const at = Number(query.get('next') ?? 0);
        return { action_logs: at < 60 ? [] : inWindow(query).slice(0, 50), ...(at < 60 && { next: String(at + 1) }) };
      },
    });
    const { feed, advanceTo: until } = watched;
    feed.setVisible(true);
    await until(START + MINUTE);
    assert.equal(feed.buffer.size, 0);
    assert.match(feed.state.note ?? '', /several pages contained nothing new/);
    feed.refresh();
    await until(START + 2 * MINUTE);
    assert.equal(feed.buffer.size, 50);
  });

  test('new entries on every page: a poll stops at its page limit and continues on request', async () => {
    let created = 0;
    watched = await followFeed({
      answer: (query, request) => {
        const time = query.get('when_created[$gte]') ?? new Date(START).toISOString();
        const items = Array.from({ length: 20 }, () => item(0, { id: `new_${String(created++)}`, when_created: time }));
        return { action_logs: items, next: `c${String(request)}` };
      },
    });
    const { platform, feed, advanceTo: until } = watched;
    feed.setVisible(true);
    await until(START + 3 * MINUTE);
    const { length } = platform.requests;
    assert.ok(length <= 1010, `${String(length)} requests`);
    assert.match(feed.state.reason ?? '', /1,000 pages/);
    await until(START + 8 * MINUTE);
    assert.equal(platform.requests.length, length, 'continues only on request');
    feed.refresh();
    await until(START + 9 * MINUTE);
    assert.ok(platform.requests.length > length);
  });

  test('reads wrapped items, and counts those without an id', async () => {
    watched = await followFeed({
      answer: (query) => ({
        action_logs: [
          ...inWindow(query)
            .slice(0, 20)
            .map((one) => ({ object: one })),
          'bad',
          {},
        ],
      }),
    });
    const { feed, advanceTo: until } = watched;
    feed.setVisible(true);
    await until(START + MINUTE);
    assert.equal(feed.buffer.get('Test\nlog_3')?.row.action, 'update');
    assert.equal(feed.state.unreadable, 2);
    assert.deepEqual(feed.state.stale, []);
  });

  test('the history of an object stops too, with a note', async () => {
    watched = await followFeed({
      answer: (query, request) => ({
        action_logs: query.get('next') === null ? all.slice(0, 100) : [],
        next: `c${String(request)}`,
      }),
    });
    const { platform, session, advanceTo: until } = watched;
    const reading = readHistory(session, 'obj_1', () => undefined, new AbortController().signal);
    await until(START + MINUTE);
    const { history, nextLimits } = await reading;
    assert.equal(history.steps.length, 100);
    assert.ok(platform.requests.length <= 30, String(platform.requests.length));
    assert.match(history.verdict, /The list continues.*Refresh to load more/);
    // Reads further with the next limits.
    const before = platform.requests.length;
    const again = readHistory(session, 'obj_1', () => undefined, new AbortController().signal, nextLimits);
    await until(START + 2 * MINUTE);
    assert.equal((await again).history.steps.length, 100);
    assert.ok(platform.requests.length - before > 100);
  });
});
