/** Activation of the packed extension in real VS Code. Runs first, before the extension was used. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import inspector from 'node:inspector';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { TestHooks } from '../support/hooks.ts';
import { startRecordingServer } from '../support/connections.ts';

const ID = 'smart-objects.smart-object-explorer';
const DISPATCHERS = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Symbol.for(name));
const dispatchers = (): unknown[] => DISPATCHERS.map((symbol) => Reflect.get(globalThis, symbol) as unknown);
// Read when this file is loaded, before any other suite.
const before = dispatchers();

function extension(): vscode.Extension<TestHooks> {
  const found = vscode.extensions.getExtension<TestHooks>(ID);
  assert.ok(found, 'not installed');
  return found;
}

/** The loaded modules of the package, without tests. */
function loaded(): readonly string[] {
  const shipped = new Set(JSON.parse(process.env['SHIPPED'] ?? '[]') as string[]);
  const session = new inspector.Session();
  session.connect();
  const root = pathToFileURL(path.join(extension().extensionPath, 'dist')).href;
  const urls: string[] = [];
  // Enabling reports all loaded scripts before `post` returns.
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    if (url.startsWith(`${root}/`) && shipped.has(url.slice(root.length + 1))) urls.push(fileURLToPath(url));
  });
  session.post('Debugger.enable');
  session.disconnect();
  return urls;
}

/** Strings that survive minifying: error codes of undici, issue codes of zod. */
const marks = { undici: 'UND_ERR_', zod: 'invalid_format' };
function findChunks(mark: string): readonly string[] {
  return loaded().filter((file) => fs.readFileSync(file, 'utf8').includes(mark));
}

suite('activation', () => {
  test('the extension under test is the packed one', () => {
    assert.match(extension().extensionPath, /extensions[\\/]smart-objects\.smart-object-explorer-/);
  });

  test('no test code is in the package', () => {
    const dist = path.join(extension().extensionPath, 'dist');
    const modules = (JSON.parse(process.env['SHIPPED'] ?? '[]') as string[]).filter((name) => name.endsWith('.mjs'));
    assert.ok(modules.includes('extension.mjs') && !modules.includes('test'));
    // Names in the test entry and its doubles, and a former environment variable.
    const testNames = /SMART_OBJECTS_TEST|HARNESS|setFault|anotherWindow/;
    assert.match(fs.readFileSync(path.join(dist, 'test/extension.mjs'), 'utf8'), testNames);
    assert.deepEqual(
      modules.filter((name) => testNames.test(fs.readFileSync(path.join(dist, name), 'utf8'))),
      [],
    );
  });

  test('activating loads neither undici nor zod, and sends nothing', async () => {
    const server = await startRecordingServer();
    const settings = vscode.workspace.getConfiguration('smartObjects');
    await settings.update(
      'connections',
      [{ name: 'First', baseUrl: server.origin }],
      vscode.ConfigurationTarget.Global,
    );
    await extension().activate();
    assert.equal(extension().isActive, true);
    assert.ok(loaded().length > 0, 'our files are not recognised');
    assert.deepEqual([findChunks(marks.undici), findChunks(marks.zod)], [[], []]);
    assert.equal(server.requests.length, 0);
    assert.deepEqual(dispatchers(), before);
    await server.close();
  });

  test('activation loads few files', () => {
    assert.ok(loaded().length <= 4, loaded().join());
  });

  test('modules loaded by activation import neither file system nor network', () => {
    const needs = loaded().flatMap((file) =>
      [...fs.readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*["']([\w:/@-]+)["']/g)].map(([, name]) => name),
    );
    // node:module: `require` for CommonJS dependencies.
    assert.deepEqual([...new Set(needs)].sort(), ['node:async_hooks', 'node:module', 'vscode']);
  });

  test('the first request loads both, and leaves the global dispatchers alone', async () => {
    const hooks = await extension().activate();
    const server = await startRecordingServer();
    await hooks.addConnection({ name: 'First', baseUrl: server.origin }, { apiKey: 'key-of-the-first' });
    await (await hooks.services()).sessions.get('First')?.client.listPage('objects');
    assert.equal(server.requests.length, 1);
    assert.ok(findChunks(marks.undici).length > 0 && findChunks(marks.zod).length > 0);
    assert.deepEqual(dispatchers(), before);
    await hooks.reset();
    await server.close();
  });

  test('every command of the manifest is registered, and no other of ours', async () => {
    const manifest = extension().packageJSON as { contributes: { commands: { command: string }[] } };
    const declared = manifest.contributes.commands.map(({ command }) => command).sort();
    const all = await vscode.commands.getCommands(true);
    // Views add commands, such as smartObjects.explorer.focus.
    const registered = all.filter((command) => /^smartObjects\.\w+$/.test(command)).sort();
    assert.deepEqual(registered, declared);
  });
});
