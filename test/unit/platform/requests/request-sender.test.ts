/** Slots of reads and executions, the end of a session, and when credentials are read. */
import assert from 'node:assert/strict';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { Handler, LocalServer } from '../../../support/http/servers.ts';
import { useServers } from '../../../support/platform-client.ts';

const unsent = (error: unknown): boolean =>
  error instanceof PlatformError && error.code === 'cancelled' && error.detail.sent === false;

suite('slots', () => {
  const { servers, transport, createClient } = useServers();
  let hanging: (() => void)[];

  setup(() => {
    hanging = [];
  });

  /** Holds back the responses to the method's requests until released. */
  const hangs =
    (method: string): Handler =>
    (request, response) => {
      const answer = (): void => {
        response.end(request.method === 'POST' ? '{"action_id":"a","steps":[]}' : '{"id":"a"}');
      };
      if (request.method === method) hanging.push(answer);
      else answer();
    };

  async function until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  function methods(server: LocalServer): string[] {
    return server.received.map(({ method }) => method);
  }

  test('hanging reads do not delay executions, not even of another client of the same server', async () => {
    const server = await servers.http(hangs('GET'));
    const [client, other] = [createClient(server), createClient(server)];
    const reads = Array.from({ length: 20 }, (_, index) => [
      client.read('objects', [`a${index}`]),
      other.read('objects', [`b${index}`]),
    ]).flat();
    // As many as connections to one server.
    await until(() => server.received.length === 8);
    let sent = 0;
    const { view, status } = await client.execute('{}', { onSent: () => sent++ });
    assert.equal(view.action_id, 'a');
    assert.equal(status, 200);
    assert.equal(sent, 1);
    const release = setInterval(() => {
      for (const answer of hanging.splice(0)) answer();
    }, 5);
    await Promise.all(reads);
    clearInterval(release);
  });

  test('hanging executions do not delay reads', async () => {
    const server = await servers.http(hangs('POST'));
    const client = createClient(server);
    const runs = Array.from({ length: 8 }, () => client.execute('{}'));
    await until(() => server.received.length === 6);
    assert.equal((await client.read('objects', ['a'])).item.id, 'a');
    await until(() => {
      for (const answer of hanging.splice(0)) answer();
      return methods(server).filter((method) => method === 'POST').length === 8;
    });
    for (const answer of hanging.splice(0)) answer();
    await Promise.all(runs);
  });

  test('a request cancelled in the queue is not sent, and its error says so', async () => {
    const server = await servers.http(hangs('POST'));
    const client = createClient(server, { maxConcurrent: 1 });
    const first = client.execute('{"first":1}');
    await until(() => server.received.length === 1);
    const cancel = new AbortController();
    let sent = false;
    const queued = client.execute('{"queued":1}', { signal: cancel.signal, onSent: () => (sent = true) });
    setImmediate(() => {
      cancel.abort();
    });
    await assert.rejects(queued, unsent);
    assert.equal(sent, false);
    for (const answer of hanging.splice(0)) answer();
    await first;
    assert.equal(server.received.length, 1);
  });

  test('when the session ends, queued requests are refused as not sent, and sent ones finish', async () => {
    const server = await servers.http(hangs('POST'));
    const end = new AbortController();
    const client = createClient(server, { maxConcurrent: 1, ended: end.signal });
    const first = client.execute('{"first":1}');
    await until(() => server.received.length === 1);
    const queued = client.execute('{"queued":1}');
    setImmediate(() => {
      end.abort();
    });
    await assert.rejects(queued, unsent);
    for (const answer of hanging.splice(0)) answer();
    assert.equal((await first).view.action_id, 'a');
    await assert.rejects(client.execute('{"late":1}'), unsent);
    await assert.rejects(client.registerWallet({ nickname: 'late' }), unsent);
    await assert.rejects(client.read('objects', ['late']), unsent);
    assert.equal(server.received.length, 1);
  });

  test('pending reads end with the session', async () => {
    const server = await servers.http(hangs('GET'));
    const end = new AbortController();
    const client = createClient(server, { ended: end.signal });
    const read = client.read('objects', ['a']);
    await until(() => server.received.length === 1);
    end.abort();
    await assert.rejects(read, { code: 'cancelled' });
  });

  test('a session that ends while connecting sends nothing', async () => {
    const server = await servers.http(hangs('GET'));
    const end = new AbortController();
    const client = createClient(server, {
      ended: end.signal,
      transport: {
        close: () => Promise.resolve(),
        send(request) {
          const answer = transport.send(request);
          end.abort();
          return answer;
        },
      },
    });
    let sent = false;
    await assert.rejects(client.execute('{}', { onSent: () => (sent = true) }), unsent);
    assert.equal(sent, false);
    assert.equal(server.received.length, 0);
  });

  test('the credential is read when the request starts', async () => {
    const server = await servers.http(hangs('GET'));
    let apiKey = 'old';
    const client = createClient(server, { maxConcurrent: 1, credential: () => Promise.resolve({ apiKey }) });
    const first = client.read('objects', ['a']);
    await until(() => server.received.length === 1);
    const second = client.read('objects', ['b']);
    await new Promise(setImmediate);
    apiKey = 'new';
    for (const answer of hanging.splice(0)) answer();
    await first;
    await until(() => server.received.length === 2);
    assert.equal(server.received[1]?.headers['x-api-key'], 'new');
    for (const answer of hanging.splice(0)) answer();
    await second;
  });

  test('a throwing callback withdraws the request', async () => {
    const server = await servers.http(hangs('GET'));
    const client = createClient(server);
    const onSent = (): void => {
      throw new Error('the disk is full');
    };
    await assert.rejects(client.execute('{}', { onSent }), unsent);
    assert.equal(server.received.length, 0);
    assert.equal((await client.execute('{}')).view.action_id, 'a');
  });

  test('the status is returned', async () => {
    const server = await servers.http((_request, response) => response.writeHead(202).end('{"action_id":"a"}'));
    assert.equal((await createClient(server).execute('{}')).status, 202);
  });
});
