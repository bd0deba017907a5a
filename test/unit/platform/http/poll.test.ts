/** Reads of pollers: what has not changed is not sent again, and nothing else is taken for it. */
import assert from 'node:assert/strict';
import { PollMemory, runPoll } from '../../../../src/platform/http/poll.ts';
import { useServers } from '../../../support/platform-client.ts';

suite('polls', () => {
  const { servers, createClient } = useServers();

  interface Answer {
    readonly etag?: string;
    readonly body: string;
  }

  /** Reads objects by one poller of a server that knows ETags. Resolves with names, and with what each request asked for. */
  async function poll(answers: readonly (Answer & { readonly id?: string })[]): Promise<readonly unknown[]> {
    let answer: Answer = { body: '' };
    const conditions: unknown[] = [];
    const server = await servers.http((request, response) => {
      const condition = request.headers['if-none-match'];
      conditions.push(condition);
      const { etag, body } = answer;
      if (etag !== undefined) response.setHeader('etag', etag);
      response.setHeader('content-type', 'application/json');
      if (etag !== undefined && condition === etag) response.writeHead(304).end();
      else response.end(body);
    });
    const client = createClient(server);
    const memory = new PollMemory();
    const found: unknown[] = [];
    for (const { id = 'a', ...next } of answers) {
      answer = next;
      const { item } = await runPoll(memory, () => client.read('objects', [id]));
      found.push([Reflect.get(Object(item.raw), 'name'), conditions.pop()]);
    }
    return found;
  }

  const first: Answer = { etag: '"1"', body: '{"name": "first"}' };
  const second: Answer = { etag: '"2"', body: '{"name": "second"}' };

  test('what has not changed is that of the last response', async () => {
    assert.deepEqual(await poll([first, first, second, second]), [
      ['first', undefined],
      ['first', '"1"'],
      ['second', '"1"'],
      ['second', '"2"'],
    ]);
  });

  test('another address is asked for without a condition', async () => {
    assert.deepEqual(await poll([first, { ...first, body: '{"name": "other"}', id: 'b' }, first]), [
      ['first', undefined],
      ['other', undefined],
      ['first', undefined],
    ]);
  });

  test('a response without an ETag ends the conditions', async () => {
    const { body } = second;
    assert.deepEqual(await poll([first, { body }, first]), [
      ['first', undefined],
      ['second', '"1"'],
      ['first', undefined],
    ]);
  });

  test('a large response is not kept', async () => {
    const create = (length: number): Answer => {
      const start = '{"name": "large", "text": "';
      return { etag: '"1"', body: `${start}${'x'.repeat(length - start.length - 2)}"}` };
    };
    const [small, large] = [create(1024 * 1024), create(1024 * 1024 + 1)];
    assert.deepEqual(await poll([small, small, large]), [
      ['large', undefined],
      ['large', '"1"'],
      ['large', '"1"'],
    ]);
    assert.deepEqual(await poll([large, large]), [
      ['large', undefined],
      ['large', undefined],
    ]);
  });

  test('an error is not kept, even if it has an ETag', async () => {
    let status = 404;
    const conditions: unknown[] = [];
    const server = await servers.http((request, response) => {
      conditions.push(request.headers['if-none-match']);
      response.writeHead(status, { etag: '"1"', 'content-type': 'application/json' }).end('{}');
    });
    const client = createClient(server);
    const memory = new PollMemory();
    const read = (): Promise<unknown> => runPoll(memory, () => client.read('objects', ['a']));
    await assert.rejects(read(), { code: 'notFound' });
    status = 200;
    await read();
    status = 304;
    await read();
    // A 304 that no memory explains is no object.
    await assert.rejects(
      runPoll(new PollMemory(), () => client.read('objects', ['a'])),
      { code: 'contract' },
    );
    assert.deepEqual(conditions, [undefined, undefined, '"1"', undefined]);
  });
});
