/** Compare Environments: what differs between two sandboxes is shown as changes of files, with a report. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Comparison } from '../../src/environments/compare.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { getTestHooks, runCommand } from './support/connections.ts';
import { eventually, onSandbox } from './support/documents.ts';
import { fault } from './support/sandbox.ts';

const [ONE, OTHER] = ['Environment A', 'Environment B'];

suite('environments', () => {
  let sandbox: Sandbox;
  onSandbox(ONE);
  suiteSetup(async () => {
    sandbox = await startSandbox({ objects: 20, seed: 2 });
    const { baseUrl, apiKey } = sandbox;
    await (await getTestHooks()).addConnection({ name: OTHER, baseUrl }, { apiKey });
  });
  suiteTeardown(() => sandbox.close());

  const compare = async (first: unknown, second: string): Promise<Comparison> => {
    const { ui } = await getTestHooks();
    ui.answer('pick', second);
    return (await runCommand('compareEnvironments', first)) as Comparison;
  };

  test('what differs is a list of changed files, and a report', async () => {
    const { ui } = await getTestHooks();
    ui.answer('info', 'Show Report');
    const { differences, unread } = await compare(ONE, OTHER);
    assert.ok(differences.length > 0 && unread.size === 0);
    await eventually(() =>
      vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.startsWith(`${ONE} ↔ ${OTHER}`)))
        ? true
        : undefined,
    );
    const uri = vscode.Uri.from({
      scheme: 'smartobject-report',
      path: `/${encodeURIComponent(ONE)}/${ONE} ↔ ${OTHER}.md`,
    });
    // VS Code closes a document that is not shown, which is then not updated.
    const report = await eventually(async () => {
      const document = await vscode.workspace.openTextDocument(uri);
      return document.getText().startsWith('#') ? document : undefined;
    });
    assert.match(report.getText(), /^# Environment A → Environment B\n\n```diff\n[-+~] \w/);
  });

  test('a kind that may not be read is named, and the same connection twice is refused', async () => {
    const { ui } = await getTestHooks();
    fault({ route: 'GET /faces', fault: 'forbidden' });
    const { differences, unread } = await compare(ONE, OTHER);
    assert.deepEqual([...unread.keys()], ['faces']);
    assert.ok(differences.every(({ kind }) => kind !== 'faces'));
    await eventually(() => (ui.readMessages('warn').at(-1)?.includes('Faces') === true ? true : undefined));
    await compare(ONE, ONE);
    assert.match(ui.readMessages('error').at(-1) ?? '', /Select two connections/);
  });
});
