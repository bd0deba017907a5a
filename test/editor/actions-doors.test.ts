/** Actions in real VS Code: every door asks, cancelling says what it cannot do, runs and suites. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunRecord } from '../../src/actions/record.ts';
import { Runner } from '../../src/actions/runner.ts';
import { RecentStarts } from '../../src/actions/starts.ts';
import { RunStore } from '../../src/actions/store.ts';
import { TaskTerminal } from '../../src/actions/tasks.ts';
import type { Services } from '../../src/commands/entry.ts';
import {
  actionSuite,
  CONNECTION,
  EXECUTE,
  control,
  execute,
  folder,
  forgetStarts,
  ids,
  posts,
  write,
} from './support/actions.ts';
import { sandbox } from './support/connections.ts';
import { eventually } from './support/documents.ts';

/** A task of the workspace (`test/fixtures/editor-workspace`), to its end. */
async function runTask(label: string): Promise<void> {
  const task = (await vscode.tasks.fetchTasks({ type: 'smartObjects' })).find(({ name }) => name === label);
  assert.ok(task, label);
  const ended = new Promise<void>((resolve) => {
    const watch = vscode.tasks.onDidEndTask(({ execution }) => {
      if (execution.task.name !== label) return;
      watch.dispose();
      resolve();
    });
  });
  await vscode.tasks.executeTask(task);
  await ended;
}

function runnerAt(services: Services, storage: vscode.Uri): Runner {
  return new Runner({
    services,
    store: new RunStore({ storage: storage.fsPath, log: services.log }),
    starts: new RecentStarts(vscode.Uri.joinPath(storage, 'starts').fsPath),
  });
}

async function runTests(): Promise<void> {
  await vscode.commands.executeCommand('testing.refreshTests');
  await vscode.commands.executeCommand('testing.runAll');
}

async function remove(name: string): Promise<void> {
  await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), name), { recursive: true });
}

