/**
 * Eight everyday tasks, each solved over MCP by a scripted agent that knows only the names of the tools. The answers are
 * compared with the raw responses of the platform; calls and bytes have upper bounds.
 */
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import Big from 'big.js';
import * as z from 'zod/mini';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { getProgram } from '../cli/support.ts';
import { CHILD_ENVIRONMENT } from '../../runtime/child-process.ts';

const DAY = 86_400_000;

const text = z.string();
const page = z.object({
  objects: z.optional(
    z.array(
      z.looseObject({
        id: text,
        template_id: text,
        owner: text,
        when_created: text,
        metadata: z.looseObject({ name: z.optional(text), image: z.optional(z.unknown()) }),
      }),
    ),
  ),
  action_logs: z.optional(
    z.array(z.looseObject({ id: text, action_name: z.optional(text), status: text, fee: text, when_created: text })),
  ),
  templates: z.optional(
    z.array(z.looseObject({ id: text, name: text, factory: z.optional(z.looseObject({ max_supply: z.number() })) })),
  ),
  next: z.optional(text),
});
type Page = z.output<typeof page>;

const counts = z.object({ counts: z.array(z.object({ value: z.unknown(), count: z.number() })) });
const list = z.object({ items: z.array(z.record(text, z.unknown())), next: z.optional(text) });

