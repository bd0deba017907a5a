/** Copy commands of documents: clipboard, console, types and ids. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createDropEdits } from '../../../src/documents/commands/insert-id.ts';
import { DRAG_MIME, formatDragData } from '../../../src/model/resources/drag-data.ts';
import { getTestHooks, runCommand } from '../support/connections.ts';
import { connect, CONNECTION, eventually, findLink, getAnyResource, onSandbox, open } from '../support/documents.ts';
import { countRequests, getSandbox } from '../support/sandbox.ts';

suite('documents: copy commands', () => {
  onSandbox();

  test('Copy as JSON copies what the document shows, secrets hidden', async () => {
    const resource = await getAnyResource('api-keys');
    const document = await open(resource);
    await runCommand('copyJson', resource);
    assert.equal(await vscode.env.clipboard.readText(), document.getText());
  });

  test('Copy as cURL names the credential’s variable and never contains its value', async () => {
    const resource = await getAnyResource('objects');
    await runCommand('copyCurl', { type: 'resource', connection: CONNECTION, kind: 'objects', resource });
    const command = await vscode.env.clipboard.readText();
    assert.match(command, /^curl /);
    assert.ok(command.includes(`${getSandbox().baseUrl}/objects/${resource.id}`));
    assert.ok(command.includes('"x-api-key: $SMART_OBJECTS_API_KEY"'));
    assert.ok(!command.includes(getSandbox().apiKey));
    await runCommand('copyCurl', {
      type: 'list',
      connection: CONNECTION,
      kind: 'faces',
      organization: 'org 1',
      fixed: {},
      filter: { name: 'x' },
    });
    assert.match(await vscode.env.clipboard.readText(), /\/faces\?org_id=org\+1&name=x'/);
  });

  test('Open in Console opens the link template, or offers the settings without one', async () => {
    const h = await getTestHooks();
    const resource = await getAnyResource('batches');
    await runCommand('openExternal', resource);
    assert.match(h.ui.readMessages('info').at(-1) ?? '', /has no link template for this resource/);
    await connect(CONNECTION, {
      links: { transaction: 'https://scan.example/tx/{hash}', object: 'https://console.example/o/{id}?a=b' },
    });
    h.ui.answer('pick', 'l1_tx_hash');
    await runCommand('openExternal', resource);
    const batch = JSON.parse((await open(resource)).getText()) as { readonly l1_tx_hash: string };
    assert.equal(h.ui.readMessages('browse').at(-1), `https://scan.example/tx/${batch.l1_tx_hash}`);
    const document = await open(resource);
    assert.equal(
      (await findLink(document, `"${batch.l1_tx_hash}"`))?.target?.toString(),
      `https://scan.example/tx/${batch.l1_tx_hash}`,
    );
    await runCommand('openExternal', { connection: CONNECTION, kind: 'objects', id: 'a/b c' });
    assert.equal(h.ui.readMessages('browse').at(-1), 'https://console.example/o/a%2Fb%20c?a=b');
  });

  test('Generate TypeScript Types… writes the custom data of a template’s objects', async () => {
    const object = await getAnyResource('objects');
    await runCommand('generateTypes', object);
    const document = await eventually(() => {
      const front = vscode.window.activeTextEditor?.document;
      return front?.languageId === 'typescript' ? front : undefined;
    });
    assert.equal(document.isUntitled, true);
    assert.match(document.getText(), /inferred from \d+ objects?/);
    assert.match(document.getText(), /export interface \w+ \{/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('Generate Client… writes the types and actions of a template, and refuses other rows', async () => {
    const template = await getAnyResource('templates');
    const text = await runCommand('generateClient', template);
    assert.ok(typeof text === 'string' && text.includes(JSON.stringify(template.id)));
    assert.match(text, /export function createPlatform\(options: ClientOptions\)/);
    assert.equal(vscode.window.activeTextEditor?.document.getText(), text);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    const h = await getTestHooks();
    await runCommand('generateClient', await getAnyResource('faces'));
    assert.match(h.ui.readMessages('error').at(-1) ?? '', /Select templates/);
  });

  test('Insert ID at Cursor writes a known id without a request', async () => {
    const h = await getTestHooks();
    const { id } = await getAnyResource('objects');
    const owner = (
      JSON.parse((await open({ connection: CONNECTION, kind: 'objects', id })).getText()) as { readonly owner: string }
    ).owner;
    // A unique name: VS Code could restore the backup of an earlier untitled document.
    const editor = await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument(vscode.Uri.parse('untitled:insert.env')),
    );
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(0, 0), 'OBJECT=\n');
    });
    editor.selection = new vscode.Selection(0, 7, 0, 7);
    const before = countRequests();
    h.ui.answer('pick', id);
    await runCommand('insertId');
    assert.equal(editor.document.lineAt(0).text, `OBJECT=${id}`);
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    h.ui.answer('pick', owner);
    await runCommand('insertId');
    assert.equal(editor.document.lineAt(1).text, owner);
    assert.equal(countRequests(), before);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('Insert ID at Cursor and a drop replace the placeholder that they land in', async () => {
    const h = await getTestHooks();
    const { id } = await getAnyResource('objects');
    const uri = vscode.Uri.parse('untitled:insert.action.json');
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    const { document } = editor;
    const original = '{ "action": { "burn": { "id": "REPLACE_WITH_OBJECT_ID", "note": 1 } } }';
    const write = (text: string): Thenable<boolean> =>
      editor.edit((edit) => {
        edit.replace(new vscode.Range(0, 0, document.lineCount, 0), text);
      });
    const position = new vscode.Position(0, original.indexOf('_WITH'));
    const expected = { action: { burn: { id, note: 1 } } };
    await write(original);
    // Two cursors in the placeholder, and a part of it that is selected.
    const later = position.translate(0, 5);
    editor.selections = [new vscode.Selection(position, position), new vscode.Selection(later, later.translate(0, 3))];
    h.ui.answer('pick', id);
    await runCommand('insertId');
    assert.deepEqual(JSON.parse(document.getText()), expected);
    await write(original);
    // The gesture of the mouse ends in these edits.
    const transfer = new vscode.DataTransfer();
    const dragged = formatDragData([{ connection: CONNECTION, kind: 'objects', id }]);
    transfer.set(DRAG_MIME, new vscode.DataTransferItem(dragged));
    const { token } = new vscode.CancellationTokenSource();
    const [drop, ...others] = await createDropEdits(document, position, transfer, token);
    assert.deepEqual([drop?.insertText, others], ['', []]);
    assert.ok(drop?.additionalEdit);
    await vscode.workspace.applyEdit(drop.additionalEdit);
    assert.deepEqual(JSON.parse(document.getText()), expected);
    await write('{ "id":  }');
    const [outside] = await createDropEdits(document, new vscode.Position(0, 8), transfer, token);
    assert.equal(outside?.insertText, JSON.stringify(id));
    // A drop would insert a whole action first.
    await write('');
    h.ui.answer('pick', id);
    await runCommand('insertId');
    assert.equal(document.getText(), JSON.stringify(id));
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
