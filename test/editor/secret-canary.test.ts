/** A secret is entered in a dialog and echoed by the platform; it must not appear anywhere. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ExplorerHooks } from '../../src/explorer/register.ts';
import type { TestHooks } from './support/hooks.ts';
import { CANARY_FORMS, CANARY, recordCanaryEntered } from '../support/secret-canary.ts';
import { collectShownText, getTestHooks } from './support/connections.ts';
import { open } from './support/documents.ts';
import { clearFaults, createToken, fault, getSandbox, useSandbox } from './support/sandbox.ts';

suite('canary: a secret does not appear', () => {
  useSandbox();
  let h: TestHooks & { readonly explorer: ExplorerHooks };

  suiteSetup(async () => {
    h = (await getTestHooks()) as typeof h;
    // A valid access token, and the canary as refresh token: the platform does not check it but may echo it.
    await h.addConnection({ name: 'Mine', baseUrl: getSandbox().baseUrl, environment: 'sandbox' });
    h.ui.answer('pick', 'Access token');
    h.ui.answer('input', await createToken({}), CANARY);
    await vscode.commands.executeCommand('smartObjects.signIn', 'Mine');
    const session = (await h.services()).sessions.get('Mine');
    assert.ok(
      session?.credentialKinds.has('accessToken') === true && session.credentialKinds.has('refreshToken'),
      'not signed in',
    );
    recordCanaryEntered('editor');
  });
  setup(clearFaults);

  async function assertHidden(): Promise<void> {
    const shown = await collectShownText(h);
    for (const form of CANARY_FORMS)
      assert.equal(shown.includes(form), false, `the canary shows as ${form.slice(0, 8)}…`);
  }

  const first = async (kind: 'objects' | 'faces'): Promise<string> => {
    const page = await (await h.services()).sessions.get('Mine')?.client.listPage(kind, { limit: 1 });
    return page?.items[0]?.id ?? assert.fail(`no ${kind}`);
  };

  test('in a document, its copy, its cURL and its export', async () => {
    const id = await first('objects');
    for (const route of ['GET /objects', 'GET /objects/{objectId}']) {
      fault({
        route,
        fault: 'unknownField',
        field: 'leak',
        value: `key: ${CANARY}`,
        count: null,
      });
    }
    const resource = { connection: 'Mine', kind: 'objects', id };
    const document = await open(resource);
    assert.match(document.getText(), /"leak": "key: ••••"/);
    await assertHidden();
    for (const command of ['copyJson', 'copyCurl']) {
      await vscode.commands.executeCommand(`smartObjects.${command}`, resource);
      await assertHidden();
    }
    const { snapshots, context } = await h.services();
    await snapshots.flush();
    const snapshotFolder = vscode.Uri.joinPath(context.globalStorageUri, 'snapshots').fsPath;
    const texts = fs
      .readdirSync(snapshotFolder)
      .map((name) => fs.readFileSync(path.join(snapshotFolder, name), 'utf8'));
    assert.ok(texts.includes(document.getText()), 'no snapshot was stored: the test proves nothing');
    for (const form of CANARY_FORMS) assert.ok(!texts.some((text) => text.includes(form)), 'a snapshot contains it');
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
    clearFaults();
  });

  test('in the errors of all commands', async () => {
    const face = await first('faces');
    fault({ route: '*', fault: 'unprocessable', message: `no entry for ${CANARY}`, count: null });
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
      h.ui.messages.some(({ text }) => text.includes('••••')) || h.logLines.some((line) => line.includes('••••')),
      'no error was shown: the test proves nothing',
    );
  });

  test('in the titles of editor tabs', () => {
    const titles = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)).join('\n');
    for (const form of CANARY_FORMS) assert.equal(titles.includes(form), false);
  });
});
