/** Runs from every entry point, cancellation and suites. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunRecord } from '../../../src/model/runs/run-record.ts';
import {
  actionSuite,
  clearRecentStarts,
  CONNECTION,
  execute,
  folder,
  readIds,
  remove,
  runTask,
  write,
} from '../support/actions.ts';
import { eventually } from '../support/documents.ts';
import { clearFaults, countPosts, EXECUTE, fault, getSandbox } from '../support/sandbox.ts';

async function runTests(): Promise<void> {
  await vscode.commands.executeCommand('testing.refreshTests');
  await vscode.commands.executeCommand('testing.runAll');
}

actionSuite('actions: entry points and runs', (getExtension) => {
  test('production must be typed by name once a batch, from every entry point', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const action = { action: { mint: { template_id: known.template('Jacket'), num: 1 } } };
    await write('runs/a.action.json', action);
    await write('runs/b.action.json', action);
    await write('runs/a.expect.json', { status: 'completed' });
    await extension.addConnection(
      { name: 'Live', baseUrl: getSandbox().baseUrl, environment: 'production' },
      { apiKey: getSandbox().apiKey },
    );
    await extension.features.run('selectConnection', 'Live');
    assert.equal((await extension.services()).sessions.active?.profile.name, 'Live');
    const settings = vscode.workspace.getConfiguration('smartObjects');
    await settings.update('confirmExecution', 'never', vscode.ConfigurationTarget.Global);
    try {
      const before = countPosts();
      const countQuestions = (): number => extension.ui.readMessages('confirmByTyping').length;
      const dir = vscode.Uri.joinPath(folder(), 'runs');
      const entryPoints: Readonly<Record<string, () => Promise<unknown>>> = {
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
      for (const [name, start] of Object.entries(entryPoints)) {
        const count = countQuestions();
        await start();
        await eventually(() => (countQuestions() > count ? true : undefined));
        assert.equal(countQuestions(), count + 1, `${name} asks once`);
        assert.equal(countPosts(), before, `${name}: declined`);
        assert.match(
          extension.ui.readMessages('confirmByTyping').at(-1) ?? '',
          /^PRODUCTION · Live.*This can’t be undone\.$/,
          name,
        );
      }
      extension.ui.answer('confirmByTyping', 'live');
      await execute(dir);
      assert.equal(countPosts(), before, 'typed wrong');
      extension.ui.answer('confirmByTyping', 'Live');
      const runs = await execute(dir);
      assert.deepEqual(
        runs.map(({ name, outcome }) => [name, outcome]),
        [
          ['a', 'completed'],
          ['b', 'completed'],
        ],
      );
      assert.equal(countPosts(), before + 2);
      const count = countQuestions();
      await vscode.commands.executeCommand('smartObjects.rerun', runs[0]?.id);
      assert.equal(countQuestions(), count + 1, 'running again asks again');
      assert.equal(countPosts(), before + 2);
    } finally {
      await settings.update('confirmExecution', undefined, vscode.ConfigurationTarget.Global);
      await remove('runs');
    }
  });

  test('signed out, a task and the Test Explorer offer the sign-in too, and send nothing without it', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    await write('runs/a.action.json', { action: { mint: { template_id: known.template('Jacket'), num: 1 } } });
    await write('runs/a.expect.json', {});
    await extension.addConnection({ name: 'Live', baseUrl: getSandbox().baseUrl, environment: 'production' });
    await extension.features.run('selectConnection', 'Live');
    try {
      const before = countPosts();
      for (const start of [() => runTask('signed out'), runTests]) {
        extension.ui.reset();
        await start();
        const question = await eventually(() => extension.ui.messages.find(({ kind }) => kind === 'confirm'));
        assert.equal(question.text, 'Not signed in to PRODUCTION · Live');
        assert.deepEqual(extension.ui.readMessages('confirmByTyping'), []);
      }
      assert.equal(countPosts(), before);
    } finally {
      await remove('runs');
    }
  });

  test('signed out: a sign-in is offered before any confirmation, and the run goes on with the new session', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const uri = await write('out.action.json', { action: { mint: { template_id: known.template('Jacket'), num: 1 } } });
    await extension.addConnection({ name: 'Live', baseUrl: getSandbox().baseUrl, environment: 'production' });
    await extension.features.run('selectConnection', 'Live');
    const before = countPosts();
    assert.deepEqual(await execute(uri), []);
    assert.deepEqual(extension.ui.readMessages('confirm'), ['Not signed in to PRODUCTION · Live']);
    assert.deepEqual(extension.ui.readMessages('confirmByTyping'), [], 'nothing to confirm yet');
    // Confirmed, but no credential is entered.
    extension.ui.answer('confirm', true);
    assert.deepEqual(await execute(uri), []);
    assert.deepEqual(extension.ui.readMessages('confirmByTyping'), []);
    assert.equal(countPosts(), before);
    extension.ui.answer('confirm', true);
    extension.ui.answer('pick', '$(key) API key');
    extension.ui.answer('input', getSandbox().apiKey);
    extension.ui.answer('confirmByTyping', 'Live');
    const [run] = await execute(uri);
    assert.equal(run?.outcome, 'completed', run?.reason ?? JSON.stringify(extension.ui.messages));
    assert.equal(countPosts(), before + 1);
    // Run Again confirms in the same way.
    await extension.signOut('Live');
    const questionCount = extension.ui.readMessages('confirmByTyping').length;
    await vscode.commands.executeCommand('smartObjects.rerun', run.id);
    assert.match(extension.ui.readMessages('confirm').at(-1) ?? '', /^Not signed in to PRODUCTION · Live$/);
    assert.equal(extension.ui.readMessages('confirmByTyping').length, questionCount);
    assert.equal(countPosts(), before + 1);
  });

  test('a removed active connection is replaced only by a pick, which stays active', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const uri = await write('gone.action.json', {
      action: { mint: { template_id: known.template('Jacket'), num: 1 } },
    });
    const { baseUrl, apiKey } = getSandbox();
    await extension.addConnection({ name: 'Passing', baseUrl, environment: 'development' }, { apiKey });
    await extension.features.run('selectConnection', 'Passing');
    const settings = vscode.workspace.getConfiguration('smartObjects');
    const all = settings.inspect<{ readonly name: string }[]>('connections')?.globalValue ?? [];
    const left = all.filter(({ name }) => name === CONNECTION);
    await settings.update('connections', left, vscode.ConfigurationTarget.Global);
    const { sessions } = await extension.services();
    await eventually(() => (sessions.get('Passing') === undefined && sessions.all.length === 1 ? true : undefined));
    assert.equal(sessions.active, undefined, 'nor for reads and agents');
    const before = countPosts();
    assert.deepEqual(await execute(uri), [], 'nothing was picked');
    assert.deepEqual(await vscode.commands.executeCommand('smartObjects.checkAction', uri), []);
    assert.deepEqual(extension.ui.readMessages('pick'), ['Run gone', 'Select a Connection to Check gone']);
    assert.equal(countPosts(), before);
    extension.ui.answer('pick', CONNECTION);
    extension.ui.answer('confirm', true);
    const [run] = await execute(uri);
    assert.equal(run?.connection, CONNECTION);
    extension.ui.answer('confirm', true);
    assert.equal((await execute(uri)).length, 1);
    assert.equal(extension.ui.readMessages('pick').length, 3);
  });

  test('Check reports what could not be checked, and offers to sign in first', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const uri = await write('check.action.json', {
      action: { update: { id: known.object('Jacket'), data: { custom: { a: 1 } } } },
    });
    const check = (): Thenable<unknown> => vscode.commands.executeCommand('smartObjects.checkAction', uri);
    fault({ route: 'GET /objects/{objectId}', fault: 'forbidden', count: null });
    await check();
    assert.deepEqual(extension.ui.readMessages('info'), []);
    assert.match(
      extension.ui.readMessages('warn').at(-1) ?? '',
      /^check on Actions: Could not be checked against live data: /,
    );
    clearFaults();
    await extension.signOut(CONNECTION);
    await check();
    assert.match(extension.ui.readMessages('confirm').at(-1) ?? '', /^Not signed in to /);
    await extension.signIn(CONNECTION, { apiKey: getSandbox().apiKey });
    await check();
    assert.match(
      extension.ui.readMessages('info').at(-1) ?? '',
      /^check: No (?:problems|errors or warnings) found on /,
    );
  });

  test('Run Again asks for the text to run if the file has changed', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const text = (seat: string): object => ({
      action: { update: { id: known.object('Concert'), data: { custom: { seat } } } },
    });
    const [first] = await execute(await write('repeated.action.json', text('A1')));
    assert.ok(first);
    const rerun = async (): Promise<readonly RunRecord[]> => {
      await clearRecentStarts(extension);
      return vscode.commands.executeCommand('smartObjects.rerun', first.id);
    };
    assert.match((await rerun())[0]?.source ?? '', /"A1"/);
    assert.deepEqual(extension.ui.readMessages('pick'), []);
    await write('repeated.action.json', text('B2'));
    extension.ui.answer('pick', 'Current file');
    assert.match((await rerun())[0]?.source ?? '', /"B2"/);
    extension.ui.answer('pick', 'Previously sent text');
    assert.match((await rerun())[0]?.source ?? '', /"A1"/);
    const before = countPosts();
    assert.deepEqual(await rerun(), [], 'closed');
    assert.equal(countPosts(), before);
  });

  test('cancelling before sending sends nothing; later, a message explains that it is impossible', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const uri = await write('cancelled.action.json', {
      action: { update: { id: known.object('Jacket'), data: { custom: { cancelled: 1 } } } },
    });
    const before = countPosts();
    fault({ route: 'GET /objects/{objectId}', fault: 'slowHeaders', delay: 20_000 });
    const preparing = execute(uri);
    await eventually(() =>
      extension.ui.readMessages('progress').some((text) => text.endsWith('preparing')) ? true : undefined,
    );
    await extension.features.run('cancelRun');
    const [early] = await preparing;
    assert.deepEqual([early?.outcome, early?.reason], ['notSent', 'Canceled before it was sent']);
    assert.equal(countPosts(), before);
    clearFaults();
    fault({ route: EXECUTE, fault: 'slowHeaders', delay: 20_000 });
    const sending = execute(uri);
    // Only a request that has arrived cannot be cancelled.
    await eventually(() => (countPosts() === before + 1 ? true : undefined));
    extension.ui.answer('warn', 'Stop Waiting');
    await extension.features.run('cancelRun');
    assert.match(
      extension.ui.readMessages('warn').at(-1) ?? '',
      /^cancelled was already sent, which can’t be undone\./,
    );
    const [late] = await sending;
    assert.equal(late?.outcome, 'unknown');
    assert.match(late.reason ?? '', /^Stopped waiting for the response\. The request was sent/);
    assert.equal(countPosts(), before + 1);
  });

  test('two runs are compared, and a run is copied as cURL with its placeholders', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const id = known.object('Concert');
    const name = 'compared';
    const text = (seat: string): object => ({ action: { update: { id, data: { custom: { seat } } } } });
    const [first] = await execute(await write(`one/${name}.action.json`, text('1')));
    const [second] = await execute(await write(`two/${name}.action.json`, text('2')));
    assert.ok(first && second);
    extension.ui.answer('pick', (call) => {
      assert.equal(call.text, `Compare ${name} With…`);
      return call.choices[0];
    });
    await vscode.commands.executeCommand('smartObjects.compareRuns', { run: second.id });
    const input = await eventually(() => {
      const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return shown instanceof vscode.TabInputTextDiff ? shown : undefined;
    });
    const [left, right] = await Promise.all(
      [input.original, input.modified].map(async (uri) => (await vscode.workspace.openTextDocument(uri)).getText()),
    );
    assert.match(left ?? '', /\\"seat\\": \\"1\\"/);
    assert.match(right ?? '', /\\"seat\\": \\"2\\"/);
    await vscode.commands.executeCommand('smartObjects.copyRunCurl', { run: second.id });
    const curl = await vscode.env.clipboard.readText();
    assert.match(curl, /^curl --globoff --request POST 'http[^']*\/ebus\/execute'/);
    assert.match(curl, /"seat":"2"/);
    assert.equal(curl.includes(getSandbox().apiKey), false);
    // The connection has no link template for transactions: the menu alone replaces the clipboard.
    await vscode.commands.executeCommand('smartObjects.openRunTransaction', { run: second.id });
    assert.equal(await vscode.env.clipboard.readText(), curl);
    assert.match(extension.ui.messages.at(-1)?.choices.join() ?? '', /Copy Hash 0x.*Edit Connections/);
    extension.ui.answer('pick', 'Copy Hash');
    await vscode.commands.executeCommand('smartObjects.openRunTransaction', { run: second.id });
    assert.equal(await vscode.env.clipboard.readText(), second.transaction);
  });

  test('a folder run skips installed packages, and a folder with too many files sends nothing', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
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
      const before = countPosts();
      await Promise.all(Array.from({ length: 500 }, (_, at) => write(`many/more/${String(at)}.action.json`, action)));
      assert.deepEqual(await execute(dir), []);
      assert.match(extension.ui.readMessages('error').at(-1) ?? '', /many contains more than 500 files to run/);
      await write('many/none/readme.txt', 'nothing to run');
      await execute(vscode.Uri.joinPath(dir, 'none'));
      assert.match(extension.ui.readMessages('error').at(-1) ?? '', /The folder contains no action files/);
      assert.equal(countPosts(), before);
    } finally {
      await remove('many');
    }
  });

  test('Run Action File On… runs all selected files', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const action = { action: { mint: { template_id: known.template('Jacket'), num: 1 } } };
    await extension.addConnection(
      { name: 'Other', baseUrl: getSandbox().baseUrl, environment: 'sandbox' },
      { apiKey: getSandbox().apiKey },
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

  test('a refused run opens its response, and the object as it was read before', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const id = known.object('Jacket');
    const uri = await write('refused.action.json', { action: { update: { id, data: {} } } });
    fault({ route: EXECUTE, fault: 'unprocessable' });
    const [run] = await execute(uri);
    assert.equal(run?.outcome, 'refused');
    await vscode.commands.executeCommand('smartObjects.openRunDiff', { run: run.id }, 0);
    const getUri = (input: unknown): vscode.Uri | undefined =>
      input instanceof vscode.TabInputText
        ? input.uri
        : // If the object was read since then.
          input instanceof vscode.TabInputTextDiff
          ? input.original
          : undefined;
    const shown = await eventually(() =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs.map(({ input }) => getUri(input)))
        .find((uri) => uri?.path.startsWith(`/${run.id}/`) === true),
    );
    assert.match(shown.path, /\/before-0\//);
    assert.match((await vscode.workspace.openTextDocument(shown)).getText(), new RegExp(id));
    const answer = shown.with({ path: `/${run.id}/response/refused response.json` });
    assert.match((await vscode.workspace.openTextDocument(answer)).getText(), /"message": /);
  });

  test('what a mint changed is the page of the new object; a difference is named by its object', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const id = known.object('Jacket');
    const getActiveTab = (): vscode.Tab | undefined => vscode.window.tabGroups.activeTabGroup.activeTab;
    const mint = await write('named/new.action.json', { action: { mint: { template_id: known.template('Jacket') } } });
    const [minted] = await execute(mint);
    assert.equal(minted?.outcome, 'completed', minted?.reason);
    await vscode.commands.executeCommand('smartObjects.openRunDiff', { run: minted.id });
    await eventually(() => {
      const input = getActiveTab()?.input;
      return input instanceof vscode.TabInputWebview && input.viewType.endsWith('smartObjects.page') ? true : undefined;
    });
    const update = await write('named/old.action.json', { action: { update: { id, data: { custom: { a: 1 } } } } });
    const [updated] = await execute(update);
    await vscode.commands.executeCommand('smartObjects.openRunDiff', { run: updated?.id });
    const tab = await eventually(() => {
      const active = getActiveTab();
      return active?.input instanceof vscode.TabInputTextDiff ? active : undefined;
    });
    assert.match(tab.label, /^Wool Jacket.*: before ↔ after old$/);
    assert.ok(tab.input instanceof vscode.TabInputTextDiff);
    assert.match(tab.input.modified.path, /\/Wool Jacket[^/]* after\.json$/);
    await remove('named');
  });

  test('Run prompts for an empty ID and enters it into the file', async () => {
    const extension = getExtension();
    const id = (await readIds(extension)).object('Jacket');
    const uri = await write(
      'empty.action.json',
      '{\n  // kept\n  "action": { "update": { "id": "", "data": {} } }\n}\n',
    );
    const before = countPosts();
    extension.ui.answer('pick', undefined);
    assert.deepEqual(await execute(uri), [], 'cancelled');
    assert.equal(countPosts(), before);
    extension.ui.answer('pick', id);
    const [run] = await execute(uri);
    assert.equal(run?.outcome, 'completed', run?.reason);
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.getText(), `{\n  // kept\n  "action": { "update": { "id": "${id}", "data": {} } }\n}\n`);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await remove('empty.action.json');
  });

  test('dismissing the list of runs is no error', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const uri = await write('twice.action.json', {
      action: { update: { id: known.object('Jacket'), data: { custom: { twice: 1 } } } },
    });
    extension.ui.answer('confirm', true);
    await execute(uri);
    await execute(uri);
    extension.ui.answer('pick', undefined);
    await extension.features.run('copyRunCurl');
    assert.deepEqual(extension.ui.readMessages('pick'), ['Select a Run to Copy']);
    assert.deepEqual(extension.ui.readMessages('error'), []);
  });
});