actionSuite('actions: doors and runs', (held) => {
  test('production asks for its name once a batch, from every door, and nothing is sent without it', async () => {
    const extension = held();
    const known = await ids(extension);
    const action = { action: { mint: { template_id: known.template('Jacket'), num: 1 } } };
    await write('doors/a.action.json', action);
    await write('doors/b.action.json', action);
    await write('doors/a.expect.json', { status: 'completed' });
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
        lens: () => execute(vscode.Uri.joinPath(dir, 'a.action.json')),
        files: () =>
          execute(
            undefined,
            ['a', 'b'].map((name) => vscode.Uri.joinPath(dir, `${name}.action.json`)),
          ),
        task: () => runTask('production'),
        tests: runTests,
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
      await remove('doors');
    }
  });

  test('signed out, a task and the Test Explorer offer the sign-in too, and send nothing without it', async () => {
    const extension = held();
    const known = await ids(extension);
    await write('doors/a.action.json', { action: { mint: { template_id: known.template('Jacket'), num: 1 } } });
    await write('doors/a.expect.json', {});
    await extension.addConnection({ name: 'Live', baseUrl: sandbox().baseUrl, environment: 'production' });
    await extension.entry.run('selectConnection', 'Live');
    try {
      const before = await posts();
      for (const door of [() => runTask('signed out'), runTests]) {
        extension.ui.reset();
        await door();
        const said = await eventually(() => extension.ui.all.find(({ kind }) => kind === 'confirm'));
        assert.equal(said.text, 'Not signed in to PRODUCTION · Live');
        assert.deepEqual(extension.ui.said('confirmByTyping'), []);
      }
      assert.equal(await posts(), before);
    } finally {
      await remove('doors');
    }
  });

  test('a task tells of what went otherwise where the file stands, and sends nothing of what comes after', async () => {
    const extension = held();
    const known = await ids(extension);
    const template_id = known.template('Jacket');
    const uri = await write('doors/a.action.json', { action: { mint: { template_id, num: 1 } } });
    await write('doors/a.expect.json', { objects: { '*': { owner: 'somebody else' } } });
    await write('doors/b.action.json', { action: { mint: { template_id, num: 1 } } });
    try {
      const before = await posts();
      extension.ui.answer('confirm', true);
      await runTask('otherwise');
      const problem = await eventually(() =>
        vscode.languages.getDiagnostics(uri).find(({ message }) => message.includes('somebody else')),
      );
      assert.match(problem.message, /^objects\.obj_.*\.owner: expected "somebody else", got "0x/);
      assert.equal(problem.severity, vscode.DiagnosticSeverity.Error);
      assert.equal(await posts(), before + 1);
    } finally {
      await remove('doors');
    }
  });

  test('signed out: a sign-in is offered before any confirmation, and the run goes on with the new session', async () => {
    const extension = held();
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

  test('a chosen connection that is gone is never replaced unasked, and what is picked is chosen from then on', async () => {
    const extension = held();
    const known = await ids(extension);
    const uri = await write('gone.action.json', {
      action: { mint: { template_id: known.template('Jacket'), num: 1 } },
    });
    const { baseUrl, apiKey } = sandbox();
    await extension.addConnection({ name: 'Passing', baseUrl, environment: 'development' }, { apiKey });
    await extension.entry.run('selectConnection', 'Passing');
    const settings = vscode.workspace.getConfiguration('smartObjects');
    const all = settings.inspect<{ readonly name: string }[]>('connections')?.globalValue ?? [];
    const left = all.filter(({ name }) => name === CONNECTION);
    await settings.update('connections', left, vscode.ConfigurationTarget.Global);
    const { sessions } = await extension.services();
    await eventually(() => (sessions.get('Passing') === undefined && sessions.all.length === 1 ? true : undefined));
    const before = await posts();
    assert.deepEqual(await execute(uri), [], 'nothing was picked');
    assert.deepEqual(await vscode.commands.executeCommand('smartObjects.checkAction', uri), []);
    assert.deepEqual(extension.ui.said('pick'), ['Execute gone', 'Check gone against']);
    assert.equal(await posts(), before);
    extension.ui.answer('pick', CONNECTION);
    extension.ui.answer('confirm', true);
    const [run] = await execute(uri);
    assert.equal(run?.connection, CONNECTION);
    extension.ui.answer('confirm', true);
    assert.equal((await execute(uri)).length, 1);
    assert.equal(extension.ui.said('pick').length, 3);
  });

  test('Check says so where nothing could be checked, and offers to sign in first', async () => {
    const extension = held();
    const known = await ids(extension);
    const uri = await write('check.action.json', {
      action: { update: { id: known.object('Jacket'), data: { custom: { a: 1 } } } },
    });
    const check = (): Thenable<unknown> => vscode.commands.executeCommand('smartObjects.checkAction', uri);
    await control('POST', 'faults', { route: 'GET /objects/{objectId}', fault: 'forbidden', count: null });
    await check();
    assert.deepEqual(extension.ui.said('info'), []);
    assert.match(extension.ui.said('warn').at(-1) ?? '', /^check on Actions: Could not be checked against live data: /);
    await control('DELETE', 'faults');
    await extension.signOut(CONNECTION);
    await check();
    assert.match(extension.ui.said('confirm').at(-1) ?? '', /^Not signed in to /);
    await extension.signIn(CONNECTION, { apiKey: sandbox().apiKey });
    await check();
    assert.match(extension.ui.said('info').at(-1) ?? '', /^check: nothing stands against it/);
  });

  test('Run Again asks which text is meant where the file was changed since', async () => {
    const extension = held();
    const known = await ids(extension);
    const text = (seat: string): object => ({
      action: { update: { id: known.object('Concert'), data: { custom: { seat } } } },
    });
    const [first] = await execute(await write('repeated.action.json', text('A1')));
    assert.ok(first);
    const rerun = async (): Promise<readonly RunRecord[]> => {
      await forgetStarts(extension);
      return vscode.commands.executeCommand('smartObjects.rerun', first.id);
    };
    assert.match((await rerun())[0]?.source ?? '', /"A1"/);
    assert.deepEqual(extension.ui.said('pick'), []);
    const uri = await write('repeated.action.json', text('B2'));
    await eventually(async () =>
      (await vscode.workspace.openTextDocument(uri)).getText().includes('B2') ? true : undefined,
    );
    extension.ui.answer('pick', 'The file as it is now');
    assert.match((await rerun())[0]?.source ?? '', /"B2"/);
    extension.ui.answer('pick', 'What was sent then');
    assert.match((await rerun())[0]?.source ?? '', /"A1"/);
    const before = await posts();
    assert.deepEqual(await rerun(), [], 'closed');
    assert.equal(await posts(), before);
  });

  test('cancelled before it is sent nothing is sent; afterwards it is said that it cannot be taken back', async () => {
    const extension = held();
    const known = await ids(extension);
    const uri = await write('cancelled.action.json', {
      action: { update: { id: known.object('Jacket'), data: { custom: { cancelled: 1 } } } },
    });
    const before = await posts();
    await control('POST', 'faults', { route: 'GET /objects/{objectId}', fault: 'slowHeaders', delay: 20_000 });
    const preparing = execute(uri);
    await eventually(() =>
      extension.ui.said('progress').some((text) => text.endsWith('preparing')) ? true : undefined,
    );
    await extension.entry.run('cancelRun');
    const [early] = await preparing;
    assert.deepEqual([early?.outcome, early?.reason], ['notSent', 'Cancelled before it was sent']);
    assert.equal(await posts(), before);
    await control('DELETE', 'faults');
    await control('POST', 'faults', { route: EXECUTE, fault: 'slowHeaders', delay: 20_000 });
    const sending = execute(uri);
    // Only what has arrived can no longer be held back.
    await eventually(async () => ((await posts()) === before + 1 ? true : undefined));
    extension.ui.answer('warn', 'Stop Waiting');
    await extension.entry.run('cancelRun');
    assert.match(extension.ui.said('warn').at(-1) ?? '', /^cancelled was sent and cannot be taken back\./);
    const [late] = await sending;
    assert.equal(late?.outcome, 'unknown');
    assert.match(late.reason ?? '', /^Nobody waited for the answer\. The request was sent/);
    assert.equal(await posts(), before + 1);
  });

  test('two runs are compared, and a run is copied as cURL with its placeholders', async () => {
    const extension = held();
    const known = await ids(extension);
    const id = known.object('Concert');
    const name = 'compared';
    const text = (seat: string): object => ({ action: { update: { id, data: { custom: { seat } } } } });
    const [first] = await execute(await write(`one/${name}.action.json`, text('1')));
    const [second] = await execute(await write(`two/${name}.action.json`, text('2')));
    assert.ok(first && second);
    extension.ui.answer('pick', (said) => {
      assert.equal(said.text, `Compare ${name} with…`);
      return said.choices[0];
    });
    await vscode.commands.executeCommand('smartObjects.compareRuns', { run: second.id });
    const input = await eventually(() => {
      const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return shown instanceof vscode.TabInputTextDiff ? shown : undefined;
    });
    const [left, right] = await Promise.all(
      [input.original, input.modified].map(async (uri) => (await vscode.workspace.openTextDocument(uri)).getText()),
    );
    assert.match(left ?? '', /"seat": "1"/);
    assert.match(right ?? '', /"seat": "2"/);
    await vscode.commands.executeCommand('smartObjects.copyRunCurl', { run: second.id });
    const curl = await vscode.env.clipboard.readText();
    assert.match(curl, /^curl --globoff --request POST 'http[^']*\/ebus\/execute'/);
    assert.match(curl, /"seat":"2"/);
    assert.equal(curl.includes(sandbox().apiKey), false);
  });

  test('a suite in the Test Explorer: steps in order, each with the earlier one’s result', async () => {
    const extension = held();
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
    extension.ui.answer('confirm', true);
    try {
      await vscode.commands.executeCommand('testing.refreshTests');
      await vscode.commands.executeCommand('testing.runAll');
      const ended = (name: string): boolean =>
        extension.logLines.some((line) => line.includes(`${name}: completed after`));
      await eventually(() => (ended('story change') ? true : undefined));
      assert.ok(ended('story mint'));
      assert.equal(await posts(), before + 2);
      // Executed as a file it is the same run of tests.
      const lines = extension.logLines.length;
      extension.ui.answer('confirm', true);
      await execute(vscode.Uri.joinPath(folder(), 'suites/story.actions.json'));
      const again = extension.logLines.slice(lines).filter((line) => /story \w+: completed after/.test(line));
      assert.equal(again.length, 2);
      assert.equal(await posts(), before + 4);
      // On another connection, by the lens at its head.
      await extension.addConnection(
        { name: 'Beside', baseUrl: sandbox().baseUrl, environment: 'sandbox' },
        { apiKey: sandbox().apiKey },
      );
      const uri = vscode.Uri.joinPath(folder(), 'suites/story.actions.json');
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
      assert.deepEqual(
        lenses.map(({ command }) => command?.title),
        ['$(play) Run', 'Run on…'],
      );
      const on = lenses[1]?.command ?? assert.fail('no lens');
      await forgetStarts(extension);
      extension.ui.answer('pick', 'Beside');
      extension.ui.answer('confirm', true);
      await vscode.commands.executeCommand(on.command, ...((on.arguments ?? []) as unknown[]));
      assert.match(extension.ui.said('confirm').at(-1) ?? '', /Beside/);
      assert.equal(await posts(), before + 6);
      assert.deepEqual(extension.ui.said('error'), []);
    } finally {
      await remove('suites');
    }
  });

  test('a cancelled run of the Test Explorer ends at once: what was not sent stays unsent, what comes after is left out', async () => {
    const extension = held();
    const known = await ids(extension);
    const before = await posts();
    for (const name of ['halted-a', 'halted-b']) {
      const action = { update: { id: known.object('Jacket'), data: { custom: { halted: name } } } };
      await write(`halted/${name}.action.json`, { action });
      await write(`halted/${name}.expect.json`, {});
    }
    await control('POST', 'faults', { route: 'GET /objects/{objectId}', fault: 'slowHeaders', delay: 20_000 });
    const told = (words: string): string | undefined => extension.logLines.find((line) => line.includes(words));
    extension.ui.answer('confirm', true);
    try {
      await vscode.commands.executeCommand('testing.refreshTests');
      const running = vscode.commands.executeCommand('testing.runAll');
      await eventually(() => told('Run halted-a on'));
      await vscode.commands.executeCommand('testing.cancelRun');
      await running;
      assert.match(await eventually(() => told('halted-a: ')), /not sent .*Cancelled before it was sent/);
      assert.equal(await posts(), before);
      assert.equal(told('Run halted-b on'), undefined);
    } finally {
      await remove('halted');
    }
  });

  test('a folder leaves installed packages out, and one with too many files sends nothing', async () => {
    const extension = held();
    const known = await ids(extension);
    const action = { action: { mint: { template_id: known.template('Jacket'), num: 1 } } };
    await write('many/a.action.json', action);
    await write('many/node_modules/package/b.action.json', action);
    const dir = vscode.Uri.joinPath(folder(), 'many');
    try {
      extension.ui.answer('confirm', true);
      assert.deepEqual(
        (await execute(dir)).map(({ name }) => name),
        ['a'],
      );
      const before = await posts();
      await Promise.all(Array.from({ length: 500 }, (_, at) => write(`many/more/${String(at)}.action.json`, action)));
      assert.deepEqual(await execute(dir), []);
      assert.match(extension.ui.said('error').at(-1) ?? '', /many has more than 500 files to run/);
      await write('many/none/readme.txt', 'nothing to run');
      await execute(vscode.Uri.joinPath(dir, 'none'));
      assert.match(extension.ui.said('error').at(-1) ?? '', /There is no action file in that folder/);
      assert.equal(await posts(), before);
    } finally {
      await remove('many');
    }
  });

  test('Execute On… takes all files that are selected', async () => {
    const extension = held();
    const known = await ids(extension);
    const action = { action: { mint: { template_id: known.template('Jacket'), num: 1 } } };
    await extension.addConnection(
      { name: 'Other', baseUrl: sandbox().baseUrl, environment: 'sandbox' },
      { apiKey: sandbox().apiKey },
    );
    const uris = await Promise.all(['a', 'b'].map((name) => write(`chosen/${name}.action.json`, action)));
    extension.ui.answer('pick', 'Other');
    extension.ui.answer('confirm', true);
    const runs = await vscode.commands.executeCommand<RunRecord[]>('smartObjects.executeOn', uris[1], uris);
    assert.deepEqual(
      runs.map(({ name, connection }) => `${name} on ${connection}`),
      ['a on Other', 'b on Other'],
    );
  });

  test('a refused run opens its answer, and of its object what was read before', async () => {
    const extension = held();
    const known = await ids(extension);
    const id = known.object('Jacket');
    const uri = await write('refused.action.json', { action: { update: { id, data: {} } } });
    await control('POST', 'faults', { route: EXECUTE, fault: 'unprocessable' });
    const [run] = await execute(uri);
    assert.equal(run?.outcome, 'refused');
    await vscode.commands.executeCommand('smartObjects.openRunDiff', { run: run.id }, 0);
    const shown = await eventually(() => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputText && input.uri.path.startsWith(`/${run.id}/`) ? input.uri : undefined;
    });
    assert.match(shown.path, /\/before-0\//);
    assert.match((await vscode.workspace.openTextDocument(shown)).getText(), new RegExp(id));
    const answer = shown.with({ path: `/${run.id}/response/refused response.json` });
    assert.match((await vscode.workspace.openTextDocument(answer)).getText(), /"message": /);
  });

  test('a run that is not chosen is no error', async () => {
    const extension = held();
    const known = await ids(extension);
    const uri = await write('twice.action.json', {
      action: { update: { id: known.object('Jacket'), data: { custom: { twice: 1 } } } },
    });
    extension.ui.answer('confirm', true);
    await execute(uri);
    await execute(uri);
    extension.ui.answer('pick', undefined);
    await extension.entry.run('copyRunCurl');
    assert.deepEqual(extension.ui.said('pick'), ['Copy which run?']);
    assert.deepEqual(extension.ui.said('error'), []);
  });

  test('a task reads the files of its own workspace folder', async () => {
    await write('second/there.action.json', { action: { burn: { id: 'x' } } });
    const uri = vscode.Uri.joinPath(folder(), 'second');
    const services = await held().services();
    const runner = runnerAt(services, uri);
    const definition = { type: 'smartObjects', files: ['there.action.json'], connection: 'Nowhere' };
    const terminal = new TaskTerminal({
      services,
      runner,
      name: 'a task',
      definition,
      folder: { uri, name: 'second', index: 1 },
    });
    const lines: string[] = [];
    const written = terminal.onDidWrite((line) => lines.push(line));
    terminal.open();
    assert.equal(await eventually(() => lines[0]), 'There is no connection Nowhere\r\n');
    written.dispose();
  });

  test('a task does not read a file that was deleted, though the editor still shows it', async () => {
    await write('gone/all.actions.json', { steps: [{ file: 'one.action.json' }] });
    const one = await write('gone/one.action.json', { action: { burn: { id: 'x' } } });
    await vscode.window.showTextDocument(one);
    await vscode.workspace.fs.delete(one);
    const services = await held().services();
    const runner = runnerAt(services, folder());
    const definition = { type: 'smartObjects', files: ['gone/all.actions.json'], connection: 'Nowhere' };
    const terminal = new TaskTerminal({ services, runner, name: 'a task', definition, folder: undefined });
    const lines: string[] = [];
    const written = terminal.onDidWrite((line) => lines.push(line));
    terminal.open();
    assert.match(
      await eventually(() => lines[0]),
      /^gone\/all\.actions\.json:3:5: error: There is no file one\.action\.json\r\n$/,
    );
    written.dispose();
    await remove('gone');
  });

  test('the runner’s command is copied with the connection, and without a credential', async () => {
    const extension = held();
    await extension.addConnection({
      name: 'Live & kicking',
      baseUrl: sandbox().baseUrl,
      environment: 'production',
      auth: { apiKeyHeader: 'x-key' },
    });
    await extension.entry.run('selectConnection', 'Live & kicking');
    const uri = await write('runner/it is.action.json', { action: { burn: { id: 'x' } } });
    await extension.entry.run('copyRunner', uri);
    const words = await vscode.env.clipboard.readText();
    const cli = vscode.Uri.joinPath(extension.entry.context.extensionUri, 'dist/cli.mjs');
    assert.equal(
      words,
      `node ${cli.fsPath} 'runner/it is.action.json' --base-url ${sandbox().baseUrl} --name 'Live & kicking' --environment production --api-key-header x-key`,
    );
    assert.ok((await vscode.workspace.fs.stat(cli)).size > 10_000);
    assert.match(extension.ui.said('info').at(-1) ?? '', /SMART_OBJECTS_API_KEY.*--allow-production/);
    assert.equal(words.includes(sandbox().apiKey), false);
  });
});
