/** Face previews in real VS Code: a panel titled after the face, from every door, that follows its file. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Recorded } from '../../src/sandbox/recorder.ts';
import type { TestHooks } from './support/hooks.ts';
import { testAuthority } from '../unit/platform/net/authority.ts';
import { Servers } from '../unit/platform/net/servers.ts';
import { hooks, sandbox } from './support/connections.ts';
import { ask, closeAll, connect, eventually, fault, hoverText, oneOf, open, uriOf } from './support/documents.ts';
import { resourcesOf, row, rowsBelow } from './support/explorer.ts';

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

  /** An object whose face has more than one line. */
  async function withContent(): Promise<{ readonly id: string; readonly face: string; readonly content: string }> {
    const session = (await extension.services()).sessions.get(CONNECTION);
    assert.ok(session);
    const faces = (await session.client.page('faces', { limit: 100 })).items;
    const templates = (await session.client.page('templates', { limit: 100 })).items;
    const objects = (await session.client.page('objects', { limit: 100 })).items;
    const [object] = objects.flatMap(({ id, view }) => {
      const face = templates.find((template) => template.id === view?.template_id)?.view?.face_id;
      const content = faces.find((one) => one.id === face)?.view?.content ?? '';
      return id !== undefined && face !== undefined && content.trim().includes('\n') ? [{ id, face, content }] : [];
    });
    assert.ok(object);
    return object;
  }

  test('a face opens a panel titled after it, once', async () => {
    const resource = await oneOf('faces', CONNECTION);
    const document = await open(resource);
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

  test('a file that is not open is read in its own encoding', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'wide.face.json');
    const text = JSON.stringify({ name: 'Grüße aus Ålesund', content: '<p>hi</p>' });
    await vscode.workspace.fs.writeFile(uri, Buffer.from(`\ufeff${text}`, 'utf16le'));
    try {
      await preview(uri);
      await titled('Grüße aus Ålesund');
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  });

  test('a preview follows its file when that or its folder gets another name', async () => {
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
      await titled('first');
      await rename('drafts/first.face.html', 'drafts/second.face.html');
      await titled('second');
      await rename('drafts', 'final');
      await vscode.workspace.fs.writeFile(at('final/other.face.json'), Buffer.from('{"name":"Other","content":"x"}'));
      await rename('final/second.face.html', 'final/third.face.html');
      await titled('third');
      // One of that file is there already.
      await preview(at('final/other.face.json'));
      await titled('Other');
      await preview(at('final/third.face.html'));
      assert.deepEqual([...faceTabs()].sort(), ['Other', 'third']);
    } finally {
      await vscode.workspace.fs.delete(at('final'), { recursive: true });
    }
  });

  test('the lab of a platform’s face is a file of its own, with the content and what it was shown with', async () => {
    const object = await withContent();
    const lab = async (argument: unknown): Promise<void> => {
      await vscode.commands.executeCommand('smartObjects.openFaceLab', argument);
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document?.isUntitled);
      assert.equal(document.getText().replaceAll('\r', ''), object.content.replaceAll('\r', ''));
      await titled(document.uri.path);
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await closeAll();
    };
    await lab({ connection: CONNECTION, kind: 'faces', id: object.face });
    await lab(uriOf('faces', object.face, CONNECTION));
    extension.ui.answer('pick', object.face);
    await lab(undefined);
    const reads = async (): Promise<number> => {
      const { requests } = JSON.parse(await ask('/__sandbox/requests')) as { readonly requests: readonly Recorded[] };
      return requests.filter((one) => JSON.stringify(one).includes(object.id)).length;
    };
    const before = await reads();
    await lab({ connection: CONNECTION, kind: 'objects', id: object.id });
    // Once for its face, once as the object that the lab shows.
    assert.equal((await reads()) - before, 2);
  });

  test('an asset is previewed from its row, from an object that embeds it, and from both documents', async () => {
    const show = async (argument: unknown, title: string): Promise<void> => {
      await vscode.commands.executeCommand('smartObjects.previewAsset', argument);
      await titled(title);
      await closeAll();
    };
    const [stored] = resourcesOf(await rowsBelow((await row(CONNECTION, 'Assets')).node));
    assert.ok(stored);
    assert.ok(stored.words.includes('kind:assets') && stored.words.includes('has:id'));
    await show(stored.node, stored.label);

    // Some pictures are known to their object alone.
    const session = (await extension.services()).sessions.get(CONNECTION);
    const page = await session?.client.page('objects', { limit: 100 });
    const item = page?.items.find(({ view }) => view?.metadata?.image?.id?.startsWith('img_') === true);
    const image = item?.view?.metadata?.image;
    assert.ok(item?.id !== undefined && image?.id !== undefined);
    const list = (await row(CONNECTION, 'All organizations', 'Objects')).node;
    // Suites before this one made objects that stand first.
    await vscode.commands.executeCommand('smartObjects.loadAll', list);
    const objects = resourcesOf(await rowsBelow(list));
    const object = objects.find(({ node }) => node.type === 'resource' && node.resource?.id === item.id);
    assert.ok(object);
    const below = resourcesOf(await rowsBelow(object.node));
    const embedded = below.find(({ words }) => words.includes('kind:assets'));
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
    await show(uriOf('assets', stored.node.resource.id, CONNECTION), stored.label);
  });

  test('the picture of an asset is asked for without a credential', async () => {
    const session = (await extension.services()).sessions.get(CONNECTION);
    const page = await session?.client.page('assets', { limit: 100 });
    const item = page?.items.find(({ view }) => view?.type === 'image/png' && view.is_public === true);
    assert.ok(item?.id !== undefined && item.view?.url !== undefined);
    const path = new URL(item.view.url).pathname;
    extension.ui.answer('pick', item.id);
    await vscode.commands.executeCommand('smartObjects.previewAsset');
    await titled(item.view.name ?? item.id);
    const request = await eventually(async () => {
      const { requests } = JSON.parse(await ask('/__sandbox/requests')) as {
        readonly requests: readonly Recorded[];
      };
      return requests.findLast((one) => one.path === path);
    });
    assert.deepEqual([request.status, request.credential.kind], [200, 'none']);
    assert.ok(!request.headers.some((name) => /cookie|referer/i.test(name)));
  });

  test('what one person saw is not shown to the next one; while there is none, it stays', async () => {
    const { apiKey, readOnlyApiKey } = sandbox();
    const resource = await oneOf('faces', CONNECTION);
    const session = (await extension.services()).sessions.get(CONNECTION);
    const name = (await session?.client.read('faces', [resource.id]))?.item.view?.name;
    assert.ok(name !== undefined);
    const reads = async (): Promise<number> => {
      const { requests } = JSON.parse(await ask('/__sandbox/requests')) as { readonly requests: readonly Recorded[] };
      return requests.filter(({ route }) => route === 'GET /faces').length;
    };
    try {
      await preview(resource);
      await titled(name);
      const before = await reads();
      await extension.signOut(CONNECTION);
      await eventually(async () => ((await reads()) > before ? true : undefined));
      assert.deepEqual(faceTabs(), [name]);
      await fault({ route: 'GET /faces', fault: 'forbidden', count: 10 });
      await extension.signIn(CONNECTION, { apiKey: readOnlyApiKey });
      await titled(CONNECTION);
    } finally {
      await fault(undefined);
      await extension.signIn(CONNECTION, { apiKey });
    }
    await titled(name);
  });

  test('the object that a lab shows is asked for again by whoever signs in', async () => {
    const { apiKey, readOnlyApiKey } = sandbox();
    const { id } = await withContent();
    const reads = async (): Promise<number> => {
      const { requests } = JSON.parse(await ask('/__sandbox/requests')) as { readonly requests: readonly Recorded[] };
      return requests.filter(({ path: asked }) => asked.endsWith(`/objects/${id}`)).length;
    };
    await vscode.commands.executeCommand('smartObjects.openFaceLab', { connection: CONNECTION, kind: 'objects', id });
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document?.isUntitled);
    await titled(document.uri.path);
    const before = await reads();
    try {
      await extension.signIn(CONNECTION, { apiKey: readOnlyApiKey });
      await eventually(async () => ((await reads()) > before ? true : undefined));
      assert.deepEqual(faceTabs(), [document.uri.path]);
    } finally {
      await extension.signIn(CONNECTION, { apiKey });
    }
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
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

  // Last: with a second connection, every command would ask which.
  test('the picture comes over the certificates of the settings', async () => {
    const servers = new Servers();
    const authority = await testAuthority();
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
      await titled('Over TLS');
      const request = await eventually(() => server.received.find(({ url }) => url === '/v1/a.png'));
      assert.ok(!JSON.stringify(request.headers).includes('not-for-pictures'));
    } finally {
      await certificates(undefined);
      servers.close();
      fs.rmSync(folder, { recursive: true });
    }
  });
});
