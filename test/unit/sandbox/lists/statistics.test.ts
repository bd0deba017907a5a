/** Statistics: equal to the listed logs and objects, exact to the digit. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { statisticsSeries, statisticsPoint } from '../../../../src/platform/resources/statistics.ts';
import { findDrift } from '../../../../src/platform/schema.ts';
import type { JsonObject } from '../../../../src/platform/json/json.ts';
import { addDecimals, floorTo } from '../../../../src/sandbox/lists/statistics.ts';
import { readAllPages, toJsonObjects, useSandbox, type Reply } from '../sandbox-client.ts';

suite('sandbox: statistics', () => {
  const { sandbox, ask } = useSandbox({ objects: 400 });
  const getPoints = (reply: Reply): readonly JsonObject[] => {
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(Object.keys(reply.body), ['data'], 'no next here');
    return toJsonObjects(reply.body['data']);
  };
  /** All points of a series, read day by day, since one response has at most a hundred. */
  const series = async (path: string, interval: string): Promise<readonly JsonObject[]> => {
    const points: JsonObject[] = [];
    const { epoch } = sandbox().world.context;
    for (let day = Math.floor(epoch / 86_400_000) - 60; day * 86_400_000 <= epoch; day++) {
      const [from, to] = [day, day + 1].map((start) => new Date(start * 86_400_000).toISOString());
      const join = path.includes('?') ? '&' : '?';
      points.push(
        ...getPoints(
          await ask(`${path}${join}interval=${interval}&limit=100&when_created[$gte]=${from}&when_created[$lt]=${to}`),
        ),
      );
    }
    return points;
  };
  const sum = (points: readonly JsonObject[]): number =>
    points.reduce((total, point) => total + Number(point['count']), 0);

  for (const { id, operation } of statisticsSeries) {
    test(`${id}: points match the contract, in order, for every interval`, async () => {
      for (const interval of ['minute', 'hour', 'day', 'week', 'month'] as const) {
        const points = getPoints(await ask(`${operation.path}?interval=${interval}&limit=100`));
        assert(points.length > 0);
        for (const point of points) {
          assert.deepEqual(findDrift(statisticsPoint, point), []);
          const when = Date.parse(String(point['when']));
          assert.equal(when, floorTo(interval, when));
        }
        const order = points.map((point) => String(point['id']));
        assert.deepEqual(order, order.toSorted());
        assert.equal(new Set(order).size, order.length);
      }
      assert.equal((await ask(`${operation.path}?interval=fortnight`)).status, 400);
      assert.equal((await ask(`${operation.path}?time_range=long`)).status, 400);
      assert.equal((await ask(`${operation.path}?limit=0`)).status, 400);
      assert.equal((await ask(`${operation.path}?when_created[$gt]=x`)).status, 400);
      assert(getPoints(await ask(operation.path)).length <= 25);
    });
  }

  test('executions and fees are those of the action logs', async () => {
    const logs = await readAllPages(ask, '/ebus/action-logs', 'action_logs');
    assert.equal(sum(await series('/stats/actions/execution', 'hour')), logs.length);
    const fees = (await series('/stats/actions/fees', 'day'))
      .map((point) => String(point['fee']))
      .reduce(addDecimals, '0');
    assert.equal(fees, logs.map((log) => String(log['fee'])).reduce(addDecimals, '0'));
    assert.match(fees, /\.\d{18}$/);
    const mints = logs.filter((log) => log['action_name'] === 'mint' || !('action_name' in log));
    const counted = await series('/stats/actions/execution?action_name=mint', 'day');
    assert(sum(counted) > 0 && sum(counted) <= mints.length);
    assert.deepEqual(new Set(counted.map((point) => point['key'])), new Set(['mint']));
  });

  test('creations are those of the objects, by template', async () => {
    const objects = await readAllPages(ask, '/objects', 'objects');
    assert.equal(sum(await series('/stats/objects/creation', 'day')), objects.length);
    const template = sandbox().world.templates.source.idAt(4);
    const expected = objects.filter((object) => object['template_id'] === template).length;
    assert.equal(sum(await series(`/stats/objects/creation?template_id=${template}`, 'hour')), expected);
    assert.deepEqual(getPoints(await ask('/stats/objects/creation?template_id=unknown')), []);
  });

  test('a time range ends now; a signer is a name', async () => {
    const logs = await readAllPages(ask, '/ebus/action-logs', 'action_logs');
    const { epoch } = sandbox().world.context;
    const recent = logs.filter((log) => Date.parse(String(log['when_created'])) >= epoch - 86_400_000).length;
    assert.equal(sum(getPoints(await ask('/stats/actions/execution?time_range=24h&limit=100&interval=month'))), recent);
    const { nickname, address } = sandbox().world.account(3);
    const signed = logs.filter((log) => log['signer'] === address).length;
    assert.equal(sum(await series(`/stats/actions/execution?signer=${nickname}`, 'day')), signed);
    assert.deepEqual(getPoints(await ask(`/stats/actions/execution?signer=${address}`)), []);
  });

  test('new executions are counted, and burning does not remove a creation', async () => {
    const template = sandbox().world.templates.source.idAt(4);
    const count = async (): Promise<number> =>
      sum(
        getPoints(await ask(`/stats/objects/creation?time_range=30d&interval=month&template_id=${template}&limit=100`)),
      );
    const before = await count();
    const { body } = await ask('/ebus/execute', { body: { action: { mint: { template_id: template, num: 2 } } } });
    const text = JSON.stringify(body);
    assert.equal(await count(), before + 2);
    await ask('/ebus/execute', { body: { action: { burn: { id: /obj_\w+/.exec(text)?.[0] } } } });
    assert.equal(await count(), before + 2);
  });

  test('decimals add to the digit', () => {
    assert.equal(addDecimals('0.1', '0.2'), '0.3');
    assert.equal(addDecimals('0', '0.000000000000000001'), '0.000000000000000001');
    assert.equal(addDecimals('9007199254740993', '1'), '9007199254740994');
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.bigInt({ min: 0n, max: 10n ** 24n }), (a, b) => {
        const text = (value: bigint): string => `${value / 1_000_000n}.${String(value % 1_000_000n).padStart(6, '0')}`;
        assert.equal(addDecimals(text(a), text(b)), text(a + b));
      }),
    );
  });

  test('weeks begin on Mondays, months on the first, in UTC', () => {
    assert.equal(
      new Date(floorTo('week', Date.parse('2026-03-01T23:59:59Z'))).toISOString(),
      '2026-02-23T00:00:00.000Z',
    );
    assert.equal(
      new Date(floorTo('week', Date.parse('2026-03-02T00:00:00Z'))).toISOString(),
      '2026-03-02T00:00:00.000Z',
    );
    assert.equal(
      new Date(floorTo('month', Date.parse('2026-03-31T12:00:00Z'))).toISOString(),
      '2026-03-01T00:00:00.000Z',
    );
  });
});
