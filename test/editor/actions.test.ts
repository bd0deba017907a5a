/** Actions in real VS Code: written through completion, checked, confirmed, run and followed to the proof, from every door. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Finding } from '../../src/actions/check.ts';
import type { RunRecord } from '../../src/actions/record.ts';
import type { TestHooks } from '../../src/ui/test-hooks.ts';
import { hooks, sandbox } from './support/connections.ts';
import { closeAll, eventually } from './support/documents.ts';

const EXECUTE = 'POST /ebus/execute';
const CONNECTION = 'Actions';
const CANARY = 'canary-5f1e0c77-value-of-a-variable';

async function control(method: string, name: string, body?: object): Promise<unknown> {
  const response = await fetch(`${sandbox().baseUrl}/__sandbox/${name}`, {
    method,
    headers: { 'x-sandbox-key': sandbox().apiKey, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.json();
}

async function posts(): Promise<number> {
  const { routes } = (await control('GET', 'stats')) as { readonly routes: Readonly<Record<string, number>> };
  return routes[EXECUTE] ?? 0;
}

function folder(): vscode.Uri {
  const found = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(found, 'no folder is open');
  return found;
}

async function write(name: string, content: unknown): Promise<vscode.Uri> {
  const uri = vscode.Uri.joinPath(folder(), name);
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

async function execute(...args: readonly unknown[]): Promise<readonly RunRecord[]> {
  return (
    (await vscode.commands.executeCommand<readonly RunRecord[] | undefined>('smartObjects.executeAction', ...args)) ??
    []
  );
}

interface Ids {
  template(name: string): string;
  object(name: string, dropped?: boolean): string;
}

async function ids(of: TestHooks): Promise<Ids> {
  const session = (await of.services()).sessions.get(CONNECTION);
  assert.ok(session);
  const templates = (await session.client.page('templates', { limit: 100 })).items.map(({ view }) => view);
  const objects = (await session.client.page('objects', { limit: 100 })).items.map(({ view }) => view);
  const used = new Set<string>();
  const template = (name: string): string => {
    const id = templates.find((one) => one?.name?.includes(name))?.id;
    assert.ok(id, `no template ${name}`);
    return id;
  };
  return {
    template,
    object(name, dropped = false) {
      const id = objects.find(
        (one) =>
          one?.template_id === template(name) &&
          one.id !== undefined &&
          !used.has(one.id) &&
          (one.location !== undefined) === dropped,
      )?.id;
      assert.ok(id, `no object of ${name}`);
      used.add(id);
      return id;
    },
  };
}

/** Chooses a completion at a place, as a person would. */
async function complete(
  editor: vscode.TextEditor,
  offset: number,
  wanted: (item: vscode.CompletionItem) => boolean,
): Promise<void> {
  const { document } = editor;
  const position = document.positionAt(offset);
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    document.uri,
    position,
  );
  const item = list.items.find(wanted);
  assert.ok(
    item,
    `not offered at ${String(offset)}: ${list.items
      .map(({ label }) => (typeof label === 'string' ? label : label.label))
      .slice(0, 40)
      .join(', ')}`,
  );
  const range =
    item.range instanceof vscode.Range ? item.range : (item.range?.replacing ?? new vscode.Range(position, position));
  const text = item.insertText ?? '';
  if (text instanceof vscode.SnippetString) await editor.insertSnippet(text, range);
  else
    await editor.edit((edit) => {
      edit.replace(range, text);
    });
}

