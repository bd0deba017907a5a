/** Series read from the sandbox: they agree with its own lists to the digit, in one request or in many windows. */
import assert from 'node:assert/strict';
import type { PlatformClient } from '../../../src/platform/client.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { isObject } from '../../../src/platform/json/json.ts';
import { Item } from '../../../src/platform/page.ts';
import {
  statisticsSeries,
  statisticsPoint,
  type StatisticsSeries,
} from '../../../src/platform/resources/statistics.ts';
import type { Transport } from '../../../src/platform/http/transport.ts';
import { createTransport } from '../../../src/platform/http/undici-transport.ts';
import { parseAmount, UnitSums } from '../../../src/statistics/amounts.ts';
import { querySeries } from '../../../src/statistics/query-series.ts';
import { buildSeriesState } from '../../../src/statistics/series-state.ts';
import { DEFAULT_CONTROLS, type Controls, type SeriesState } from '../../../src/webviews/protocol/statistics.ts';
import { readAllPages, useSandbox } from '../sandbox/sandbox-client.ts';
import { createTestClient } from '../../support/platform-client.ts';

const getTotal = ({ sums }: SeriesState): string => sums.map(({ total }) => total).join(' + ');

suite('statistics: read from the sandbox', () => {
  const { sandbox, ask } = useSandbox({ objects: 400 });
  let transport: Transport & { close(): Promise<void> };
  let client: PlatformClient;
  suiteSetup(() => {
    transport = createTransport({});
    client = createTestClient(sandbox().baseUrl, transport, {
      credential: () => Promise.resolve({ apiKey: sandbox().apiKey }),
    });
  });
  suiteTeardown(() => transport.close());

  const [executions, fees, creations] = statisticsSeries;

  async function read(
    series: StatisticsSeries,
    controls: Partial<Controls> = {},
    { signal = new AbortController().signal, maxRequests = 60 } = {},
  ) {
    let requests = 0;
    const found = await querySeries({
      client,
      series,
      controls: { ...DEFAULT_CONTROLS, timeRange: '60d', compare: false, ...controls },
      now: sandbox().world.clock.now(),
      signal,
      onRequest: () => requests++,
      maxRequests,
    });
    return { state: buildSeriesState(series, found, new Map()), requests };
  }

  async function logs(filter: (log: Readonly<Record<string, unknown>>) => boolean = () => true) {
    return (await readAllPages(ask, '/ebus/action-logs', 'action_logs')).filter(filter);
  }

  test('executions, fees and objects agree with the lists', async () => {
    const every = await logs();
    const paid = new UnitSums();
    for (const { fee } of every) paid.add(parseAmount(fee) ?? assert.fail('a log without a fee'));
    const counted = await read(executions);
    assert.equal(getTotal(counted.state), String(every.length));
    assert.ok(counted.requests > 1, 'the sandbox cuts at 100 points');
    assert.equal(counted.state.truncated, false);
    assert.equal(getTotal((await read(fees)).state), paid.format(''));
    const objects = await readAllPages(ask, '/objects', 'objects');
    assert.equal(
      getTotal((await read(creations, { timeRange: '9y', interval: 'month' })).state),
      String(objects.length),
    );
  });

  test('each interval and each size of an answer gives the same sum', async () => {
    const { state } = await read(executions, { interval: 'month' });
    for (const interval of ['week', 'day'])
      assert.equal(getTotal((await read(executions, { interval })).state), getTotal(state), interval);
  });

  test('marks a series as truncated after too many requests', async () => {
    const { state, requests } = await read(executions, { interval: 'hour' }, { maxRequests: 3 });
    assert.equal(state.truncated, true);
    assert.match(state.notes.join(' '), /Loading stopped after 3 requests/);
    assert.ok(requests <= 3);
  });

  test('filters are sent where the contract has them', async () => {
    const mints = (await read(executions)).state.groups.find(({ name }) => name === 'mint')?.total;
    assert.ok(mints !== undefined);
    assert.equal(getTotal((await read(executions, { action: 'mint' })).state), mints);
    const { state } = await read(executions, { action: 'mint', template: 'tpl_none' });
    assert.equal(getTotal(state), mints, 'executions take no template');
    assert.equal(getTotal((await read(creations, { template: 'tpl_none' })).state), '');
    assert.equal(getTotal((await read(executions, { signer: 'nobody' })).state), '');
  });

  test('reads a period and the one before', async () => {
    const { state } = await read(executions, { timeRange: '7d', compare: true });
    const week = 7 * 86_400_000;
    const now = sandbox().world.clock.now();
    const within = (from: number, until: number) =>
      logs(({ when_created: when }) => Date.parse(String(when)) >= from && Date.parse(String(when)) < until);
    const [line] = state.sums;
    assert.equal(line?.before?.total, String((await within(now - 2 * week, now - week)).length));
    assert.ok(line.change !== undefined);
    assert.ok((state.times[0] ?? 0) * 1000 >= now - week - 86_400_000);
  });

  /** Queries sent to a client that answers with `answer`. */
  async function queries(controls: Partial<Controls>, answer: readonly unknown[] = []) {
    const sentQueries: Readonly<Record<string, unknown>>[] = [];
    const found = await querySeries({
      client: Object.assign(Object.create(client) as PlatformClient, {
        statistics: (_series: StatisticsSeries, query: Readonly<Record<string, unknown>>) => {
          sentQueries.push(query);
          return Promise.resolve({ items: answer.map((raw) => new Item(raw, statisticsPoint)) });
        },
      }),
      series: executions,
      controls: { ...DEFAULT_CONTROLS, compare: false, ...controls },
      now: Date.UTC(2026, 0, 31),
      signal: new AbortController().signal,
      onRequest: () => undefined,
    });
    return { sentQueries, state: buildSeriesState(executions, found, new Map()) };
  }

  test('sends dates; words that are not lengths are sent as typed', async () => {
    const [gte, lt] = ['2026-01-10T00:00:00.000Z', '2026-01-20T00:00:00.000Z'];
    const first = async (controls: Partial<Controls>) =>
      (await queries({ interval: 'day', ...controls })).sentQueries[0];
    assert.deepEqual(await first({ interval: 'moon', timeRange: 'ytd' }), {
      interval: 'moon',
      time_range: 'ytd',
      limit: 100,
    });
    assert.deepEqual(await first({ timeRange: '30d' }), {
      interval: 'day',
      when_created: { gte: '2026-01-01T00:00:00.000Z' },
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

  test('chooses the interval for the range', async () => {
    const intervals = async (controls: Partial<Controls>) => {
      const { sentQueries, state } = await queries(controls);
      assert.equal(state.interval, sentQueries[0]?.['interval'] ?? '');
      return sentQueries[0]?.['interval'];
    };
    const expected = {
      '1h': 'minute',
      '24h': 'hour',
      '7d': 'day',
      '30d': 'day',
      '90d': 'week',
      '1y': 'week',
      '9y': 'month',
    };
    for (const [timeRange, interval] of Object.entries(expected))
      assert.equal(await intervals({ timeRange }), interval, timeRange);
    assert.equal(await intervals({ timeRange: '1h', interval: 'month' }), 'month');
    assert.equal(await intervals({ timeRange: 'ytd' }), undefined, 'of unknown length');
    const day = { from: '2026-01-10T00:00:00.000Z', until: '2026-01-11T00:00:00.000Z' };
    assert.equal(await intervals({ ...day, timeRange: '' }), 'hour');
    assert.equal((await read(executions, { timeRange: '1h' })).state.interval, 'minute');
  });

  test('a platform without minutes is asked for hours, unless the user chose minutes', async () => {
    const coarse = Object.assign(Object.create(client) as PlatformClient, {
      statistics: (_series: StatisticsSeries, query: Readonly<Record<string, unknown>>) =>
        query['interval'] === 'minute'
          ? Promise.reject(new PlatformError('badRequest', 'The platform refused'))
          : Promise.resolve({ items: [] }),
    });
    const request = {
      client: coarse,
      series: executions,
      now: Date.UTC(2026, 0, 31),
      signal: new AbortController().signal,
      onRequest: () => undefined,
    };
    const controls = { ...DEFAULT_CONTROLS, timeRange: '1h' };
    assert.equal((await querySeries({ ...request, controls })).interval, 'hour');
    await assert.rejects(
      querySeries({ ...request, controls: { ...controls, interval: 'minute' } }),
      (error) => error instanceof PlatformError && error.code === 'badRequest',
    );
  });

  test('a truncated time range of unknown length gets a note with advice', async () => {
    const points = Array.from({ length: 25 }, (_, index) => ({ when: new Date(index * 1e9).toISOString(), count: 1 }));
    const { sentQueries, state } = await queries({ timeRange: 'ytd' }, points);
    assert.equal(sentQueries.length, 1);
    assert.equal(state.truncated, true);
    assert.match(state.notes.join(' '), /^The response was truncated\. Select a custom range/);
  });

  test('a word for the interval that is not known does not keep a cut answer from being read in parts', async () => {
    const days = { from: '2026-01-01T00:00:00.000Z', until: '2026-01-05T00:00:00.000Z' };
    const points = Array.from({ length: 25 }, () => ({ count: 1 }));
    const { sentQueries } = await queries({ ...days, interval: 'moon' }, points);
    assert.ok(sentQueries.length > 2);
    assert.ok(sentQueries.every(({ interval, time_range: range }) => interval === 'moon' && range === undefined));
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
    assert.equal(getTotal(state), '27021597764222980');
    assert.match(state.notes.join(' '), /2 points without a valid value are shown as gaps\./);
  });

  test('the period before may fail alone', async () => {
    const now = sandbox().world.clock.now();
    const failing = Object.assign(Object.create(client) as PlatformClient, {
      statistics: (
        series: StatisticsSeries,
        query: Readonly<Record<string, unknown>>,
        options: { signal: AbortSignal },
      ) =>
        isObject(query['when_created']) && Date.parse(String(query['when_created']['lt'])) <= now - 86_400_000
          ? Promise.reject(new PlatformError('server', 'The platform reported an error (HTTP 500)'))
          : client.statistics(series as typeof executions, query, options),
    });
    const found = await querySeries({
      client: failing,
      series: executions,
      controls: { ...DEFAULT_CONTROLS, timeRange: '24h' },
      now,
      signal: new AbortController().signal,
      onRequest: () => undefined,
    });
    const state = buildSeriesState(executions, found, new Map());
    assert.notEqual(getTotal(state), '');
    assert.match(state.notes.join(), /Read previous period: The platform reported an error/);
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
      read(executions, {}, { signal: stop.signal }),
      (error) => error instanceof PlatformError && error.code === 'cancelled',
    );
  });
});
