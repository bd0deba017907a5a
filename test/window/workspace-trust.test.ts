/** An untrusted workspace: settings ignored, variables and signer refused, executions confirmed, trust offered. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { pickerRow, runCommand, webview } from './support/workbench.ts';
import { createTemporaryFolder } from '../runtime/paths.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { openWindow, screenshot, type TestWindow } from './support/window.ts';
import { signIn } from './support/gestures.ts';

suite('an untrusted workspace', () => {
  const dir = createTemporaryFolder('untrusted');
  const signed = path.join(dir, 'the-signer-ran');
  let window: TestWindow;
  let sandbox: Sandbox;
  let page: Page;
  let machine = '';

  suiteSetup(async () => {
    sandbox = await startSandbox();
    const folder = path.join(dir, 'folder');
    fs.mkdirSync(path.join(folder, '.vscode'), { recursive: true });
    const write = (name: string, value: unknown): void => {
      fs.writeFileSync(path.join(folder, name), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
    };
    write('.vscode/settings.json', {
      'smartObjects.connections': [
        { name: 'Planted', baseUrl: 'http://127.0.0.1:9' },
        { name: 'Mine', baseUrl: 'http://127.0.0.1:9', environment: 'sandbox' },
      ],
      'smartObjects.signer.command': ['/bin/sh', '-c', `touch '${signed}'`],
      'smartObjects.faces.allowScripts': true,
      'smartObjects.confirmExecution': 'never',
      'smartObjects.labels': { obj_none: 'Worthless' },
    });
    write('smart-objects.labels.json', { obj_none: 'Worthless' });
    write('input.action.json', { action: { burn: { id: '${input:id}' } }, signature: 'mine' });
    write('signed.action.json', { action: { burn: { id: 'obj_none' } }, signature: 'mine' });
    write('plain.action.json', { action: { burn: { id: 'obj_none' } } });
    write('live.face.html', '<h1 id="h">before</h1><script>document.getElementById("h").textContent = "ran"</script>');
    window = await openWindow({
      folder,
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'smartObjects.connections': [{ name: 'Mine', baseUrl: sandbox.baseUrl, environment: 'development' }],
        'smartObjects.confirmExecution': 'never',
      },
      prepare: ({ server }) => {
        // Only machine settings may name programs; the npm editor reads them from a file of the server.
        machine = path.join(server.dataDir, 'Machine/settings.json');
        fs.mkdirSync(path.dirname(machine), { recursive: true });
        const command = [process.execPath, '-e', `require('fs').writeFileSync('${signed}', '')`];
        fs.writeFileSync(machine, JSON.stringify({ 'smartObjects.signer.command': command }));
      },
    });
    page = window.page;
  });
  suiteTeardown(async () => {
    fs.rmSync(machine, { force: true });
    await window.close();
    await sandbox.close();
    fs.rmSync(dir, { recursive: true, force: true });
  });

  const toast = (text: string | RegExp): Locator => page.locator('.notification-toast', { hasText: text }).first();

  async function open(file: string): Promise<void> {
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: file }).dblclick();
    await page.locator('.tab.active', { hasText: file }).waitFor();
    // The lens comes from the extension, which therefore knows the editor.
    if (file.endsWith('.action.json'))
      await page.locator('.codelens-decoration a', { hasText: 'Run' }).first().waitFor();
  }

  const posts = (): number => sandbox.recorder.counts['POST /ebus/execute'] ?? 0;

  // Slow: a user's whole way through a window without trust.
  test('connections, signer, scripts and labels of the workspace are ignored; variables require trust', async () => {
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).first().waitFor();
    await signIn(page, sandbox.apiKey);
    // One connection, with the base URL of the user's settings.
    await page.locator('.statusbar-item[id*="smartObjects.connection"]', { hasText: 'Mine · Development' }).waitFor();

    await open('plain.action.json');
    await runCommand(page, 'Smart Objects: Run Action File');
    await toast('The signer runs only in trusted workspaces').waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
    await open('input.action.json');
    await runCommand(page, 'Smart Objects: Run Action File');
    await toast('Variables are filled in only in trusted workspaces').waitFor();
    await screenshot(page, 'untrusted');
    assert.equal(fs.existsSync(signed), false, 'the signer ran');
    assert.equal(posts(), 0);

    // An action that is signed and has no variables is confirmed, without the label of the workspace, although `confirmExecution` is never.
    await open('signed.action.json');
    await runCommand(page, 'Smart Objects: Run Action File');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('Development · Mine: Permanently destroys an object').waitFor();
    await dialog.getByText(/^Action: burn\s*Object: obj_none/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(posts(), 0);

    await open('live.face.html');
    await runCommand(page, 'Smart Objects: Preview Face');
    const frame = webview(page).locator('iframe').first();
    await frame.waitFor();
    assert.equal(await frame.getAttribute('sandbox'), '');

    await page.locator('.notification-toast').getByRole('button', { name: 'Manage Workspace Trust' }).first().click();
    await page.getByRole('button', { name: 'Trust', exact: true }).first().waitFor();
    await screenshot(page, 'untrusted-next-step');
    assert.equal(fs.existsSync(signed), false, 'the signer ran');

    // Once trusted, the same file runs the signer, so the refusal was due to trust.
    await page.getByRole('button', { name: 'Trust', exact: true }).first().click();
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).first().waitFor({ state: 'detached' });
    await open('plain.action.json');
    await runCommand(page, 'Smart Objects: Run Action File');
    // Trust adds the second connection, so the user has to choose.
    await pickerRow(page, 'Mine').click();
    await toast(/The signer .* printed no signature/).waitFor();
    assert.equal(fs.existsSync(signed), true);
    assert.equal(posts(), 0);
  });
});
