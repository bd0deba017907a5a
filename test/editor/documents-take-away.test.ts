/** Taking things away from the documents: clipboard, console, comparison, types, and ids in the person's own files. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { hooks, sandbox } from './support/connections.ts';
import {
  closeAll,
  connect,
  CONNECTION,
  eventually,
  fault,
  hoverText,
  linkOn,
  linksOf,
  oneOf,
  open,
  requestCount,
  uriOf,
} from './support/documents.ts';

const run = (command: string, ...args: unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand(`smartObjects.${command}`, ...args);

suite('documents: take away', () => {
  suiteSetup(async () => {
    await (await hooks()).reset();
    await connect();
  });
  setup(() => fault(undefined));
  teardown(closeAll);
  suiteTeardown(async () => {
    await fault(undefined);
    await (await hooks()).reset();
  });

  test('Copy as JSON copies what the document shows, secrets hidden', async () => {
    const resource = await oneOf('api-keys');
    const document = await open(resource);
    await run('copyJson', resource);
    assert.equal(await vscode.env.clipboard.readText(), document.getText());
  });

  test('Copy as cURL names the credential and never holds it', async () => {
    const resource = await oneOf('objects');
    await run('copyCurl', { type: 'resource', connection: CONNECTION, kind: 'objects', resource });
    const command = await vscode.env.clipboard.readText();
    assert.match(command, /^curl /);
    assert.ok(command.includes(`${sandbox().baseUrl}/objects/${resource.id}`));
    assert.ok(command.includes('"x-api-key: $SMART_OBJECTS_API_KEY"'));
    assert.ok(!command.includes(sandbox().apiKey));
    await run('copyCurl', {
      type: 'list',
      connection: CONNECTION,
      kind: 'faces',
      organization: 'org 1',
      fixed: {},
      filter: { name: 'x' },
    });
    assert.match(await vscode.env.clipboard.readText(), /\/faces\?org_id=org\+1&name=x'/);
  });

  test('Open in Console says when nothing is configured, and opens by template when it is', async () => {
    const h = await hooks();
    const resource = await oneOf('batches');
    await run('openExternal', resource);
    assert.match(h.ui.said('info').at(-1) ?? '', /has no link template that opens this batch/);
    await connect(CONNECTION, {
      links: { transaction: 'https://scan.example/tx/{hash}', object: 'https://console.example/o/{id}?a=b' },
    });
    h.ui.answer('pick', 'l1_tx_hash');
    await run('openExternal', resource);
    const batch = JSON.parse((await open(resource)).getText()) as { readonly l1_tx_hash: string };
    assert.equal(h.ui.said('browse').at(-1), `https://scan.example/tx/${batch.l1_tx_hash}`);
    const document = await open(resource);
    assert.equal(
      (await linkOn(document, `"${batch.l1_tx_hash}"`))?.target?.toString(),
      `https://scan.example/tx/${batch.l1_tx_hash}`,
    );
    await run('openExternal', { connection: CONNECTION, kind: 'objects', id: 'a/b c' });
    assert.equal(h.ui.said('browse').at(-1), 'https://console.example/o/a%2Fb%20c?a=b');
  });

  test('Compare With… shows two resources, and one as it was, in VS Code’s own diff', async () => {
    const h = await hooks();
    const resource = await oneOf('objects');
    const template = await oneOf('templates');
    h.ui.answer('pick', 'By ID', template.id);
    await run('compareResources', resource);
    const tab = await eventually(diffInFront);
    assert.equal(tab.original.toString(), uriOf('templates', template.id).toString());
    assert.equal(tab.modified.toString(), uriOf('objects', resource.id).toString());
    await closeAll();

    await vscode.window.showTextDocument(await open(resource));
    await run('refreshDocument');
    const before = vscode.window.activeTextEditor?.document.getText();
    await fault({ route: 'GET /objects/{objectId}', fault: 'unknownField', field: 'custom.only_now', value: 1 });
    await run('refreshDocument');
    await eventually(() =>
      vscode.window.activeTextEditor?.document.getText().includes('only_now') === true ? true : undefined,
    );
    h.ui.answer('pick', ({ choices }) => choices.find((label) => label.startsWith('$(history)')));
    await run('compareResources');
    const { original } = await eventually(diffInFront);
    assert.equal(original.scheme, 'smartobject-seen');
    assert.equal((await vscode.workspace.openTextDocument(original)).getText(), before);
  });

  test('Compare With… puts the same resource of another connection beside it', async () => {
    const h = await hooks();
    await connect('Production', { environment: 'production' });
    const resource = await oneOf('faces');
    h.ui.answer('pick', 'Production');
    await run('compareResources', resource);
    const tab = await eventually(diffInFront);
    assert.equal(tab.original.toString(), uriOf('faces', resource.id, 'Production').toString());
    await h.reset();
    await connect();
  });

  test('Generate TypeScript Types… writes the custom data of a template’s objects', async () => {
    const object = await oneOf('objects');
    await run('generateTypes', object);
    const document = await eventually(() => {
      const front = vscode.window.activeTextEditor?.document;
      return front?.languageId === 'typescript' ? front : undefined;
    });
    assert.equal(document.isUntitled, true);
    assert.match(document.getText(), /inferred from \d+ objects?/);
    assert.match(document.getText(), /export interface \w+ \{/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('Insert ID at Cursor writes a known id, and nothing is asked for', async () => {
    const h = await hooks();
    const { id } = await oneOf('objects');
    const owner = (
      JSON.parse((await open({ connection: CONNECTION, kind: 'objects', id })).getText()) as { readonly owner: string }
    ).owner;
    const editor = await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ content: 'OBJECT=\n' }),
    );
    editor.selection = new vscode.Selection(0, 7, 0, 7);
    const before = await requestCount();
    h.ui.answer('pick', id);
    await run('insertId');
    assert.equal(editor.document.lineAt(0).text, `OBJECT=${id}`);
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    h.ui.answer('pick', owner);
    await run('insertId');
    assert.equal(editor.document.lineAt(1).text, owner);
    assert.equal(await requestCount(), before);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('a known id in the person’s own file has hover and link, without a request; the setting turns both off', async () => {
    const { id } = await oneOf('objects');
    const unknown = 'obj_0123456789abcdef01234567';
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-code-'));
    const file = path.join(folder, 'app.env');
    fs.writeFileSync(file, `# nothing\nOBJECT_ID=${id}\nOTHER=${unknown}\nWORD=something\n`);
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    const before = await requestCount();
    const hover = await hoverText(document.uri, new vscode.Position(1, 14));
    assert.match(hover, /symbol-object/);
    assert.match(hover, /command:smartObjects\.showObjectHistory\?/);
    const link = await eventually(() => linkOn(document, id));
    assert.equal(link.target?.toString(), uriOf('objects', id).toString());
    const offer = await hoverText(document.uri, new vscode.Position(2, 12));
    assert.match(offer, /Look Up/);
    assert.equal(await hoverText(document.uri, new vscode.Position(3, 8)), '');
    assert.equal(await requestCount(), before);
    const settings = vscode.workspace.getConfiguration('smartObjects');
    await settings.update('linkIds', false, vscode.ConfigurationTarget.Global);
    assert.equal(await hoverText(document.uri, new vscode.Position(1, 14)), '');
    assert.deepEqual(
      (await linksOf(document.uri)).filter(({ target }) => target?.scheme === 'smartobject'),
      [],
    );
    await settings.update('linkIds', undefined, vscode.ConfigurationTarget.Global);
    fs.rmSync(folder, { recursive: true });
  });

  test('a hostile name stays text in a card, and every button is of the closed list', async () => {
    const { ids } = await (await hooks()).services();
    const title =
      '](command:workbench.action.quit) [x](https://evil.example) <img src=x> $(alert) https://evil.example **b**';
    ids.index.add({ connection: CONNECTION, kind: 'objects', id: 'hostile_0001', title, state: title });
    const document = await vscode.workspace.openTextDocument({ content: 'x = hostile_0001' });
    const hover = await hoverText(document.uri, new vscode.Position(0, 8));
    const commands = [...hover.matchAll(/(?<!\\)\]\(command:([\w.]+)\?/g)].map(([, command]) => command);
    assert.deepEqual(
      commands,
      ['openResource', 'copyId', 'showObjectHistory', 'previewFace'].map((id) => `smartObjects.${id}`),
    );
    assert.doesNotMatch(hover, /(?<!\\)<img|https:\/\/evil|(?<!\\)\*\*b|(?<!\\)\$\(alert/);
  });
});

function diffInFront(): vscode.TabInputTextDiff | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input : undefined;
}
