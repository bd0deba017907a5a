/** Faults: each has its effect, the requested number of times, before or after the request’s effect. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { isObject, type JsonObject } from '../../../../src/platform/json/json.ts';
import { registry } from '../../../../src/platform/registry.ts';
import { findDrift } from '../../../../src/platform/schema.ts';
import {
  errorShapes,
  faultNames,
  getFaultGroup,
  type FaultName,
  type FaultSpec,
} from '../../../../src/sandbox/faults/faults.ts';
import { toJsonObjects, useSandbox, type Reply } from '../sandbox-client.ts';

suite('sandbox: faults', () => {
  const { sandbox, ask } = useSandbox({ objects: 200 });
  const route = 'GET /objects';
  const path = '/objects?limit=5';

  setup(() => {
    sandbox().faults.clear();
    sandbox().recorder.reset();
  });

  const requestWithFault = async (spec: FaultSpec, to = path): Promise<Reply> => {
    sandbox().faults.add({ route, ...spec });
    return ask(to);
  };
  const items = (reply: Reply): readonly unknown[] => {
    const { objects } = reply.body;
    assert(Array.isArray(objects), reply.text.slice(0, 200));
    return objects;
  };
  const drifts = (reply: Reply): string[] =>
    toJsonObjects(reply.body['objects']).flatMap((item) =>
      findDrift(registry.objects.schema, item).map(({ problem }) => problem),
    );
  const status =
    (code: number, extra: FaultSpec extends object ? Partial<FaultSpec> : never = {}) =>
    async (fault: FaultName): Promise<Reply> => {
      const reply = await requestWithFault({ fault, ...extra });
      assert.equal(reply.status, code);
      return reply;
    };
  const lost = async (fault: FaultName): Promise<void> => {
    await assert.rejects(requestWithFault({ fault }), TypeError);
  };

  const expected: Readonly<Record<FaultName, (fault: FaultName) => Promise<unknown>>> = {
    refuse: lost,
    resetBefore: lost,
    resetBody: lost,
    htmlBadGateway: async (fault) => { assert.match((await status(502)(fault)).text, /<html>/); },
    htmlOk: async (fault) => { assert.match((await status(200)(fault)).headers.get('content-type') ?? '', /html/); },
    emptyServerError: async (fault) => { assert.equal((await status(500)(fault)).text, ''); },
    serverError: status(500),
    unauthorized: status(401),
    forbidden: status(403),
    notFound: status(404),
    conflict: status(409),
    unprocessable: status(422),
    rateLimited: status(429),
    unavailable: status(503),
    gatewayTimeout: status(504),
    redirect: async (fault) => {
      const reply = await status(307)(fault);
      assert.equal(reply.headers.get('location'), `${path}&redirected=1`);
    },
    echoCredential: async (fault) => { assert((await status(500)(fault)).text.includes(sandbox().apiKey)); },
    missingField: async (fault) => { assert.deepEqual(new Set(drifts(await requestWithFault({ fault }))), new Set(['missing'])); },
    wrongType: async (fault) => { assert.deepEqual(new Set(drifts(await requestWithFault({ fault }))), new Set(['type'])); },
    nullList: async (fault) => { assert.equal((await requestWithFault({ fault })).body['objects'], null); },
    otherListKey: async (fault) => {
      const { body } = await requestWithFault({ fault });
      assert(!('objects' in body) && Array.isArray(body['items']));
    },
    wrapped: async (fault) => {
      const { body } = await requestWithFault({ fault });
      assert(body['success'] === true && isObject(body['data']) && Array.isArray(body['data']['objects']));
    },
    unknownEnum: async () => {
      sandbox().faults.add({ route: 'GET /ebus/action-logs', fault: 'unknownEnum' });
      const { body } = await ask('/ebus/action-logs?limit=2');
      assert.deepEqual(toJsonObjects(body['action_logs']).map((log) => log['status']), ['quantum', 'quantum']);
    },
    unknownField: async (fault) => { assert(items(await requestWithFault({ fault })).every((item) => isObject(item) && 'future_field' in item)); },
    badItem: async (fault) => {
      const list = items(await requestWithFault({ fault }));
      assert.equal(list.length, 7);
      assert(list.includes(null) && list.includes('not an item'));
    },
    repeatedCursor: async (fault) => {
      const { body } = await ask(path);
      const again = await requestWithFault({ fault }, `${path}&next=${String(body['next'])}`);
      assert.equal(again.body['next'], body['next']);
    },
    emptyCursor: async (fault) => { assert.equal((await requestWithFault({ fault })).body['next'], ''); },
    hugePage: async (fault) => {
      const list = toJsonObjects((await requestWithFault({ fault })).body['objects']);
      assert.equal(new Set(list.map((item) => item['id'])).size, 10_000);
    },
    hugeField: async (fault) => {
      const [first] = toJsonObjects((await requestWithFault({ fault })).body['objects']);
      assert(JSON.stringify(first).length > 100_000);
      assert.deepEqual(findDrift(registry.objects.schema, await getFirst()).length, 0);
    },
    bigInteger: async (fault) => { assert((await requestWithFault({ fault })).text.includes('9007199254740993123')); },
    failedStep: async (fault) => {
      const { body } = await execute({ fault });
      assert(typeof toJsonObjects(body['steps'])[0]?.['error'] === 'string');
    },
    nullSteps: async (fault) => { assert.equal((await execute({ fault })).body['steps'], null); },
    slowHeaders: async (fault) => { assert.equal((await requestWithFault({ fault, delay: 30 })).status, 200); },
    slowBody: async (fault) => { assert.equal(items(await requestWithFault({ fault, delay: 30 })).length, 5); },
    truncatedJson: async (fault) => {
      const reply = await requestWithFault({ fault });
      assert.equal(reply.status, 200);
      assert(reply.json === undefined && reply.text.startsWith('{"objects"'));
    },
    hugeBody: async (fault) => { assert((await requestWithFault({ fault, size: 3_000_000 })).text.length >= 3_000_000); },
  }; // prettier-ignore
  const getFirst = async (): Promise<JsonObject | undefined> => toJsonObjects((await ask(path)).body['objects'])[0];
  const execute = (spec: FaultSpec): Promise<Reply> => {
    sandbox().faults.add({ route: 'POST /ebus/execute', ...spec });
    return ask('/ebus/execute', {
      body: { action: { mint: { template_id: sandbox().world.templates.source.idAt(4) } } },
    });
  };

  for (const name of faultNames) {
    test(`${name}, once, then requests succeed`, async () => {
      await expected[name](name);
      const reply = await ask(path);
      assert.equal(reply.status, 200);
      assert.equal(items(reply).length, 5);
      assert.deepEqual(drifts(reply), []);
    });
  }

  for (const shape of errorShapes) {
    test(`an error as "${shape}"`, async () => {
      const { status: code, body, text } = await requestWithFault({ fault: 'conflict', shape, message: 'my words' });
      assert.equal(code, 409);
      if (shape === 'code') assert.equal(body['message'], 'my words');
      if (shape === 'nested')
        assert(isObject(body['error']) && body['error']['message'] === 'my words' && 'x_request_id' in body);
      if (shape === 'success') assert.deepEqual(body, { success: false, error: 'my words' });
      if (shape === 'text') assert.deepEqual(body, { error: 'my words' });
      if (shape === 'plain') assert.equal(text, 'my words');
      if (shape === 'html') assert.match(text, /<html>.*my words/s);
      if (shape === 'none') assert.equal(text, '');
    });
  }

  test('Retry-After in seconds, as a date, or not at all', async () => {
    assert.equal((await requestWithFault({ fault: 'rateLimited', retryAfter: 7 })).headers.get('retry-after'), '7');
    // However long the response takes, its date is after the request.
    const requestTime = Date.now();
    const date =
      (await requestWithFault({ fault: 'unavailable', retryAfter: 'date' })).headers.get('retry-after') ?? '';
    assert(Date.parse(date) > requestTime && date.endsWith('GMT'), date);
    assert.equal(
      (await requestWithFault({ fault: 'rateLimited', retryAfter: 'none' })).headers.get('retry-after'),
      null,
    );
  });

  test('redirects of every kind, to another path and to another origin', async () => {
    for (const code of [301, 302, 303, 307, 308] as const) {
      const reply = await requestWithFault({
        fault: 'redirect',
        status: code,
        location: 'http://127.0.0.1:9/elsewhere',
      });
      assert.equal(reply.status, code);
      assert.equal(reply.headers.get('location'), 'http://127.0.0.1:9/elsewhere');
    }
    assert.equal((await requestWithFault({ fault: 'redirect', location: '/faces' })).headers.get('location'), '/faces');
  });

  test('a field is selected by path and changed to the value', async () => {
    const object = (reply: Reply): JsonObject => toJsonObjects(reply.body['objects'])[0] ?? {};
    assert(!('owner' in object(await requestWithFault({ fault: 'missingField', field: 'owner' }))));
    const nested = object(await requestWithFault({ fault: 'wrongType', field: 'metadata.name', value: 12 }));
    assert(isObject(nested['metadata']) && nested['metadata']['name'] === 12);
    assert.equal(object(await requestWithFault({ fault: 'wrongType', field: 'nonce', value: null }))['nonce'], null);
    assert.equal(
      object(await requestWithFault({ fault: 'unknownField', field: 'state_hash', value: '0x1' }))['state_hash'],
      '0x1',
    );
  });

  test('count and after: the number of skipped and of affected requests', async () => {
    sandbox().faults.add({ route, fault: 'notFound', after: 2, count: 2 });
    const codes: number[] = [];
    for (let time = 0; time < 6; time++) codes.push((await ask(path)).status);
    assert.deepEqual(codes, [200, 200, 404, 404, 200, 200]);
    const [listed] = sandbox().faults.list();
    assert.equal(listed?.hits, 2);
    assert.equal(listed.left, 0);
  });

  test('count null: until cleared; * affects every route except the control endpoints', async () => {
    const added = await ask('/__sandbox/faults', { body: { fault: 'unavailable', count: null } });
    assert.equal(added.status, 200);
    for (const other of [path, '/faces', '/batches/x', '/nowhere', '/pages/map'])
      assert.equal((await ask(other)).status, 503, other);
    assert.equal(toJsonObjects((await ask('/__sandbox/faults')).body['faults']).length, 1);
    assert.equal((await ask('/__sandbox/faults', { method: 'DELETE' })).status, 200);
    assert.equal((await ask(path)).status, 200);
  });

  test('a fault of one route leaves the others alone, patterns included', async () => {
    sandbox().faults.add({ route: 'GET /objects/{objectId}', fault: 'conflict', count: null });
    assert.equal((await ask(path)).status, 200);
    assert.equal((await ask('/objects/anything')).status, 409);
  });

  test('an unknown fault is a 400', async () => {
    for (const body of [
      { fault: 'explode' },
      {},
      { fault: 'redirect', status: 200 },
      { fault: 'rateLimited', count: 0 },
      'x',
    ])
      assert.equal((await ask('/__sandbox/faults', { body })).status, 400, JSON.stringify(body));
  });

  const objects = async (): Promise<number> => {
    const { body } = await ask(`/templates/${sandbox().world.templates.source.idAt(4)}`);
    return isObject(body['factory']) ? Number(body['factory']['minted_count']) : Number.NaN;
  };
  for (const name of faultNames.filter((fault) => ['connection', 'status'].includes(getFaultGroup(fault)))) {
    for (const phase of ['before', 'after'] as const) {
      test(`execute with ${name} ${phase} its effect`, async () => {
        const before = await objects();
        await execute({ fault: name, phase }).catch(() => undefined);
        assert.equal((await objects()) - before, phase === 'after' ? 1 : 0);
        assert.equal(sandbox().recorder.executes, phase === 'after' ? 1 : 0);
      });
    }
  }

  test('responses over 1 KB are compressed if the client accepts it, small ones are not', async () => {
    const { hostname, port } = new URL(sandbox().baseUrl);
    const encoding = (to: string, accept: string): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { 'x-api-key': sandbox().apiKey, 'accept-encoding': accept };
        const request = http.get({ hostname, port, path: to, headers }, (response) => {
          response.resume();
          resolve(response.headers['content-encoding']);
        });
        request.on('error', reject);
      });
    assert.equal(await encoding('/objects?limit=50', 'gzip, br'), 'gzip');
    assert.equal(await encoding('/objects?limit=50', 'identity'), undefined);
    assert.equal(await encoding('/objects/unknown', 'gzip'), undefined);
  });
});
