/** Every menu, view, key and setting of the manifest refers to something that exists. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { PNG } from 'pngjs';
import * as z from 'zod/mini';
import { readManifest } from '../support/manifest.ts';

const menuItem = z.looseObject({
  command: z.optional(z.string()),
  when: z.optional(z.string()),
  group: z.optional(z.string()),
});
const manifest = z.parse(
  z.looseObject({
    publisher: z.string(),
    name: z.string(),
    engines: z.looseObject({ vscode: z.string(), node: z.string() }),
    devDependencies: z.record(z.string(), z.string()),
    capabilities: z.looseObject({
      untrustedWorkspaces: z.looseObject({ restrictedConfigurations: z.array(z.string()) }),
    }),
    contributes: z.looseObject({
      commands: z.array(z.looseObject({ command: z.string(), title: z.string(), category: z.string() })),
      menus: z.record(z.string(), z.array(menuItem)),
      keybindings: z.optional(z.array(menuItem)),
      views: z.record(z.string(), z.array(z.looseObject({ id: z.string() }))),
      walkthroughs: z.array(
        z.looseObject({
          id: z.string(),
          steps: z.array(
            z.looseObject({
              title: z.string(),
              description: z.string(),
              media: z.looseObject({ image: z.string(), altText: z.string() }),
            }),
          ),
        }),
      ),
      viewsWelcome: z.array(z.looseObject({ view: z.string(), contents: z.string() })),
      configuration: z.looseObject({ properties: z.record(z.string(), z.looseObject({})) }),
    }),
  }),
  readManifest(),
);
const { contributes } = manifest;
const commands = new Set(contributes.commands.map(({ command }) => command));

function findCommandLinks({ description }: { readonly description: string }): readonly { readonly command: string }[] {
  return [...description.matchAll(/\(command:([\w.]+)/g)].map(([, command = '']) => ({ command }));
}

/** Evaluates a `when` clause; keys that are not given are unset. */
function isTrue(when: string, keys: Readonly<Record<string, string | boolean>>): boolean {
  let text = when.replaceAll(
    /([\w.]+)(?: (==|!=) ([\w.-]+)| =~ \/((?:\\.|[^/\\])+)\/)?/g,
    (_all, key: string, comparison: string | undefined, value: string | undefined, pattern: string | undefined) => {
      const actual = keys[key];
      if (pattern !== undefined) return String(typeof actual === 'string' && new RegExp(pattern).test(actual));
      if (comparison === undefined) return String(Boolean(actual));
      return String((String(actual) === value) === (comparison === '=='));
    },
  );
  for (let before = ''; before !== text;) {
    before = text;
    text = text
      .replaceAll(/\((true|false)\)/g, '$1')
      .replaceAll(/!(true|false)/g, (_all, value) => String(value === 'false'))
      .replace(/(true|false) && (true|false)/, (_all, left, right) => String(left === 'true' && right === 'true'))
      .replace(/(?<=^|\()(true|false) \|\| (true|false)(?=$|\)| \|)/, (_all, left, right) =>
        String(left === 'true' || right === 'true'),
      );
  }
  assert.match(text, /^(?:true|false)$/, when);
  return text === 'true';
}

/** The commands in the context menu of a row of the tree, from top to bottom. */
function listContextMenu(viewItem: string): readonly string[] {
  return (contributes.menus['view/item/context'] ?? [])
    .filter(({ when = '', group = '' }) => !group.startsWith('inline') && isTrue(when, { view: TREE, viewItem }))
    .sort(({ group: a = '' }, { group: b = '' }) => a.localeCompare(b))
    .map(({ command = '' }) => command.slice('smartObjects.'.length));
}

const TREE = 'smartObjects.explorer';

