/** The packed extension in real VS Code: it activates at next to no cost. Runs first, while nothing of ours has been used. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import Module from 'node:module';
import * as vscode from 'vscode';
import type { TestHooks } from '../../src/ui/test-hooks.ts';
import { sandbox } from './support/connections.ts';

const ID = 'smart-objects.smart-object-explorer';
const DISPATCHERS = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Symbol.for(name));
const dispatchers = (): unknown[] => DISPATCHERS.map((symbol) => Reflect.get(globalThis, symbol) as unknown);
// Read when this file is loaded, before any suite has run.
const before = dispatchers();

function extension(): vscode.Extension<TestHooks> {
  const found = vscode.extensions.getExtension<TestHooks>(ID);
  assert.ok(found, 'not installed');
  return found;
}

/** The files of ours that the host has loaded so far. */
function loaded(): readonly string[] {
  const cache: unknown = Reflect.get(Module, '_cache');
  assert.ok(typeof cache === 'object' && cache !== null);
  const root = fs.realpathSync(extension().extensionPath);
  return Object.keys(cache).filter((file) => file.startsWith(root) || file.startsWith(extension().extensionPath));
}

/** Words that survive minifying: error codes of undici, issue codes of zod. */
const marks = { undici: 'UND_ERR_', zod: 'invalid_format' };
function holding(mark: string): readonly string[] {
  return loaded().filter((file) => fs.readFileSync(file, 'utf8').includes(mark));
}

async function requests(): Promise<number> {
  const { baseUrl, apiKey } = sandbox();
  const answer = await fetch(`${baseUrl}/__sandbox/stats`, { headers: { 'x-sandbox-key': apiKey } });
  const stats = (await answer.json()) as { readonly routes: Readonly<Record<string, number>> };
  return Object.values(stats.routes).reduce((sum, count) => sum + count, 0);
}

suite('activation', () => {
  test('the extension under test is the packed one', () => {
    assert.match(extension().extensionPath, /extensions[\\/]smart-objects\.smart-object-explorer-/);
  });

  test('activating loads neither undici nor zod, and sends nothing', async () => {
    const asked = await requests();
    await extension().activate();
    assert.equal(extension().isActive, true);
    assert.ok(loaded().length > 0, 'our files are not recognised');
    assert.deepEqual([holding(marks.undici), holding(marks.zod)], [[], []]);
    assert.equal(await requests(), asked);
    assert.deepEqual(dispatchers(), before);
  });

  test('what activation loads can read no file and open no connection', () => {
    const entry = loaded().find((file) => /dist[\\/]extension\.cjs$/.test(file));
    assert.ok(entry !== undefined);
    const needs = [...fs.readFileSync(entry, 'utf8').matchAll(/require\("([^."][^"]*)"\)/g)].map(([, name]) => name);
    // Further files come with a dynamic import; that none had come is what the test before asserts of the heavy ones.
    assert.deepEqual([...new Set(needs)].sort(), ['node:async_hooks', 'vscode']);
  });

  test('the first request loads both, and leaves the global dispatchers alone', async () => {
    const hooks = await extension().activate();
    await hooks.reset();
    const { baseUrl, apiKey } = sandbox();
    await hooks.addConnection({ name: 'First', baseUrl, environment: 'sandbox' }, { apiKey });
    const session = (await hooks.services()).sessions.get('First');
    assert.ok(session);
    const page = await session.client.page('objects', { limit: 1 });
    assert.equal(page.items.length, 1);
    assert.ok(holding(marks.undici).length > 0 && holding(marks.zod).length > 0);
    assert.deepEqual(dispatchers(), before);
    await hooks.reset();
  });

  test('every command of the manifest is registered, and no other of ours', async () => {
    const manifest = extension().packageJSON as { contributes: { commands: { command: string }[] } };
    const declared = manifest.contributes.commands.map(({ command }) => command).sort();
    const all = await vscode.commands.getCommands(true);
    // Views bring commands of their own: smartObjects.explorer.focus and the like.
    const registered = all.filter((command) => /^smartObjects\.\w+$/.test(command)).sort();
    assert.deepEqual(registered, declared);
  });
});
