/** Starts of actions in real VS Code: repeated clicks, tests and tasks, connections that changed meanwhile. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import * as vscode from 'vscode';
import type { RunRecord } from '../../../src/model/runs/run-record.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import {
  actionSuite,
  CONNECTION,
  createOtherController,
  execute,
  executeNow,
  folder,
  keepRecentStarts,
  readIds,
  remove,
  runTask,
  write,
} from '../support/actions.ts';
import { eventually } from '../support/documents.ts';
import type { TestHooks } from '../support/hooks.ts';
import { countPosts, EXECUTE, fault, getSandbox } from '../support/sandbox.ts';

const getOutcomes = (runs: readonly RunRecord[]): unknown[] => runs.map(({ outcome }) => outcome);

actionSuite('actions: starts', (getExtension) => {
  test('the same file is sent once, run again at the same moment or after its end, and again with Run Anyway', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const uri = await write('double.action.json', {
      action: { mint: { template_id: known.template('Jacket'), num: 1 } },
    });
    const before = countPosts();
    const runs = (await Promise.all([executeNow(uri), executeNow(uri)])).flat();
    assert.deepEqual(getOutcomes(runs), ['completed']);
    await keepRecentStarts(extension);
    assert.deepEqual(await executeNow(uri), []);
    assert.equal(countPosts(), before + 1);
    const [first, second] = extension.ui.readMessages('warn');
    assert.match(
      first ?? '',
      /^double (?:was just run on|is already being sent to) Sandbox · Actions, so it was not run again\.$/,
    );
    assert.equal(second, 'double was just run on Sandbox · Actions, so it was not run again.');
    extension.ui.answer('warn', 'Run Anyway');
    assert.deepEqual(await executeNow(uri), []);
    await eventually(() => (countPosts() === before + 2 ? true : undefined));
  });

  test('another window of the workspace does not run it a second time', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const uri = await write('windows.action.json', {
      action: { mint: { template_id: known.template('Jacket'), num: 1 } },
    });
    const other = await createOtherController(extension);
    const before = countPosts();
    try {
      await executeNow(uri);
      await keepRecentStarts(extension);
      await other.controller.runCommands.execute(uri, undefined, 'active');
    } finally {
      other.dispose();
    }
    assert.equal(countPosts(), before + 1);
  });

  test('an action that was not sent or was refused can run again at once', async () => {
    const extension = getExtension();
    const uri = await write('refused-twice.action.json', { action: { burn: { id: 'obj_none' } } });
    for (let time = 0; time < 2; time++) assert.deepEqual(getOutcomes(await executeNow(uri)), ['refused']);
    assert.deepEqual(
      extension.ui.readMessages('warn').filter((text) => text.includes('again')),
      [],
    );
  });

  test('Run All Tests on a sandbox confirms once, with the number and the connection, unless the setting is never', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const settings = vscode.workspace.getConfiguration('smartObjects');
    for (const name of ['all-a', 'all-b']) {
      await write(`all/${name}.action.json`, { action: { mint: { template_id: known.template('Jacket'), num: 1 } } });
      await write(`all/${name}.expect.json`, {});
    }
    const before = countPosts();
    try {
      await vscode.commands.executeCommand('testing.refreshTests');
      await vscode.commands.executeCommand('testing.runAll');
      assert.deepEqual(extension.ui.readMessages('confirm'), [
        'Sandbox · Actions: Runs 2 actions in order. This can’t be undone.',
      ]);
      assert.equal(countPosts(), before);
      await settings.update('confirmExecution', 'never', vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand('testing.runAll');
      assert.equal(extension.ui.readMessages('confirm').length, 1);
      assert.equal(countPosts(), before + 2);
    } finally {
      await settings.update('confirmExecution', undefined, vscode.ConfigurationTarget.Global);
      await remove('all');
    }
  });

  test('the action files of the workspace are tasks; whoever starts one, it must be confirmed', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const tasksFile = vscode.Uri.joinPath(folder(), '.vscode/tasks.json');
    const old = await vscode.workspace.fs.readFile(tasksFile);
    const name = 'offered/one.action.json';
    await write(name, { action: { mint: { template_id: known.template('Jacket'), num: 1 } } });
    const before = countPosts();
    try {
      await runTask(name);
      const label = 'with the folder';
      const tasks = [{ type: 'smartObjects', label, files: [`./${name}`], connection: CONNECTION }];
      await write('.vscode/tasks.json', { version: '2.0.0', tasks });
      await runTask(label);
      const question = 'Sandbox · Actions: Runs 1 action: Creates objects from a template. This can’t be undone.';
      assert.deepEqual(extension.ui.readMessages('confirm'), [question, question]);
      assert.equal(countPosts(), before);
      // A command of an input could start the run of any file, as soon as the folder is open.
      const input = { id: 'start', type: 'command', command: 'smartObjects.executeAction' };
      const shell = { type: 'shell', label: 'build', command: 'echo ${input:start}' };
      await write('.vscode/tasks.json', { version: '2.0.0', tasks: [shell], inputs: [input] });
      const start = vscode.Uri.joinPath(folder(), name);
      await eventually(async () => {
        await execute(start);
        return extension.ui.readMessages('confirm').length > 2 ? true : undefined;
      });
      await vscode.workspace.fs.writeFile(tasksFile, old);
      await eventually(async () => ((await execute(start)).length === 1 ? true : undefined));
    } finally {
      await vscode.workspace.fs.writeFile(tasksFile, old);
      await remove('offered');
    }
  });

  test('a permission that is known to be missing is shown before anything is sent', async () => {
    const extension = getExtension();
    const uri = await write('denied.action.json', { action: { burn: { id: 'obj_none' } } });
    const session = (await extension.services()).sessions.get(CONNECTION);
    assert.ok(session);
    const before = countPosts();
    const can = session.hasPermission.bind(session);
    session.hasPermission = (resource, verb, organization) =>
      resource === 'ebus.actions' && verb === 'create' ? false : can(resource, verb, organization);
    try {
      assert.deepEqual(await execute(uri), []);
      const question = extension.ui.messages.find(({ kind }) => kind === 'confirm');
      assert.deepEqual(question?.choices, ['Run Anyway']);
      assert.match(
        question.detail ?? '',
        /^Your role lacked the permission ebus\.actions: create when it was last read\./,
      );
      assert.equal(countPosts(), before);
      extension.ui.answer('confirm', true);
      assert.deepEqual(getOutcomes(await execute(uri)), ['refused']);
    } finally {
      session.hasPermission = can;
    }
  });

  test('a credential in the file is reported before sending', async () => {
    const extension = getExtension();
    const note = `key ${getSandbox().apiKey}`;
    const uri = await write('held.action.json', { action: { update: { id: 'x', data: { custom: { note } } } } });
    const before = countPosts();
    assert.deepEqual(await execute(uri), []);
    const question = extension.ui.messages.find(({ kind }) => kind === 'confirm');
    assert.deepEqual(question?.choices, ['Run Anyway']);
    assert.match(question.detail ?? '', /^held, line 7: This is a stored secret. It is sent with the file/);
    assert.equal(JSON.stringify(extension.ui.messages).includes(getSandbox().apiKey), false);
    assert.equal(countPosts(), before);
  });

  test('a credential that is refused offers to sign in', async () => {
    const extension = getExtension();
    const uri = await write('unauthenticated.action.json', { action: { burn: { id: 'obj_none' } } });
    fault({ route: EXECUTE, fault: 'unauthorized' });
    await execute(uri);
    const notification = extension.ui.messages.find(({ kind }) => kind === 'error' || kind === 'warn');
    assert.deepEqual(notification?.choices, ['Sign In…', 'Show Run']);
  });

  suite('the connection has another server now', () => {
    let other: Sandbox;
    suiteSetup(async () => (other = await startSandbox({ seed: 9 })));
    suiteTeardown(() => other.close());

    test('Run Again confirms, and results of runs are those of the same server', async () => {
      const extension = getExtension();
      const known = await readIds(extension);
      const file = await write('made.action.json', {
        action: { mint: { template_id: known.template('Jacket'), num: 1 } },
      });
      const [run] = await execute(file);
      assert.equal(run?.outcome, 'completed');
      await extension.addConnection(
        { name: CONNECTION, baseUrl: other.baseUrl, environment: 'sandbox' },
        { apiKey: other.apiKey },
      );
      const sent = other.recorder.executes;
      assert.deepEqual(await vscode.commands.executeCommand('smartObjects.rerun', run.id), []);
      const question = extension.ui.messages.findLast(({ kind }) => kind === 'confirm');
      assert.equal(question?.text, 'Sandbox · Actions now points to another server.');
      assert.equal(
        question.detail,
        `made was run on ${new URL(getSandbox().baseUrl).origin}. Run Again sends it to ${other.baseUrl}.`,
      );
      const using = await write('using.action.json', {
        action: { update: { id: '${run:made.steps[0].output.ids[0]}', data: { custom: { a: 1 } } } },
      });
      extension.ui.answer('confirm', true);
      const [used] = await execute(using);
      assert.equal(used?.outcome, 'notSent', used?.reason);
      assert.match(used.reason ?? '', /no earlier run has this name/);
      assert.equal(other.recorder.executes, sent);
    });
  });

  suite('a queued execution', () => {
    let server: http.Server;
    let hanging: http.ServerResponse[] = [];
    let sent = 0;
    const baseUrl = (path: string): string => {
      const address = server.address();
      assert.ok(typeof address === 'object' && address !== null);
      return `http://127.0.0.1:${String(address.port)}${path}`;
    };
    suiteSetup(async () => {
      server = http.createServer((request, response) => {
        request.resume();
        if (request.method === 'POST') {
          sent++;
          hanging.push(response);
        } else {
          response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
        }
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    suiteTeardown(() => {
      server.closeAllConnections();
      server.close();
    });

    const endings: Readonly<Record<string, (extension: TestHooks) => Promise<unknown>>> = {
      'the user signs out': (extension) => extension.signOut('Slow'),
      'the connection leads elsewhere': (extension) =>
        extension.addConnection({ name: 'Slow', baseUrl: baseUrl('/elsewhere'), environment: 'sandbox' }),
      'the connection is removed': async (extension) => {
        const settings = vscode.workspace.getConfiguration('smartObjects');
        await settings.update('connections', undefined, vscode.ConfigurationTarget.Global);
        const { sessions } = await extension.services();
        await eventually(() => (sessions.get('Slow') === undefined ? true : undefined));
      },
    };
    for (const [what, end] of Object.entries(endings))
      test(`is not sent if ${what} meanwhile`, async () => {
        const extension = getExtension();
        const settings = vscode.workspace.getConfiguration('smartObjects');
        await settings.update('maxConcurrentRequests', 1, vscode.ConfigurationTarget.Global);
        [sent, hanging] = [0, []];
        try {
          await extension.addConnection(
            { name: 'Slow', baseUrl: baseUrl(''), environment: 'sandbox' },
            { apiKey: 'key-for-the-slow-one' },
          );
          await extension.features.run('selectConnection', 'Slow');
          const first = execute(await write('slow-1.action.json', { action: { burn: { id: 'a' } } }));
          await eventually(() => (sent === 1 ? true : undefined));
          const uri = await write('slow-2.action.json', { action: { burn: { id: 'b' } } });
          const second = execute(uri);
          await eventually(() => (extension.ui.readMessages('progress').includes('slow-2: queued') ? true : undefined));
          assert.deepEqual(await executeNow(uri), []);
          assert.match(extension.ui.readMessages('warn').join(), /^slow-2 is already being sent to /);
          await end(extension);
          assert.deepEqual(getOutcomes(await second), ['notSent']);
          for (const response of hanging) response.destroy();
          assert.deepEqual(getOutcomes(await first), ['unknown']);
          assert.equal(sent, 1);
        } finally {
          await settings.update('maxConcurrentRequests', undefined, vscode.ConfigurationTarget.Global);
        }
      });
  });
});
