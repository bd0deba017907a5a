/** Face previews in real VS Code: a panel titled after the face, from every door, that follows its file. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestHooks } from '../../src/ui/test-hooks.ts';
import { hooks } from './support/connections.ts';
import { closeAll, connect, eventually, oneOf, uriOf } from './support/documents.ts';

const CONNECTION = 'Faces';

function faceTabs(): readonly string[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('smartObjects.face'))
    .map(({ label }) => label);
}

async function preview(argument: unknown): Promise<void> {
  await vscode.commands.executeCommand('smartObjects.previewFace', argument);
}

async function titled(title: string): Promise<void> {
  await eventually(() => (faceTabs().includes(title) ? title : undefined));
}

suite('faces', () => {
  let extension: TestHooks;
  suiteSetup(async () => {
    extension = await hooks();
    await extension.reset();
    await connect(CONNECTION);
  });
  setup(closeAll);
  teardown(async () => {
    assert.deepEqual(extension.ui.said('error'), []);
    assert.deepEqual(
      extension.logLines.filter((line) => /The view .* (broke|sent)/.test(line)),
      [],
    );
    await closeAll();
  });
  suiteTeardown(async () => {
    await (await hooks()).reset();
  });

  test('a face opens a panel titled after it, once', async () => {
    const resource = await oneOf('faces', CONNECTION);
    const document = await vscode.workspace.openTextDocument(uriOf('faces', resource.id, CONNECTION));
    const { name } = JSON.parse(document.getText()) as { readonly name: string };
    await preview(resource);
    await titled(name);
    await preview({ resource, contextValue: 'kind:faces has:id' });
    await preview(document.uri);
    assert.deepEqual(faceTabs(), [name]);
  });

  test('an object shows the face of its template, a template its own', async () => {
    const object = await oneOf('objects', CONNECTION);
    const session = (await extension.services()).sessions.get(CONNECTION);
    assert.ok(session);
    const { item } = await session.client.read('objects', [object.id]);
    const templateId = item.view?.template_id;
    assert.ok(templateId !== undefined);
    const template = (await session.client.read('templates', [templateId])).item.view;
    const faceId = template?.face_id;
    assert.ok(faceId !== undefined, 'the sandbox’s template has no face');
    const name = (await session.client.read('faces', [faceId])).item.view?.name;
    assert.ok(name !== undefined);
    await preview(object);
    await titled(name);
    await closeAll();
    await preview({ connection: CONNECTION, kind: 'templates', id: templateId });
    await titled(name);
  });

  test('a local JSON face is previewed with its unsaved content', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'badge.face.json');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(JSON.stringify({ name: 'First name', content: '<p>hi</p>' })));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await preview(undefined);
    await titled('First name');
    const edit = new vscode.WorkspaceEdit();
    const at = document.positionAt(document.getText().indexOf('First'));
    edit.replace(uri, new vscode.Range(at, at.translate(0, 5)), 'Second');
    await vscode.workspace.applyEdit(edit);
    assert.ok(document.isDirty);
    await titled('Second name');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.workspace.fs.delete(uri);
  });

  test('without an argument the person chooses a face', async () => {
    const { id } = await oneOf('faces', CONNECTION);
    const session = (await extension.services()).sessions.get(CONNECTION);
    const name = (await session?.client.read('faces', [id]))?.item.view?.name;
    assert.ok(name !== undefined);
    extension.ui.answer('pick', id);
    await preview(undefined);
    await titled(name);
  });

  test('what is not there keeps its panel and says why in it', async () => {
    await preview({ connection: CONNECTION, kind: 'faces', id: 'no-such-face' });
    await titled(CONNECTION);
  });
});
