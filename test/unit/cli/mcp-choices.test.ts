/** What a person must choose, and resources that a client subscribes to, with the client of the SDK. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ToolContext, ToolSession } from '../../../src/agents/tool.ts';
import { createMcpServer } from '../../../src/cli/mcp/server.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { VirtualClock } from '../../support/action-log-server.ts';
import { useServers } from '../../support/platform-client.ts';
import { createLog, startPlatform, type Platform, getProgram } from './support.ts';
import { CHILD_ENVIRONMENT } from '../../runtime/child-process.ts';

suite('smart-objects mcp: choices and subscriptions', () => {
  const { createClient } = useServers();
  let sandbox: Sandbox;
  let platform: Platform;
  let dir = '';
  const clients: Client[] = [];
  suiteSetup(async () => {
    sandbox = await startSandbox({ objects: 10, logs: 10 });
    platform = await startPlatform();
    dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'soe-choices-'));
    fs.mkdirSync(path.join(dir, 'smart-objects'));
    const connections = [
      { name: 'shop', baseUrl: sandbox.baseUrl, environment: 'staging' },
      { name: 'live', baseUrl: 'https://live.example', environment: 'production' },
      { name: 'plain', baseUrl: 'http://plain.example' },
    ];
    fs.writeFileSync(path.join(dir, 'smart-objects/contexts.json'), JSON.stringify({ connections }));
  });
  suiteTeardown(async () => {
    for (const client of clients) await client.close();
    await platform.close();
    await sandbox.close();
    fs.rmSync(dir, { recursive: true });
  });
  const connect = async (
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    answer?: (message: string, choices: unknown) => string | undefined,
  ): Promise<Client> => {
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: answer === undefined ? {} : { elicitation: { form: {} } } },
    );
    clients.push(client);
    if (answer !== undefined)
      client.setRequestHandler('elicitation/create', ({ params }) => {
        const schema = 'requestedSchema' in params ? params.requestedSchema : undefined;
        const choice = answer(params.message, schema?.properties['choice']);
        return choice === undefined ? { action: 'decline' } : { action: 'accept', content: { choice } };
      });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [getProgram(), 'mcp', ...args],
      env: { ...CHILD_ENVIRONMENT, XDG_CONFIG_HOME: dir, ...env },
    });
    await client.connect(transport);
    return client;
  };
  const list = { name: 'smartObjects_list', arguments: { kind: 'objects', limit: 1 } };

  test('a person chooses the connection, then the identity, once', async () => {
    const asked: string[] = [];
    const client = await connect([], { SMART_OBJECTS_API_KEY_BUYER: sandbox.apiKey }, (message, choices) => {
      asked.push(`${message} ${JSON.stringify(choices)}`);
      return message.includes('identity') ? 'buyer' : 'shop';
    });
    for (let count = 0; count < 2; count++) {
      const result = await client.callTool(list);
      assert.notEqual(result.isError, true, JSON.stringify(result.content));
    }
    assert.equal(asked.length, 2, asked.join('\n'));
    assert.match(asked[0] ?? '', /^Which connection should be used\? .*"enum":\["shop","live"\]/);
    assert.match(asked[1] ?? '', /^Which identity should be used on shop\? .*"enum":\["buyer"\]/);
  });

  test('a client without forms, and a person who declines, get a sentence with the names', async () => {
    for (const answer of [undefined, () => undefined]) {
      const client = await connect([], { SMART_OBJECTS_API_KEY_SHOP: sandbox.apiKey }, answer);
      const result = await client.callTool(list);
      assert.equal(result.isError, true);
      assert.match(JSON.stringify(result.content), /No connection is active\. Name one of these[^]*shop[^]*live/);
      const named = await client.callTool({ ...list, arguments: { ...list.arguments, connection: 'shop' } });
      assert.notEqual(named.isError, true, JSON.stringify(named.content));
    }
  });

  test('an action is run on the connection that is named, and never on production', async () => {
    const client = await connect(['--allow-execute'], { SMART_OBJECTS_API_KEY_SHOP: sandbox.apiKey });
    const text = JSON.stringify({ action: { burn: { id: 'obj_none' } } });
    const run = (connection: string) => client.callTool({ name: 'smartObjects_run', arguments: { connection, text } });
    assert.match(JSON.stringify((await run('live')).content), /never run actions on production/);
    assert.equal(sandbox.recorder.counts['POST /ebus/execute'], undefined);
    assert.match(JSON.stringify((await run('shop')).content), /unknown object obj_none/);
    assert.equal(sandbox.recorder.counts['POST /ebus/execute'], 1);
  });

  test('a client is notified when an action that it subscribed to changes, until it is final', async () => {
    let reads = 0;
    platform.onLogs = () => {
      reads++;
      return {
        status: 200,
        body: { action_logs: [createLog('log_1', { status: reads > 1 ? 'completed' : 'pending' })] },
      };
    };
    const client = await connect(['--name', 'Test'], {
      SMART_OBJECTS_BASE_URL: platform.baseUrl,
      SMART_OBJECTS_API_KEY: 'key',
    });
    // A server for one platform offers no contexts.
    const { structuredContent } = await client.callTool({ name: 'smartObjects_connections', arguments: {} });
    assert.doesNotMatch(JSON.stringify(structuredContent), /shop|live/);
    const updated = new Promise<string>((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        resolve(params.uri);
      });
    });
    const uri = 'smartobject:///Test/action-logs/log_1.json';
    assert.equal(client.getServerCapabilities()?.resources?.subscribe, true);
    await client.subscribeResource({ uri });
    assert.equal(await updated, uri);
    assert.equal(reads, 2);
    await client.unsubscribeResource({ uri });
    await assert.rejects(
      client.subscribeResource({ uri: 'smartobject:///None/objects/obj_1.json' }),
      /no such resource/,
    );
  });

  test('a subscription goes on after a refused credential, and both are said once', async () => {
    const responses = [401, 401, 'pending', 'completed'];
    platform.onLogs = () => {
      const next = responses.shift();
      return typeof next === 'number'
        ? { status: next, body: {} }
        : { status: 200, body: { action_logs: [createLog('log_1', { status: next })] } };
    };
    const [clock, closing] = [new VirtualClock(0), new AbortController()];
    const notes: string[] = [];
    const session = { client: createClient({ origin: platform.baseUrl }), profile: { name: 'Test' } } as ToolSession;
    const server = createMcpServer({
      version: '1',
      sessions: {
        toolContext: { sessions: () => [session] } as Partial<ToolContext> as ToolContext,
        getQuestion: () => undefined,
      },
      descriptions: [],
      runTools: [],
      note: (sentence) => notes.push(sentence),
      hasForms: () => false,
      closing: closing.signal,
      clock,
    });
    const client = new Client({ name: 'test', version: '1' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    let updates = 0;
    client.setNotificationHandler('notifications/resources/updated', () => {
      updates++;
    });
    const uri = 'smartobject:///Test/action-logs/log_1.json';
    await client.subscribeResource({ uri });
    while (updates < 3) {
      if (clock.next !== undefined) clock.advanceTo(clock.next);
      await setImmediate();
    }
    await client.unsubscribeResource({ uri });
    assert.deepEqual([updates, clock.now(), responses], [3, 122_000, []]);
    assert.match(notes.join('\n'), /^Subscription to smartobject:.*; trying again every minute$/);
    await client.close();
  });
});