suite('everyday tasks of an agent', () => {
  let sandbox: Sandbox;
  let client: Client;
  let calls = 0;
  let bytes = 0;
  const objects: NonNullable<Page['objects']> = [];
  const logs: NonNullable<Page['action_logs']> = [];
  const templates: NonNullable<Page['templates']> = [];

  /** Calls a tool, and returns the data of its structured result. */
  const call = async <Data extends z.core.$ZodType>(
    name: string,
    input: Record<string, unknown>,
    data: Data,
  ): Promise<z.output<Data>> => {
    const result = await client.callTool({ name: `smartObjects_${name}`, arguments: input });
    calls++;
    bytes += Buffer.byteLength(JSON.stringify(result));
    assert.notEqual(result.isError, true, JSON.stringify(result.content));
    return z.parse(data, z.parse(z.looseObject({}), result.structuredContent)['data']);
  };
  /** Asserts the cost of the task. */
  const assertCost = (maxCalls: number, maxKilobytes: number): void => {
    assert.ok(calls <= maxCalls, `${String(calls)} calls`);
    assert.ok(bytes <= maxKilobytes * 1024, `${String(bytes)} bytes`);
  };
  const readAll = async (target: string, add: (read: Page) => void): Promise<void> => {
    let next: string | undefined;
    do {
      const url = `${sandbox.baseUrl}${target}?limit=100${next === undefined ? '' : `&next=${next}`}`;
      const response = await fetch(url, { headers: { 'x-api-key': sandbox.apiKey } });
      const read = z.parse(page, await response.json());
      add(read);
      ({ next } = read);
    } while (next !== undefined && next !== '');
  };
  /** Counts texts, the most frequent first. */
  const count = (texts: readonly string[]): Readonly<Record<string, number>> =>
    Object.fromEntries(
      [...Map.groupBy(texts, (one) => one)].map(([value, all]): [string, number] => [value, all.length]),
    );
  const toRecord = (read: z.output<typeof counts>): Readonly<Record<string, number>> =>
    Object.fromEntries(read.counts.map((one): [string, number] => [String(one.value), one.count]));

  suiteSetup(async () => {
    sandbox = await startSandbox({ seed: 1, objects: 400, logs: 600 });
    client = new Client({ name: 'agent', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [getProgram(), 'mcp'],
        env: { ...CHILD_ENVIRONMENT, SMART_OBJECTS_BASE_URL: sandbox.baseUrl, SMART_OBJECTS_API_KEY: sandbox.apiKey },
      }),
    );
    // Results are validated against the schemas of the tools from here.
    await client.listTools();
    await readAll('/objects', (read) => objects.push(...(read.objects ?? [])));
    await readAll('/ebus/action-logs', (read) => logs.push(...(read.action_logs ?? [])));
    await readAll('/public/templates', (read) => templates.push(...(read.templates ?? [])));
    assert.ok(objects.length >= 400 && logs.length >= 600 && templates.length > 5);
  });
  suiteTeardown(async () => {
    await client.close();
    await sandbox.close();
  });
  setup(() => {
    calls = 0;
    bytes = 0;
  });

  test('the fees of a month', async () => {
    const times = logs.map(({ when_created }) => Date.parse(when_created));
    const until = Math.floor(Math.max(...times) / DAY) * DAY;
    const [from, end] = [until - 30 * DAY, until].map((time) => new Date(time).toISOString());
    const inMonth = logs.filter(({ when_created }) => {
      const time = Date.parse(when_created);
      return time >= until - 30 * DAY && time < until;
    });
    assert.ok(inMonth.length > 20);
    const { total } = await call(
      'statistics',
      { series: 'fees', from, until: end, interval: 'month' },
      z.looseObject({ total: text }),
    );
    const sum = inMonth.reduce((all, { fee }) => all.plus(fee), new Big(0));
    assert.equal(new Big(total).toFixed(), sum.toFixed());
    assertCost(1, 10);
  });

  test('templates whose objects have no image', async () => {
    const missing = objects.filter(({ metadata }) => metadata.image === undefined);
    const read = await call(
      'list',
      { kind: 'objects', where: [{ path: 'metadata.image', is: 'missing' }], countBy: 'template_id' },
      counts,
    );
    assert.deepEqual(toRecord(read), count(missing.map(({ template_id }) => template_id)));
    const names = await call('list', { kind: 'templates', fields: ['name'], limit: 50 }, list);
    for (const { value } of read.counts) assert.ok(names.items.some(({ id }) => id === value));
    assertCost(2, 40);
  });

  test('the action that fails most often, and the newest failure', async () => {
    const failed = logs.filter(({ status }) => status === 'failed');
    assert.ok(failed.length > 0);
    const read = await call('logs', { status: 'failed', countBy: 'action_name' }, counts);
    assert.deepEqual(toRecord(read), count(failed.map(({ action_name = 'null' }) => action_name)));
    const newest = await call(
      'logs',
      { status: 'failed', limit: 1 },
      z.object({ logs: z.array(z.looseObject({ id: text })) }),
    );
    const [first] = failed.toSorted((a, b) => Date.parse(b.when_created) - Date.parse(a.when_created));
    assert.equal(newest.logs[0]?.id, first?.id);
    assertCost(2, 12);
  });

  test('the owner of an object that is known by its name', async () => {
    const object = objects.find(({ metadata }) => metadata.name !== undefined);
    assert.ok(object);
    const { found } = await call(
      'find',
      { text: object.metadata.name },
      z.looseObject({ found: z.array(z.looseObject({ kind: text, id: text })) }),
    );
    assert.ok(found.some(({ id }) => id === object.id));
    const owner = await call('get', { kind: 'objects', id: object.id, path: 'owner' }, text);
    assert.equal(owner, object.owner);
    assertCost(2, 30);
  });

  test('the objects that were created in a week, by template', async () => {
    const first = Math.min(...objects.map(({ when_created }) => Date.parse(when_created)));
    const [from, until] = [first + 7 * DAY, first + 14 * DAY];
    const created = objects.filter(({ when_created }) => {
      const time = Date.parse(when_created);
      return time >= from && time < until;
    });
    const read = await call(
      'list',
      {
        kind: 'objects',
        from: new Date(from).toISOString(),
        until: new Date(until).toISOString(),
        countBy: 'template_id',
      },
      counts,
    );
    assert.deepEqual(toRecord(read), count(created.map(({ template_id }) => template_id)));
    assertCost(1, 10);
  });

  test('the objects of an owner, page by page, with chosen fields', async () => {
    const [largest] = [...Map.groupBy(objects, (object) => object.owner)].sort(([, a], [, b]) => b.length - a.length);
    assert.ok(largest);
    const [owner, own] = largest;
    const ids: unknown[] = [];
    let next: string | undefined;
    do {
      const input = { kind: 'objects', filters: { owner }, fields: ['metadata.name'], limit: 50, next };
      const read = await call('list', JSON.parse(JSON.stringify(input)) as Record<string, unknown>, list);
      ids.push(...read.items.map(({ id }) => id));
      ({ next } = read);
    } while (next !== undefined);
    assert.deepEqual(ids.sort(), own.map(({ id }) => id).sort());
    assertCost(Math.ceil(own.length / 50) + 1, 10 + own.length * 0.5);
  });

  test('what happened to an object', async () => {
    const object = objects[3];
    assert.ok(object);
    const { steps } = await call(
      'history',
      { object: object.id },
      z.looseObject({ steps: z.array(z.looseObject({ log: text, time: text, signer: text })) }),
    );
    const ids = new Set(logs.map(({ id }) => id));
    assert.ok(steps.length > 0 && steps.every(({ log, time }) => ids.has(log) && !Number.isNaN(Date.parse(time))));
    assertCost(1, 20);
  });

  test('a mint of a template that has supply left', async () => {
    const read = await call(
      'list',
      {
        kind: 'templates',
        where: [{ path: 'factory.max_supply', is: 'greater', value: 100 }],
        fields: ['name', 'factory.max_supply', 'factory.minted_count', 'object.custom'],
        limit: 5,
      },
      list,
    );
    const chosen = read.items.find((item) => Number(item['factory.minted_count']) < Number(item['factory.max_supply']));
    assert.ok(templates.some(({ id, factory }) => id === chosen?.['id'] && (factory?.max_supply ?? 0) > 100));
    const action = JSON.stringify({ action: { mint: { template_id: chosen?.['id'], num: 1 } } });
    const { problems } = await call('checkAction', { text: action }, z.object({ problems: z.array(z.unknown()) }));
    assert.deepEqual(problems, []);
    const preview = await call('previewRequest', { text: action }, z.looseObject({ effect: text }));
    assert.match(preview.effect, /^Mints 1 object from template /);
    assert.equal(sandbox.recorder.executes, 0);
    assertCost(3, 30);
  });
});
