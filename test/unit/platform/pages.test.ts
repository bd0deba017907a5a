/** Finding a list in a response, and reading it page by page. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { PlatformClient } from '../../../src/platform/client.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { defaultCredentialHeaderNames } from '../../../src/platform/http/credential-headers.ts';
import { peekNext, readPage, type Page } from '../../../src/platform/page.ts';
import { paginate } from '../../../src/platform/paginate.ts';
import { registry } from '../../../src/platform/registry.ts';
import { defaultQueryFormat } from '../../../src/platform/target.ts';

suite('pages', () => {
  const createClient = (
    respond: (page: number) => unknown,
    observe?: ConstructorParameters<typeof PlatformClient>[0]['observe'],
  ): PlatformClient =>
    new PlatformClient({
      target: {
        name: 'Test',
        baseUrl: 'http://127.0.0.1',
        credentialHeaderNames: defaultCredentialHeaderNames,
        queryFormat: defaultQueryFormat,
      },
      transport: {
        send: ({ url }) => {
          const text = JSON.stringify(respond(Number(url.searchParams.get('next') ?? 0)));
          return Promise.resolve({ status: 200, headers: {}, text, url });
        },
        close: () => Promise.resolve(),
      },
      timeouts: { connect: 1, headers: 1, body: 1 },
      credential: () => Promise.resolve(undefined),
      ...(observe && { observe }),
    });
  const list = registry.objects.list;
  const read = (answer: unknown): Page => readPage(list, registry.objects.schema, answer);

  test('a list is found in other places, with drift', () => {
    const item = { id: 'a' };
    assert.deepEqual(read({ objects: [item] }).drift, []);
    for (const answer of [
      [item],
      { data: { objects: [item] }, success: true },
      { items: [item], next: null },
      { data: [item] },
    ]) {
      const page = read(answer);
      assert.equal(page.items[0]?.id, 'a', JSON.stringify(answer));
      assert.equal(page.drift.length, 1, JSON.stringify(answer));
    }
  });

  test('null and an absent list are empty; an absent required list is drift', () => {
    assert.deepEqual(read({ objects: null }).items, []);
    assert.equal(read({}).drift[0]?.problem, 'missing');
    assert.deepEqual(readPage(registry.faces.list, registry.faces.schema, {}).drift, []);
  });

  test('a response without a list is an error', () => {
    for (const answer of ['text', 5, null, { objects: 'text' }]) {
      assert.throws(
        () => read(answer),
        (error) => error instanceof PlatformError && error.code === 'contract',
      );
    }
  });

  test('one bad item affects one row', () => {
    const page = read({ objects: [{ id: 'a' }, 'text', null, { id: 'b' }] });
    assert.deepEqual(
      page.items.map((item) => item.id),
      ['a', undefined, undefined, 'b'],
    );
    assert.equal(page.items[1]?.view, undefined);
    assert.equal(page.items[1]?.drift.length, 1);
  });

  test('paging ends on an absent, empty or repeated cursor, whatever the cursors', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('', 'a', 'b', 'c', 'd'), { maxLength: 30 }), async (cursors) => {
        let requestCount = 0;
        const pages = paginate((_cursor) => {
          const next = cursors[requestCount++];
          return Promise.resolve({ items: [], extraFields: {}, drift: [], ...(next !== undefined && { next }) });
        });
        let pageCount = 0;
        for await (const _page of pages) pageCount++;
        const trail = new Set<string>();
        const end = cursors.findIndex((cursor) => cursor === '' || trail.size === trail.add(cursor).size);
        assert.equal(pageCount, end < 0 ? cursors.length + 1 : end + 1);
        assert.equal(requestCount, pageCount);
      }),
    );
  });

  test('the next page is requested ahead only for a whole list, and only if it is used', async () => {
    const events: string[] = [];
    const readNumber = (cursor = '0'): Promise<Page> => {
      events.push(`request ${cursor}`);
      const number = Number(cursor);
      if (number === 3) return Promise.reject(new Error('lost'));
      return Promise.resolve(read({ objects: [{ id: cursor }], next: String(number + 1) }));
    };
    const useAll = async (pages: AsyncIterable<Page>): Promise<void> => {
      for await (const page of pages) {
        await Promise.resolve();
        events.push(`use ${page.items[0]?.id ?? ''}`);
      }
    };
    await assert.rejects(useAll(paginate(readNumber)), { message: 'lost' });
    assert.deepEqual(events.splice(0), ['request 0', 'use 0', 'request 1', 'use 1', 'request 2', 'use 2', 'request 3']);
    await assert.rejects(useAll(paginate(readNumber, { ahead: true })), { message: 'lost' });
    assert.deepEqual(events.splice(0), ['request 0', 'request 1', 'use 0', 'request 2', 'use 1', 'request 3', 'use 2']);
    // At a limit the last page is used, and no further one requested.
    await assert.rejects(useAll(paginate(readNumber, { ahead: true, maxPages: 2 })), { code: 'tooLarge' });
    assert.deepEqual(events.splice(0), ['request 0', 'request 1', 'use 0', 'use 1']);
    // A page that failed ahead of an early end is nobody's error.
    for await (const page of paginate(readNumber, { ahead: true, from: '2' })) {
      assert.equal(page.items[0]?.id, '2');
      break;
    }
  });

  test('the next page is requested before this one is read, whose cursor decides in the end', async () => {
    const events: string[] = [];
    // The cursor that the text of a page seems to have.
    const announced: Readonly<Record<string, string>> = { '0': 'wrong', '1': '2', '2': '1', '3': '4' };
    const readNumber = async (cursor = '0', announce: (next: string) => Promise<void>): Promise<Page> => {
      events.push(`request ${cursor}`);
      // The response arrives when the caller waits for it.
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      await announce(announced[cursor] ?? '5');
      events.push(`read ${cursor}`);
      return read({ objects: [{ id: cursor }], next: String(Number(cursor) + 1) });
    };
    const readAll = async (): Promise<void> => {
      for await (const { items } of paginate(readNumber, { ahead: true, maxPages: 4 }))
        events.push(`use ${items[0]?.id ?? ''}`);
    };
    await assert.rejects(readAll(), { code: 'tooLarge' });
    assert.ok(events.indexOf('request 2') < events.indexOf('read 1'), events.join(', '));
    // `wrong` is never used; a repeated cursor and one beyond the limit are not requested.
    assert.deepEqual(
      events.filter((event) => !event.startsWith('read')),
      'request 0,request wrong,request 1,use 0,request 2,use 1,request 3,use 2,use 3'.split(','),
    );
  });

  test('a list is requested one page ahead of what is read', async () => {
    const events: string[] = [];
    const client = createClient(
      (page) => {
        events.push(`request ${String(page)}`);
        return { objects: [{ id: page }], ...(page < 2 && { next: String(page + 1) }) };
      },
      (_definition, items) => events.push(`read ${items[0]?.id ?? ''}`),
    );
    for await (const { items } of client.listPages('objects', {}, { largest: true }))
      events.push(`use ${items[0]?.id ?? ''}`);
    assert.equal(events.indexOf('request 1'), 1, events.join(', '));
    assert.deepEqual(
      events.filter((event) => !event.startsWith('read')),
      ['request 0', 'request 1', 'use 0', 'request 2', 'use 1', 'use 2'],
    );
  });

  test('items that a list repeats are left out on request, and a cursor that repeats is none', async () => {
    const requested: number[] = [];
    const client = createClient((page) => {
      requested.push(page);
      return { objects: page === 0 ? [{ id: 'a' }, { id: 'b' }] : [{ id: 'b' }, { id: 'c' }], next: '1' };
    });
    const read = async (...parameters: [{ distinct?: boolean }, from?: string]): Promise<unknown> => {
      const pages: unknown[] = [];
      for await (const { items, next } of client.listPagesFor(registry.objects, {}, ...parameters))
        pages.push([...items.map(({ id }) => id), next]);
      return pages;
    };
    assert.deepEqual(await read({ distinct: true }), [
      ['a', 'b', '1'],
      ['c', undefined],
    ]);
    assert.deepEqual(await read({}), [
      ['a', 'b', '1'],
      ['b', 'c', undefined],
    ]);
    requested.length = 0;
    assert.deepEqual(await read({ distinct: true }, '1'), [['b', 'c', undefined]]);
    assert.deepEqual(requested, [1]);
  });

  test('a cursor at the end of a text is that of the response, or none', () => {
    const name = fc.constantFrom('next', 'a"next', ',"next', 'data', '');
    const value = fc.constantFrom('c', '', 'a"b', ',"next":"c"}', '\\', 1, null);
    const object = fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value)));
    fc.assert(
      fc.property(object, fc.constantFrom(0, 2), (response, indent) => {
        const next = peekNext(`${JSON.stringify(response, null, indent)}\n`);
        if (next !== undefined) assert.equal(next, response['next']);
      }),
      { numRuns: 2000 },
    );
    assert.equal(peekNext('{"objects":[],"next":"bmV4dA=="}'), 'bmV4dA==');
    assert.equal(peekNext('{"objects":[],\n  "next": "1"\n}\n'), '1');
  });
});
