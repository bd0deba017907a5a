/** Face previews in VS Code. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TestHooks } from './support/hooks.ts';
import { getTestCertificateAuthority } from '../support/http/certificate-authority.ts';
import { Servers } from '../support/http/servers.ts';
import { getTestHooks } from './support/connections.ts';
import { closeAll, eventually, getAnyResource, hoverText, onSandbox, open, toUri } from './support/documents.ts';
import { filterResources, findRow, getRowsBelow } from './support/explorer.ts';
import { recordPosts } from './support/webviews.ts';
import { clearFaults, countRequests, fault, getSandbox, listRequests } from './support/sandbox.ts';

const CONNECTION = 'Faces';

function getFaceTabLabels(): readonly string[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('smartObjects.face'))
    .map(({ label }) => label);
}

async function preview(argument: unknown): Promise<void> {
  await vscode.commands.executeCommand('smartObjects.previewFace', argument);
}

async function waitForFaceTab(title: string): Promise<void> {
  await eventually(() => (getFaceTabLabels().includes(title) ? title : undefined));
}

suite('faces', () => {
  let extension: TestHooks;
  onSandbox(CONNECTION);
  suiteSetup(async () => {
    extension = await getTestHooks();
  });
  teardown(() => {
    assert.deepEqual(extension.ui.readMessages('error'), []);
    assert.deepEqual(
      extension.logLines.filter((line) => /The view .* (broke|sent)/.test(line)),
      [],
    );
  });

  test('Get Started previews the newest object with a face, without a picker', async () => {
    const picks = extension.ui.readMessages('pick').length;
    await closeAll();
    await preview('newest');
    await eventually(() => (getFaceTabLabels().length === 1 ? true : undefined));
    assert.doesNotMatch(getFaceTabLabels()[0] ?? '', /Hostile|Nothing to render/);
    assert.equal(extension.ui.readMessages('pick').length, picks);
    await closeAll();
  });

  /** An object whose face has more than one line. */
  async function findObjectWithContent(): Promise<{
    readonly id: string;
    readonly face: string;
    readonly content: string;
  }> {
    const session = (await extension.services()).sessions.get(CONNECTION);
    assert.ok(session);
    const faces = (await session.client.listPage('faces', { limit: 100 })).items;
    const templates = (await session.client.listPage('templates', { limit: 100 })).items;
    const objects = (await session.client.listPage('objects', { limit: 100 })).items;
    const [object] = objects.flatMap(({ id, view }) => {
      const face = templates.find((template) => template.id === view?.template_id)?.view?.face_id;
      const content = faces.find((one) => one.id === face)?.view?.content ?? '';
      return id !== undefined && face !== undefined && content.trim().includes('\n') ? [{ id, face, content }] : [];
    });
    assert.ok(object);
    return object;
  }

  /** The id of the newest object whose template has the face, from the whole list. */
  async function findNewestWithFace(face: string): Promise<string> {
    const session = (await extension.services()).sessions.get(CONNECTION);
    const templates = (await session?.client.listPage('templates', { limit: 100 }))?.items ?? [];
    const template = templates.find(({ view }) => view?.face_id === face)?.id;
    const created: { readonly id: string; readonly when: string }[] = [];
    for await (const { items } of session?.client.listPages('objects', { limit: 100 }) ?? [])
      for (const { id, view } of items)
        if (id !== undefined && view?.template_id === template) created.push({ id, when: String(view?.when_created) });
    const newest = created.sort((a, b) => b.when.localeCompare(a.when))[0];
    assert.ok(newest);
    return newest.id;
  }

  test('a face opens beside the active editor, and a second one in place of the first', async () => {
    const resource = await getAnyResource('faces', CONNECTION);
    await vscode.window.showTextDocument(await open(resource));
    await preview(resource);
    const findColumns = (): readonly vscode.ViewColumn[] =>
      vscode.window.tabGroups.all
        .filter(({ tabs }) => tabs.some(({ input }) => input instanceof vscode.TabInputWebview))
        .map(({ viewColumn }) => viewColumn);
    await eventually(() => (findColumns().length > 0 ? true : undefined));
    assert.deepEqual(findColumns(), [vscode.ViewColumn.Two]);
    await vscode.commands.executeCommand('workbench.action.focusSecondEditorGroup');
    const object = await getAnyResource('objects', CONNECTION);
    await preview(object);
    await eventually(() => (getFaceTabLabels().length === 2 ? true : undefined));
    assert.deepEqual(findColumns(), [vscode.ViewColumn.Two]);
  });

  test('a face opens one panel with its name as title', async () => {
    const resource = await getAnyResource('faces', CONNECTION);
    const document = await open(resource);
    const { name } = JSON.parse(document.getText()) as { readonly name: string };
    await preview(resource);
    await waitForFaceTab(name);
    await preview({ resource, contextValue: 'kind:faces has:id' });
    await preview(document.uri);
    assert.deepEqual(getFaceTabLabels(), [name]);
  });

  test('an object and its template show the face of the template', async () => {
    const object = await getAnyResource('objects', CONNECTION);
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
    await waitForFaceTab(name);
    await closeAll();
    await preview({ connection: CONNECTION, kind: 'templates', id: templateId });
    await waitForFaceTab(name);
  });

  test('a local JSON face is previewed with its unsaved content', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'badge.face.json');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(JSON.stringify({ name: 'First name', content: '<p>hi</p>' })));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await preview(undefined);
    await waitForFaceTab('First name');
    const edit = new vscode.WorkspaceEdit();
    const at = document.positionAt(document.getText().indexOf('First'));
    edit.replace(uri, new vscode.Range(at, at.translate(0, 5)), 'Second');
    await vscode.workspace.applyEdit(edit);
    assert.ok(document.isDirty);
    await waitForFaceTab('Second name');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.workspace.fs.delete(uri);
  });

  test('a file that is not open is decoded with its encoding', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'wide.face.json');
    const text = JSON.stringify({ name: 'Grüße aus Ålesund', content: '<p>hi</p>' });
    await vscode.workspace.fs.writeFile(uri, Buffer.from(`\ufeff${text}`, 'utf16le'));
    try {
      await preview(uri);
      await waitForFaceTab('Grüße aus Ålesund');
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  });

  test('a preview follows its file when the file or its folder is renamed', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const at = (path: string): vscode.Uri => vscode.Uri.joinPath(folder.uri, path);
    await vscode.workspace.fs.writeFile(at('drafts/first.face.html'), Buffer.from('<p>hi</p>'));
    const rename = async (from: string, to: string): Promise<void> => {
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(at(from), at(to));
      assert.ok(await vscode.workspace.applyEdit(edit));
    };
    try {
      await preview(at('drafts/first.face.html'));
      await waitForFaceTab('first');
      await rename('drafts/first.face.html', 'drafts/second.face.html');
      await waitForFaceTab('second');
      await rename('drafts', 'final');
      await vscode.workspace.fs.writeFile(at('final/other.face.json'), Buffer.from('{"name":"Other","content":"x"}'));
      await rename('final/second.face.html', 'final/third.face.html');
      await waitForFaceTab('third');
      // The file already has a preview.
      await preview(at('final/other.face.json'));
      await waitForFaceTab('Other');
      await preview(at('final/third.face.html'));
      assert.deepEqual([...getFaceTabLabels()].sort(), ['Other', 'third']);
    } finally {
      await vscode.workspace.fs.delete(at('final'), { recursive: true });
    }
  });

  test('the lab of a platform’s face opens an untitled file with its content and object', async () => {
    const object = await findObjectWithContent();
    const lab = async (argument: unknown): Promise<void> => {
      await vscode.commands.executeCommand('smartObjects.openFaceLab', argument);
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document?.isUntitled);
      assert.equal(document.getText().replaceAll('\r', ''), object.content.replaceAll('\r', ''));
      await waitForFaceTab(document.uri.path);
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await closeAll();
    };
    const countReads = (id: string): number =>
      listRequests().filter(({ path }) => path.endsWith(`/objects/${id}`)).length;
    const newest = await findNewestWithFace(object.face);
    const readsBefore = countReads(newest);
    await lab({ connection: CONNECTION, kind: 'faces', id: object.face });
    assert.equal(countReads(newest) - readsBefore, 1, 'the lab is filled with the newest object');
    await lab(toUri('faces', object.face, CONNECTION));
    extension.ui.answer('pick', object.face);
    await lab(undefined);
    const reads = (): number => listRequests().filter((request) => JSON.stringify(request).includes(object.id)).length;
    const before = reads();
    await lab({ connection: CONNECTION, kind: 'objects', id: object.id });
    // One read for its face, one for the object of the lab.
    assert.equal(reads() - before, 2);
  });

  test('an asset is previewed from its row, from an object that embeds it, and from both documents', async () => {
    const show = async (argument: unknown, title: string): Promise<void> => {
      await vscode.commands.executeCommand('smartObjects.previewAsset', argument);
      await waitForFaceTab(title);
      await closeAll();
    };
    const [stored] = filterResources(await getRowsBelow((await findRow(CONNECTION, 'Assets')).node));
    assert.ok(stored);
    assert.ok(stored.contextValues.includes('kind:assets') && stored.contextValues.includes('has:id'));
    await show(stored.node, stored.label);

    // Some images exist only inside an object.
    const session = (await extension.services()).sessions.get(CONNECTION);
    const page = await session?.client.listPage('objects', { limit: 100 });
    const item = page?.items.find(({ view }) => view?.metadata?.image?.id?.startsWith('img_') === true);
    const image = item?.view?.metadata?.image;
    assert.ok(item?.id !== undefined && image?.id !== undefined);
    const list = (await findRow(CONNECTION, 'All organizations', 'Objects')).node;
    await vscode.commands.executeCommand('smartObjects.loadAll', list);
    const objects = filterResources(await getRowsBelow(list));
    const object = objects.find(({ node }) => node.type === 'resource' && node.resource?.id === item.id);
    assert.ok(object);
    const below = filterResources(await getRowsBelow(object.node));
    const embedded = below.find(({ contextValues }) => contextValues.includes('kind:assets'));
    assert.ok(embedded);
    await show(embedded.node, image.name ?? image.id);

    const document = await open({ connection: CONNECTION, kind: 'objects', id: item.id });
    const at = document.positionAt(document.getText().indexOf(`"${image.id}"`) + 3);
    const link = await eventually(async () =>
      /command:smartObjects\.previewAsset\?([^\s")]+)/.exec(await hoverText(document.uri, at))?.at(1),
    );
    const [argument] = JSON.parse(decodeURIComponent(link)) as readonly unknown[];
    await show(argument, image.name ?? image.id);
    assert.ok(stored.node.type === 'resource' && stored.node.resource !== undefined);
    await show(toUri('assets', stored.node.resource.id, CONNECTION), stored.label);
  });

  test('the image of an asset is requested without a credential', async () => {
    const session = (await extension.services()).sessions.get(CONNECTION);
    const page = await session?.client.listPage('assets', { limit: 100 });
    const item = page?.items.find(({ view }) => view?.type === 'image/png' && view.is_public === true);
    assert.ok(item?.id !== undefined && item.view?.url !== undefined);
    const path = new URL(item.view.url).pathname;
    extension.ui.answer('pick', item.id);
    await vscode.commands.executeCommand('smartObjects.previewAsset');
    await waitForFaceTab(item.view.name ?? item.id);
    const request = await eventually(() => listRequests().findLast((one) => one.path === path));
    assert.deepEqual([request.status, request.credential.kind], [200, 'none']);
    assert.ok(!request.headers.some((name) => /cookie|referer/i.test(name)));
  });

  test('data of one identity is not shown to another; while signed out it stays', async () => {
    const { apiKey, readOnlyApiKey } = getSandbox();
    const resource = await getAnyResource('faces', CONNECTION);
    const session = (await extension.services()).sessions.get(CONNECTION);
    const name = (await session?.client.read('faces', [resource.id]))?.item.view?.name;
    assert.ok(name !== undefined);
    const reads = (): number => countRequests('GET /faces');
    try {
      await preview(resource);
      await waitForFaceTab(name);
      const before = reads();
      await extension.signOut(CONNECTION);
      await eventually(() => (reads() > before ? true : undefined));
      assert.deepEqual(getFaceTabLabels(), [name]);
      fault({ route: 'GET /faces', fault: 'forbidden', count: 10 });
      await extension.signIn(CONNECTION, { apiKey: readOnlyApiKey });
      await waitForFaceTab(CONNECTION);
    } finally {
      clearFaults();
      await extension.signIn(CONNECTION, { apiKey });
    }
    await waitForFaceTab(name);
  });

  test('the object of a lab is read again after another sign-in', async () => {
    const { apiKey, readOnlyApiKey } = getSandbox();
    const { id } = await findObjectWithContent();
    const reads = (): number => listRequests().filter(({ path }) => path.endsWith(`/objects/${id}`)).length;
    await vscode.commands.executeCommand('smartObjects.openFaceLab', { connection: CONNECTION, kind: 'objects', id });
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document?.isUntitled);
    await waitForFaceTab(document.uri.path);
    const before = reads();
    try {
      await extension.signIn(CONNECTION, { apiKey: readOnlyApiKey });
      await eventually(() => (reads() > before ? true : undefined));
      assert.deepEqual(getFaceTabLabels(), [document.uri.path]);
    } finally {
      await extension.signIn(CONNECTION, { apiKey });
    }
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('without an argument the user picks a face', async () => {
    const { id } = await getAnyResource('faces', CONNECTION);
    const session = (await extension.services()).sessions.get(CONNECTION);
    const name = (await session?.client.read('faces', [id]))?.item.view?.name;
    assert.ok(name !== undefined);
    extension.ui.answer('pick', id);
    await preview(undefined);
    await waitForFaceTab(name);
  });

  test('a missing face keeps its panel, which shows the reason', async () => {
    const posts = recordPosts();
    try {
      await preview({ connection: CONNECTION, kind: 'faces', id: 'no-such-face' });
      await waitForFaceTab(CONNECTION);
      await eventually(() => (JSON.stringify(posts.messages).includes('No resource with this ID') ? true : undefined));
    } finally {
      posts.restore();
    }
  });

  test('an object without a name is called by its template', async () => {
    const { client } = (await extension.services()).sessions.get(CONNECTION) ?? assert.fail(CONNECTION);
    const { items } = await client.listPage('objects', { limit: 100 });
    const object = items.find(({ view }) => (view?.metadata?.name ?? '') === '');
    const { id = '', view } = object ?? assert.fail('no object without a name');
    const template = (await client.read('templates', [view?.template_id ?? ''])).item.view?.name ?? assert.fail(id);
    const edition = view?.metadata?.edition;
    const title = `${template} ${edition === undefined ? `…${id.slice(-6)}` : `#${String(edition)}`}`;
    const posts = recordPosts();
    try {
      await preview({ connection: CONNECTION, kind: 'objects', id });
      const text = `"ownObject":${JSON.stringify(title)}`;
      await eventually(() => (JSON.stringify(posts.messages).includes(text) ? true : undefined));
    } finally {
      posts.restore();
    }
  });

  // The last two tests add a connection: with a second one, commands without an argument let the user choose.
  test('opening a face with images posts its frames at most twice', async () => {
    const servers = new Servers();
    const urls = ['/v1/a.png', '/v1/b.png'];
    const face = {
      id: 'f1',
      name: 'Two images',
      content: urls.map((url) => `<img src="${url}">`).join(''),
      assets: urls.map((url, index) => ({ id: `a${String(index)}`, url })),
    };
    const server = await servers.http(({ url }, response) => {
      if (url.startsWith('/v1/faces')) response.end(JSON.stringify({ faces: [face] }));
      else response.writeHead(200, { 'content-type': 'image/png' }).end('picture');
    });
    const posts = recordPosts();
    try {
      await extension.addConnection({ name: 'Images', baseUrl: `${server.origin}/v1` }, { apiKey: 'not-for-pictures' });
      await preview({ connection: 'Images', kind: 'faces', id: 'f1' });
      const getFrames = (): readonly string[] =>
        posts.messages.map((message) => JSON.stringify(message)).filter((text) => text.includes('"srcdoc"'));
      const images = /data:image\/png;base64/g;
      await eventually(() => (getFrames().at(-1)?.match(images)?.length === 2 ? true : undefined));
      // One post where the images arrive before the page is ready.
      assert.ok(getFrames().length <= 2, `${String(getFrames().length)} posts`);
    } finally {
      posts.restore();
      servers.close();
    }
  });

  test('images are fetched with the certificates of the settings', async () => {
    const servers = new Servers();
    const authority = await getTestCertificateAuthority();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-face-'));
    const certificates = (value: unknown): Thenable<void> =>
      vscode.workspace
        .getConfiguration('smartObjects')
        .update('caCertificates', value, vscode.ConfigurationTarget.Global);
    try {
      const asset = { id: 'a1', name: 'Over TLS', type: 'image/png', url: '/v1/a.png' };
      const server = await servers.http(
        ({ url }, response) => {
          if (url.startsWith('/v1/assets')) response.end(JSON.stringify({ assets: [asset] }));
          else response.writeHead(200, { 'content-type': 'image/png' }).end('picture');
        },
        await authority.issue(['127.0.0.1']),
      );
      const file = path.join(folder, 'ca.pem');
      fs.writeFileSync(file, authority.certificate);
      await certificates([file]);
      await extension.addConnection({ name: 'TLS', baseUrl: `${server.origin}/v1` }, { apiKey: 'not-for-pictures' });
      await vscode.commands.executeCommand('smartObjects.previewAsset', {
        connection: 'TLS',
        kind: 'assets',
        id: 'a1',
      });
      await waitForFaceTab('Over TLS');
      const request = await eventually(() => server.received.find(({ url }) => url === '/v1/a.png'));
      assert.ok(!JSON.stringify(request.headers).includes('not-for-pictures'));
    } finally {
      await certificates(undefined);
      servers.close();
      fs.rmSync(folder, { recursive: true });
    }
  });
});
