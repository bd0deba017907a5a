/** A secret is entered as a person would, the platform plays it back in every way it can, and it must show nowhere. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ExplorerHooks } from '../../src/explorer/register.ts';
import type { TestHooks } from './support/hooks.ts';
import { CANARY_FORMS, CANARY, noteEntered } from '../runtime/canary.ts';
import { control, everythingShown, hooks, sandbox, token } from './support/connections.ts';

suite('canary', () => {
  let h: TestHooks & { readonly explorer: ExplorerHooks };

  suiteSetup(async () => {
    h = (await hooks()) as typeof h;
    await h.reset();
    await control('DELETE', 'faults');
    // Two identities in one: a token that works, and the canary, which the platform never needs but may echo.
    await h.addConnection({ name: 'Mine', baseUrl: sandbox().baseUrl, environment: 'sandbox' });
    h.ui.answer('pick', 'Access token');
    h.ui.answer('input', await token({}), CANARY);
    await vscode.commands.executeCommand('smartObjects.signIn', 'Mine');
    const session = (await h.services()).sessions.get('Mine');
    assert.ok(session?.holds.has('accessToken') === true && session.holds.has('refreshToken'), 'not signed in');
    noteEntered('editor');
  });
  suiteTeardown(async () => {
    await control('DELETE', 'faults');
    await h.reset();
  });

  async function assertHidden(): Promise<void> {
    const shown = await everythingShown(h);
    for (const form of CANARY_FORMS)
      assert.equal(shown.includes(form), false, `the canary shows as ${form.slice(0, 8)}…`);
  }

  const first = async (kind: 'objects' | 'faces'): Promise<string> => {
    const page = await (await h.services()).sessions.get('Mine')?.client.page(kind, { limit: 1 });
    return page?.items[0]?.id ?? assert.fail(`no ${kind}`);
  };

  test('in a document, its copy, its cURL and its export', async () => {
    const id = await first('objects');
    for (const route of ['GET /objects', 'GET /objects/{objectId}']) {
      await control('POST', 'faults', {
        route,
        fault: 'unknownField',
        field: 'leak',
        value: `key: ${CANARY}`,
        count: null,
      });
    }
    const resource = { connection: 'Mine', kind: 'objects', id };
    await vscode.commands.executeCommand('smartObjects.openResource', resource);
    const document = vscode.workspace.textDocuments.find(
      ({ uri }) => uri.scheme === 'smartobject' && uri.path.includes(id),
    );
    // The field came through, the secret in it did not.
    assert.match(document?.getText() ?? '', /"leak": "key: ••••"/);
    await assertHidden();
    for (const command of ['copyJson', 'copyCurl']) {
      await vscode.commands.executeCommand(`smartObjects.${command}`, resource);
      await assertHidden();
    }
    const { snapshots, context } = await h.services();
    await snapshots.flush();
    const kept = vscode.Uri.joinPath(context.globalStorageUri, 'snapshots').fsPath;
    const texts = fs.readdirSync(kept).map((name) => fs.readFileSync(path.join(kept, name), 'utf8'));
    assert.ok(texts.includes(document?.getText() ?? ''), 'no snapshot was kept: the test proves nothing');
    for (const form of CANARY_FORMS) assert.ok(!texts.some((text) => text.includes(form)), 'a snapshot holds it');
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'soe-canary-')), 'objects.ndjson');
    const { provider } = h.explorer;
    const [root] = (await provider.getChildren()) ?? [];
    const [everywhere] = (await provider.getChildren(root)) ?? [];
    const lists = (await provider.getChildren(everywhere)) ?? [];
    h.ui.answer('pick', 'NDJSON');
    h.ui.answer('input', file);
    await vscode.commands.executeCommand('smartObjects.exportCollection', lists[0]);
    const exported = fs.readFileSync(file, 'utf8');
    fs.rmSync(path.dirname(file), { recursive: true });
    assert.match(exported, /"leak":"key: ••••"/);
    assert.equal(exported.includes(CANARY), false);
    await control('DELETE', 'faults');
  });

  test('in errors, whatever command meets them', async () => {
    const face = await first('faces');
    await control('POST', 'faults', { route: '*', fault: 'conflict', message: `no entry for ${CANARY}`, count: null });
    await control('POST', 'faults', { route: '*', fault: 'echoCredential', count: null });
    const target = { connection: 'Mine', kind: 'faces', id: face };
    const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail(), 'mint.action.json');
    for (const [command, argument] of [
      ['openResource', { ...target, id: 'unread' }],
      ['previewFace', target],
      ['executeAction', file],
      ['checkConnection', 'Mine'],
      ['showPermissions', 'Mine'],
      ['refresh', undefined],
    ] as const) {
      await vscode.commands.executeCommand(`smartObjects.${command}`, argument);
      await assertHidden();
    }
    assert.ok(
      h.ui.all.some(({ text }) => text.includes('••••')) || h.logLines.some((line) => line.includes('••••')),
      'no error came back: the test proves nothing',
    );
  });

  test('in webviews: no tab of ours holds it in its title', () => {
    const titles = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)).join('\n');
    for (const form of CANARY_FORMS) assert.equal(titles.includes(form), false);
  });
});
