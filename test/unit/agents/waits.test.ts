/** A platform that asks to wait: the caller of a tool and the user of a terminal are reported at once, and calls end in time. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { runTool, type ToolContext } from '../../../src/agents/tool.ts';
import { tools } from '../../../src/agents/tools.ts';
import { createToolSession } from '../../../src/cli/connection/tool-session.ts';
import { createTestProfile, useServers } from '../../support/platform-client.ts';
import type { LocalServer } from '../../support/http/servers.ts';
import { startProgram } from '../cli/support.ts';

const MAIN = path.resolve(import.meta.dirname, '../../../src/cli/main.ts');
const never = new AbortController().signal;
const list = tools.find(({ name }) => name === 'smartObjects_list') ?? assert.fail();

suite('waits that the platform asks for', function () {
  this.timeout(30_000);
  const { servers, createClient } = useServers();
  /** Asks the first `count` requests to wait. */
  const serve = (seconds: number, count: number): Promise<LocalServer> => {
    let received = 0;
    return servers.http((_request, response) => {
      const mustWait = ++received <= count;
      response.writeHead(mustWait ? 429 : 200, {
        'content-type': 'application/json',
        ...(mustWait && { 'retry-after': String(seconds) }),
      });
      response.end(JSON.stringify(mustWait ? { message: 'slow down' } : { objects: [] }));
    });
  };

  test('a call ends in time with the wait that was asked for, reported before', async () => {
    const server = await serve(120, 9);
    const session = createToolSession(
      { client: createClient(server), profile: createTestProfile(server.origin), credential: { apiKey: 'key' } },
      never,
    );
    const context: ToolContext = {
      sessions: () => [session],
      active: () => session,
      secrets: () => [],
      getSigner: () => undefined,
      snapshots: () => Promise.resolve([]),
    };
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

  test('a client that asked for progress is notified, and standard error has a line', async () => {
    const server = await serve(1, 1);
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp'],
      env: { SMART_OBJECTS_BASE_URL: server.origin, SMART_OBJECTS_API_KEY: 'key' },
      stderr: 'pipe',
    });
    let errors = '';
    transport.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    await client.connect(transport);
    const messages: (string | undefined)[] = [];
    const result = await client.callTool(
      { name: 'smartObjects_list', arguments: { kind: 'objects' } },
      {
        onprogress: ({ message }) => {
          messages.push(message);
        },
      },
    );
    await client.close();
    assert.notEqual(result.isError, true);
    assert.deepEqual(messages, ['The platform asks to wait 1 s (429); the request is repeated in 2 s']);
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
