/** The failure inbox in real VS Code: the count in the view, what is known, and a suite that reproduces a failure. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { readLabelledRuns } from '../../../src/logs/history/runs.ts';
import { execute } from '../support/actions.ts';
import { closeAll, eventually } from '../support/documents.ts';
import { findJacket, hooks, injectLogs, onLogs, panel, show } from '../support/logs.ts';
import { countRequests } from '../support/sandbox.ts';

suite('action logs: failure inbox', () => {
  onLogs();
  teardown(closeAll);

  test('new failures are counted until the user looked, but not the known ones; one is reproduced by a suite', async () => {
    // The data of the sandbox has failures too, which are new if the window is older than they are.
    await vscode.commands.executeCommand('smartObjects.showFailures');
    const view = await panel();
    const isRead = (): true | undefined =>
      view.feed.phase === 'live' || view.feed.phase === 'idle' ? true : undefined;
    await eventually(isRead);
    await show();
    await eventually(isRead);
    assert.equal(view.newFailures, 0);
    const [id = ''] = await injectLogs(1, { status: 'failed' });
    await eventually(() => (view.entries.some((entry) => entry.id === id) ? true : undefined));
    await eventually(() => (view.newFailures === 1 ? true : undefined));
    // Looking at them, and away again.
    await vscode.commands.executeCommand('smartObjects.showFailures');
    const failures = await panel();
    assert.equal(failures.newFailures, 0);
    const entry = await eventually(() => failures.entries.find((one) => one.id === id));
    await failures.handlers.reproduce({ key: entry.key });
    const editor = await eventually(() => {
      const active = vscode.window.activeTextEditor;
      return active?.document.uri.path.endsWith('.actions.json') === true ? active : undefined;
    });
    const suite = JSON.parse(editor.document.getText()) as { steps: { request: object; expect: { status: string } }[] };
    assert.deepEqual([suite.steps.length, suite.steps[0]?.expect.status], [1, 'failed']);
    assert.equal(editor.document.isUntitled, true);
    failures.handlers.markKnown({ key: entry.key, known: true });
    const { inbox } = await (await hooks()).logs.controller();
    assert.equal(inbox.count(entry.row.connection), 1);
    await vscode.commands.executeCommand('smartObjects.showActionLogs');
    assert.equal(failures.newFailures, 0);
    // Nothing is requested once the view is hidden; what it counted stays.
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await eventually(() => (failures.visible ? undefined : true));
    const before = countRequests('GET /ebus/action-logs');
    failures.handlers.markKnown({ key: entry.key, known: false });
    assert.equal(inbox.count(entry.row.connection), 0);
    assert.equal(countRequests('GET /ebus/action-logs'), before);
  });

  test('a run keeps the commit that is checked out, which names it beside its failure', async () => {
    const repository = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-commit-'));
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
        cwd: repository,
        encoding: 'utf8',
      }).trim();
    const file = path.join(repository, 'scan.action.json');
    const data = { custom: { scanned: true } };
    fs.writeFileSync(file, JSON.stringify({ action: { update: { id: await findJacket(), data } } }));
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Scan');
    const commit = git('rev-parse', 'HEAD');
    interface Git {
      getAPI(version: 1): { openRepository(uri: vscode.Uri): Promise<unknown> };
    }
    const api = (await vscode.extensions.getExtension<Git>('vscode.git')?.activate())?.getAPI(1);
    await api?.openRepository(vscode.Uri.file(repository));
    const [run] = await eventually(async () => {
      const runs = await execute(vscode.Uri.file(file));
      return runs[0]?.commit === undefined ? undefined : runs;
    });
    assert.equal(run?.commit, commit);
    const { context } = await (await hooks()).services();
    const stored = (await readLabelledRuns(context)).find(({ id }) => id === run.id);
    assert.equal(stored?.label, `${file} · ${commit.slice(0, 8)}`);
    fs.rmSync(repository, { recursive: true });
  });
});
