/** The sandbox as a command and as a worker. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { isObject } from '../../../src/platform/json/json.ts';
import { getText } from './sandbox-client.ts';

const SRC = path.resolve(import.meta.dirname, '../../../src/sandbox');

suite('sandbox: processes', () => {
  const run = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [path.join(SRC, '../cli/main.ts'), 'sandbox', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const getExitCode = async (child: ChildProcess): Promise<unknown> => ((await once(child, 'close')) as unknown[])[0];

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`the command prints one line of JSON, serves, and ends at ${signal}`, async () => {
      const child = run('--port', '0', '--seed', '3', '--objects', '40');
      assert(child.stdout !== null);
      const lines = createInterface(child.stdout);
      const [line] = (await once(lines, 'line')) as [string];
      const info: unknown = JSON.parse(line);
      assert(isObject(info));
      for (const name of ['baseUrl', 'apiKey', 'readOnlyApiKey', 'accessToken', 'refreshToken', 'systemToken'])
        assert(typeof info[name] === 'string', name);
      const response = await fetch(`${getText(info, 'baseUrl')}/objects`, {
        headers: { 'x-api-key': getText(info, 'apiKey') },
      });
      assert.equal(response.status, 200);
      await response.arrayBuffer();
      const more: string[] = [];
      lines.on('line', (text) => more.push(text));
      child.kill(signal);
      assert.equal(await getExitCode(child), 0);
      assert.deepEqual(more, []);
    });
  }

  test('options of the command are those of the sandbox', async () => {
    const child = run(...['--objects', '7', '--clock', 'manual', '--start', '2026-01-02', '--base-path', '/api/v1']);
    assert(child.stdout !== null);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const info: unknown = JSON.parse(line);
    assert(isObject(info));
    const baseUrl = getText(info, 'baseUrl');
    assert.match(baseUrl, /\/api\/v1$/);
    assert.equal(info['objects'], 7);
    const headers = { 'x-api-key': getText(info, 'apiKey') };
    const response = await fetch(`${baseUrl}/__sandbox/clock`, {
      headers,
    });
    assert.deepEqual(await response.json(), { now: '2026-01-02T00:00:00.000Z', manual: true });
    const objects = await fetch(`${baseUrl}/objects?limit=100`, { headers });
    assert.equal(objects.status, 200);
    await objects.arrayBuffer();
    child.kill('SIGINT');
    assert.equal(await getExitCode(child), 0);
  });

  test('the worker posts ready, and ends on close', async () => {
    const worker = new Worker(path.join(SRC, 'worker.ts'), { workerData: { objects: 20, logs: 50 } });
    const [message] = (await once(worker, 'message')) as unknown[];
    assert(isObject(message));
    assert.equal(message['type'], 'ready');
    const response = await fetch(`${getText(message, 'baseUrl')}/faces`, {
      headers: { 'x-api-key': getText(message, 'apiKey') },
    });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
    const ended = once(worker, 'exit');
    worker.postMessage('close');
    assert.deepEqual(await ended, [0]);
  });

  test('a worker that cannot start posts the reason', async () => {
    const worker = new Worker(path.join(SRC, 'worker.ts'), { workerData: { port: -5 } });
    const [message] = (await once(worker, 'message')) as unknown[];
    assert(isObject(message));
    assert.equal(message['type'], 'error');
    assert.match(String(message['message']), /port/);
    await worker.terminate();
  });
});
