/** Preview Request: the document, what it follows, and that nothing is sent. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { actionSuite, CANARY, CONNECTION, execute, getLenses, readIds, remove, write } from '../support/actions.ts';
import { eventually } from '../support/documents.ts';
import { countPosts, getSandbox } from '../support/sandbox.ts';

async function showPreview(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const shown = await vscode.commands.executeCommand<vscode.Uri | undefined>('smartObjects.previewRequest', uri);
  assert.ok(shown, 'no preview was shown');
  return vscode.workspace.openTextDocument(shown);
}

/** Waits until the document matches. */
async function waitForText(document: vscode.TextDocument, pattern: RegExp): Promise<string> {
  return eventually(() => (pattern.test(document.getText()) ? document.getText() : undefined));
}

actionSuite('actions: preview of a request', (getExtension) => {
  test('the lens shows the request, its effect and the command beside the file; nothing is sent', async () => {
    const known = await readIds(getExtension());
    const id = known.object('Jacket');
    const uri = await write('preview/give.action.json', {
      action: { transfer: { id, to: '${input:receiver}', note: '${secret:PREVIEW}' } },
    });
    await vscode.window.showTextDocument(uri);
    const lens = await eventually(async () => {
      const lenses = await getLenses(uri);
      return lenses.find(({ command }) => command?.command === 'smartObjects.previewRequest')?.command;
    });
    assert.equal(lens.title, 'Preview');
    const before = countPosts();
    assert.equal(String(lens.arguments?.[0]), uri.toString());
    const document = await showPreview(uri);
    assert.equal(document.languageId, 'markdown');
    await eventually(() => {
      const shown = vscode.window.tabGroups.all[1]?.activeTab;
      return shown?.input instanceof vscode.TabInputWebview && shown.label.endsWith('give.md') ? shown : undefined;
    });
    const text = await waitForText(document, /- Permission: /);
    for (const part of [
      /^# Preview of give\n\nTransfers object “[^”]+” \(/,
      new RegExp(`- Connection: Sandbox · ${CONNECTION}, \`${getSandbox().baseUrl}\``),
      /- Fee: \d.*\n- Permission: .*ebus\.actions: create.*\n(?:- .*\n)*- Signature: none\n/,
      new RegExp(`## Current objects\n\n- “[^”]+” \\(\`${id}\`\\): owner \`0x`),
      /"to": "\$\{input:receiver\}"/,
      /- \$\{input:receiver\} has no value yet. You are prompted for it when the action is run\.\n/,
      /- \$\{secret:PREVIEW\} has no value yet. You are prompted for it when the action is run\.\n/,
      /## cURL\n\n```sh\ncurl .*\n[^]*SMART_OBJECTS_API_KEY/,
    ])
      assert.match(text, part);
    assert.equal(countPosts(), before);
    assert.deepEqual(getExtension().ui.readMessages('input'), [], 'a preview asks for no value');
  });

  test('it follows the file, its values, the objects and the active connection', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const id = known.object('Jacket');
    const action = { update: { id, data: { custom: { secret: '${secret:KEY}', text: 'first' } } } };
    const uri = await write('preview/follow.action.json', { action });
    await vscode.window.showTextDocument(uri);
    const document = await showPreview(uri);
    await waitForText(document, /"text": "first"/);
    // A run stores the secret and changes the object.
    extension.ui.answer('input', CANARY);
    extension.ui.answer('confirm', true);
    const [version = ''] = /version \d+/.exec(document.getText()) ?? [];
    assert.notEqual(version, '');
    const [run] = await execute(uri);
    assert.equal(run?.outcome, 'completed', run?.reason);
    const after = await eventually(() =>
      document.getText().includes('"secret": "••••"') && !document.getText().includes(version)
        ? document.getText()
        : undefined,
    );
    assert.ok(!after.includes(CANARY));
    const posts = countPosts();
    // Unsaved changes count; a text that cannot be sent is named.
    const editor = await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
    const replaceText = (text: string): Thenable<boolean> =>
      editor.edit((edit) => {
        edit.replace(new vscode.Range(0, 0, editor.document.lineCount, 0), text);
      });
    await replaceText('{ "action": ');
    await waitForText(document, /^# Preview of follow\n\nfollow\.action\.json, line 1: .*\. Nothing was sent\.\n$/);
    await replaceText(JSON.stringify({ action: { burn: { id } } }));
    await waitForText(document, /^# Preview of follow\n\nPermanently destroys object /);
    const { baseUrl, apiKey } = getSandbox();
    await extension.addConnection({ name: 'Other', baseUrl, environment: 'staging' }, { apiKey });
    await vscode.commands.executeCommand('smartObjects.setActiveConnection', 'Other');
    await waitForText(document, /- Connection: Staging · Other, /);
    assert.equal(countPosts(), posts);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await remove('preview');
  });

  test('without a connection the request is shown, and that its effect is not known', async () => {
    await getExtension().reset();
    const uri = await write('preview/alone.action.json', { action: { burn: { id: 'obj_1' } } });
    const text = await waitForText(
      await showPreview(uri),
      /- No connection: the effect of the action can’t be predicted\.\n$/,
    );
    assert.doesNotMatch(text, /Permission|Fee|cURL/);
    await remove('preview');
  });
});
