/** One log that is nested very deep, among others: the view shows all of them, and nothing of it stays in memory. */
import assert from 'node:assert/strict';
import vm from 'node:vm';
import v8 from 'node:v8';
import { detailsOf } from '../../../src/logs/details.ts';
import { rawOf } from '../../../src/logs/history.ts';
import { isObject } from '../../../src/platform/json.ts';
import { MINUTE, START, watch, type Watched } from './watch.ts';

suite('logs: a log that is nested very deep', function () {
  this.timeout(20_000);
  let watched: Watched;
  teardown(() => watched.close());

  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };

  test('the others are shown, it says what is not, and the heap is as before', async () => {
    const logs = Array.from({ length: 50 }, (_, at) => ({
      id: `log_${String(at)}`,
      status: 'completed',
      params: [],
      when_created: new Date(START - 1000 - at).toISOString(),
    }));
    const nested = '['.repeat(15_000) + ']'.repeat(15_000);
    const deep = JSON.stringify({ ...logs[0], id: 'deep', params: 'HERE' }).replace('"HERE"', nested);
    let isDeep = false;
    watched = await watch({
      answer: () =>
        `{"action_logs":[${[...(isDeep ? [deep] : []), ...logs.map((log) => JSON.stringify(log))].join(',')}]}`,
    });
    const { feed, until } = watched;
    feed.setVisible(true);
    await until(START + MINUTE);
    assert.equal(feed.buffer.size, 50);
    const before = heap();
    isDeep = true;
    await until(START + 5 * MINUTE);
    assert.deepEqual(feed.state.stale, []);
    assert.equal(feed.buffer.size, 51);
    const raw = rawOf(feed.buffer.get('Test\ndeep') ?? assert.fail());
    assert.ok(isObject(raw));
    const { details } = detailsOf({ key: 'k', connection: 'Test', busy: false, links: {}, raw });
    const parameters = details.sections.find(({ title }) => title === 'Parameters') ?? assert.fail();
    assert.match(parameters.fields.map(({ value }) => value).join(), /nested deeper/);
    assert.ok(JSON.stringify(details).length < 50_000);
    const grown = (heap() - before) / 1024 / 1024;
    assert.ok(grown < 8, `${grown.toFixed(1)} MB more`);
  });
});
