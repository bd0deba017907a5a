/** The log lens in the user's code: nothing while it is off; on, the numbers, and a click that shows the logs. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getTestHooks } from './support/connections.ts';
import { eventually, getAnyResource, onSandbox } from './support/documents.ts';
import { views } from './support/logs.ts';
import { listRequests } from './support/sandbox.ts';

const NAME = 'Log Lens';

suite('log lens', () => {
  onSandbox(NAME);
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('smartObjects');
  teardown(() => settings().update('logLens', undefined, vscode.ConfigurationTarget.Global));

  const getLenses = async ({ uri }: vscode.TextDocument): Promise<readonly vscode.CodeLens[]> => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 20);
    return lenses.filter(({ command }) => command?.command === 'smartObjects.showActionLogs');
  };
  const countReadings = (): number =>
    listRequests().filter(({ path }) => path.startsWith('/stats/') || path === '/ebus/action-logs').length;

  test('off, nothing is shown or requested; on, lenses beside actions and templates, whose click shows the logs', async () => {
    const { sessions } = await (await getTestHooks()).services();
    assert.equal(sessions.active?.profile.name, NAME);
    const { id } = await getAnyResource('templates', NAME);
    const content = `// nothing\nrun({ action: { mint: { template_id: '${id}' } } });\nconst OTHER = '${id}';\n`;
    const document = await vscode.workspace.openTextDocument({ language: 'javascript', content });
    await vscode.window.showTextDocument(document);
    const before = countReadings();
    assert.deepEqual(await getLenses(document), []);
    assert.equal(countReadings(), before);
    await settings().update('logLens', true, vscode.ConfigurationTarget.Global);
    const lenses = await eventually(async () => {
      const found = await getLenses(document);
      // The fees of logs may be shown before statistics are read.
      return found.length === 3 && found.every(({ command }) => command?.title.includes('in 30 days'))
        ? found
        : undefined;
    });
    const [action, template, other] = lenses.map(({ command, range }) => ({ line: range.start.line, ...command }));
    assert.match(action?.title ?? '', /runs? in 30 days/);
    assert.match(template?.title ?? '', /objects? created in 30 days/);
    assert.deepEqual([action?.line, template?.line, other?.line], [1, 1, 2]);
    assert.equal(other?.title, template?.title);
    assert.deepEqual(listRequests().filter(({ path }) => path === '/stats/actions/execution').length, 1);
    const argument: unknown = action?.arguments?.[0];
    await vscode.commands.executeCommand(action?.command ?? '', argument);
    const view = await eventually(async () => (await views())[0]);
    assert.deepEqual([view.state.text, view.state.filters.connections], ['mint', [NAME]]);
    await settings().update('logLens', false, vscode.ConfigurationTarget.Global);
    assert.deepEqual(await getLenses(document), []);
  });
});
