/** What is sent, how often, and the errors of responses. */
import assert from 'node:assert/strict';
import { formatError } from '../../../../src/model/text/error-message.ts';
import { PlatformClient } from '../../../../src/platform/client.ts';
import { PlatformError, type ErrorCode } from '../../../../src/platform/errors.ts';
import type { Credential } from '../../../../src/platform/http/credential-headers.ts';
import { PollMemory, runPoll } from '../../../../src/platform/http/poll.ts';
import { MASK } from '../../../../src/platform/json/secrets.ts';
import { defaultQueryFormat } from '../../../../src/platform/target.ts';
import type { Handler } from '../../../support/http/servers.ts';
import { PATIENT, SECRET, failsWith, json, useClients } from '../../../support/platform-client.ts';

suite('requests and responses', () => {
  const { start, transport, records } = useClients();

  test('a date to wait for is by the clock of the platform; without its Date header, by that of this computer', async () => {
    const at = (milliseconds: number): string => new Date(milliseconds).toUTCString();
    const read = async (now: number, sendsDate: boolean): Promise<number> => {
      const { client } = await start((_request, response) => {
        response.sendDate = false;
        if (sendsDate) response.setHeader('date', at(now));
        response.writeHead(429, { 'retry-after': at(now + 20_000) }).end();
      });
      const error: unknown = await client.listPage('objects').catch((thrown: unknown) => thrown);
      assert.ok(error instanceof PlatformError);
      return error.detail.retryAfter ?? NaN;
    };
    for (const ahead of [-3_600_000, 3_600_000]) assert.equal(await read(Date.now() + ahead, true), 20_000);
    const wait = await read(Date.now(), false);
    assert.ok(wait > 15_000 && wait <= 20_000, String(wait));
  });

  test('presents the credential as configured', async () => {
    const credentialHeaderNames = { tokenHeader: 'X-Token', tokenPrefix: 'T ', apiKeyHeader: 'X-Key' };
    const both: Credential = { apiKey: SECRET, accessToken: 'token-0123456789' };
    const { server, client } = await start(json({ objects: [] }), { credential: () => Promise.resolve(both) });
    await client.listPage('objects');
    assert.equal(server.received[0]?.headers['x-api-key'], SECRET);
    assert.equal(server.received[0].headers.authorization, 'Bearer token-0123456789');
    const other = new PlatformClient({
      target: {
        name: 'Other',
        baseUrl: server.origin,
        credentialHeaderNames,
        queryFormat: defaultQueryFormat,
      },
      transport,
      timeouts: PATIENT,
      credential: () => Promise.resolve(both),
    });
    await other.listPage('objects');
    assert.equal(server.received[1]?.headers['x-token'], 'T token-0123456789');
    assert.equal(server.received[1].headers['x-key'], SECRET);
    assert.equal(server.received[1].headers.authorization, undefined);
  });

  test('equal reads in flight share one request, later ones send another', async () => {
    const { server, client } = await start(json({ id: 'a' }));
    const [first, second] = await Promise.all([client.read('objects', ['a']), client.read('objects', ['a'])]);
    assert.equal(first.text, second.text);
    assert.equal(server.received.length, 1);
    await client.read('objects', ['a']);
    assert.equal(server.received.length, 2);
  });

  test('different credentials never share a response', async () => {
    let key = 'identity-one';
    const { server, client } = await start(json({ id: 'a' }), { credential: () => Promise.resolve({ apiKey: key }) });
    const first = client.read('objects', ['a']);
    key = 'identity-two';
    await Promise.all([first, client.read('objects', ['a'])]);
    assert.equal(server.received.length, 2);
  });

  test('a read is attempted three times, an execution once, for any failure', async () => {
    for (const status of [429, 500, 502, 503, 504]) {
      const { server, client } = await start(json({ message: 'no' }, status));
      const code = status === 429 ? 'rateLimited' : 'server';
      await assert.rejects(client.listPage('objects'), failsWith(code));
      assert.equal(server.received.length, 3, String(status));
      await assert.rejects(client.execute('{}'), failsWith(code));
      assert.equal(server.received.length, 4, String(status));
    }
  });

  test('other refusals are not retried', async () => {
    const codes: [number, ErrorCode][] = [
      [400, 'badRequest'],
      [401, 'unauthenticated'],
      [403, 'forbidden'],
      [404, 'notFound'],
      [405, 'badRequest'],
      [409, 'badRequest'],
      [422, 'badRequest'],
    ];
    for (const [status, code] of codes) {
      const { server, client } = await start(json({ error: { message: `key ${SECRET}` }, x_request_id: 'r1' }, status));
      await assert.rejects(
        client.listPage('objects'),
        failsWith(code, ({ message, detail }) => {
          assert.equal(detail.status, status);
          assert.equal(detail.serverMessage, `key ${MASK}`);
          assert.equal(detail.requestId, 'r1');
          assert.equal(message.includes(SECRET), false);
          return true;
        }),
      );
      assert.equal(server.received.length, 1);
    }
  });

  test('POST and the invite follow no redirect', async () => {
    const redirect: Handler = (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end();
    const { server, client } = await start(redirect);
    await assert.rejects(client.execute('{}'), failsWith('contract'));
    await assert.rejects(client.registerWallet({}), failsWith('contract'));
    await assert.rejects(
      client.confirmInvite({ organizationId: 'o' }, { token: SECRET, member_id: 'm' }),
      failsWith('contract'),
    );
    assert.equal(server.received.length, 3);
  });

  test('a refused credential is renewed once; for an execution, which was not executed, without asking the user', async () => {
    const renewals: boolean[] = [];
    let token = 'old-token-0123456789';
    let next = 'new-token-0123456789';
    const { server, client } = await start(
      (request, response) => {
        json(
          { objects: [], action_id: 'a', steps: [] },
          request.headers.authorization === 'Bearer new-token-0123456789' ? 200 : 401,
        )(request, response);
      },
      {
        credential: () => Promise.resolve({ accessToken: token }),
        renew: (_refused, { mayAsk }) => {
          renewals.push(mayAsk);
          token = next;
          return Promise.resolve(true);
        },
      },
    );
    await client.listPage('objects');
    assert.deepEqual([renewals, server.received.length], [[true], 2]);
    token = 'old-token-0123456789';
    assert.equal((await client.execute('{}')).status, 200);
    assert.deepEqual([renewals, server.received.length], [[true, false], 4]);
    token = 'old-token-0123456789';
    next = 'bad-token-0123456789';
    await assert.rejects(client.execute('{}'), failsWith('unauthenticated'));
    assert.deepEqual([renewals, server.received.length], [[true, false, false], 6]);
  });

  test('a 401 without a credential says that none was sent, and what to do', async () => {
    const refused = json({ error: 'credential required' }, 401);
    const { client } = await start(refused);
    const none = /requires a credential, and none was sent \(HTTP 401\)/;
    const set = 'Set auth.wallets of Test to “credential” in the setting smartObjects.connections.';
    for (const send of [
      () => client.registerWallet({}),
      () => client.confirmInvite({ organizationId: 'o' }, { token: 't-t-t-t', member_id: 'm-m-m-m' }),
    ])
      await assert.rejects(send, (error) => {
        assert.ok(error instanceof PlatformError);
        assert.match(error.message, none);
        assert.equal(error.detail.nextStep, set);
        assert.equal(formatError('Register Wallet', error).endsWith(`. ${set}`), true);
        return true;
      });
    const target = { ...client.target, wallets: 'credential' } as const;
    const signedOut = await start(refused, { target, credential: () => Promise.resolve(undefined) });
    for (const send of [() => signedOut.client.registerWallet({}), () => signedOut.client.listPage('objects')])
      await assert.rejects(send, (error) => {
        assert.match(formatError('Do it', error), /none was sent \(HTTP 401\).* Sign in first\.$/);
        return true;
      });
    const signedIn = await start(refused, { target: { ...signedOut.client.target } });
    await assert.rejects(signedIn.client.registerWallet({}), /did not accept the credential \(HTTP 401\)/);
  });

  test('a web page is named as such', async () => {
    const html: Handler = (_request, response) => response.end('<!doctype html><title>Sign in</title>');
    const { client } = await start(html);
    await assert.rejects(
      client.listPage('objects'),
      failsWith(
        'notJson',
        ({ message, detail }) => message.includes('base URL') && detail.serverMessage === 'web page “Sign in”',
      ),
    );
  });

  test('the clock difference is that of the last response', async () => {
    const { client } = await start((_request, response) => {
      response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
      response.end('{"faces":[]}');
    });
    assert.equal(client.clockAhead, 0);
    await client.listPage('faces');
    assert.equal(Math.round(client.clockAhead / 60_000), -60);
  });

  test('an execution has a body and its type, a read has neither; both accept JSON', async () => {
    const { server, client } = await start(json({ action_id: 'a', id: 'a' }));
    await client.execute('{"action":1}');
    await client.read('objects', ['a']);
    assert.deepEqual(
      server.received.map(({ body, headers }) => [body, headers['content-type'], headers.accept]),
      [
        ['{"action":1}', 'application/json', 'application/json'],
        ['', undefined, 'application/json'],
      ],
    );
  });

  test('a record has the error of its request, and none otherwise', async () => {
    const { client } = await start((request, response) => {
      if (request.method === 'POST') response.socket?.destroy();
      else json({ id: 'a' }, request.url.endsWith('/bad') ? 404 : 200)(request, response);
    });
    await client.read('objects', ['good']);
    await assert.rejects(client.read('objects', ['bad']), failsWith('notFound'));
    await assert.rejects(client.execute('{}'), failsWith('network'));
    assert.deepEqual(
      records.map(({ status, error, attempt }) => [status, error?.code, attempt]),
      [
        [200, undefined, 1],
        [404, 'notFound', 1],
        [undefined, 'network', 1],
      ],
    );
    assert.equal('error' in (records[0] ?? {}), false);
    for (const { milliseconds } of records) assert.ok(milliseconds >= 0 && milliseconds < 60_000);
  });

  test('renewal is told which credential was refused', async () => {
    const refused: (Credential | undefined)[] = [];
    const renew = (credential: Credential | undefined): Promise<boolean> => {
      refused.push(credential);
      return Promise.resolve(false);
    };
    const { client } = await start(json({}, 401), { renew });
    await assert.rejects(client.listPage('objects'), failsWith('unauthenticated'));
    const signedOut = await start(json({}, 401), { renew, credential: () => Promise.resolve(undefined) });
    await assert.rejects(signedOut.client.listPage('objects'), failsWith('unauthenticated'));
    assert.deepEqual(refused, [{ apiKey: SECRET }, undefined]);
  });

  test('the connection is named by errors of permission only', async () => {
    for (const [status, connection] of [
      [401, 'Test'],
      [403, 'Test'],
      [404, undefined],
      [400, undefined],
    ] as const) {
      const { client } = await start(json({}, status));
      await assert.rejects(client.listPage('objects'), (error) => {
        assert.ok(error instanceof PlatformError);
        assert.deepEqual([error.detail.connection, 'serverMessage' in error.detail], [connection, false]);
        return true;
      });
    }
  });

  test('a response that is no JSON, is empty, or was cut off', async () => {
    const fails = async (body: string, code: ErrorCode, words: RegExp): Promise<void> => {
      const { client } = await start((_request, response) => {
        response.setHeader('x-request-id', 'req-7');
        response.end(body);
      });
      await assert.rejects(
        client.listPage('objects'),
        failsWith(code, ({ message, detail }) => {
          assert.match(message, words);
          assert.equal(detail.requestId, 'req-7');
          assert.equal(detail.status, 200);
          return true;
        }),
      );
    };
    await fails('', 'notJson', /is empty instead of JSON/);
    await fails(' \n', 'notJson', /is empty instead of JSON/);
    await fails('hello', 'notJson', /is not JSON, or was cut off/);
    await fails(' {"objects":[', 'network', /was cut off/);
    await fails('[{"id":"a"}', 'network', /was cut off/);
    await fails('{"objects":[]}]', 'network', /was cut off/);
    const { client } = await start((_request, response) => response.end(' \n{"objects":[{"id":"a"}]} \n'));
    assert.equal((await client.listPage('objects')).items.length, 1);
    const list = await start((_request, response) => response.end(' [{"id":"a"}]\n'));
    assert.equal((await list.client.listPage('objects')).items.length, 1);
  });

  test('a response of more values than the limit is refused, and an error without its text', async () => {
    const body = `{"objects":[],"rest":[${'0,'.repeat(1_000_000)}0]}`;
    for (const [status, code] of [
      [200, 'tooLarge'],
      [400, 'badRequest'],
    ] as const) {
      const { client } = await start((_request, response) => response.writeHead(status).end(body));
      await assert.rejects(
        client.listPage('objects'),
        failsWith(code, ({ detail }) => detail.status === status),
      );
    }
  });

  test('a refused execution keeps the response, a refused read does not', async () => {
    const { client } = await start(json({ message: `no ${SECRET}`, hint: 7 }, 400));
    await assert.rejects(
      client.execute('{}'),
      failsWith('badRequest', ({ detail }) => {
        assert.deepEqual(JSON.parse(detail.body ?? ''), { message: `no ${MASK}`, hint: 7 });
        return true;
      }),
    );
    await assert.rejects(
      client.listPage('objects'),
      failsWith('badRequest', ({ detail }) => detail.body === undefined),
    );
    const empty = await start((_request, response) => response.writeHead(400).end());
    await assert.rejects(
      empty.client.execute('{}'),
      failsWith('badRequest', ({ detail }) => !('body' in detail)),
    );
  });

  test('request ids are masked and cut', async () => {
    const { client } = await start((_request, response) => {
      response.setHeader('x-request-id', `${SECRET}${'x'.repeat(300)}`);
      response.end('{"action_id":"a"}');
    });
    const { requestId = '' } = await client.execute('{}');
    assert.deepEqual([requestId.length, requestId.includes(SECRET)], [128, false]);
  });

  test('background reads wait for their turn, executions and reads in the foreground do not', async () => {
    let isBackground = true;
    const waits: number[] = [];
    const { client } = await start(json({ action_id: 'a', id: 'a' }), {
      isBackground: () => isBackground,
      now: () => 0,
      sleep: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
    });
    for (let call = 0; call < 12; call++) await client.read('objects', [`a${String(call)}`]);
    assert.deepEqual(waits, [100, 200]);
    for (let call = 0; call < 3; call++) await client.execute('{}');
    isBackground = false;
    await client.read('objects', ['b']);
    assert.deepEqual(waits, [100, 200]);
  });

  test('a read that the user waits for shares no request of the background or of a poll', async () => {
    let isBackground = true;
    let isTurn = (): void => undefined;
    const turn = new Promise<void>((resolve) => (isTurn = resolve));
    let status = 200;
    const { server, client } = await start((request, response) => json({ id: 'a' }, status)(request, response), {
      isBackground: () => isBackground,
      now: () => 0,
      sleep: (milliseconds) => (milliseconds === 100 ? turn : Promise.resolve()),
    });
    for (let call = 0; call < 10; call++) await client.read('objects', [`a${String(call)}`]);
    const waiting = client.read('objects', ['b']);
    isBackground = false;
    await client.read('objects', ['b']);
    isTurn();
    await waiting;
    status = 503;
    const before = server.received.length;
    const poll = runPoll(new PollMemory(), () => client.read('objects', ['c']));
    await Promise.all([poll, client.read('objects', ['c'])].map((read) => assert.rejects(read, failsWith('server'))));
    assert.equal(server.received.length - before, 4);
  });

  test('the wait before a repetition is random', async () => {
    const measure = async (random: number): Promise<number> => {
      const waits: number[] = [];
      const { client } = await start(json({}, 503), {
        random: () => random,
        sleep: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
      });
      await assert.rejects(client.listPage('objects'), failsWith('server'));
      assert.equal(waits.length, 2);
      return waits[0] ?? 0;
    };
    assert.ok((await measure(0)) < (await measure(0.99)));
  });
});
