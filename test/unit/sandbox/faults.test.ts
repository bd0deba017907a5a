/** The fault menu: each entry does what its name says, as often as it was told, before or after the effect. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { isObject, type JsonObject } from '../../../src/platform/json.ts';
import { registry } from '../../../src/platform/registry.ts';
import { driftOf } from '../../../src/platform/schema.ts';
import { errorShapes, faultNames, groupOf, type FaultName, type FaultSpec } from '../../../src/sandbox/faults.ts';
import { objectsIn, suiteSandbox, type Reply } from './kit.ts';

suite('sandbox: faults', function () {
  this.timeout(30_000);
  const { sandbox, ask } = suiteSandbox({ objects: 200 });
  const route = 'GET /objects';
  const path = '/objects?limit=5';

  setup(() => {
    sandbox().faults.clear();
    sandbox().recorder.reset();
  });

  const met = async (spec: FaultSpec, to = path): Promise<Reply> => {
    sandbox().faults.add({ route, ...spec });
    return ask(to);
  };
  const items = (reply: Reply): readonly unknown[] => {
    const { objects } = reply.body;
    assert(Array.isArray(objects), reply.text.slice(0, 200));
    return objects;
  };
  const drifts = (reply: Reply): string[] =>
    objectsIn(reply.body['objects']).flatMap((item) =>
      driftOf(registry.objects.schema, item).map(({ problem }) => problem),
    );
  const status =
    (code: number, extra: FaultSpec extends object ? Partial<FaultSpec> : never = {}) =>
    async (fault: FaultName): Promise<Reply> => {
      const reply = await met({ fault, ...extra });
      assert.equal(reply.status, code);
      return reply;
    };
  const lost = async (fault: FaultName): Promise<void> => {
    await assert.rejects(met({ fault }), TypeError);
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
    missingField: async (fault) => { assert.deepEqual(new Set(drifts(await met({ fault }))), new Set(['missing'])); },
    wrongType: async (fault) => { assert.deepEqual(new Set(drifts(await met({ fault }))), new Set(['type'])); },
    nullList: async (fault) => { assert.equal((await met({ fault })).body['objects'], null); },
    otherListKey: async (fault) => {
      const { body } = await met({ fault });
      assert(!('objects' in body) && Array.isArray(body['items']));
    },
    wrapped: async (fault) => {
      const { body } = await met({ fault });
      assert(body['success'] === true && isObject(body['data']) && Array.isArray(body['data']['objects']));
    },
    unknownEnum: async () => {
      sandbox().faults.add({ route: 'GET /ebus/action-logs', fault: 'unknownEnum' });
      const { body } = await ask('/ebus/action-logs?limit=2');
      assert.deepEqual(objectsIn(body['action_logs']).map((log) => log['status']), ['quantum', 'quantum']);
    },
    unknownField: async (fault) => { assert(items(await met({ fault })).every((item) => isObject(item) && 'future_field' in item)); },
    badItem: async (fault) => {
      const list = items(await met({ fault }));
      assert.equal(list.length, 7);
      assert(list.includes(null) && list.includes('not an item'));
    },
    repeatedCursor: async (fault) => {
      const { body } = await ask(path);
      const again = await met({ fault }, `${path}&next=${String(body['next'])}`);
      assert.equal(again.body['next'], body['next']);
    },
    emptyCursor: async (fault) => { assert.equal((await met({ fault })).body['next'], ''); },
    hugePage: async (fault) => {
      const list = objectsIn((await met({ fault })).body['objects']);
      assert.equal(new Set(list.map((item) => item['id'])).size, 10_000);
    },
    hugeField: async (fault) => {
      const [first] = objectsIn((await met({ fault })).body['objects']);
      assert(JSON.stringify(first).length > 100_000);
      assert.deepEqual(driftOf(registry.objects.schema, await firstOf()).length, 0);
    },
    bigInteger: async (fault) => { assert((await met({ fault })).text.includes('9007199254740993123')); },
    failedStep: async (fault) => {
      const { body } = await execute({ fault });
      assert(typeof objectsIn(body['steps'])[0]?.['error'] === 'string');
    },
    nullSteps: async (fault) => { assert.equal((await execute({ fault })).body['steps'], null); },
    slowHeaders: async (fault) => { assert.equal((await met({ fault, delay: 30 })).status, 200); },
    slowBody: async (fault) => { assert.equal(items(await met({ fault, delay: 30 })).length, 5); },
    truncatedJson: async (fault) => {
      const reply = await met({ fault });
      assert.equal(reply.status, 200);
      assert(reply.json === undefined && reply.text.startsWith('{"objects"'));
    },
    hugeBody: async (fault) => { assert((await met({ fault, size: 3_000_000 })).text.length >= 3_000_000); },
  }; // prettier-ignore
  const firstOf = async (): Promise<JsonObject | undefined> => objectsIn((await ask(path)).body['objects'])[0];
  const execute = (spec: FaultSpec): Promise<Reply> => {
    sandbox().faults.add({ route: 'POST /ebus/execute', ...spec });
    return ask('/ebus/execute', {
      body: { action: { mint: { template_id: sandbox().world.templates.source.idAt(4) } } },
    });
  };

  for (const name of faultNames) {
    test(`${name}, once, and then all is well`, async () => {
      await expected[name](name);
      const reply = await ask(path);
      assert.equal(reply.status, 200);
      assert.equal(items(reply).length, 5);
      assert.deepEqual(drifts(reply), []);
    });
  }

  for (const shape of errorShapes) {
    test(`an error as "${shape}"`, async () => {
      const { status: code, body, text } = await met({ fault: 'conflict', shape, message: 'my words' });
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
    assert.equal((await met({ fault: 'rateLimited', retryAfter: 7 })).headers.get('retry-after'), '7');
    // However long the answer takes, what it names comes after the question.
    const asked = Date.now();
    const date = (await met({ fault: 'unavailable', retryAfter: 'date' })).headers.get('retry-after') ?? '';
    assert(Date.parse(date) > asked && date.endsWith('GMT'), date);
    assert.equal((await met({ fault: 'rateLimited', retryAfter: 'none' })).headers.get('retry-after'), null);
  });

  test('redirects of every kind, to another path and to another origin', async () => {
    for (const code of [301, 302, 303, 307, 308] as const) {
      const reply = await met({ fault: 'redirect', status: code, location: 'http://127.0.0.1:9/elsewhere' });
      assert.equal(reply.status, code);
      assert.equal(reply.headers.get('location'), 'http://127.0.0.1:9/elsewhere');
    }
    assert.equal((await met({ fault: 'redirect', location: '/faces' })).headers.get('location'), '/faces');
  });

  test('a field is chosen by its path, and what it becomes by its value', async () => {
    const object = (reply: Reply): JsonObject => objectsIn(reply.body['objects'])[0] ?? {};
    assert(!('owner' in object(await met({ fault: 'missingField', field: 'owner' }))));
    const nested = object(await met({ fault: 'wrongType', field: 'metadata.name', value: 12 }));
    assert(isObject(nested['metadata']) && nested['metadata']['name'] === 12);
    assert.equal(object(await met({ fault: 'wrongType', field: 'nonce', value: null }))['nonce'], null);
    assert.equal(object(await met({ fault: 'unknownField', field: 'state_hash', value: '0x1' }))['state_hash'], '0x1');
  });

  test('count and after: so many go well, so many go wrong', async () => {
    sandbox().faults.add({ route, fault: 'notFound', after: 2, count: 2 });
    const codes: number[] = [];
    for (let time = 0; time < 6; time++) codes.push((await ask(path)).status);
    assert.deepEqual(codes, [200, 200, 404, 404, 200, 200]);
    const [listed] = sandbox().faults.list();
    assert.equal(listed?.hits, 2);
    assert.equal(listed.left, 0);
  });

  test('count null: until it is cleared; * hits every route but the control endpoints', async () => {
    const added = await ask('/__sandbox/faults', { body: { fault: 'unavailable', count: null } });
    assert.equal(added.status, 200);
    for (const other of [path, '/faces', '/batches/x', '/nowhere', '/pages/map'])
      assert.equal((await ask(other)).status, 503, other);
    assert.equal(objectsIn((await ask('/__sandbox/faults')).body['faults']).length, 1);
    assert.equal((await ask('/__sandbox/faults', { method: 'DELETE' })).status, 200);
    assert.equal((await ask(path)).status, 200);
  });

  test('a fault of one route leaves the others alone, patterns included', async () => {
    sandbox().faults.add({ route: 'GET /objects/{objectId}', fault: 'conflict', count: null });
    assert.equal((await ask(path)).status, 200);
    assert.equal((await ask('/objects/anything')).status, 409);
  });

  test('what the menu does not know is a 400', async () => {
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
  for (const name of faultNames.filter((fault) => ['connection', 'status'].includes(groupOf(fault)))) {
    for (const phase of ['before', 'after'] as const) {
      test(`execute meets ${name} ${phase} its effect`, async () => {
        const before = await objects();
        await execute({ fault: name, phase }).catch(() => undefined);
        assert.equal((await objects()) - before, phase === 'after' ? 1 : 0);
        assert.equal(sandbox().recorder.executes, phase === 'after' ? 1 : 0);
      });
    }
  }

  test('answers over 1 KB are compressed where the client takes it, small ones are not', async () => {
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
