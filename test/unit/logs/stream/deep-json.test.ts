import assert from 'node:assert/strict';
import vm from 'node:vm';
import v8 from 'node:v8';
import { formatDetails } from '../../../../src/logs/view/details.ts';
import { parseRaw } from '../../../../src/logs/entry.ts';
import { isObject } from '../../../../src/platform/json/json.ts';
import { MINUTE, START, followFeed, type FollowedFeed } from './feed-fixture.ts';

suite('a deeply nested log', () => {
  let watched: FollowedFeed;
  teardown(() => watched.close());

  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };

  test('is shown without its nested part, and does not grow the heap', async () => {
    const logs = Array.from({ length: 50 }, (_, at) => ({
      id: `log_${String(at)}`,
      status: 'completed',
      params: [],
      when_created: new Date(START - 1000 - at).toISOString(),
    }));
    const nested = '['.repeat(15_000) + ']'.repeat(15_000);
    const deep = JSON.stringify({ ...logs[0], id: 'deep', params: 'HERE' }).replace('"HERE"', nested);
    let isDeep = false;
    watched = await followFeed({
      answer: () =>
        `{"action_logs":[${[...(isDeep ? [deep] : []), ...logs.map((log) => JSON.stringify(log))].join(',')}]}`,
    });
    const { feed, advanceTo: until } = watched;
    feed.setVisible(true);
    await until(START + MINUTE);
    assert.equal(feed.buffer.size, 50);
    const before = heap();
    isDeep = true;
    await until(START + 5 * MINUTE);
    assert.deepEqual(feed.state.stale, []);
    assert.equal(feed.buffer.size, 51);
    const raw = parseRaw(feed.buffer.get('Test\ndeep') ?? assert.fail());
    assert.ok(isObject(raw));
    const details = formatDetails({ key: 'k', connection: 'Test', busy: false, links: {}, raw });
    const parameters = details.sections.find(({ title }) => title === 'Parameters') ?? assert.fail();
    assert.match(parameters.fields.map(({ value }) => value).join(), /nested deeper/);
    assert.ok(JSON.stringify(details).length < 50_000);
    const grown = (heap() - before) / 1024 / 1024;
    assert.ok(grown < 8, `${grown.toFixed(1)} MB more`);
  });
});
