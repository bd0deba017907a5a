/** What a run leaves behind: lenses above the action, the Runs view, the changed objects. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  actionSuite,
  clearRecentStarts,
  CONNECTION,
  createOtherController,
  execute,
  getLenses,
  readIds,
  write,
} from '../support/actions.ts';
import { eventually } from '../support/documents.ts';
import { clearFaults, countPosts, EXECUTE, fault, getSandbox } from '../support/sandbox.ts';

const getTitles = (lenses: readonly vscode.CodeLens[]): readonly string[] =>
  lenses.map(({ command }) => command?.title ?? '').filter((title) => title !== '');

/** The lenses of an action file, once the last of them has that title. */
async function waitForLenses(uri: vscode.Uri, title: RegExp): Promise<readonly vscode.CodeLens[]> {
  return eventually(async () => {
    const lenses = await getLenses(uri);
    return getTitles(lenses).some((one) => title.test(one)) ? lenses : undefined;
  });
}

async function executeLens(lenses: readonly vscode.CodeLens[], title: string): Promise<unknown> {
  const command = lenses.find((lens) => lens.command?.title === title)?.command;
  assert.ok(command, `there is no ${title}: ${getTitles(lenses).join(', ')}`);
  return vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
}

actionSuite('actions: what a run leaves behind', (getExtension) => {
  test('the last run stands above the action, with its changes, also in another window', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const uri = await write('trace.action.json', {
      action: { update: { id: known.object('Concert'), data: { custom: { trace: 'first' } } } },
    });
    await vscode.window.showTextDocument(uri);
    assert.deepEqual(getTitles(await getLenses(uri)), [
      `$(play)\u00a0Run on ${CONNECTION}`,
      'Preview',
      'Check',
      'Run On…',
    ]);
    const [run] = await execute(uri);
    assert.equal(run?.outcome, 'completed', run?.reason);
    const lenses = await waitForLenses(uri, /completed/);
    assert.match(getTitles(lenses)[4] ?? '', /^\$\(check\)\u00a0completed \d+ s ago on Actions$/);
    assert.deepEqual(getTitles(lenses).slice(5), ['Show Changes', 'Run Again']);
    assert.deepEqual(
      lenses.map(({ range }) => range.start.line),
      [0, 0, 0, 0, 1, 1, 1],
      'above the line of the action',
    );
    await executeLens(lenses, 'Show Changes');
    const input = await eventually(() => {
      const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return shown instanceof vscode.TabInputTextDiff ? shown : undefined;
    });
    assert.match((await vscode.workspace.openTextDocument(input.modified)).getText(), /"trace": "first"/);
    const other = await createOtherController(extension);
    try {
      const changed = new Promise<void>((resolve) => {
        other.lenses.event(resolve);
      });
      const document = await vscode.workspace.openTextDocument(uri);
      other.controller.lenses.provideCodeLenses(document);
      await changed;
      const restored = getTitles(other.controller.lenses.provideCodeLenses(document));
      assert.match(restored[4] ?? '', /completed \d+ s ago on Actions/);
      assert.deepEqual(restored.slice(5), ['Show Changes', 'Run Again']);
      // While the file is visible, its age is updated without any change of the run.
      await vscode.window.showTextDocument(document);
      const aged = new Promise<void>((resolve) => {
        other.lenses.event(resolve);
      });
      other.controller.lenses.provideCodeLenses(document);
      await aged;
    } finally {
      other.dispose();
    }
    await clearRecentStarts(extension);
    const [again] = (await executeLens(lenses, 'Run Again')) as readonly { readonly id: string }[];
    assert.ok(again && again.id !== run.id);
  });

  test('the changes of several new objects are the page of the one that is chosen', async () => {
    const known = await readIds(getExtension());
    const uri = await write('several.action.json', {
      action: { mint: { template_id: known.template('Jacket'), num: 2 } },
    });
    await vscode.window.showTextDocument(uri);
    const [run] = await execute(uri);
    assert.equal(run?.affected.length, 2);
    getExtension().ui.answer('pick', ({ choices }) => choices[1]);
    await executeLens(await waitForLenses(uri, /completed/), 'Show Changes');
    await eventually(() => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      return input instanceof vscode.TabInputWebview && input.viewType.endsWith('smartObjects.page') ? true : undefined;
    });
  });

  test('a run under way can be cancelled above its action; one of unknown outcome is looked up there', async () => {
    const known = await readIds(getExtension());
    const uri = await write('open.action.json', { action: { mint: { template_id: known.template('Jacket') } } });
    await vscode.window.showTextDocument(uri);
    fault({ route: 'GET /batches/{batchId}', fault: 'serverError', count: null });
    const running = execute(uri);
    const going = await waitForLenses(uri, /^\$\(loading~spin\)\u00a0running on Actions: log completed/);
    assert.deepEqual(getTitles(going).slice(5), ['Cancel']);
    await executeLens(going, 'Cancel');
    const [run] = await running;
    assert.equal(run?.outcome, 'completed');
    clearFaults();
    fault({ route: EXECUTE, fault: 'resetBefore', phase: 'after' });
    const lost = await write('unknown.action.json', {
      action: { update: { id: known.object('Jacket'), data: { custom: { lost: 'yes' } } } },
    });
    await vscode.window.showTextDocument(lost);
    assert.equal((await execute(lost))[0]?.outcome, 'unknown');
    const unknown = await waitForLenses(lost, /^\$\(question\)\u00a0outcome unknown \d+ s ago on Actions$/);
    assert.deepEqual(getTitles(unknown).slice(5), ['Find Action Log']);
    const before = countPosts();
    // Closed without an answer, it stays unknown; settled by the log that the user chooses, nothing is sent again.
    await executeLens(unknown, 'Find Action Log');
    await waitForLenses(lost, /outcome unknown/);
    getExtension().ui.answer('pick', 'Its action log is ');
    await executeLens(unknown, 'Find Action Log');
    await waitForLenses(lost, /^\$\(check\)\u00a0completed \d+ s ago on Actions$/);
    assert.equal(countPosts(), before);
  });

  test('Run names the connection that it uses, and none where it asks', async () => {
    const extension = getExtension();
    const uri = await write('named.action.json', { action: { burn: { id: 'obj_none' } } });
    await vscode.window.showTextDocument(uri);
    await extension.addConnection(
      { name: 'Live $(flame)', baseUrl: getSandbox().baseUrl, environment: 'production' },
      { apiKey: getSandbox().apiKey },
    );
    await extension.features.run('selectConnection', 'Live $(flame)');
    const getFirst = async (): Promise<string> => getTitles(await getLenses(uri))[0] ?? '';
    assert.equal(await getFirst(), '$(warning)\u00a0Run on Live $\u2060(flame) (PRODUCTION)');
    await extension.features.run('selectConnection', CONNECTION);
    assert.equal(await getFirst(), '$(play)\u00a0Run on Actions');
    const settings = vscode.workspace.getConfiguration('smartObjects');
    const all = settings.inspect<{ readonly name: string }[]>('connections')?.globalValue ?? [];
    const others = all.filter(({ name }) => name !== CONNECTION);
    await settings.update('connections', others, vscode.ConfigurationTarget.Global);
    await eventually(async () => ((await getFirst()) === '$(play)\u00a0Run' ? true : undefined));
  });

  test('the first run of a window opens the Runs view without focus, unless a setting turns that off', async () => {
    const extension = getExtension();
    const uri = await write('shown.action.json', { action: { burn: { id: 'obj_none' } } });
    const runInNewWindow = async (): Promise<readonly unknown[]> => {
      const calls: unknown[] = [];
      const other = await createOtherController(extension, {
        visible: false,
        selection: [],
        reveal: (_row, options) => {
          calls.push(options);
          return Promise.resolve();
        },
      });
      try {
        for (let time = 0; time < 2; time++) {
          await clearRecentStarts(extension);
          await other.controller.runCommands.execute(uri, undefined, 'active');
        }
      } finally {
        other.dispose();
      }
      return calls;
    };
    assert.deepEqual(await runInNewWindow(), []);
    const settings = vscode.workspace.getConfiguration('smartObjects');
    await settings.update('revealRuns', true, vscode.ConfigurationTarget.Global);
    try {
      assert.deepEqual(await runInNewWindow(), [{ select: true, focus: false, expand: true }]);
    } finally {
      await settings.update('revealRuns', false, vscode.ConfigurationTarget.Global);
    }
  });
});
