/** Ids in the user's own files: hovers, links and pictures for known ids only. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { getTestHooks, startRecordingServer } from '../support/connections.ts';
import {
  CONNECTION,
  eventually,
  hoverText,
  findLink,
  getLinks,
  getAnyResource,
  onSandbox,
  open,
  toUri,
} from '../support/documents.ts';
import { listRequests } from '../support/sandbox.ts';

suite('documents: ids in code', () => {
  onSandbox();

  test('a known id in the user’s own file has a hover and a link without a request; the setting turns both off', async () => {
    const { id } = await getAnyResource('objects');
    const unknown = 'obj_0123456789abcdef01234567';
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-code-'));
    const file = path.join(folder, 'app.env');
    fs.writeFileSync(file, `# nothing\nOBJECT_ID=${id}\nOTHER=${unknown}\nWORD=something\n`);
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    const before = listRequests().length;
    const hover = await hoverText(document.uri, new vscode.Position(1, 14));
    assert.match(hover, /symbol-object/);
    assert.match(hover, /command:smartObjects\.showObjectHistory\?/);
    const link = await eventually(() => findLink(document, id));
    assert.equal(link.target?.toString(), toUri('objects', id).toString());
    const offer = await hoverText(document.uri, new vscode.Position(2, 12));
    assert.match(offer, /Look Up/);
    assert.equal(await hoverText(document.uri, new vscode.Position(3, 8)), '');
    // Runs of earlier suites may still send other requests.
    const since = listRequests()
      .slice(before)
      .map(({ path, query }) => JSON.stringify([path, query]));
    assert.deepEqual(
      since.filter((request) => [id, unknown, 'something'].some((word) => request.includes(word))),
      [],
    );
    const settings = vscode.workspace.getConfiguration('smartObjects');
    await settings.update('linkIds', false, vscode.ConfigurationTarget.Global);
    assert.equal(await hoverText(document.uri, new vscode.Position(1, 14)), '');
    assert.deepEqual(
      (await getLinks(document.uri)).filter(({ target }) => target?.scheme === 'smartobject'),
      [],
    );
    await settings.update('linkIds', undefined, vscode.ConfigurationTarget.Global);
    fs.rmSync(folder, { recursive: true });
  });

  test('the id of an organization has a card with its name, and links to the role there', async () => {
    const { sessions } = await (await getTestHooks()).services();
    const organization = sessions.get(CONNECTION)?.organizations[0] ?? assert.fail('no organization');
    const document = await vscode.workspace.openTextDocument({ content: `ORG=${organization.id}` });
    await vscode.window.showTextDocument(document);
    const hover = await hoverText(document.uri, new vscode.Position(0, 8));
    assert.match(hover, /Your Role/);
    assert.ok(hover.includes(organization.label ?? 'organization'), hover);
    const link = await eventually(() => findLink(document, organization.id));
    assert.equal(link.target?.toString(), toUri('roles', `${organization.id}/myrole`).toString());
  });

  test('a hostile name stays text in a card, and every button is of the closed list', async () => {
    const { knownIds: ids } = await (await getTestHooks()).services();
    const title =
      '](command:workbench.action.quit) [x](https://evil.example) <img src=x> $(alert) https://evil.example **b**';
    ids.index.add({ connection: CONNECTION, kind: 'objects', id: 'hostile_0001', title, state: title });
    const document = await vscode.workspace.openTextDocument({ content: 'x = hostile_0001' });
    const hover = await hoverText(document.uri, new vscode.Position(0, 8));
    const commands = [...hover.matchAll(/(?<!\\)\]\(command:([\w.]+)\?/g)].map(([, command]) => command);
    assert.deepEqual(
      commands,
      ['openResource', 'copyId', 'previewFace', 'showObjectHistory', 'filterByThis', 'labelThis'].map(
        (id) => `smartObjects.${id}`,
      ),
    );
    assert.doesNotMatch(hover, /(?<!\\)<img|https:\/\/evil|(?<!\\)\*\*b|(?<!\\)\$\(alert/);
  });

  test('a small picture of the connection’s own origin follows the card, fetched once; no other origin is requested', async () => {
    const { knownIds: ids, sessions } = await (await getTestHooks()).services();
    const page = await sessions.get(CONNECTION)?.client.listPage('assets', { limit: 100 });
    const asset = page?.items.find(({ view }) => view?.name?.endsWith('.png') === true && view.is_public !== false);
    const url = asset?.view?.url ?? '';
    assert.ok(asset?.id !== undefined && URL.canParse(url), 'the sandbox has no picture');
    const pictures = (): number => listRequests().filter((request) => request.path === new URL(url).pathname).length;
    const elsewhere = await startRecordingServer();
    try {
      ids.index.add({
        connection: CONNECTION,
        kind: 'objects',
        id: 'beacon_0001',
        title: 'Beacon',
        pictureUrl: `${elsewhere.origin}/1.png`,
      });
      const code = await vscode.workspace.openTextDocument({ content: `a = ${asset.id}\nb = beacon_0001\n` });
      const shown = await hoverText(code.uri, new vscode.Position(0, 8));
      assert.match(shown, /!\[image\]\(data:image\/png;base64,[\w+/=]+\|height=64\)/);
      assert.doesNotMatch(shown.replace(/!\[image\]\(data:[^)]*\)/g, ''), /!\[|\(https?:/);
      await hoverText(code.uri, new vscode.Position(0, 8));
      assert.equal(pictures(), 1);
      const document = await open({ connection: CONNECTION, kind: 'assets', id: asset.id });
      const position = document.positionAt(document.getText().indexOf(asset.id) + 1);
      assert.match(await hoverText(document.uri, position), /!\[image\]\(data:/);
      const beacon = await hoverText(code.uri, new vscode.Position(1, 8));
      assert.match(beacon, /Beacon/);
      assert.doesNotMatch(beacon, /!\[/);
      assert.equal(elsewhere.requests.length, 0);
    } finally {
      await elsewhere.close();
    }
  });

  test('only visible ids become links, and none in files over a megabyte', async () => {
    const { id } = await getAnyResource('objects');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-code-'));
    const shown = async (name: string, content: string): Promise<vscode.TextEditor> => {
      fs.writeFileSync(path.join(folder, name), content);
      return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(path.join(folder, name)));
    };
    const editor = await shown('long.env', `first = ${id}\n${'\n'.repeat(2000)}last = ${id}\n`);
    const { uri } = editor.document;
    const linked = async (): Promise<string> =>
      (await getLinks(uri))
        .filter(({ target }) => target?.scheme === 'smartobject')
        .map(({ range }) => range.start.line)
        .join();
    await eventually(async () => ((await linked()) === '0' ? true : undefined));
    editor.revealRange(new vscode.Range(2001, 0, 2001, 0));
    await eventually(async () => ((await linked()) === '2001' ? true : undefined));
    assert.match(await hoverText(uri, new vscode.Position(2001, 10)), /symbol-object/);

    const large = await shown('large.env', `${id}\n${'x'.repeat(1024 * 1024)}\n`);
    assert.equal(await hoverText(large.document.uri, new vscode.Position(0, 4)), '');
    assert.deepEqual(await getLinks(large.document.uri), []);
    fs.rmSync(folder, { recursive: true });
  });
});
