/** Series read from the sandbox: they agree with its own lists to the digit, in one request or in many windows. */
import assert from 'node:assert/strict';
import { PlatformClient } from '../../../src/platform/client.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { Item } from '../../../src/platform/page.ts';
import { statistics, statisticsPoint, type Series } from '../../../src/platform/resources/statistics.ts';
import { defaultPresentation, defaultQueryWords } from '../../../src/platform/target.ts';
import type { Transport } from '../../../src/platform/transport.ts';
import { createTransport } from '../../../src/platform/undici.ts';
import { amountOf, Sums } from '../../../src/stats/amount.ts';
import { readAsked } from '../../../src/stats/query.ts';
import { seriesState } from '../../../src/stats/series.ts';
import { DEFAULT_CONTROLS, type Controls } from '../../../src/webviews/protocol-statistics.ts';
import { all, suiteSandbox } from '../sandbox/kit.ts';

suite('statistics: read from the sandbox', function () {
  this.timeout(30_000);
  const { sandbox, ask } = suiteSandbox({ objects: 400 });
  let transport: Transport & { close(): Promise<void> };
  let client: PlatformClient;
  suiteSetup(() => {
    transport = createTransport({});
    client = new PlatformClient({
      target: {
        name: 'Test',
        baseUrl: sandbox().baseUrl,
        presentation: defaultPresentation,
        words: defaultQueryWords,
      },
      transport,
      timeouts: { connect: 5000, headers: 10_000, body: 10_000 },
      credential: () => Promise.resolve({ apiKey: sandbox().apiKey }),
    });
  });
  suiteTeardown(() => transport.close());

  const [executions, fees, creations] = statistics;

  async function read(series: Series, controls: Partial<Controls> = {}, signal = new AbortController().signal) {
    let requests = 0;
    const found = await readAsked({
      client,
      series,
      controls: { ...DEFAULT_CONTROLS, timeRange: '60d', compare: false, ...controls },
      now: sandbox().world.clock.now(),
      signal,
      requested: () => requests++,
    });
    return { state: seriesState(series, found, new Map()), requests };
  }

  async function logs(filter: (log: Readonly<Record<string, unknown>>) => boolean = () => true) {
    return (await all(ask, '/ebus/action-logs', 'action_logs')).filter(filter);
  }

  test('executions, fees and objects agree with the lists', async () => {
    const every = await logs();
    const paid = new Sums();
    for (const { fee } of every) paid.add(amountOf(fee) ?? assert.fail('a log without a fee'));
    const counted = await read(executions);
    assert.equal(counted.state.total, String(every.length));
    assert.ok(counted.requests > 1, 'the sandbox cuts at 100 points');
    assert.equal(counted.state.truncated, false);
    assert.equal((await read(fees)).state.total, paid.text);
    const objects = await all(ask, '/objects', 'objects');
    assert.equal((await read(creations, { timeRange: '9y', interval: 'month' })).state.total, String(objects.length));
  });

  test('each interval and each size of an answer gives the same sum', async () => {
    const { state } = await read(executions, { interval: 'month' });
    for (const asked of [{ interval: 'week' }, { interval: 'day', limit: 37 }, { interval: 'day', limit: 100 }])
      assert.equal((await read(executions, asked)).state.total, state.total, JSON.stringify(asked));
  });

  test('a small limit is for a first look: the rest is read in a few large parts', async () => {
    for (const limit of [1, 2, 5]) {
      const whole = await read(executions, { timeRange: '30d' });
      const { state, requests } = await read(executions, { timeRange: '30d', limit });
      assert.equal(state.total, whole.state.total);
      assert.equal(state.truncated, false);
      assert.ok(requests < 12, `${requests} requests with a limit of ${limit}`);
    }
  });

  test('what takes too many requests says that it is truncated', async () => {
    const { state, requests } = await read(executions, { interval: 'hour', limit: 3 });
    assert.equal(state.truncated, true);
    assert.match(state.notes.join(' '), /Truncated/);
    assert.ok(requests <= 60);
  });

  test('filters are sent where the contract has them', async () => {
    const mints = (await read(executions)).state.groups.find(({ name }) => name === 'mint')?.total;
    assert.ok(mints !== undefined);
    assert.equal((await read(executions, { action: 'mint' })).state.total, mints);
    const { state } = await read(executions, { action: 'mint', template: 'tpl_none' });
    assert.equal(state.total, mints, 'executions take no template');
    assert.equal((await read(creations, { template: 'tpl_none' })).state.total, '');
    assert.equal((await read(executions, { signer: 'nobody' })).state.total, '');
  });

  test('a period beside the one before it', async () => {
    const { state } = await read(executions, { timeRange: '7d', compare: true });
    const week = 7 * 86_400_000;
    const now = sandbox().world.clock.now();
    const within = (from: number, until: number) =>
      logs(({ when_created: when }) => Date.parse(String(when)) >= from && Date.parse(String(when)) < until);
    assert.equal(state.beforeTotal, String((await within(now - 2 * week, now - week)).length));
    assert.ok(state.change !== undefined);
    const [first] = state.before?.times ?? [];
    assert.ok(first !== undefined && first * 1000 >= now - week - 86_400_000);
  });

  /** What is asked, with answers of `answer`. */
  async function queries(controls: Partial<Controls>, answer: readonly unknown[] = []) {
    const asked: Readonly<Record<string, unknown>>[] = [];
    const found = await readAsked({
      client: Object.assign(Object.create(client) as PlatformClient, {
        statistics: (_series: Series, query: Readonly<Record<string, unknown>>) => {
          asked.push(query);
          return Promise.resolve({ items: answer.map((raw) => new Item(raw, statisticsPoint)) });
        },
      }),
      series: executions,
      controls: { ...DEFAULT_CONTROLS, compare: false, ...controls },
      now: Date.UTC(2026, 0, 31),
      signal: new AbortController().signal,
      requested: () => undefined,
    });
    return { asked, state: seriesState(executions, found, new Map()) };
  }

  test('words go to the platform as they are; dates go before them, for the whole as for its parts', async () => {
    const [gte, lt] = ['2026-01-10T00:00:00.000Z', '2026-01-20T00:00:00.000Z'];
    const first = async (controls: Partial<Controls>) => (await queries(controls)).asked[0];
    assert.deepEqual(await first({ interval: 'moon', timeRange: 'ytd' }), {
      interval: 'moon',
      time_range: 'ytd',
      limit: 100,
    });
    assert.deepEqual(await first({ timeRange: '30d', from: gte }), {
      interval: 'day',
      when_created: { gte },
      limit: 100,
    });
    assert.deepEqual((await first({ timeRange: 'ytd', from: gte, until: lt }))?.['when_created'], { gte, lt });
    // The days before Until, not those before now.
    assert.deepEqual(await first({ timeRange: '10d', until: lt }), {
      interval: 'day',
      when_created: { gte, lt },
      limit: 100,
    });
    assert.deepEqual(await first({ timeRange: 'ytd', until: lt }), {
      interval: 'day',
      time_range: 'ytd',
      when_created: { lt },
      limit: 100,
    });
  });

  test('a range in words of its own that is cut says so, and what would help', async () => {
    const points = Array.from({ length: 25 }, (_, index) => ({ when: new Date(index * 1e9).toISOString(), count: 1 }));
    const { asked, state } = await queries({ timeRange: 'ytd' }, points);
    assert.equal(asked.length, 1);
    assert.equal(state.truncated, true);
    assert.match(state.notes.join(' '), /^Truncated: .*choose From to have it read in parts/);
  });

  test('a word for the interval that is not known does not keep a cut answer from being read in parts', async () => {
    const days = { from: '2026-01-01T00:00:00.000Z', until: '2026-01-05T00:00:00.000Z' };
    const { asked } = await queries({ ...days, interval: 'moon', limit: 2 }, [{ count: 1 }, { count: 1 }]);
    assert.ok(asked.length > 2);
    assert.ok(asked.every(({ interval, time_range: range }) => interval === 'moon' && range === undefined));
  });

  test('counts and fees in the other’s form keep their digits', async () => {
    const when = '2026-01-01T00:00:00Z';
    const { state } = await queries({}, [
      { when, count: '9007199254740993' },
      { when, count: 9007199254740992n },
      { when, count: JSON.rawJSON('9007199254740995') },
      { when, count: null },
      'no point',
    ]);
    assert.equal(state.total, '27021597764222980');
    assert.match(state.notes.join(' '), /2 points without a readable value/);
  });

  test('the period before may fail alone', async () => {
    const failing = Object.assign(Object.create(client) as PlatformClient, {
      statistics: (series: Series, query: Readonly<Record<string, unknown>>, options: { signal: AbortSignal }) =>
        query['time_range'] === undefined
          ? Promise.reject(new PlatformError('server', 'The platform failed (HTTP 500)'))
          : client.statistics(series as typeof executions, query, options),
    });
    const found = await readAsked({
      client: failing,
      series: executions,
      controls: { ...DEFAULT_CONTROLS, timeRange: '24h' },
      now: sandbox().world.clock.now(),
      signal: new AbortController().signal,
      requested: () => undefined,
    });
    const state = seriesState(executions, found, new Map());
    assert.notEqual(state.total, '');
    assert.match(state.notes.join(), /Read the period before: The platform failed/);
  });

  test('a word that the platform does not know is its own error', async () => {
    await assert.rejects(
      read(executions, { interval: 'fortnight' }),
      (error) => error instanceof PlatformError && error.code === 'badRequest',
    );
  });

  test('reading can be cancelled', async () => {
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(
      read(executions, {}, stop.signal),
      (error) => error instanceof PlatformError && error.code === 'cancelled',
    );
  });
});
