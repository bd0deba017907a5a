/** The tool of `mcp --allow-execute`: what it returns and prints where a call takes long, or nobody waits for it. */
import assert from 'node:assert/strict';
import type { ToolContext } from '../../../src/agents/tool.ts';
import { createToolSession } from '../../../src/cli/connection/tool-session.ts';
import { createRunTools } from '../../../src/cli/mcp/run-tool.ts';
import { createTransport } from '../../../src/platform/http/undici-transport.ts';
import { createTestClient, createTestProfile } from '../../support/platform-client.ts';
import { createLog, startPlatform, startProgram, type Platform } from './support.ts';

const PARAMETERS = { id: 'obj_1', data: { custom: { a: 1 } } };
const UPDATE = JSON.stringify({ action: { update: PARAMETERS } });
const never = new AbortController().signal;

suite('the MCP tool that runs an action', () => {
  let platform: Platform;
  let transport: ReturnType<typeof createTransport>;
  let notes: string[];
  /** milliseconds that the clock of the guard against repeats is ahead */
  let now = 0;
  setup(async () => {
    platform = await startPlatform();
    transport = createTransport({ environment: {} });
    notes = [];
  });
  teardown(async () => {
    await transport.close();
    await platform.close();
  });
  const create = (maxDuration?: number) => {
    const connection = {
      client: createTestClient(platform.baseUrl, transport),
      profile: createTestProfile(platform.baseUrl),
      credential: { apiKey: 'key' },
    };
    const session = createToolSession(connection, never);
    const context: ToolContext = {
      sessions: () => [session],
      active: () => session,
      secrets: () => [],
      getSigner: () => undefined,
      snapshots: () => Promise.resolve([]),
    };
    const { tools } = createRunTools({
      stopped: never,
      note: (sentence) => notes.push(sentence),
      now: () => now,
      ...(maxDuration !== undefined && { maxDuration }),
    });
    const tool = tools[0] ?? assert.fail();
    return async (signal = never): Promise<Readonly<Record<string, unknown>>> => {
      const { data } = await tool.run({ text: UPDATE }, context, signal);
      return data as Readonly<Record<string, unknown>>;
    };
  };
  const answerLogs = (getStatus: () => string): void => {
    platform.onLogs = (query) => {
      const id = query.get('action_id');
      return { status: 200, body: { action_logs: id === null ? [] : [createLog(id, { status: getStatus() })] } };
    };
  };

  test('a call ends in time with what is known, before its client gives up', async () => {
    answerLogs(() => 'pending');
    // Long enough to send the action, also on a busy machine.
    const unfinished = await create(2000)();
    assert.deepEqual([unfinished['outcome'], unfinished['actionId']], ['unfinished', 'act_1']);
    platform.onExecute = () => undefined;
    const unknown = await create(2000)();
    assert.equal(unknown['outcome'], 'unknown');
    assert.equal(platform.executed.length, 2);
    assert.deepEqual(notes, []);
  });

  test('five equal calls at once are one; a moment later it may be meant', async () => {
    answerLogs(() => 'completed');
    const call = create();
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => call()));
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', ...Array.from({ length: 4 }, () => 'rejected')],
    );
    assert.match(
      String(results.map((result) => (result.status === 'rejected' ? String(result.reason) : ''))),
      /Nothing was sent\. The same action/,
    );
    assert.equal(platform.executed.length, 1);
    await assert.rejects(call(), /Nothing was sent\. The same action/);
    now += 2000;
    assert.equal((await call())['outcome'], 'completed');
    assert.equal(platform.executed.length, 2);
  });

  test('a client that gives up cancels nothing that was sent; the outcome is printed', async () => {
    const cancel = new AbortController();
    answerLogs(() => {
      if (cancel.signal.aborted) return 'completed';
      cancel.abort();
      return 'pending';
    });
    assert.equal((await create()(cancel.signal))['outcome'], 'completed');
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /: completed\. .*Action ID: act_1$/);
    assert.equal((await create()(cancel.signal))['outcome'], 'notSent');
    assert.equal(platform.executed.length, 1);
  });

  test('a log that was only matched is marked, and is not that of two calls', async () => {
    platform.onExecute = () => ({ status: 200, body: { steps: [{ action: 'update' }] } });
    const logs = [createLog('log_1', { params: [PARAMETERS] })];
    platform.onLogs = (query) => ({ status: 200, body: { action_logs: query.has('action_id') ? [] : logs } });
    const run = create(2000);
    const first = await run();
    now += 2000;
    assert.deepEqual([first['outcome'], first['probable'], first['logId']], ['completed', true, 'log_1']);
    logs.push(createLog('log_2', { params: [PARAMETERS] }), createLog('log_3', { params: [PARAMETERS] }));
    const second = await run();
    assert.equal(second['outcome'], 'unknown');
    assert.deepEqual(
      (second['possible'] as readonly { readonly id: string }[]).map(({ id }) => id),
      ['log_2', 'log_3'],
    );
  });

  test('at the end of standard input, the outcome of what was sent is waited for and printed', async () => {
    let remaining = Infinity;
    answerLogs(() => (remaining-- > 0 ? 'pending' : 'completed'));
    const { child, ended, waitFor } = startProgram(['mcp', '--allow-execute', '--environment', 'sandbox'], {
      environment: { SMART_OBJECTS_BASE_URL: platform.baseUrl, SMART_OBJECTS_API_KEY: 'key' },
      keepInput: true,
    });
    const send = (message: object): void => {
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    };
    const clientInfo = { name: 'test', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    await waitFor(/"protocolVersion"/);
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'smartObjects_run', arguments: { text: UPDATE } } });
    await platform.arrived(1);
    child.stdin?.end();
    remaining = 4;
    const { code, stderr } = await ended;
    assert.equal(code, 0);
    assert.match(stderr, /: completed\. .*Action ID: act_1\.$/m);
    assert.equal(platform.executed.length, 1);
  });
});
