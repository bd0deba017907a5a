/** Control endpoints: access, clock, injected logs, recorded requests; kinds without a generator. */
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { defineOperation, pageParameters, sharedParameters } from '../../../src/platform/operation.ts';
import type { ResourceDefinition } from '../../../src/platform/resource.ts';
import { findDrift, dateTime, integer, optional } from '../../../src/platform/schema.ts';
import { registry } from '../../../src/platform/registry.ts';
import { Collection, type Source } from '../../../src/sandbox/generation/collection.ts';
import { Clock } from '../../../src/sandbox/clock.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { readAllPages, createSendRequest, getIds, toJsonObjects, useSandbox, getText } from './sandbox-client.ts';

suite('sandbox: control endpoints', () => {
  const { sandbox, ask } = useSandbox({ objects: 30, logs: 100 });

  test('only the printed key gives access', async () => {
    for (const path of ['faults', 'clock', 'requests', 'stats', 'logs', 'settle', 'tokens', 'unknown']) {
      assert.equal((await ask(`/__sandbox/${path}`, { key: null })).status, 401, path);
      assert.equal((await ask(`/__sandbox/${path}`, { key: sandbox().readOnlyApiKey })).status, 401, path);
    }
    assert.equal(
      (await ask('/__sandbox/stats', { key: null, headers: { 'x-sandbox-key': sandbox().apiKey } })).status,
      200,
    );
    assert.equal((await ask('/__sandbox/unknown')).status, 404);
    assert.equal((await ask('/__sandbox/faults', { key: null, token: sandbox().accessToken })).status, 401);
  });

  test('requests are recorded without secrets', async () => {
    await ask('/__sandbox/requests', { method: 'DELETE' });
    await ask('/objects?limit=2&org_id=a%20b', { token: sandbox().accessToken, key: sandbox().apiKey });
    await ask('/organizations/x/invite?token=SECRET-INVITE&member_id=SECRET-MEMBER', { key: null });
    await ask('/objects/unknown');
    const { body, text } = await ask('/__sandbox/requests');
    const [list, invite, odd] = toJsonObjects(body['requests']);
    assert.equal(list?.['route'], 'GET /objects');
    assert.equal(list['status'], 200);
    assert.deepEqual(list['query'], { limit: '2', org_id: 'a b' });
    assert(Array.isArray(list['headers']) && list['headers'].includes('authorization'));
    assert.deepEqual(Object.keys(list['credential'] as object), ['kind', 'hash']);
    assert.deepEqual(invite?.['credential'], { kind: 'none' });
    assert.equal(odd?.['status'], 404);
    for (const secret of [sandbox().apiKey, sandbox().accessToken, 'SECRET-INVITE', 'SECRET-MEMBER'])
      assert(!text.includes(secret));
    const stats = await ask('/__sandbox/stats');
    assert.deepEqual(stats.body['routes'], {
      'GET /objects': 1,
      'GET /organizations/{organizationId}/invite': 1,
      'GET /objects/{objectId}': 1,
    });
    assert.equal(stats.body['executes'], 0);
  });

  test('the clock is read and moved', async () => {
    const before = Date.parse(getText((await ask('/__sandbox/clock')).body, 'now'));
    const { body } = await ask('/__sandbox/clock', { body: { advance: 1500 } });
    assert.equal(Date.parse(getText(body, 'now')), before + 1500);
    assert.equal((await ask('/__sandbox/clock', { body: { advance: -1 } })).status, 400);
    const running = await startSandbox({ objects: 1, logs: 10 });
    try {
      const reply = await createSendRequest(() => running)('/__sandbox/clock', { body: { advance: 1 } });
      assert.equal(reply.status, 409);
    } finally {
      await running.close();
    }
  });

  test('12,000 logs are injected in a minute, with ties, late ones, and settling out of order', async () => {
    const since = new Date(sandbox().world.clock.now() + 1).toISOString();
    const ids: string[] = [];
    for (let second = 0; second < 60; second++) {
      sandbox().advance(1000);
      const { body, status } = await ask('/__sandbox/logs', {
        body: { count: 200, spread: 900, tie: 100, late: 400, status: 'mixed', settle: 5000 },
      });
      assert.equal(status, 200);
      assert(Array.isArray(body['ids']));
      ids.push(...body['ids'].map(String));
    }
    sandbox().advance(60_000);
    const logs = await readAllPages(ask, `/ebus/action-logs?when_created[$gte]=${since}`, 'action_logs');
    assert.equal(logs.length, 12_000);
    assert.deepEqual(new Set(getIds(logs)), new Set(ids));
    assert.deepEqual(new Set(logs.map((log) => log['status'])), new Set(['completed', 'failed']));
    assert(new Set(logs.map((log) => log['when_created'])).size < 700, 'many share a moment');
    for (const log of logs.slice(0, 50)) assert.deepEqual(findDrift(registry['action-logs'].schema, log), []);
    const { body } = await ask('/__sandbox/logs', { body: { count: 3, status: 'pending', action: 'mint' } });
    const [id] = body['ids'] as string[];
    sandbox().advance(100_000);
    const [pending] = await readAllPages(ask, `/ebus/action-logs?id=${id}`, 'action_logs');
    assert.equal(pending?.['status'], 'pending');
    assert.equal(pending['action_name'], 'mint');
    assert.equal((await ask('/__sandbox/logs', { body: { count: 0 } })).status, 400);
  });
});

