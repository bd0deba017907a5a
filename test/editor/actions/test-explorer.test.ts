/** Suites, tasks and the Test Explorer. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Runner } from '../../../src/actions/run/runner.ts';
import { RecentStarts } from '../../../src/actions/run/confirm/recent-starts.ts';
import { RunStore } from '../../../src/actions/history/run-store.ts';
import { LiveDataBySession } from '../../../src/actions/language/live-data.ts';
import { TestExplorer } from '../../../src/actions/testing/test-explorer.ts';
import { TaskTerminal } from '../../../src/actions/testing/task-terminal.ts';
import type { Services } from '../../../src/commands/context.ts';
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
import { countPosts, fault, getSandbox } from '../support/sandbox.ts';

function runnerAt(services: Services, storage: vscode.Uri): Runner {
  return new Runner({
    services,
    store: new RunStore({ storage: storage.fsPath, log: services.log }),
    liveData: new LiveDataBySession(services.labels),
    starts: new RecentStarts(vscode.Uri.joinPath(storage, 'starts').fsPath),
  });
}

actionSuite('actions: tasks and the Test Explorer', (getExtension) => {
  test('a task prints a failure with the position in the file, and sends nothing more', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const template_id = known.template('Jacket');
    const uri = await write('runs/a.action.json', { action: { mint: { template_id, num: 1 } } });
    await write('runs/a.expect.json', { objects: { '*': { owner: 'somebody else' } } });
    await write('runs/b.action.json', { action: { mint: { template_id, num: 1 } } });
    try {
      const before = countPosts();
      extension.ui.answer('confirm', true);
      await runTask('otherwise');
      const problem = await eventually(() =>
        vscode.languages.getDiagnostics(uri).find(({ message }) => message.includes('somebody else')),
      );
      assert.match(problem.message, /^objects\.obj_.*\.owner: expected "somebody else", got "0x/);
      assert.equal(problem.severity, vscode.DiagnosticSeverity.Error);
      assert.equal(countPosts(), before + 1);
    } finally {
      await remove('runs');
    }
  });

  // Slow: runs six actions one after another, each to its end.
  test('a suite in the Test Explorer: steps in order, each with the earlier one’s result', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const before = countPosts();
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
      const ended = (name: string): boolean => extension.logLines.some((line) => line.includes(`${name}: completed (`));
      await eventually(() => (ended('story change') ? true : undefined));
      assert.ok(ended('story mint'));
      assert.equal(countPosts(), before + 2);
      // Running the suite as a file runs the same tests.
      const lines = extension.logLines.length;
      extension.ui.answer('confirm', true);
      await execute(vscode.Uri.joinPath(folder(), 'suites/story.actions.json'));
      const again = extension.logLines.slice(lines).filter((line) => /story \w+: completed \(/.test(line));
      assert.equal(again.length, 2);
      assert.equal(countPosts(), before + 4);
      // On another connection, with the lens in the first line.
      await extension.addConnection(
        { name: 'Beside', baseUrl: getSandbox().baseUrl, environment: 'sandbox' },
        { apiKey: getSandbox().apiKey },
      );
      const uri = vscode.Uri.joinPath(folder(), 'suites/story.actions.json');
      // Until the feature is loaded, the lens names no connection.
      const lenses = await eventually(async () => {
        const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
        return found[0]?.command?.title.endsWith('Run') === true ? undefined : found;
      });
      assert.deepEqual(
        lenses.map(({ command }) => command?.title),
        ['$(play)\u00a0Run on Actions', 'Run On…'],
      );
      const on = lenses[1]?.command ?? assert.fail('no lens');
      await clearRecentStarts(extension);
      extension.ui.answer('pick', 'Beside');
      extension.ui.answer('confirm', true);
      await vscode.commands.executeCommand(on.command, ...((on.arguments ?? []) as unknown[]));
      assert.match(extension.ui.readMessages('confirm').at(-1) ?? '', /Beside/);
      assert.equal(countPosts(), before + 6);
      assert.deepEqual(extension.ui.readMessages('error'), []);
    } finally {
      await remove('suites');
    }
  });

  test('a scenario runs in a sandbox of its own; a failed expectation is shown at its line; it can be canceled', async () => {
    const extension = getExtension();
    const services = await extension.services();
    const before = countPosts();
    const mint = { action: { mint: { template_id: 'tpl_a988a8ed2db28a1f66a20b18', num: 1 } } };
    const uri = await write('rehearsal/lost.scenario.json', {
      sandbox: { seed: 1, objects: 5 },
      faults: [{ route: 'POST /ebus/execute', fault: 'unprocessable', count: 1 }],
      steps: [
        { name: 'refused', request: mint, expect: { status: 422 } },
        { name: 'by the buyer', as: 'buyer', request: mint },
        { name: 'wrong', request: mint, expect: { status: 'failed' } },
        { name: 'never', request: mint },
      ],
    });
    const controller = vscode.tests.createTestController('scenarios', 'scenarios');
    const results: string[] = [];
    const cancel = new vscode.CancellationTokenSource();
    let onStart = (): void => undefined;
    const recording: Pick<vscode.TestController, 'items' | 'createTestItem' | 'createTestRun'> = {
      items: controller.items,
      createTestItem: controller.createTestItem.bind(controller),
      createTestRun: (request) => {
        const run = controller.createTestRun(request);
        const record = (state: string) => (item: vscode.TestItem, messages?: unknown) => {
          const [message] = [messages].flat();
          const line = message instanceof vscode.TestMessage ? message.location?.range.start.line : undefined;
          results.push([item.label, state, ...(line === undefined ? [] : [String(line + 1)])].join(' '));
        };
        return Object.assign(Object.create(run), {
          token: cancel.token,
          enqueued: () => undefined,
          started: () => {
            onStart();
          },
          appendOutput: () => undefined,
          passed: record('passed'),
          failed: record('failed'),
          errored: record('errored'),
          skipped: record('skipped'),
          end: () => {
            run.end();
          },
        }) as vscode.TestRun;
      },
    };
    const runner = runnerAt(services, vscode.Uri.joinPath(folder(), 'rehearsal/storage'));
    const explorer = new TestExplorer(recording as vscode.TestController, services, runner);
    const run = async (): Promise<readonly string[]> => {
      const item = await eventually(async () => {
        await explorer.refresh();
        return controller.items.get(uri.toString());
      });
      results.length = 0;
      extension.ui.answer('confirm', true);
      await explorer.run(new vscode.TestRunRequest([item]), cancel.token);
      return [...results];
    };
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      const text = document.getText();
      const line = document.positionAt(text.indexOf('"expect"', text.indexOf('"wrong"'))).line + 1;
      assert.deepEqual(await run(), [
        'refused passed',
        'by the buyer passed',
        `wrong failed ${String(line)}`,
        'never skipped',
      ]);
      assert.deepEqual(
        services.sessions.all.map(({ profile }) => profile.name),
        [CONNECTION],
      );
      onStart = () => {
        cancel.cancel();
      };
      assert.deepEqual(await run(), ['refused skipped', 'by the buyer skipped', 'wrong skipped', 'never skipped']);
      assert.equal(services.sessions.all.length, 1);
      assert.equal(countPosts(), before);
      const lenses = await eventually(async () => {
        const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
        return found.length > 0 ? found : undefined;
      });
      assert.deepEqual(
        lenses.map(({ command }) => command?.title),
        ['$(play)\u00a0Run'],
      );
    } finally {
      explorer.dispose();
      controller.dispose();
      runner.dispose();
      await remove('rehearsal');
    }
  });

  test('a cancelled run of the Test Explorer ends at once: queued requests are not sent, later tests are skipped', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const before = countPosts();
    for (const name of ['halted-a', 'halted-b']) {
      const action = { update: { id: known.object('Jacket'), data: { custom: { halted: name } } } };
      await write(`halted/${name}.action.json`, { action });
      await write(`halted/${name}.expect.json`, {});
    }
    fault({ route: 'GET /objects/{objectId}', fault: 'slowHeaders', delay: 20_000 });
    const findLogLine = (text: string): string | undefined => extension.logLines.find((line) => line.includes(text));
    extension.ui.answer('confirm', true);
    try {
      await vscode.commands.executeCommand('testing.refreshTests');
      const running = vscode.commands.executeCommand('testing.runAll');
      await eventually(() => findLogLine('Run halted-a on'));
      await vscode.commands.executeCommand('testing.cancelRun');
      await running;
      assert.match(await eventually(() => findLogLine('halted-a: ')), /not sent .*Canceled before it was sent/);
      assert.equal(countPosts(), before);
      assert.equal(findLogLine('Run halted-b on'), undefined);
    } finally {
      await remove('halted');
    }
  });

  test('a task reads the files of its own workspace folder', async () => {
    await write('second/there.action.json', { action: { burn: { id: 'x' } } });
    const uri = vscode.Uri.joinPath(folder(), 'second');
    const services = await getExtension().services();
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
    assert.equal(await eventually(() => lines[0]), 'The connection “Nowhere” does not exist\r\n');
    written.dispose();
  });

  test('a task runs no scenario: its steps would be sent to the connection', async () => {
    const before = countPosts();
    await write('task/lost.scenario.json', { steps: [{ request: { action: { burn: { id: 'x' } } } }] });
    const services = await getExtension().services();
    const runner = runnerAt(services, folder());
    const definition = { type: 'smartObjects', files: ['task/lost.scenario.json'], connection: CONNECTION };
    const terminal = new TaskTerminal({ services, runner, name: 'a task', definition, folder: undefined });
    const lines: string[] = [];
    const written = terminal.onDidWrite((line) => lines.push(line));
    terminal.open();
    assert.match(await eventually(() => lines[0]), /^task\/lost\.scenario\.json is a scenario\. /);
    assert.equal(countPosts(), before);
    written.dispose();
    await remove('task');
  });

  test('a task does not read a deleted file that is still open in an editor', async () => {
    await write('gone/all.actions.json', { steps: [{ file: 'one.action.json' }] });
    const one = await write('gone/one.action.json', { action: { burn: { id: 'x' } } });
    await vscode.window.showTextDocument(one);
    await vscode.workspace.fs.delete(one);
    const services = await getExtension().services();
    const runner = runnerAt(services, folder());
    const definition = { type: 'smartObjects', files: ['gone/all.actions.json'], connection: 'Nowhere' };
    const terminal = new TaskTerminal({ services, runner, name: 'a task', definition, folder: undefined });
    const lines: string[] = [];
    const written = terminal.onDidWrite((line) => lines.push(line));
    terminal.open();
    assert.match(
      await eventually(() => lines[0]),
      /^gone\/all\.actions\.json:3:5: error: File one\.action\.json was not found\r\n$/,
    );
    written.dispose();
    await remove('gone');
  });
});
