/** Executing actions: effects, refusals, malformed bodies, logs and batches. */
import assert from 'node:assert/strict';
import { isObject, type JsonObject } from '../../../../src/platform/json/json.ts';
import { registry } from '../../../../src/platform/registry.ts';
import { executionResult } from '../../../../src/platform/resources/actions.ts';
import { findDrift } from '../../../../src/platform/schema.ts';
import { catalogue } from '../../../../src/sandbox/data/template-catalogue.ts';
import { getTemplateIndex } from '../../../../src/sandbox/data/templates.ts';
import { startSandbox } from '../../../../src/sandbox/server.ts';
import type { RecordedExecution } from '../../../../src/sandbox/options.ts';
import {
  readAllPages,
  createSendRequest,
  getIds,
  toJsonObjects,
  useSandbox,
  type Reply,
  type SendRequest,
} from '../sandbox-client.ts';

const TICKET = 0, PASS = 1, WRISTBAND = 2, VOUCHER = 3, BADGE = 4, KEY = 6, EXPEDITION = 7, JACKET = 8, CARD = 9, PRINT = 10; // prettier-ignore
const ZERO = /^0x0+$/;

suite('sandbox: executing actions', () => {
  const { sandbox, ask } = useSandbox({ objects: 300 });
  const template = (index: number): string => sandbox().world.templates.source.idAt(index);
  const execute = async (action: unknown, rest: object = {}, options: object = {}): Promise<Reply> => {
    const reply = await ask('/ebus/execute', { body: { action, ...rest }, ...options });
    if (reply.status === 200) assert.deepEqual(findDrift(executionResult, reply.json), []);
    return reply;
  };
  const getStep = (reply: Reply): JsonObject => {
    assert.equal(reply.status, 200, reply.text);
    const [step, ...more] = toJsonObjects(reply.body['steps']);
    assert(step !== undefined && more.length === 0);
    return step;
  };
  const minted = async (index: number, fields: object = {}): Promise<readonly string[]> => {
    const step = getStep(await execute({ mint: { template_id: template(index), ...fields } }));
    assert(isObject(step['output']), JSON.stringify(step));
    const { ids } = step['output'];
    assert(Array.isArray(ids));
    return ids.map(String);
  };
  const object = async (id: string): Promise<JsonObject> => {
    const { status, body, text } = await ask(`/objects/${id}`);
    assert.equal(status, 200, text);
    assert.deepEqual(findDrift(registry.objects.schema, body), []);
    return body;
  };
  const getLog = async (reply: Reply): Promise<JsonObject | undefined> => {
    const [log] = await readAllPages(ask, `/ebus/action-logs?id=${String(reply.body['action_id'])}`, 'action_logs');
    if (log !== undefined) assert.deepEqual(findDrift(registry['action-logs'].schema, log), []);
    return log;
  };
  /** the first existing object of a template */
  const existing = (index: number): string => {
    const { world } = sandbox();
    for (let place = 0; place < 300; place++)
      if (getTemplateIndex(place) === index && world.collection('objects').get(world.objects.idAt(place)) !== undefined)
        return world.objects.idAt(place);
    throw new Error(`no object of template ${index}`);
  };

  test('a sandbox that starts again gives its actions new ids', async () => {
    const ids = new Set<unknown>();
    for (let start = 0; start < 2; start++) {
      const again = await startSandbox({ objects: 20, clock: 'system' });
      const send = createSendRequest(() => again);
      ids.add(
        (await send('/ebus/execute', { body: { action: { mint: { template_id: template(BADGE) } } } })).body[
          'action_id'
        ],
      );
      await again.close();
    }
    assert.deepEqual([ids.size, ids.has(undefined)], [2, false]);
  });

  test('mint creates the requested number of objects, with owner and data', async () => {
    const before = await ask(`/templates/${template(BADGE)}`);
    const data = {
      metadata: { name: 'Made by test', edition: 7 },
      custom: { points: 5, huge: JSON.rawJSON('9007199254740993') },
    };
    const ids = await minted(BADGE, { num: 3, to: '0xsomebody', data, custom: { dropped: 'silently' } });
    assert.equal(ids.length, 3);
    const created = await object(ids[0] ?? '');
    assert(isObject(created['metadata']) && isObject(created['custom']));
    assert.equal(created['metadata']['name'], 'Made by test');
    assert.equal(created['owner'], '0xsomebody');
    assert.equal(created['custom']['points'], 5);
    assert(JSON.stringify(created).includes('9007199254740993'));
    assert(!('dropped' in created['custom']));
    assert(typeof created['custom']['trail'] === 'string', 'the rest comes from the template');
    assert.equal(created['nonce'], 0);
    const newest = await ask('/objects?limit=3');
    assert.deepEqual(new Set(getIds(toJsonObjects(newest.body['objects']))), new Set(ids));
    const after = await ask(`/templates/${template(BADGE)}`);
    const count = (reply: Reply): number =>
      isObject(reply.body['factory']) ? Number(reply.body['factory']['minted_count']) : Number.NaN;
    assert.equal(count(after), count(before) + 3);
  });

  const changes: readonly (readonly [string, number, (id: string) => object, (after: JsonObject, before: JsonObject) => void])[] = [
    ['transfer', BADGE, (id) => ({ id, to: '0xnew' }), (after) => { assert.equal(after['owner'], '0xnew'); }],
    ['update', JACKET, (id) => ({ id, data: { custom: { note: 'x' }, metadata: { name: 'New name' } } }), (after, before) => {
      assert(isObject(after['custom']) && isObject(before['custom']) && isObject(after['metadata']));
      assert.deepEqual(after['custom'], { ...before['custom'], note: 'x' });
      assert.equal(after['metadata']['name'], 'New name');
      assert.notEqual(after['custom_hash'], before['custom_hash']);
    }],
    ['drop', BADGE, (id) => ({ id, latitude: 57.64911, longitude: 10.40744 }), (after) => {
      assert.deepEqual(after['location'], { latitude: 57.64911, longitude: 10.40744, geo_hash: 'u4pruydqq' });
    }],
    ['redeem', TICKET, (id) => ({ id }), (after) => { assert(isObject(after['custom']) && after['custom']['redeemed'] === true); }],
    ['connect', WRISTBAND, (id) => ({ id }), () => undefined],
    ['bridgeNFT', PRINT, (id) => ({ id }), (after) => { assert(isObject(after['chain']) && after['chain']['chain_id'] === 137); }],
    ['remote', KEY, (id) => ({ id, data: { door: 1 } }), () => undefined],
  ]; // prettier-ignore
  for (const [kind, index, fields, check] of changes) {
    test(`${kind} changes its object, and its log has both state roots`, async () => {
      const id = existing(index);
      const before = await object(id);
      const reply = await execute({ [kind]: fields(id) });
      assert.deepEqual(getStep(reply), { action: kind, output: { ids: [id] } });
      const after = await object(id);
      check(after, before);
      assert.equal(after['nonce'], Number(before['nonce']) + 1);
      assert.equal(after['version'], Number(before['version']) + 1);
      assert.notEqual(after['state_root'], before['state_root']);
      assert.equal(after['when_created'], before['when_created']);
      sandbox().advance(200);
      const log = await getLog(reply);
      assert.deepEqual(log?.['affected_objects'], [
        {
          id,
          template_id: template(index),
          prev_state_root: before['state_root'],
          next_state_root: after['state_root'],
        },
      ]);
      assert.deepEqual(log['params'], [fields(id)]);
    });
  }

  test('pickup works only for dropped objects', async () => {
    const [id = ''] = await minted(BADGE);
    const refused = getStep(await execute({ pickup: { id } }));
    assert.match(String(refused['error']), /not been dropped/);
    getStep(await execute({ drop: { id, latitude: 1, longitude: 2 } }));
    assert((await readAllPages(ask, '/objects?dropped=true', 'objects')).some((found) => found['id'] === id));
    assert(!('error' in getStep(await execute({ pickup: { id } }))));
    const after = await object(id);
    assert(!('location' in after));
    assert.equal(after['owner'], sandbox().world.ownAccount.address);
  });

  test('burn removes the object', async () => {
    const [id = ''] = await minted(BADGE);
    assert(!('error' in getStep(await execute({ burn: { id } }))));
    assert.equal((await ask(`/objects/${id}`)).status, 404);
    assert.equal((await execute({ burn: { id } })).status, 400);
    const generated = existing(TICKET);
    assert(!('error' in getStep(await execute({ burn: { id: generated } }))));
    assert.equal((await ask(`/objects/${generated}`)).status, 404);
    assert.deepEqual((await ask(`/objects?id=${generated}`)).body['objects'], []);
    assert(!getIds(await readAllPages(ask, '/objects', 'objects')).includes(generated));
  });

  const malformed: readonly (readonly [string, unknown, RegExp])[] = [
    ['no action', undefined, /action/],
    ['an empty action', {}, /action/],
    ['two kinds', { mint: {}, burn: {} }, /one kind/],
    ['an unknown kind', { explode: {} }, /not known/],
    ['a kind that is no object', { mint: 'x' }, /object/],
    ['no template', { mint: {} }, /template_id/],
    ['an unknown template', { mint: { template_id: 'REPLACE_WITH_ID' } }, /unknown template/],
    ['object_id for id', { burn: { object_id: 'x' } }, /"id", not "object_id"/],
    ['no id', { burn: {} }, /id is required/],
    ['an unknown object', { burn: { id: 'obj_nothing' } }, /unknown object/],
  ];
  for (const [what, action, message] of malformed) {
    test(`malformed, ${what}: a 400 with a helpful message`, async () => {
      const { status, body } = await execute(action);
      assert.equal(status, 400);
      assert.match(String(body['message']), message);
    });
  }

  test('malformed values are a 400', async () => {
    const id = existing(BADGE);
    const bad: unknown[] = [
      { mint: { template_id: template(BADGE), num: 0 } },
      { mint: { template_id: template(BADGE), num: 1.5 } },
      { mint: { template_id: template(BADGE), num: 101 } },
      { mint: { template_id: template(BADGE), to: 5 } },
      { mint: { template_id: template(BADGE), data: [] } },
      { transfer: { id } },
      { update: { id } },
      { drop: { id } },
      { drop: { id, latitude: 91, longitude: 0 } },
      { redeem: { id, template_id: 'unknown' } },
    ];
    for (const action of bad) assert.equal((await execute(action)).status, 400, JSON.stringify(action));
    assert.equal((await execute({ burn: { id } }, { signature: 5 })).status, 400);
    assert.equal((await ask('/ebus/execute', { method: 'POST' })).status, 400);
    assert.equal((await ask('/ebus/execute', { body: 'text' })).status, 400);
    assert.equal((await ask('/ebus/execute', { body: 'x'.repeat(9_000_000) })).status, 413);
  });

  const refusals: readonly (readonly [string, () => Promise<Reply>, RegExp])[] = [
    ['the supply is exhausted', () => execute({ mint: { template_id: template(PRINT) } }), /supply exhausted/],
    ['the window is over', () => execute({ mint: { template_id: template(VOUCHER) } }), /issuing ended/],
    [
      'the wallet is not on the whitelist',
      () => execute({ mint: { template_id: template(PASS), to: '0xstranger' } }),
      /whitelist/,
    ],
    [
      'the tokens do not suffice',
      () => execute({ mint: { template_id: template(EXPEDITION) } }),
      /9007199254740993 ALP/,
    ],
    ['the template does not list the action', () => execute({ remote: { id: existing(TICKET) } }), /does not list/],
  ];
  for (const [why, act, message] of refusals) {
    test(`refused because ${why}: a 200 with a failed step and a failed log`, async () => {
      const reply = await act();
      const step = getStep(reply);
      assert.match(String(step['error']), message);
      assert(!('output' in step));
      sandbox().advance(2000);
      const log = await getLog(reply);
      assert.equal(log?.['status'], 'failed');
      assert(!('affected_objects' in log) && !('batch_id' in log));
    });
  }

  test('private actions need the issuer, and others’ objects cannot be moved', async () => {
    const { body } = await ask('/__sandbox/tokens', {
      body: {
        permissions: [{ resource: 'ebus.actions', crud: { read: true, create: true, update: false, delete: false } }],
        wallet_id: sandbox().world.account(9).id,
      },
    });
    const token = String(body['token']);
    const as = async (action: unknown): Promise<JsonObject> => getStep(await execute(action, {}, { token }));
    assert.match(String((await as({ redeem: { id: existing(TICKET) } }))['error']), /private/);
    const [id = ''] = await minted(BADGE, { to: '0xsomebody else' });
    assert.match(String((await as({ transfer: { id, to: '0x1' } }))['error']), /does not own/);
    const [own = ''] = await minted(BADGE, { to: sandbox().world.account(9).address });
    assert(!('error' in (await as({ transfer: { id: own, to: '0x1' } }))));
  });

  test('the last object of a supply can be minted, a further one cannot', async () => {
    await minted(PASS, { num: 2 });
    assert.match(String(getStep(await execute({ mint: { template_id: template(PASS), num: 2 } }))['error']), /supply/);
    await minted(PASS);
    assert.match(String(getStep(await execute({ mint: { template_id: template(PASS) } }))['error']), /supply/);
  });

  test('a ticket can be redeemed once, points repeatedly', async () => {
    const [ticket = ''] = await minted(TICKET);
    assert(!('error' in getStep(await execute({ redeem: { id: ticket } }))));
    assert.match(String(getStep(await execute({ redeem: { id: ticket } }))['error']), /already/);
    const [card = ''] = await minted(CARD);
    for (let time = 0; time < 2; time++) assert(!('error' in getStep(await execute({ redeem: { id: card } }))));
  });

  test('a signature and further keys are accepted, and the signature is in the log', async () => {
    const reply = await execute(
      { mint: { template_id: template(BADGE) } },
      { signature: '0xsigned', nonce: 5, auth: { a: 1 } },
    );
    sandbox().advance(200);
    assert.equal((await getLog(reply))?.['signature'], '0xsigned');
  });

  test('a log is listed, settles and joins a batch, which completes', async () => {
    sandbox().advance(10_000);
    const reply = await execute({ mint: { template_id: template(BADGE), num: 2 } });
    assert.equal(await getLog(reply), undefined);
    sandbox().advance(149);
    assert.equal(await getLog(reply), undefined);
    sandbox().advance(1);
    const pending = await getLog(reply);
    assert.equal(pending?.['status'], 'pending');
    assert.match(String(pending['hash']), ZERO);
    assert(!('batch_id' in pending));
    const newest = await ask('/ebus/action-logs?limit=1');
    assert.equal(toJsonObjects(newest.body['action_logs'])[0]?.['id'], reply.body['action_id']);
    sandbox().advance(850);
    const completed = await getLog(reply);
    assert.equal(completed?.['status'], 'completed');
    assert.doesNotMatch(String(completed['hash']), ZERO);
    const batch = async (): Promise<JsonObject> => {
      const { body } = await ask(`/batches/${String(completed['batch_id'])}`);
      assert.deepEqual(findDrift(registry.batches.schema, body), []);
      return body;
    };
    assert.equal((await batch())['status'], 'pending');
    assert.deepEqual((await batch())['affected_actions'], [{ id: completed['id'], hash: completed['hash'] }]);
    sandbox().advance(1500);
    const processing = await batch();
    assert.equal(processing['status'], 'processing');
    assert.match(String(processing['hash']), ZERO);
    assert.match(String(processing['l1_tx_hash']), ZERO);
    sandbox().advance(1500);
    const done = await batch();
    assert.equal(done['status'], 'completed');
    assert.doesNotMatch(String(done['hash']), ZERO);
    assert.doesNotMatch(String(done['l1_tx_hash']), ZERO);
    assert(typeof done['when_completed'] === 'string');
    assert.deepEqual(
      (await readAllPages(ask, `/ebus/action-logs?batch_id=${String(done['id'])}`, 'action_logs')).map(({ id }) => id),
      [completed['id']],
    );
  });

  test('logs older than a minute are settled, and the others settle while they are looked at', async () => {
    const fresh = await startSandbox({ clock: 'manual' });
    const request = createSendRequest(() => fresh);
    const list = (query: string): Promise<readonly JsonObject[]> =>
      readAllPages(request, `/ebus/action-logs?${query}`, 'action_logs');
    try {
      const pending = await list('status=pending');
      const oldest = fresh.world.clock.now() - 60_000;
      assert.deepEqual(
        pending.map(({ when_created }) => Date.parse(String(when_created)) >= oldest),
        [true, true, true, true],
      );
      fresh.advance(20_000);
      assert.equal((await list('status=pending')).length, 2);
      fresh.advance(20_000);
      assert.deepEqual(await list('status=pending'), []);
      for (const { id } of pending) {
        const [log] = await list(`id=${String(id)}`);
        const [affected] = toJsonObjects(log?.['affected_objects']);
        const { body } = await request(`/objects/${String(affected?.['id'])}`);
        assert.deepEqual([log?.['status'], body['state_root']], ['completed', affected?.['next_state_root']]);
      }
    } finally {
      await fresh.close();
    }
  });

  test('a sandbox repeats what was executed in another one, at the same times and with the same ids', async () => {
    const executions: RecordedExecution[] = [];
    const delays = { indexDelay: 0, settleDelay: 20, batchDelay: 20 };
    const former = await startSandbox({ objects: 20, ...delays, onExecute: (one) => executions.push(one) });
    const generated = new Set(
      (
        await readAllPages(
          createSendRequest(() => former),
          '/objects',
          'objects',
        )
      ).map((object) => object['id']),
    );
    const read = async (ask: SendRequest): Promise<readonly unknown[]> => {
      const logs = await readAllPages(ask, '/ebus/action-logs', 'action_logs');
      const objects = await readAllPages(ask, '/objects', 'objects');
      return [
        logs.slice(0, 4).map((log) => [log['id'], log['status'], log['when_created']]),
        // Those of the generated logs change when these settle, whenever that is.
        objects
          .filter((object) => object['id'] === id || !generated.has(object['id']))
          .map((object) => [object['id'], object['state_root'], object['owner']]),
      ];
    };
    const send = createSendRequest(() => former);
    const id = former.world.objects.idAt(JACKET);
    const template_id = former.world.templates.source.idAt(BADGE);
    for (const action of [
      { mint: { template_id } },
      { update: { id, data: { custom: { note: 'kept' } } } },
      { redeem: { id } },
      { transfer: { id, to: '0x00000000000000000000000000000000000000a1' } },
    ])
      assert.equal((await send('/ebus/execute', { body: { action } })).status, 200);
    const isPending = async (): Promise<boolean> =>
      (await readAllPages(send, '/ebus/action-logs', 'action_logs'))
        .slice(0, 4)
        .some((log) => log['status'] === 'pending');
    while (await isPending());
    const before = await read(send);
    const { firstLog } = former.settlement;
    await former.close();
    const replay = { firstLog, executions: [...executions] };
    const again = await startSandbox({ objects: 20, ...delays, start: former.world.context.epoch, replay });
    try {
      assert.deepEqual(await read(createSendRequest(() => again)), before);
      assert.equal(executions.length, 4);
    } finally {
      await again.close();
    }
  });

  test('a sandbox whose executions cannot be repeated leaves no server', async () => {
    const former = await startSandbox({ objects: 1 });
    const port = Number(new URL(former.baseUrl).port);
    const { epoch } = former.world.context;
    await former.close();
    const body = { action: { burn: { id: 'obj_gone' } } };
    const replay = { firstLog: 0, executions: [{ when: epoch, walletId: 'wal', address: '0xa', body }] };
    await assert.rejects(startSandbox({ objects: 1, port, start: epoch, replay }), /unknown object obj_gone/);
    await (await startSandbox({ objects: 1, port })).close();
  });

  test('batches form a chain and contain all logs that settle meanwhile', async () => {
    // The generated logs that are pending at the start settle, too.
    sandbox().advance(60_000);
    const replies = [
      await execute({ mint: { template_id: template(BADGE) } }),
      await execute({ mint: { template_id: template(BADGE) } }),
    ];
    sandbox().advance(10_000);
    replies.push(await execute({ mint: { template_id: template(BADGE) } }));
    sandbox().advance(10_000);
    const logs = await Promise.all(replies.map(getLog));
    const [first, second, third] = logs.map((log) => String(log?.['batch_id']));
    assert.equal(first, second);
    assert.notEqual(second, third);
    const [one, two] = [await ask(`/batches/${first}`), await ask(`/batches/${third}`)];
    assert.equal(one.body['actions_count'], 2);
    assert.equal(two.body['prev_hash'], one.body['hash']);
  });

  test('a log and a batch can be created to fail', async () => {
    await ask('/__sandbox/settle', { body: { log: 'failed' } });
    const id = existing(JACKET);
    const before = await object(id);
    const reply = await execute({ update: { id, data: { custom: { x: 1 } } } });
    assert(!('error' in getStep(reply)), 'the answer does not know yet');
    sandbox().advance(1000);
    assert.equal((await getLog(reply))?.['status'], 'failed');
    assert.deepEqual(await object(id), before);
    sandbox().advance(10_000);
    await ask('/__sandbox/settle', { body: { batch: 'failed' } });
    const next = await execute({ mint: { template_id: template(BADGE) } });
    sandbox().advance(4000);
    const batch = await ask(`/batches/${String((await getLog(next))?.['batch_id'])}`);
    assert.equal(batch.body['status'], 'failed');
    assert(typeof batch.body['error'] === 'string');
    assert.match(String(batch.body['l1_tx_hash']), ZERO);
  });

  test('state roots chain over several changes, and owner filters follow', async () => {
    const [id = ''] = await minted(BADGE);
    for (const to of ['0xa', '0xb', '0xc']) getStep(await execute({ transfer: { id, to } }));
    sandbox().advance(5000);
    const logs = await readAllPages(ask, `/ebus/action-logs?object_id=${id}&order=asc`, 'action_logs');
    const links = logs.flatMap((log) => toJsonObjects(log['affected_objects']));
    assert.equal(links.length, 4);
    assert(!('prev_state_root' in (links[0] ?? {})));
    links.slice(1).forEach((link, place) => {
      assert.equal(link['prev_state_root'], links[place]?.['next_state_root']);
    });
    assert.equal(links.at(-1)?.['next_state_root'], (await object(id))['state_root']);
    assert.deepEqual(getIds(await readAllPages(ask, '/objects?owner=0xc', 'objects')), [id]);
    assert.deepEqual(await readAllPages(ask, '/objects?owner=0xa', 'objects'), []);
  });

  test('the same actions with a manual clock end in the same state', async () => {
    const run = async (): Promise<string> => {
      const other = await startSandbox({ clock: 'manual', objects: 20, secret: 'fixed' });
      try {
        const question = createSendRequest(() => other);
        const id = other.world.objects.idAt(0);
        for (const action of [
          { mint: { template_id: other.world.templates.source.idAt(BADGE), num: 2 } },
          { update: { id, data: { custom: { a: 1 } } } },
        ]) {
          await question('/ebus/execute', { body: { action } });
          other.advance(700);
        }
        other.advance(5000);
        const parts = [
          await question('/objects?limit=30'),
          await question('/ebus/action-logs?limit=5'),
          await question(`/objects/${id}`),
        ];
        return parts.map(({ text }) => text.replaceAll(other.baseUrl, '')).join('\n');
      } finally {
        await other.close();
      }
    };
    assert.equal(await run(), await run());
  });

  test('completed and refused executions are counted, malformed ones are not', () => {
    const listed = catalogue.length;
    assert(sandbox().recorder.executes > listed);
  });
});