suite('sandbox: a kind without a generator', () => {
  const webhook = z.looseObject({
    id: z.string(),
    url: z.url(),
    state: z.enum(['active', 'paused']),
    retries: integer,
    secret: optional(z.string()),
    contact: z.email(),
    headers: z.record(z.string(), z.string()),
    events: z.array(z.looseObject({ name: z.string(), enabled: z.boolean(), weight: z.number() })),
    when_created: dateTime,
    when_modified: dateTime,
  });
  const definition: ResourceDefinition = {
    kind: 'webhooks',
    label: 'Webhooks',
    singular: 'webhook',
    icon: 'plug',
    section: 'connection',
    schema: webhook,
    list: {
      operation: defineOperation({
        method: 'GET',
        path: '/webhooks',
        repeatable: true,
        query: {
          id: sharedParameters.id,
          limit: pageParameters.limit,
          next: pageParameters.next,
          order: pageParameters.order,
          when_created: sharedParameters.when_created,
          state: { type: 'enum', about: 'state', values: ['active', 'paused'] },
        },
        permission: { resource: 'webhooks', verb: 'read' },
      }),
      key: 'webhooks',
    },
    read: {
      by: 'path',
      operation: defineOperation({ method: 'GET', path: '/webhooks/{webhookId}', repeatable: true, query: {} }),
      parameters: ['webhookId'],
    },
    references: {},
    summary: () => ({ title: 'webhook', details: [] }),
  };
  const { sandbox, ask } = useSandbox({ objects: 5, logs: 20, extraKinds: { webhooks: definition } });

  test('its list and its items match the schema', async () => {
    const items = await readAllPages(ask, '/webhooks', 'webhooks', 7);
    assert(items.length >= 20);
    for (const item of items) {
      assert.deepEqual(findDrift(webhook, item), []);
      const { status, body } = await ask(`/webhooks/${getText(item, 'id')}`);
      assert.equal(status, 200);
      assert.deepEqual(body, item);
    }
    const active = await readAllPages(ask, '/webhooks?state=active', 'webhooks');
    assert(active.length > 0 && active.length < items.length && active.every((item) => item['state'] === 'active'));
    assert.equal((await ask('/webhooks?limit=101')).status, 400);
    assert.equal((await ask('/webhooks/unknown')).status, 400);
    assert.equal((await ask('/webhooks', { key: null })).status, 401);
    assert.equal((await ask('/webhooks', { key: sandbox().readOnlyApiKey })).status, 200);
  });
});