suite('manifest', () => {
  test('every command has our prefix and category and is declared once', () => {
    assert.equal(commands.size, contributes.commands.length);
    for (const { command, category } of contributes.commands) {
      assert.match(command, /^smartObjects\.\w+$/);
      assert.equal(category, 'Smart Objects');
    }
  });

  test('the list of command ids and the manifest name the same commands', () => {
    const source = fs.readFileSync(new URL('../../src/commands/ids.ts', import.meta.url), 'utf8');
    const body = /interface CommandArguments \{([^]*?)\n\}/.exec(source)?.[1] ?? '';
    const ids = [...body.matchAll(/^ {2}(\w+): \[/gm)].map(([, id]) => `smartObjects.${id ?? ''}`);
    assert.deepEqual(ids.sort(), [...commands].sort());
  });

  test('a command is handled in one file beside the list of ids', () => {
    const root = new URL('../../src/', import.meta.url);
    const sources = fs
      .globSync('*/{register,commands}.ts', { cwd: root })
      .map((file) => ({ file, text: fs.readFileSync(new URL(file.replaceAll('\\', '/'), root), 'utf8') }));
    for (const command of commands) {
      const id = command.slice('smartObjects.'.length);
      const handler = new RegExp(String.raw`registerCommand\('${id}'|^  ${id}: `, 'm');
      const files = sources.filter(({ text }) => handler.test(text)).map(({ file }) => file);
      assert.equal(files.length, 1, `${id} is handled in ${files.join(', ') || 'no file'}`);
    }
  });

  test('menus, keys and welcome links name existing commands', () => {
    const menuItems = [...Object.values(contributes.menus).flat(), ...(contributes.keybindings ?? [])];
    for (const { command } of menuItems) {
      if (command?.startsWith('smartObjects.') === true) assert.ok(commands.has(command), command);
    }
    for (const { contents } of contributes.viewsWelcome) {
      for (const [, command] of contents.matchAll(/\(command:([\w.]+)/g)) {
        if (command?.startsWith('smartObjects.') === true) assert.ok(commands.has(command), command);
      }
    }
  });

  test('without a connection the palette offers only commands that work without one', () => {
    const conditional = new Set((contributes.menus['commandPalette'] ?? []).map(({ command }) => command));
    assert.deepEqual(
      [...commands].filter((command) => !conditional.has(command)).map((command) => command.split('.').at(-1)),
      [
        'addConnection',
        'editConnections',
        'newActionFile',
        'showRuns',
        'startSandbox',
        'showOutput',
        'showAccessibilityHelp',
        'manageVariables',
      ],
    );
  });

  test('the palette has at most 35 commands where nothing is open: what needs a resource or a file comes with it', () => {
    const conditions = new Map((contributes.menus['commandPalette'] ?? []).map(({ command, when }) => [command, when]));
    const list = (keys: Readonly<Record<string, string>>): readonly string[] =>
      [...commands].filter((command) =>
        isTrue(conditions.get(command) ?? 'always', {
          always: true,
          workspaceFolderCount: '1',
          'smartObjects.hasConnections': true,
          'smartObjects.sandboxRunning': true,
          'smartObjects.hasRuns': true,
          ...keys,
        }),
      );
    const plain = list({});
    assert.ok(plain.length <= 35, `${String(plain.length)}: ${plain.join(' ')}`);
    const added = (keys: Readonly<Record<string, string>>): readonly string[] =>
      list(keys).filter((command) => !plain.includes(command));
    const copyId = 'smartObjects.copyId';
    assert.ok(added({ resourceScheme: 'smartobject' }).includes(copyId));
    assert.ok(added({ activeWebviewPanelId: 'smartObjects.page' }).includes(copyId));
    assert.ok(added({ resourceLangId: 'jsonc' }).includes('smartObjects.executeOn'));
    assert.ok(added({ 'view.smartObjects.explorer.visible': 'true' }).includes('smartObjects.loadAll'));
  });

  test('the context menu of what can be opened begins with opening it', () => {
    for (const kind of ['objects', 'templates', 'faces', 'assets', 'action-logs', 'support', 'wallets', 'batches'])
      assert.deepEqual(listContextMenu(`resource kind:${kind} has:id`).slice(0, 2), ['openPage', 'openToSide'], kind);
    assert.deepEqual(listContextMenu('scope organization named kind:organizations has:id').slice(0, 2), [
      'openPage',
      'openToSide',
    ]);
    assert.equal(listContextMenu('section list kind:objects')[0], 'openTable');
  });

  test('no title contains Execute: actions are run', () => {
    assert.deepEqual(
      contributes.commands.filter(({ title }) => /execut/i.test(title)),
      [],
    );
  });

  test('the button in the title of the view refreshes everything, whichever row has the focus', () => {
    const titleCommands = (contributes.menus['view/title'] ?? []).map(({ command }) => command);
    assert.ok(titleCommands.includes('smartObjects.refreshAll') && !titleCommands.includes('smartObjects.refresh'));
    const inline = (contributes.menus['view/item/context'] ?? []).filter(
      ({ command }) => command === 'smartObjects.refresh',
    );
    assert.ok(inline.length > 0);
  });

  test('a button of a row is in its context menu too, since the keyboard does not reach buttons', () => {
    for (const menu of ['view/item/context', 'scm/resourceState/context']) {
      const isButton = ({ group = '' }: { readonly group?: string | undefined }): boolean => group.startsWith('inline');
      const entries = contributes.menus[menu] ?? [];
      const listed = entries.filter((entry) => !isButton(entry)).map(({ command }) => command);
      for (const { command } of entries.filter(isButton)) assert.ok(listed.includes(command), command);
    }
  });

  test('no two commands share a key in the same place', () => {
    const bindings = (contributes.keybindings ?? []).map(({ key, when }) => `${String(key)} ${String(when)}`);
    assert.equal(new Set(bindings).size, bindings.length);
    for (const { when } of contributes.keybindings ?? []) assert.ok(when !== undefined && when !== '');
  });

  test('walkthrough steps have a picture and name existing commands', () => {
    for (const { command } of contributes.walkthroughs.flatMap(({ steps }) => steps.flatMap(findCommandLinks)))
      assert.ok(commands.has(command) || !command.startsWith('smartObjects.') || command.endsWith('.focus'), command);
    for (const { title, description, media } of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
      // VS Code shows back-ticks as they are.
      assert.doesNotMatch(`${title}${description}${media.altText}`, /`/);
      const { width, height } = PNG.sync.read(fs.readFileSync(new URL(`../../${media.image}`, import.meta.url)));
      assert.ok(
        width >= 400 && width <= 1000 && height >= 150 && height <= 600,
        `${media.image}: ${width} × ${height}`,
      );
    }
  });

  test('welcome views link to the walkthrough', () => {
    const [walkthrough] = contributes.walkthroughs;
    const argument = encodeURIComponent(`"${manifest.publisher}.${manifest.name}#${walkthrough?.id ?? ''}"`);
    for (const { contents } of contributes.viewsWelcome)
      assert.ok(contents.includes(`(command:workbench.action.openWalkthrough?${argument})`), contents);
  });

  test('conditions name existing views', () => {
    const views = new Set(Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id)));
    for (const { when } of Object.values(contributes.menus).flat()) {
      for (const [, view] of (when ?? '').matchAll(/\bview == ([\w.]+)/g)) assert.ok(views.has(view ?? ''), view);
    }
    for (const { view } of contributes.viewsWelcome) assert.ok(views.has(view), view);
  });

  test('every value of a setting is described', () => {
    const settings = JSON.stringify(contributes.configuration.properties);
    assert.equal(settings.split('"enum":').length, settings.split('"enumDescriptions":').length);
  });

  test('settings that need workspace trust exist', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    for (const setting of restrictedConfigurations) assert.ok(setting in contributes.configuration.properties, setting);
    for (const setting of [
      'connections',
      'signer.command',
      'faces.allowScripts',
      'confirmExecution',
      'caCertificates',
      'labels',
      'labelsFile',
      'requestTimeout',
      'executeTimeout',
      'maxConcurrentRequests',
      'bulk.concurrency',
      'bulk.rate',
    ]) {
      assert.ok(restrictedConfigurations.includes(`smartObjects.${setting}`), setting);
    }
  });

  test('a workspace sets neither scripts of faces nor what agents may do, and no short limit of an execution', () => {
    const { properties } = contributes.configuration;
    for (const setting of ['faces.allowScripts', 'agents.allowExecute', 'agents.provideMcpServer'])
      assert.equal(properties[`smartObjects.${setting}`]?.['scope'], 'application', setting);
    assert.equal(properties['smartObjects.executeTimeout']?.['minimum'], 10);
  });

  test('the version of Node is the one that the program requires', () => {
    const source = fs.readFileSync(new URL('../../src/cli/run-program.ts', import.meta.url), 'utf8');
    assert.equal(manifest.engines.node, `>=${/Node\.js ([\d.]+) or later is required/.exec(source)?.[1] ?? ''}`);
  });

  test('types and the phase floor of the tests belong to the oldest supported VS Code', () => {
    assert.equal(`^${manifest.devDependencies['@types/vscode'] ?? ''}`, manifest.engines.vscode);
    const floor = fs.readFileSync(new URL('../runtime/floor-editor/package.json', import.meta.url), 'utf8');
    const { dependencies } = z.parse(z.object({ dependencies: z.record(z.string(), z.string()) }), JSON.parse(floor));
    // code-server 4.110.0 is VS Code 1.110.0.
    assert.equal(dependencies['code-server']?.replace(/^4/, '^1'), manifest.engines.vscode);
  });
});
