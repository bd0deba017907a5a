/** Lists that never end: reading stops with an error and can be continued. The rate of background requests. */
import assert from 'node:assert/strict';
import { LiveData } from '../../../src/actions/language/live-data.ts';
import { PagedList } from '../../../src/explorer/tree/paged-list.ts';
import type { PlatformError } from '../../../src/platform/errors.ts';
import { isEndlessListError, MAX_IDLE_PAGES, paginate } from '../../../src/platform/paginate.ts';
import { readPage, type Page } from '../../../src/platform/page.ts';
import { RateLimiter } from '../../../src/platform/requests/rate-limiter.ts';
import { registry } from '../../../src/platform/registry.ts';
import type { LocalServer } from '../../support/http/servers.ts';
import { useServers } from '../../support/platform-client.ts';

const BACKGROUND_RATE = 10;
const MAX_PAGES = 10_000;
/** The item ids of each page. */
type Pages = (page: number) => readonly string[];

const NEVER: Readonly<Record<string, Pages>> = {
  'empty pages with ever new cursors': () => [],
  'a page that comes again and again': () => ['a', 'b', 'c'],
  'pages that come again in turn': (page) => [`a${String(page % 7)}`],
};

const objects = (ids: readonly string[], next?: string): Page =>
  readPage(registry.objects.list, registry.objects.schema, { objects: ids.map((id) => ({ id })), next });

suite('lists that never end', () => {
  const { servers, createClient } = useServers();

  /** Lists under any key, without end. */
  async function endless(pages: Pages): Promise<LocalServer> {
    return servers.http(({ url }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      const page = Number(searchParams.get('next') ?? 0);
      const key = pathname === '/api-keys' ? 'keys' : pathname.slice(1);
      response.end(JSON.stringify({ [key]: pages(page).map((id) => ({ id })), next: String(page + 1) }));
    });
  }

  const createLiveData = (server: LocalServer): LiveData =>
    new LiveData({
      profile: { name: 'Test' },
      client: createClient(server),
      ended: new AbortController().signal,
      identity: undefined,
      issuedResources: new Map(),
      hasPermission: () => undefined,
    });

  async function all(pages: AsyncIterable<Page>): Promise<PlatformError> {
    try {
      for await (const page of pages) assert.ok(page);
    } catch (error) {
      assert.ok(isEndlessListError(error), String(error));
      return error;
    }
    return assert.fail('it ended');
  }

  for (const [name, pages] of Object.entries(NEVER)) {
    test(`${name}: reading stops with a reason and can be continued`, async () => {
      const server = await endless(pages);
      const client = createClient(server);
      const error = await all(client.listPages('objects'));
      assert.match(error.message, /its last 20 pages contained nothing new/);
      const requestCount = server.received.length;
      assert.ok(requestCount <= MAX_IDLE_PAGES + 7, String(requestCount));
      assert.equal(error.detail.next, String(requestCount));
      await all(client.listPagesFor(registry.objects, {}, {}, error.detail.next));
      assert.equal(server.received[requestCount]?.url, `/objects?next=${String(requestCount)}`);
    });

    test(`${name}: the search for an API key stops with a reason`, async () => {
      const server = await endless(pages);
      await assert.rejects(createClient(server).read('api-keys', ['wanted']), {
        code: 'tooLarge',
        message: /^No resource with this ID found so far \(API key\)\. .* nothing new/,
      });
      assert.ok(server.received.length <= 50);
    });

    test(`${name}: completion offers what was found`, async () => {
      const server = await endless(pages);
      const live = createLiveData(server);
      const known = await live.list('objects').catch((error: unknown) => {
        assert.ok(isEndlessListError(error));
        return [];
      });
      assert.deepEqual(
        known.map(({ id }) => id),
        [...new Set(Array.from({ length: 7 }, (_, page) => pages(page)).flat())],
      );
      assert.ok(server.received.length <= 30);
    });

    test(`${name}: Load All and Refresh stop, and Load All gives the reason`, async () => {
      let requestCount = 0;
      const branch = new PagedList({
        createPageReader: () => (cursor) => {
          requestCount++;
          const page = Number(cursor ?? 0);
          return Promise.resolve(objects(pages(page), String(page + 1)));
        },
        signal: new AbortController().signal,
      });
      await branch.open();
      await branch.loadAll(() => undefined, new AbortController().signal);
      assert.ok(requestCount <= 2 * MAX_IDLE_PAGES, String(requestCount));
      assert.equal(branch.failure?.operation, 'more');
      assert.ok(isEndlessListError(branch.failure.error));
      assert.equal(branch.hasMore, true);
      requestCount = 0;
      await branch.refresh();
      assert.ok(requestCount <= 2 * MAX_IDLE_PAGES, String(requestCount));
    });
  }

  test('pages with new items stop at the page limit', async () => {
    const server = await endless((page) => [`o${String(page)}`]);
    const error = await all(createClient(server).listPages('objects', {}, { maxPages: 40 }));
    assert.match(error.message, /The list continues after 40 pages/);
    assert.equal(server.received.length, 40);
  });

  test('a long list with gaps is read to its end', async () => {
    const last = MAX_PAGES - 1;
    let items = 0;
    const pages = paginate((cursor = '0') => {
      const page = Number(cursor);
      const next = page < last ? String(page + 1) : undefined;
      return Promise.resolve(objects(page % MAX_IDLE_PAGES === 0 ? [`o${String(page)}`] : [], next));
    });
    for await (const page of pages) items += page.items.length;
    assert.equal(items, MAX_PAGES / MAX_IDLE_PAGES);
  });

  test('completion ends with the last editor that waits for it', async () => {
    const stop = new AbortController();
    const server = await endless((page) => {
      if (page === 3) stop.abort();
      return [`o${String(page)}`];
    });
    const live = createLiveData(server);
    await assert.rejects(live.list('objects', stop.signal), { code: 'cancelled' });
    assert.ok(server.received.length <= 5, String(server.received.length));
  });

  suite('rate', () => {
    /** A clock that only `sleep` advances. */
    function clock(): {
      now: () => number;
      sleep: (milliseconds: number) => Promise<void>;
    } {
      let time = 0;
      return {
        now: () => time,
        sleep: (milliseconds) => {
          time += milliseconds;
          return Promise.resolve();
        },
      };
    }

    test('at most ten background requests a second, foreground requests without a limit', async () => {
      const server = await endless((page) => [`o${String(page)}`]);
      const time = clock();
      let isBackground = true;
      const client = createClient(server, { ...time, isBackground: () => isBackground });
      await all(client.listPages('objects', {}, { maxPages: 60 }));
      // After the first ten, one every 100 ms.
      assert.equal(Math.round(time.now()), ((60 - BACKGROUND_RATE) * 1000) / BACKGROUND_RATE);
      isBackground = false;
      await all(client.listPages('objects', {}, { maxPages: 60 }));
      assert.equal(Math.round(time.now()), 5000);
    });

    test('an aborted caller does not use up a turn', async () => {
      const waits: number[] = [];
      let leave = false;
      const rate = new RateLimiter({
        perSecond: 10,
        burst: 1,
        now: () => 0,
        sleep: (milliseconds) => {
          waits.push(milliseconds);
          return leave ? Promise.reject(new Error('left')) : Promise.resolve();
        },
      });
      await rate.acquire();
      leave = true;
      await assert.rejects(rate.acquire(), /left/);
      leave = false;
      await rate.acquire();
      assert.deepEqual(waits, [100, 100]);
    });
  });
});
