/** The npm package of the program alone, from its tarball: it needs nothing of the extension beside it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { getProgram, startProgram } from './support.ts';

suite('the npm package of the program', () => {
  let sandbox: Sandbox;
  let dir = '';
  suiteSetup(async () => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-package-'));
    sandbox = await startSandbox({ seed: 1, objects: 10, logs: 10 });
  });
  suiteTeardown(async () => {
    await sandbox.close();
    fs.rmSync(dir, { recursive: true });
  });
  const getEnvironment = (): Record<string, string> => ({
    SMART_OBJECTS_BASE_URL: sandbox.baseUrl,
    SMART_OBJECTS_API_KEY: sandbox.apiKey,
  });

  test('has a readme, licenses, and no source of ours', () => {
    const files = fs.readdirSync(path.resolve(getProgram(), '../..'), { recursive: true }).map(String);
    for (const file of ['README.md', 'LICENSE', path.join('dist', 'third-party-notices.txt')])
      assert.ok(files.includes(file), file);
    assert.deepEqual(
      files.filter((file) => /\.(?:ts|map)$/.test(file)),
      [],
    );
  });

  test('its help starts with few files, without the registry of the kinds', async () => {
    const trace = path.join(dir, 'trace.mjs');
    fs.writeFileSync(
      trace,
      `import { registerHooks } from 'node:module';
import fs from 'node:fs';
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:') && !url.endsWith('trace.mjs')) fs.appendFileSync(process.env.TRACE, url + '\\n');
    return next(url, context);
  },
});`,
    );
    const load = async (...args: readonly string[]): Promise<readonly string[]> => {
      const log = path.join(dir, `${args.join('-')}.log`);
      await startProgram(args, {
        environment: { NODE_OPTIONS: `--import=${pathToFileURL(trace).href}`, TRACE: log },
      }).ended;
      return fs
        .readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((url) => fs.readFileSync(new URL(url), 'utf8'));
    };
    const hasRegistry = (texts: readonly string[]): boolean => texts.some((text) => text.includes('/public/templates'));
    const overview = await load('--help');
    assert.equal(hasRegistry(overview), false);
    // Each file takes a part of a millisecond.
    assert.ok(overview.length <= 4, String(overview.length));
    assert.equal(hasRegistry(await load('list', '--help')), true);
  });

  test('reads, serves agents with descriptions, and serves a sandbox', async () => {
    const environment = getEnvironment();
    assert.match((await startProgram(['--version']).ended).stdout, /^\d+\.\d+\.\d+\n$/);
    const list = ['list', 'objects', '--limit', '2', '--fields', 'id'];
    const listed = await startProgram(list, { environment }).ended;
    assert.match(listed.stdout, /^obj_\w+\nobj_\w+\n$/, listed.stderr);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [getProgram(), 'mcp'], env: environment }),
    );
    const { tools } = await client.listTools();
    assert.ok(
      tools.length > 5 && tools.every(({ title = '', description = '' }) => /^[A-Z]/.test(title) && description),
    );
    const refused = await client.callTool({ name: 'smartObjects_get', arguments: { kind: 'planets', id: 'x' } });
    assert.match(JSON.stringify(refused.content), /kind: must be one of /);
    await client.close();
    const served = startProgram(['sandbox', '--port', '0']);
    await served.waitFor(/"baseUrl":"http:\/\/127/);
    served.child.kill('SIGINT');
    await served.ended;
  });
});