suite('sandbox: parts', () => {
  test('a manual clock runs due tasks in order, and those that they start', () => {
    const clock = new Clock('manual', 1000);
    const received: string[] = [];
    clock.after(20, () => received.push(`b${clock.now()}`));
    clock.after(10, () => {
      received.push(`a${clock.now()}`);
      clock.after(5, () => received.push(`a2 ${clock.now()}`));
      clock.after(50, () => received.push('late'));
    });
    clock.after(20, () => received.push('c'));
    clock.advance(30);
    assert.deepEqual(received, ['a1010', 'a2 1015', 'b1020', 'c']);
    assert.equal(clock.now(), 1030);
    assert.throws(() => {
      new Clock('system').advance(1);
    });
  });

  test('a clock that is paused and resumed runs its tasks in order, once', async () => {
    const clock = new Clock('system');
    const received: string[] = [];
    clock.after(60_000, () => received.push('second'));
    clock.after(30_000, () => received.push('first'));
    clock.after(86_400_000, () => received.push('never'));
    const ended = new Promise<void>((resolve) => clock.after(60_020, resolve));
    clock.pause();
    clock.advance(60_000);
    assert.deepEqual(received, ['first', 'second']);
    clock.resume();
    // The timer of the clock does not keep the process alive.
    const alive = setInterval(() => undefined, 1000);
    await ended;
    clearInterval(alive);
    clock.stop();
    assert.deepEqual(received, ['first', 'second']);
    assert(!clock.manual && clock.now() >= Date.now() + 59_000);
  });

  test('a task that is due later than a timer can wait does not run at once', async () => {
    const clock = new Clock('system');
    const received: string[] = [];
    clock.after(3_000_000_000, () => received.push('in a month'));
    // Node.js waits 1 ms in place of a time that is too long for it: this timer would be the next.
    await new Promise((resolve) => setTimeout(resolve, 1));
    clock.stop();
    assert.deepEqual(received, []);
  });

  test('a collection walks generated and changed items in one order, from any place', () => {
    const source: Source = {
      size: 10,
      indexOf: (id) => (/^g\d+$/.test(id) ? Number(id.slice(1)) : undefined),
      createdAt: (index) => index * 10,
      create: (index) => ({ id: `g${index}` }),
    };
    const collection = new Collection(source);
    collection.put('x', { id: 'x' }, 45);
    collection.put('tie', { id: 'tie' }, 50);
    collection.put('g3', { id: 'g3', changed: true }, 999);
    collection.remove('g7');
    collection.remove('nothing');
    const ids = (order: 'asc' | 'desc', from = -Infinity, to = Infinity): unknown[] =>
      [...collection.walk(order, { from, to })].map((entry) => entry.item()['id']);
    const up = ['g0', 'g1', 'g2', 'g3', 'g4', 'x', 'g5', 'tie', 'g6', 'g8', 'g9'];
    assert.deepEqual(ids('asc'), up);
    assert.deepEqual(ids('desc'), up.toReversed());
    assert.deepEqual(ids('asc', 40, 50), ['g4', 'x', 'g5', 'tie']);
    assert.equal(collection.size, 11);
    for (const order of ['asc', 'desc'] as const) {
      const allEntries = [...collection.walk(order, { from: -Infinity, to: Infinity })];
      allEntries.forEach((entry, place) => {
        const rest = [...collection.walk(order, { from: -Infinity, to: Infinity }, entry)].map(
          (other) => other.item()['id'],
        );
        assert.deepEqual(
          rest,
          allEntries.slice(place + 1).map((other) => other.item()['id']),
        );
      });
    }
    collection.remove('g3');
    assert.equal(collection.get('g3'), undefined);
  });
});
