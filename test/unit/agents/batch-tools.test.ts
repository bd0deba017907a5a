/** An action over rows of data, and comparisons, over MCP and a sandbox: what was sent is what the sandbox recorded. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod/mini';
import { defineBatchTool } from '../../../src/agents/batch-tools.ts';
import { runTool, type ToolContext } from '../../../src/agents/tool.ts';
import { tools } from '../../../src/agents/tools.ts';
import { SnapshotMemory } from '../../../src/cache/snapshot-memory.ts';
import { createToolSession } from '../../../src/cli/connection/tool-session.ts';
import { createTransport } from '../../../src/platform/http/undici-transport.ts';
import { faultSchema } from '../../../src/sandbox/faults/faults.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { createTestClient, createTestProfile } from '../../support/platform-client.ts';

const never = new AbortController().signal;
const dataSchema = z.looseObject({ data: z.optional(z.looseObject({})), note: z.optional(z.string()) });

suite('batches and comparisons of agents', () => {
  let sandbox: Sandbox;
  let transport: ReturnType<typeof createTransport>;
  let context: ToolContext;
  let template = '';
  const snapshots = new SnapshotMemory();
  const read = async (target: string): Promise<Record<string, unknown>> => {
    const response = await fetch(`${sandbox.baseUrl}${target}`, { headers: { 'x-api-key': sandbox.apiKey } });
    return z.parse(z.looseObject({}), await response.json());
  };
  setup(async () => {
    sandbox = await startSandbox({ seed: 1, objects: 10, logs: 10, indexDelay: 5, settleDelay: 5, batchDelay: 5 });
    transport = createTransport({ environment: {} });
    const { apiKey } = sandbox;
    const create = (name: string) =>
      createToolSession(
        {
          client: createTestClient(sandbox.baseUrl, transport, {
            credential: () => Promise.resolve({ apiKey }),
            observe: ({ kind }, _items, id, text) => {
              if (id !== undefined && text !== undefined)
                snapshots.add(`${name}/${kind}/${id.join('/')}`, { readAt: Date.now(), text });
            },
          }),
          profile: { ...createTestProfile(sandbox.baseUrl), name },
          credential: { apiKey },
        },
        never,
      );
    const sessions = [create('Test'), create('Other')];
    context = {
      sessions: () => sessions,
      active: () => sessions[0],
      secrets: () => [apiKey],
      getSigner: () => undefined,
      snapshots: ({ connection, kind, id }) => Promise.resolve(snapshots.get(`${connection}/${kind}/${id}`)),
    };
    const { templates } = z.parse(
      z.object({ templates: z.array(z.looseObject({ id: z.string() })) }),
      await read('/public/templates?limit=1'),
    );
    template = templates[0]?.id ?? '';
  });
  teardown(async () => {
    await transport.close();
    await sandbox.close();
  });
  const call = async (tool: string, input: object, on = context) => {
    const found = tools.find(({ name }) => name === `smartObjects_${tool}`) ?? assert.fail(tool);
    return runTool(found, input, on, never);
  };
  const run = async (input: object, options: Parameters<typeof defineBatchTool>[0] = {}) => {
    const tool = defineBatchTool(options);
    const { text, content, isError } = await runTool(tool, input, context, never);
    return { text, isError, ...z.parse(dataSchema, content ?? {}) };
  };
  const mint = (): string =>
    JSON.stringify({
      action: { mint: { template_id: template, num: 1, data: { custom: { seat: '${row:seat}' } } } },
    });

  test('a preview checks all rows, and shows the requests of chosen ones', async () => {
    const { content } = await call('previewBatch', { text: mint(), data: 'seat\nA\nB\nB\n\n', rows: '1,3' });
    const { data } = z.parse(dataSchema, content);
    assert.deepEqual([data?.['rowCount'], data?.['errors']], [3, 0]);
    assert.match(JSON.stringify(data?.['findings']), /same request as row 2/);
    const seat = z.looseObject({ row: z.int(), request: z.looseObject({ action: z.unknown() }) });
    assert.deepEqual(
      z
        .parse(z.array(seat), data?.['requests'])
        .map(({ row, request }) => [row, JSON.stringify(request).includes(row === 1 ? '"seat":"A"' : '"seat":"B"')]),
      [
        [1, true],
        [3, true],
      ],
    );
    const wrong = await call('previewBatch', { text: mint(), data: '[{"row": "A"}]' });
    assert.match(JSON.stringify(wrong.content), /has no column seat/);
    assert.match(
      (await call('previewBatch', { text: mint(), data: 'seat\nA', rows: '2' })).text,
      /the data has 1 rows/,
    );
    const rows = Array.from({ length: 25 }, (_, at) => `seat ${String(at)}`).join('\n');
    const many = await call('previewBatch', { text: mint(), data: `seat\n${rows}`, rows: '2-25' });
    assert.match(many.text, /call again with "rows" from 22 on\.$/);
    assert.equal(sandbox.recorder.executes, 0);
  });

  test('a batch sends each row once, and leaves no file when all are decided', async () => {
    const { isError, data, text } = await run({ text: mint(), data: '{"seat": "A"}\n{"seat": "B"}' });
    assert.notEqual(isError, true, text);
    assert.equal(z.parse(z.looseObject({ completed: z.int() }), data?.['counts']).completed, 2);
    assert.equal(sandbox.recorder.executes, 2);
    const folder = path.join(process.env['XDG_DATA_HOME'] ?? '', 'smart-objects/agent-batches');
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  test('equal batches at once are one, however their text is laid out', async () => {
    const other = JSON.stringify(JSON.parse(mint()), null, 2);
    const tool = defineBatchTool();
    const results = await Promise.all(
      [mint(), other, mint()].map((text) => runTool(tool, { text, data: 'seat\nA' }, context, never)),
    );
    assert.deepEqual(
      results.map(({ isError }) => isError),
      [false, true, true],
    );
    assert.equal(sandbox.recorder.executes, 1);
  });

  test('a batch that is stopped in time goes on where it was, and sends no row twice', async () => {
    const deadline = new AbortController();
    const stopped = await run(
      { text: mint(), data: 'seat\nA\nB\nC' },
      {
        createDeadline: () => deadline.signal,
        confirm: () => {
          deadline.abort();
          return Promise.resolve();
        },
      },
    );
    const resume = String(stopped.data?.['batch']);
    assert.match(stopped.note ?? '', /call again with `resume` alone/);
    assert.equal(sandbox.recorder.executes, 0);
    const rest = await run({ resume });
    assert.equal(z.parse(z.looseObject({ completed: z.int() }), rest.data?.['counts']).completed, 3, rest.text);
    assert.equal(sandbox.recorder.executes, 3);
    assert.match((await run({ resume })).text, /^Nothing was sent\. There is no such batch/);
    assert.equal(sandbox.recorder.executes, 3);
  });

  test('rows of a batch that was canceled are not sent again by an equal call, and the user is told', async () => {
    const notes: string[] = [];
    const cancel = new AbortController();
    const input = { text: mint(), data: `seat${Array.from({ length: 30 }, (_, at) => `\nX${String(at)}`).join('')}` };
    const tool = defineBatchTool({ note: (sentence) => notes.push(sentence) });
    const running = runTool(tool, input, context, cancel.signal);
    while (sandbox.recorder.executes === 0) await setImmediate();
    cancel.abort();
    await running;
    const sent = sandbox.recorder.executes;
    assert.ok(sent < 30, String(sent));
    const note = new RegExp(
      String.raw`^${String(sent)} of 30 rows of a batch were sent, \d+ completed\. .*: ([\da-f]{36})$`,
    );
    const resume = note.exec(notes.join())?.[1] ?? assert.fail(notes.join());
    const again = await run(input);
    assert.equal(again.isError, true);
    assert.ok(again.text.includes(`\`resume\` alone, "${resume}"`), again.text);
    assert.equal(sandbox.recorder.executes, sent);
    const rest = await run({ resume });
    assert.equal(z.parse(z.looseObject({ completed: z.int() }), rest.data?.['counts']).completed, 30, rest.text);
    assert.equal(sandbox.recorder.executes, 30);
    // Once they are decided, the same rows may be meant again.
    assert.notEqual((await run(input)).isError, true);
    assert.equal(sandbox.recorder.executes, 60);
  });

  test('a batch of which only unknown rows are left is not to be called again and again', async () => {
    sandbox.faults.add(
      z.parse(faultSchema, { route: 'POST /ebus/execute', fault: 'resetBefore', phase: 'after', count: 1 }),
    );
    const deadline = new AbortController();
    const tool = defineBatchTool({ createDeadline: () => deadline.signal });
    const { text } = await runTool(tool, { text: mint(), data: 'seat\nA' }, context, never, {
      // Before its execution the row could be put back, so that it is not sent.
      onProgress: () => {
        if (sandbox.recorder.executes === 1) deadline.abort();
      },
    });
    assert.match(text, /"unknown": 1/);
    assert.match(text, /look at the action logs/);
    assert.doesNotMatch(text, /call again/);
  });

  test('production, errors in rows, and variables of this machine send nothing', async () => {
    const burn = JSON.stringify({ action: { burn: { id: '${row:id}' } } });
    for (const [input, message] of [
      [{ text: burn, data: 'name\nobj_none' }, /The rows have 1 errors\.[^]*has no column id/],
      [{ text: burn, data: 'id\n' }, /The data has 0 rows/],
      [{ text: burn.replace('row:id', 'secret:A'), data: 'id\na' }, /Variables are not filled in here/],
      [{ text: burn }, /Give text and data, or resume alone/],
      [{ resume: '../../etc' }, /resume: must match \/\^\[/],
    ] as const) {
      const { isError, text } = await run(input);
      assert.equal(isError, true, text);
      assert.match(text, message);
    }
    const [session] = context.sessions();
    assert.ok(session);
    const live = { ...session, profile: { ...session.profile, environment: 'production' as const } };
    const production = { ...context, sessions: () => [live], active: () => live };
    const { text } = await runTool(defineBatchTool(), { text: mint(), data: 'seat\nA' }, production, never);
    assert.match(text, /never run actions on production/);
    assert.equal(sandbox.recorder.executes, 0);
  });

  test('resources, connections and times are compared', async () => {
    const { objects } = z.parse(
      z.object({ objects: z.array(z.looseObject({ id: z.string() })) }),
      await read('/objects?limit=2'),
    );
    const [one, other] = objects.map(({ id }) => id);
    const compare = async (input: object) => {
      const { text, content, isError } = await call('compare', { kind: 'objects', id: one, ...input });
      assert.notEqual(isError, true, text);
      return z.parse(
        z.looseObject({ equal: z.boolean(), differences: z.array(z.string()) }),
        z.parse(dataSchema, content).data,
      );
    };
    const two = await compare({ otherId: other });
    assert.equal(two.equal, false, JSON.stringify(two));
    assert.ok(two.differences.includes(`id: "${String(one)}" → "${String(other)}"`), String(two.differences));
    assert.deepEqual(
      await compare({ otherConnection: 'Other' }).then(({ equal, differences }) => [equal, differences]),
      [true, []],
    );
    const before = new Date().toISOString();
    const to = `0x${'9'.repeat(40)}`;
    const transfer = JSON.stringify({ action: { transfer: { id: one, to } } });
    const executed = await fetch(`${sandbox.baseUrl}/ebus/execute`, {
      method: 'POST',
      headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
      body: transfer,
    });
    assert.ok(executed.ok, await executed.text());
    while (!JSON.stringify(await read(`/objects/${String(one)}`)).includes(to));
    const times = await compare({ from: before });
    assert.ok(
      times.differences.some((line) => line.startsWith('owner: ') && line.endsWith(`→ "${to}"`)),
      String(times.differences),
    );
    const unknown = await call('compare', { kind: 'objects', id: one, from: '2020-01-01' });
    assert.match(unknown.text, /none was read before this time/);
    assert.match((await call('compare', { kind: 'objects', id: one })).text, /Both sides are the same/);
  });
});
