/** The manifest holds together: every menu, view, key and setting leads to something that exists. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as z from 'zod/mini';

const place = z.looseObject({ command: z.optional(z.string()), when: z.optional(z.string()) });
const manifest = z.parse(
  z.looseObject({
    engines: z.looseObject({ vscode: z.string() }),
    devDependencies: z.record(z.string(), z.string()),
    capabilities: z.looseObject({
      untrustedWorkspaces: z.looseObject({ restrictedConfigurations: z.array(z.string()) }),
    }),
    contributes: z.looseObject({
      commands: z.array(z.looseObject({ command: z.string(), title: z.string(), category: z.string() })),
      menus: z.record(z.string(), z.array(place)),
      keybindings: z.optional(z.array(place)),
      views: z.record(z.string(), z.array(z.looseObject({ id: z.string() }))),
      viewsWelcome: z.array(z.looseObject({ view: z.string(), contents: z.string() })),
      configuration: z.looseObject({ properties: z.record(z.string(), z.looseObject({})) }),
    }),
  }),
  JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
);
const { contributes } = manifest;
const commands = new Set(contributes.commands.map(({ command }) => command));

suite('manifest', () => {
  test('every command is ours by id and category, and is there once', () => {
    assert.equal(commands.size, contributes.commands.length);
    for (const { command, category } of contributes.commands) {
      assert.match(command, /^smartObjects\.\w+$/);
      assert.equal(category, 'Smart Objects');
    }
  });

  test('the closed list of ids and the manifest name the same commands', () => {
    const source = fs.readFileSync(new URL('../../src/commands/ids.ts', import.meta.url), 'utf8');
    const body = /interface CommandArguments \{([^]*?)\n\}/.exec(source)?.[1] ?? '';
    const ids = [...body.matchAll(/^ {2}(\w+): \[/gm)].map(([, id]) => `smartObjects.${id ?? ''}`);
    assert.deepEqual(ids.sort(), [...commands].sort());
  });

  test('menus, keys and welcome links lead to commands that exist', () => {
    const placed = [...Object.values(contributes.menus).flat(), ...(contributes.keybindings ?? [])];
    for (const { command } of placed) {
      if (command?.startsWith('smartObjects.') === true) assert.ok(commands.has(command), command);
    }
    for (const { contents } of contributes.viewsWelcome) {
      for (const [, command] of contents.matchAll(/\(command:([\w.]+)/g)) {
        if (command?.startsWith('smartObjects.') === true) assert.ok(commands.has(command), command);
      }
    }
  });

  test('the title of the view refreshes all: VS Code hands its buttons the focused row', () => {
    const titled = (contributes.menus['view/title'] ?? []).map(({ command }) => command);
    assert.ok(titled.includes('smartObjects.refreshAll') && !titled.includes('smartObjects.refresh'));
    const inline = (contributes.menus['view/item/context'] ?? []).filter(
      ({ command }) => command === 'smartObjects.refresh',
    );
    assert.ok(inline.length > 0);
  });

  test('conditions name views that exist', () => {
    const views = new Set(Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id)));
    for (const { when } of Object.values(contributes.menus).flat()) {
      for (const [, view] of (when ?? '').matchAll(/\bview == ([\w.]+)/g)) assert.ok(views.has(view ?? ''), view);
    }
    for (const { view } of contributes.viewsWelcome) assert.ok(views.has(view), view);
  });

  test('settings that an untrusted workspace must not set exist', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    for (const setting of restrictedConfigurations) assert.ok(setting in contributes.configuration.properties, setting);
    for (const setting of [
      'connections',
      'signer.command',
      'faces.allowScripts',
      'confirmExecution',
      'caCertificates',
    ]) {
      assert.ok(restrictedConfigurations.includes(`smartObjects.${setting}`), setting);
    }
  });

  test('the types of the editor are held to the oldest editor that is promised', () => {
    assert.equal(`^${manifest.devDependencies['@types/vscode'] ?? ''}`, manifest.engines.vscode);
  });
});