suite('actions', function () {
  this.timeout(60_000);
  let extension: TestHooks;
  suiteSetup(async () => {
    extension = await hooks();
  });
  setup(async () => {
    await extension.reset();
    await control('DELETE', 'faults');
    await extension.addConnection(
      { name: CONNECTION, baseUrl: sandbox().baseUrl, environment: 'sandbox' },
      { apiKey: sandbox().apiKey },
    );
    await closeAll();
  });
  suiteTeardown(async () => {
    await control('DELETE', 'faults');
    await extension.reset();
    await closeAll();
  });

  test('each kind: written through completion, run, followed to a completed batch, its object diff right', async () => {
    const known = await ids(extension);
    const session = (await extension.services()).sessions.get(CONNECTION);
    assert.ok(session);
    const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      mint: { template_id: known.template('Concert') },
      update: { id: known.object('Concert') },
      transfer: { id: known.object('Concert'), to: '' },
      redeem: { id: known.object('Concert') },
      drop: { id: known.object('Trail') },
      pickup: { id: known.object('Trail', true) },
      burn: { id: known.object('Trail') },
      connect: { id: known.object('Wristband') },
      bridgeNFT: { id: known.object('Jacket') },
      remote: { id: known.object('Hut Key') },
    };
    const before = await posts();
    const files: vscode.Uri[] = [];
    for (const [kind, fields] of Object.entries(values)) {
      const uri = await write(`kinds/${kind}.action.json`, '// by completion\n{\n  "action": {\n    \n  }\n}\n');
      const editor = await vscode.window.showTextDocument(uri);
      const text = (): string => editor.document.getText();
      await complete(editor, text().indexOf('{\n    ') + 6, ({ label }) => label === kind);
      for (const [field, id] of Object.entries(fields)) {
        const place = text().indexOf('""', text().indexOf(`"${field}"`)) + 1;
        await complete(editor, place, ({ insertText, detail }) =>
          id === '' ? detail === 'met in objects' : insertText === JSON.stringify(id),
        );
      }
      assert.doesNotMatch(text(), /""/, text());
      assert.equal(editor.document.languageId, 'jsonc');
      files.push(uri);
    }
    // Not saved: what is shown is what is sent.
    const runs = (await Promise.all(files.map((uri) => execute(uri)))).flat();
    assert.equal(await posts(), before + files.length);
    assert.deepEqual(
      runs.map(({ name, outcome, batchStatus }) => [name, outcome, batchStatus]),
      Object.keys(values).map((kind) => [kind, 'completed', 'completed']),
    );
    for (const run of runs) {
      assert.match(run.transaction ?? '', /^0x/);
      assert.ok(run.affected.length > 0, run.name);
      for (const object of run.affected) {
        if (run.name === 'burn') assert.match(object.note ?? '', /does not exist any more/);
        else assert.equal(object.after, (await session.client.read('objects', [object.id])).text, run.name);
        assert.equal(object.before === undefined, run.name === 'mint', run.name);
        assert.notEqual(object.previousRoot, object.nextRoot);
      }
    }
    // One of them as a person sees it.
    const update = runs.find(({ name }) => name === 'update');
    await vscode.commands.executeCommand('smartObjects.openRunDiff', update?.id, 0);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const [left, right] = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.equal(left?.getText(), update?.affected[0]?.before);
    assert.equal(right?.getText(), update?.affected[0]?.after);
  });

  test('findings while typing, their fixes, hover and Check against live data', async () => {
    const known = await ids(extension);
    const object = known.object('Early Bird');
    const uri = await write('check.action.json', { action: { burn: { object_id: object } } });
    const editor = await vscode.window.showTextDocument(uri);
    const codes = (): unknown[] => vscode.languages.getDiagnostics(uri).map(({ code }) => code);
    await eventually(() => (codes().includes('wrongName') ? true : undefined));
    const [first] = vscode.languages.getDiagnostics(uri);
    assert.ok(first);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      first.range,
    );
    const fix = actions.find(({ title }) => title === 'Rename to `id`');
    assert.ok(fix?.edit);
    await vscode.workspace.applyEdit(fix.edit);
    assert.match(editor.document.getText(), /"burn": \{\s*"id"/);
    await eventually(() => (codes().length === 0 ? true : undefined));
    const findings = await vscode.commands.executeCommand<readonly Finding[]>('smartObjects.checkAction', uri);
    assert.deepEqual(
      findings.map(({ code }) => code),
      ['notListed'],
    );
    assert.deepEqual(codes(), ['notListed']);
    assert.match(
      extension.ui.said('warn').at(-1) ?? '',
      /^check\.action\.json, line 3: “Early Bird Voucher” does not list burn/,
    );
    const at = editor.document.positionAt(editor.document.getText().indexOf(object) + 2);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, at);
    const said = hovers.flatMap(({ contents }) =>
      contents.map((part) => JSON.stringify(Reflect.get(Object(part), 'value'))),
    );
    assert.ok(
      said.some((text) => text.includes('Early')),
      said.join('\n'),
    );
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    assert.deepEqual(
      lenses.map(({ command }) => command?.title).filter((title) => title !== undefined),
      ['$(play) Run', 'Check', 'Run on…'],
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  test('broken JSON and a missing action send nothing, and say where', async () => {
    const before = await posts();
    extension.ui.answer('error', 'Go to Line');
    const broken = await write('broken.action.json', '{\n  "action": {"burn": }\n}');
    await execute(broken);
    const editor = await eventually(() =>
      vscode.window.activeTextEditor?.document.uri.path === broken.path ? vscode.window.activeTextEditor : undefined,
    );
    assert.equal(editor.selection.active.line, 1);
    await execute(await write('none.action.json', { mint: {} }));
    assert.equal(await posts(), before);
    assert.match(
      extension.ui.said('error').join('\n'),
      /broken\.action\.json, line 2: Not JSON.*Nothing was sent[\s\S]*There is no `action`/,
    );
  });

  test('production asks for its name once a batch, from every door, and nothing is sent without it', async () => {
    const known = await ids(extension);
    const action = { action: { mint: { template_id: known.template('Jacket'), num: 1 } } };
    await write('doors/a.action.json', action);
    await write('doors/b.action.json', action);
    await write('doors/a.expect.json', { status: 'completed' });
    await write('.vscode/tasks.json', {
      version: '2.0.0',
      tasks: [{ type: 'smartObjects', label: 'doors', files: ['doors'], connection: 'Live' }],
    });
    await extension.addConnection(
      { name: 'Live', baseUrl: sandbox().baseUrl, environment: 'production' },
      { apiKey: sandbox().apiKey },
    );
    await extension.entry.run('selectConnection', 'Live');
    assert.equal((await extension.services()).sessions.active?.profile.name, 'Live');
    const settings = vscode.workspace.getConfiguration('smartObjects');
    await settings.update('confirmExecution', 'never', vscode.ConfigurationTarget.Global);
    try {
      const before = await posts();
      const asked = (): number => extension.ui.said('confirmByTyping').length;
      const dir = vscode.Uri.joinPath(folder(), 'doors');
      const doors: Readonly<Record<string, () => Promise<unknown>>> = {
        command: () => execute(dir),
        lens: () =>
          Promise.resolve(
            vscode.commands.executeCommand('smartObjects.executeAction', vscode.Uri.joinPath(dir, 'a.action.json')),
          ),
        task: async () => {
          const task = (await vscode.tasks.fetchTasks({ type: 'smartObjects' })).find(({ name }) => name === 'doors');
          assert.ok(task, 'the task is not there');
          const ended = new Promise<void>((resolve) => {
            const watch = vscode.tasks.onDidEndTask(({ execution }) => {
              if (execution.task.name !== 'doors') return;
              watch.dispose();
              resolve();
            });
          });
          await vscode.tasks.executeTask(task);
          await ended;
        },
        tests: async () => {
          await vscode.commands.executeCommand('testing.refreshTests');
          await vscode.commands.executeCommand('testing.runAll');
        },
      };
      for (const [name, door] of Object.entries(doors)) {
        const count = asked();
        await door();
        await eventually(() => (asked() > count ? true : undefined));
        assert.equal(asked(), count + 1, `${name} asks once`);
        assert.equal(await posts(), before, `${name}: declined`);
        assert.match(
          extension.ui.said('confirmByTyping').at(-1) ?? '',
          /^PRODUCTION · Live.*It cannot be taken back\.$/,
          name,
        );
      }
      extension.ui.answer('confirmByTyping', 'live');
      await execute(dir);
      assert.equal(await posts(), before, 'typed wrong');
      extension.ui.answer('confirmByTyping', 'Live');
      const runs = await execute(dir);
      assert.deepEqual(
        runs.map(({ name, outcome }) => [name, outcome]),
        [
          ['a', 'completed'],
          ['b', 'completed'],
        ],
      );
      assert.equal(await posts(), before + 2);
      const count = asked();
      await vscode.commands.executeCommand('smartObjects.rerun', runs[0]?.id);
      assert.equal(asked(), count + 1, 'running again asks again');
      assert.equal(await posts(), before + 2);
    } finally {
      await settings.update('confirmExecution', undefined, vscode.ConfigurationTarget.Global);
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), '.vscode'), { recursive: true });
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), 'doors'), { recursive: true });
    }
  });

  test('signed out: a sign-in is offered before any confirmation, and the run goes on with the new session', async () => {
    const known = await ids(extension);
    const uri = await write('out.action.json', { action: { mint: { template_id: known.template('Jacket'), num: 1 } } });
    await extension.addConnection({ name: 'Live', baseUrl: sandbox().baseUrl, environment: 'production' });
    await extension.entry.run('selectConnection', 'Live');
    const before = await posts();
    assert.deepEqual(await execute(uri), []);
    assert.deepEqual(extension.ui.said('confirm'), ['Not signed in to PRODUCTION · Live']);
    assert.deepEqual(extension.ui.said('confirmByTyping'), [], 'nothing to confirm yet');
    // Agreed to, and then no credential is typed.
    extension.ui.answer('confirm', true);
    assert.deepEqual(await execute(uri), []);
    assert.deepEqual(extension.ui.said('confirmByTyping'), []);
    assert.equal(await posts(), before);
    extension.ui.answer('confirm', true);
    extension.ui.answer('pick', '$(key) API key');
    extension.ui.answer('input', sandbox().apiKey);
    extension.ui.answer('confirmByTyping', 'Live');
    const [run] = await execute(uri);
    assert.equal(run?.outcome, 'completed', run?.reason ?? JSON.stringify(extension.ui.all));
    assert.equal(await posts(), before + 1);
    // From the history it is the same door.
    await extension.signOut('Live');
    const asked = extension.ui.said('confirmByTyping').length;
    await vscode.commands.executeCommand('smartObjects.rerun', run.id);
    assert.match(extension.ui.said('confirm').at(-1) ?? '', /^Not signed in to PRODUCTION · Live$/);
    assert.equal(extension.ui.said('confirmByTyping').length, asked);
    assert.equal(await posts(), before + 1);
  });

  test('variables: asked once, disclosed once, and no value is kept', async () => {
    const known = await ids(extension);
    const id = known.object('Jacket');
    await write('vars/note.txt', 'from a file');
    const uri = await write('vars/vars.action.json', {
      action: {
        update: { id: '${input:object}', data: { custom: { secret: '${secret:KEY}', note: '${file:note.txt}' } } },
      },
    });
    extension.ui.answer('input', id, CANARY);
    extension.ui.answer('confirm', true);
    const [run] = await execute(uri);
    assert.equal(run?.outcome, 'completed', run?.reason ?? extension.ui.said('error').join());
    const question = extension.ui.all.find(({ kind }) => kind === 'confirm');
    assert.match(
      question?.detail ?? '',
      /the secret KEY is sent to http:\/\/127\.0\.0\.1:\d+\.\n.*the file note\.txt is sent/,
    );
    const session = (await extension.services()).sessions.get(CONNECTION);
    assert.ok(session);
    const { raw } = (await session.client.read('objects', [id])).item;
    assert.deepEqual(Reflect.get(Object(Reflect.get(Object(raw), 'custom')), 'secret'), CANARY);
    assert.equal(JSON.stringify(run).includes(CANARY), false, 'in the run');
    assert.equal(extension.logLines.join('\n').includes(CANARY), false, 'in the log');
    assert.match(run.source, /\$\{secret:KEY\}/);
    // Again: the list is the same, and so are the values.
    extension.ui.reset();
    extension.ui.answer('input', id);
    const [again] = await execute(uri);
    assert.equal(again?.outcome, 'completed', again?.reason);
    assert.deepEqual(extension.ui.said('confirm'), []);
    const storage = extension.entry.context.storageUri;
    assert.ok(storage);
    const runs = vscode.Uri.joinPath(storage, 'runs');
    const kept = await eventually(async () => {
      const names = (await vscode.workspace.fs.readDirectory(runs)).map(([name]) => name);
      return names.includes(`${again.id}.json`) ? names : undefined;
    });
    for (const name of kept) {
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(runs, name));
      for (const secret of [CANARY, sandbox().apiKey])
        assert.equal(new TextDecoder().decode(bytes).includes(secret), false, name);
    }
  });

  test('a failed step is told as a failure, and a lost answer as unknown', async () => {
    const known = await ids(extension);
    const [soldOut] = await execute(
      await write('sold.action.json', { action: { mint: { template_id: known.template('Limited') } } }),
    );
    assert.equal(soldOut?.outcome, 'failed');
    assert.match(extension.ui.said('error').at(-1) ?? '', /^sold: failed\. The step mint failed/);
    await control('POST', 'faults', { route: EXECUTE, fault: 'resetBefore', phase: 'after' });
    const before = await posts();
    const uri = await write('lost.action.json', {
      action: { update: { id: known.object('Jacket'), data: { custom: { lost: 'yes' } } } },
    });
    const [lost] = await execute(uri);
    assert.equal(lost?.outcome, 'unknown');
    assert.equal(await posts(), before + 1);
    assert.equal(lost.possible.filter(({ sameParams }) => sameParams).length, 1);
    assert.match(extension.ui.said('warn').at(-1) ?? '', /^lost: outcome unknown/);
  });

  test('a suite in the Test Explorer: steps in order, each with the earlier one’s result', async () => {
    const known = await ids(extension);
    const before = await posts();
    await write('suites/story.actions.json', {
      steps: [
        { name: 'story mint', request: { action: { mint: { template_id: known.template('Jacket'), num: 1 } } } },
        {
          name: 'story change',
          request: {
            action: { update: { id: '${run:story mint.steps[0].output.ids[0]}', data: { custom: { a: 1 } } } },
          },
          expect: { objects: { '*': { custom: { a: 1 }, nonce: 1 } } },
        },
      ],
    });
    try {
      await vscode.commands.executeCommand('testing.refreshTests');
      await vscode.commands.executeCommand('testing.runAll');
      const ended = (name: string): boolean =>
        extension.logLines.some((line) => line.includes(`${name}: completed after`));
      await eventually(() => (ended('story change') ? true : undefined));
      assert.ok(ended('story mint'));
      assert.equal(await posts(), before + 2);
    } finally {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), 'suites'), { recursive: true });
    }
  });

  test('New Action File fills in real ids; from an object, a template and a run', async () => {
    const known = await ids(extension);
    extension.ui.answer('pick', 'mint', known.template('Jacket'));
    await vscode.commands.executeCommand('smartObjects.newActionFile');
    const text = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.deepEqual(JSON.parse(text()), { action: { mint: { template_id: known.template('Jacket'), num: 1 } } });
    assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /\.action\.json$/);
    const id = known.object('Jacket');
    extension.ui.answer('pick', 'Sell or give');
    await vscode.commands.executeCommand('smartObjects.newActionFileFrom', {
      connection: CONNECTION,
      kind: 'objects',
      id,
    });
    assert.deepEqual(JSON.parse(text()), { action: { transfer: { id, to: '' } } });
    await vscode.commands.executeCommand('smartObjects.newActionFileFrom', {
      resource: { connection: CONNECTION, kind: 'templates', id: known.template('Jacket') },
    });
    assert.match(text(), /"mint": \{\s*"template_id"/);
    const [run] = await execute(await write('again.action.json', '{"action": {"burn": {"id": "obj_none"}}} // kept'));
    assert.equal(run?.outcome, 'refused');
    await vscode.commands.executeCommand('smartObjects.newActionFileFrom', { run: run.id });
    assert.equal(text(), '{"action": {"burn": {"id": "obj_none"}}} // kept');
  });
});
