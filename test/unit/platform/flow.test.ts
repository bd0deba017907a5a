/** Sharing, limiting, paging: what holds the client's requests together. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PlatformError } from '../../../src/platform/errors.ts';
import { InFlight } from '../../../src/platform/in-flight.ts';
import { Limiter } from '../../../src/platform/limiter.ts';
import { readPage, type Page } from '../../../src/platform/page.ts';
import { CursorTrail, paginate } from '../../../src/platform/paginate.ts';
import { registry } from '../../../src/platform/registry.ts';

const isCancelled = (error: unknown) => error instanceof PlatformError && error.code === 'cancelled';

suite('in flight', () => {
  test('equal keys share one answer; the next one asks again', async () => {
    const flights = new InFlight<number>();
    let started = 0;
    const start = () => Promise.resolve(++started);
    assert.deepEqual(
      await Promise.all([flights.join('a', undefined, start), flights.join('a', undefined, start)]),
      [1, 1],
    );
    assert.equal(await flights.join('a', undefined, start), 2);
  });

  test("cancelling one caller leaves the others; the last one's cancelling ends the flight", async () => {
    const flights = new InFlight<string>();
    let finish: (value: string) => void = () => assert.fail('not started');
    let stopped = false;
    const start = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => (stopped = true));
      return new Promise<string>((resolve) => (finish = resolve));
    };
    const [one, two] = [new AbortController(), new AbortController()];
    const first = flights.join('a', one.signal, start);
    const second = flights.join('a', two.signal, start);
    one.abort();
    await assert.rejects(first, isCancelled);
    assert.equal(stopped, false);
    finish('done');
    assert.equal(await second, 'done');
    const third = flights.join('b', one.signal, start);
    await assert.rejects(third, isCancelled);
    const last = new AbortController();
    const fourth = flights.join('b', last.signal, start);
    last.abort();
    await assert.rejects(fourth, isCancelled);
    assert.equal(stopped, true);
  });

  test('a flight that everyone left is not joined by a newcomer', async () => {
    const flights = new InFlight<number>();
    let started = 0;
    const never = () => {
      started++;
      return new Promise<number>(() => undefined);
    };
    const leaver = new AbortController();
    const left = flights.join('a', leaver.signal, never);
    leaver.abort();
    await assert.rejects(left, isCancelled);
    assert.equal(await flights.join('a', undefined, () => Promise.resolve(7)), 7);
    assert.equal(started, 1);
  });
});

suite('limiter', () => {
  test('never more at once than allowed, and everyone has a turn', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.boolean(), { maxLength: 40 }),
        async (most, fates) => {
          const limiter = new Limiter(most);
          let now = 0;
          let peak = 0;
          const results = await Promise.allSettled(
            fates.map((fails) =>
              limiter.run(async () => {
                peak = Math.max(peak, ++now);
                await Promise.resolve();
                now--;
                if (fails) throw new Error('fails');
              }),
            ),
          );
          assert.ok(peak <= most);
          assert.deepEqual(
            results.map(({ status }) => status === 'rejected'),
            fates,
          );
        },
      ),
    );
  });

  test('who waits can leave, and is not run', async () => {
    const limiter = new Limiter(1);
    let release: () => void = () => assert.fail('not started');
    const holder = limiter.run(() => new Promise<void>((resolve) => (release = resolve)));
    const leaver = new AbortController();
    let ran = false;
    const waiting = limiter.run(() => {
      ran = true;
      return Promise.resolve();
    }, leaver.signal);
    leaver.abort();
    await assert.rejects(waiting, (error) => isCancelled(error) && (error as PlatformError).detail.sent === false);
    release();
    await holder;
    await limiter.run(() => Promise.resolve());
    assert.equal(ran, false);
  });
});

suite('pages', () => {
  const list = registry.objects.list;
  const read = (answer: unknown): Page => readPage(list, registry.objects.schema, answer);

  test('a list is found where servers put it, and said to be elsewhere', () => {
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

  test('null and an absent list are empty; a list that is required and absent is drift', () => {
    assert.deepEqual(read({ objects: null }).items, []);
    assert.equal(read({}).drift[0]?.problem, 'missing');
    assert.deepEqual(readPage(registry.faces.list, registry.faces.schema, {}).drift, []);
  });

  test('what holds no list at all is an error', () => {
    for (const answer of ['text', 5, null, { objects: 'text' }]) {
      assert.throws(
        () => read(answer),
        (error) => error instanceof PlatformError && error.code === 'contract',
      );
    }
  });

  test('one bad item costs one row', () => {
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
        let asked = 0;
        const pages = paginate((_cursor) => {
          const next = cursors[asked++];
          return Promise.resolve({ items: [], beside: {}, drift: [], ...(next !== undefined && { next }) });
        });
        let seen = 0;
        for await (const _page of pages) seen++;
        const trail = new Set<string>();
        const end = cursors.findIndex((cursor) => cursor === '' || trail.size === trail.add(cursor).size);
        assert.equal(seen, end < 0 ? cursors.length + 1 : end + 1);
        assert.equal(asked, seen);
      }),
    );
  });

  test('the trail of cursors is bounded', () => {
    const trail = new CursorTrail();
    for (let index = 0; index < 5000; index++) assert.equal(trail.follow(`c${String(index)}`), `c${String(index)}`);
    assert.equal(trail.follow('c4999'), undefined);
  });
});
