/** A platform that asks to wait: the caller of a tool and the user of a terminal are reported at once, and calls end in time. */
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { defineBatchTool } from '../../../src/agents/batch-tools.ts';
import { runTool, type ToolContext } from '../../../src/agents/tool.ts';
import { tools } from '../../../src/agents/tools.ts';
import { createToolSession } from '../../../src/cli/connection/tool-session.ts';
import { createTestProfile, useServers } from '../../support/platform-client.ts';
import type { LocalServer } from '../../support/http/servers.ts';
import { startProgram, getProgram } from '../cli/support.ts';
import { CHILD_ENVIRONMENT } from '../../runtime/child-process.ts';

const never = new AbortController().signal;
const list = tools.find(({ name }) => name === 'smartObjects_list') ?? assert.fail();

suite('waits that the platform asks for', () => {
  const { servers, createClient } = useServers();
  /** requests of the server that was started last, unless a test counts anew */
  let received = 0;
  /** Asks the first `count` requests to wait. */
  const serve = (seconds: number, count: number): Promise<LocalServer> => {
    received = 0;
    return servers.http((_request, response) => {
      const mustWait = ++received <= count;
      response.writeHead(mustWait ? 429 : 200, {
        'content-type': 'application/json',
        ...(mustWait && { 'retry-after': String(seconds) }),
      });
      response.end(JSON.stringify(mustWait ? { message: 'slow down' } : { objects: [] }));
    });
  };

  const createContext = (server: LocalServer): ToolContext => {
    const session = createToolSession(
      { client: createClient(server), profile: createTestProfile(server.origin), credential: { apiKey: 'key' } },
      never,
    );
    return {
      sessions: () => [session],
      active: () => session,
      secrets: () => [],
      getSigner: () => undefined,
      snapshots: () => Promise.resolve([]),
    };
  };

  test('a call ends in time with the wait that was asked for, reported before', async () => {
    const server = await serve(120, 9);
    const context = createContext(server);
    const deadline = new AbortController();
    const reported: string[] = [];
    const { text, isError } = await runTool(list, { kind: 'objects' }, context, never, {
      deadline: deadline.signal,
      onProgress: (sentence) => {
        reported.push(sentence);
        deadline.abort();
      },
    });
    assert.equal(isError, true);
    assert.equal(
      text,
      'The call was ended after 45 s. The platform asks to wait 120 s (429); the request is repeated in 60 s.',
    );
    assert.equal(reported.length, 1);
    assert.equal(server.received.length, 1);
  });

  test('a check of rows ends in time, also if what it reads is shared with other calls', async () => {
    const server = await serve(120, 9);
    const input = { text: '{"action": {"burn": {"id": "${row:id}"}}}', data: 'id\nobj_117de336dd9acbf8c65f61d1' };
    for (const [name, expected] of [
      ['smartObjects_previewBatch', /^The call was ended after 45 s\. The platform asks to wait 120 s/],
      ['smartObjects_runBatch', /^Nothing was sent\. The platform did not respond in time for a check of the rows\.$/],
    ] as const) {
      const deadline = new AbortController();
      const batchTool = defineBatchTool({ createDeadline: () => deadline.signal });
      const tool = tools.find((one) => one.name === name) ?? batchTool;
      const onProgress = (): void => {
        deadline.abort();
      };
      const call = { deadline: deadline.signal, onProgress };
      const { text, isError } = await runTool(tool, input, createContext(server), never, call);
      assert.equal(isError, true);
      assert.match(text, expected);
    }
    assert.deepEqual([...new Set(server.received.map(({ method }) => method))], ['GET']);
  });

  test('a client that asked for progress is notified, and standard error has a line', async () => {
    const server = await serve(1, 1);
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [getProgram(), 'mcp'],
      env: { ...CHILD_ENVIRONMENT, SMART_OBJECTS_BASE_URL: server.origin, SMART_OBJECTS_API_KEY: 'key' },
      stderr: 'pipe',
    });
    let errors = '';
    transport.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    await client.connect(transport);
    const messages: (string | undefined)[] = [];
    const onprogress = ({ message }: { readonly message?: string | undefined }): void => {
      messages.push(message);
    };
    const wait = 'The platform asks to wait 1 s (429); the request is repeated in 2 s';
    const list = { name: 'smartObjects_list', arguments: { kind: 'objects' } };
    const result = await client.callTool(list, { onprogress });
    assert.notEqual(result.isError, true);
    assert.deepEqual(messages.splice(0), [wait]);
    received = 0;
    const uri = `smartobject:///${encodeURIComponent(new URL(server.origin).host)}/objects/obj_1.json`;
    await client.readResource({ uri }, { onprogress });
    assert.deepEqual(messages, [wait]);
    await client.close();
    assert.match(errors, /^The platform asks to wait 1 s \(429\); the request is repeated in 2 s\.$/m);
  });

  test('a command prints the wait when it begins', async () => {
    const server = await serve(600, 9);
    const environment = { SMART_OBJECTS_BASE_URL: server.origin, SMART_OBJECTS_API_KEY: 'key' };
    const program = startProgram(['list', 'objects'], { environment });
    await program.waitForError(/^note: The platform asks to wait 600 s \(429\); the request is repeated in 60 s\.$/m);
    program.child.kill('SIGINT');
    assert.equal((await program.ended).code, 130);
    assert.equal(server.received.length, 1);
  });
});
