/** Adding a production connection, sign-in across a restart of the editor, and typed secrets. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { CANARY, recordCanaryEntered } from '../support/secret-canary.ts';
import {
  installVsix,
  launchBrowser,
  openWorkbench,
  startServer,
  type Browser,
  type Server,
  type Settings,
} from '../runtime/editor.ts';
import { chooseInMenu } from './support/gestures.ts';
import { pickerInput, runCommand, setTheme, showExplorer, until } from './support/workbench.ts';
import { createTemporaryFolder, VSIX } from '../runtime/paths.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { screenshot, takePictures } from './support/window.ts';

suite('connections in the window', () => {
  const dir = createTemporaryFolder('connections');
  const dataDir = path.join(dir, 'data');
  let sandbox: Sandbox;
  let server: Server;
  let browser: Browser;
  let page: Page;

  async function open(port?: number): Promise<void> {
    // Starting rewrites the settings file, so the present settings are passed.
    const file = path.join(dataDir, 'User/settings.json');
    const settings = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Settings) : {};
    server = await startServer({ dataDir, settings, keep: 5, ...(port !== undefined && { port }) });
    // The browser's profile stores secrets by address, including the port.
    browser = await launchBrowser({ userDataDir: path.join(dir, 'profile') });
    page = await openWorkbench(browser.context, server, { folder: dir });
  }
  async function close(): Promise<void> {
    await browser.close();
    await server.stop();
  }

  suiteSetup(async () => {
    installVsix([VSIX], dataDir);
    sandbox = await startSandbox();
    await open();
  });
  suiteTeardown(async () => {
    await close();
    await sandbox.close();
  });

  const status = (): Locator => page.locator('.statusbar-item[id*="smartObjects.connection"]').first();
  const root = (name: string): Locator => page.locator('.pane-body .monaco-list-row', { hasText: name }).first();

  const choice = (label: string): Locator =>
    page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first();

  async function type(title: string | RegExp, text: string): Promise<void> {
    await page.locator('.quick-input-widget:visible', { hasText: title }).waitFor();
    await pickerInput(page).fill(text);
    await page.keyboard.press('Enter');
  }

  const form = (text: string): Locator => page.locator('.quick-input-widget:visible', { hasText: text });

  async function fillIn(name: string, baseUrl: string): Promise<void> {
    await runCommand(page, 'Smart Objects: Add Connection…');
    await type('(1/6)', name);
    await type('(2/6)', baseUrl);
    await choice('Live data').click();
    await choice('API key').click();
    await form('(5/6)').waitFor();
    assert.equal(await pickerInput(page).getAttribute('type'), 'password');
    await type('Enter the API key', sandbox.apiKey);
  }

  test('Add Connection shows its verdict in the form, and the way back keeps what was typed', async () => {
    await takePictures(page, 'connections-verdict', async () => {
      await fillIn('Shop', `${sandbox.baseUrl}/nowhere`);
      await form('No API at this address (HTTP 404)').waitFor();
      await choice('Change Base URL').waitFor();
    });
    await page.locator('.quick-input-titlebar .codicon-quick-input-back').waitFor();
    await choice('Change Base URL').click();
    await form('(2/6)').waitFor();
    assert.equal(await pickerInput(page).inputValue(), `${sandbox.baseUrl}/nowhere`);
    await type('(2/6)', 'https://user@shop.example');
    await page.locator('.quick-input-message', { hasText: 'user name or password' }).waitFor();
    await screenshot(page, 'connections-add');
    sandbox.faults.add({ route: 'GET /objects', fault: 'slowHeaders', delay: 14_000 });
    await type('(2/6)', sandbox.baseUrl);
    await form(`Checking ${sandbox.baseUrl}…`).waitFor();
    await screenshot(page, 'connections-checking');
    await page.locator('.quick-input-titlebar .codicon-quick-input-back').click();
    await form('(4/6)').waitFor();
    sandbox.faults.clear();
    await choice('API key').click();
    // The key is still there.
    await form('(5/6)').waitFor();
    await page.keyboard.press('Enter');
    await form('and accepted the credential.').waitFor();
    await screenshot(page, 'connections-verdict-good');
    await choice('Add Connection').click();
    await status().waitFor();
    await page.locator('.notification-toast', { hasText: 'PRODUCTION · Shop: added and signed in.' }).waitFor();
  });

  test('production is unmistakable', async () => {
    await showExplorer(page);
    await root('Shop').waitFor();
    assert.match((await status().textContent()) ?? '', /PRODUCTION · Shop/);
    assert.match((await status().getAttribute('class')) ?? '', /error-kind/);
    for (const theme of ['dark', 'light', 'highContrastDark'] as const) {
      await setTheme(page, theme);
      // A background where the theme has one, else words in its colour for errors.
      const plain = page.locator('.statusbar-item[id="status.problems"] a').first();
      const getAppearance = (of: Locator): Promise<string> =>
        of.evaluate((element) => {
          const { color } = getComputedStyle(element);
          return `${color} on ${getComputedStyle(element.closest('.statusbar-item') ?? element).backgroundColor}`;
        });
      const marked = status().locator('a').first();
      await until(async () => (await getAppearance(marked)) !== (await getAppearance(plain)));
      await screenshot(page, `connections-production-${theme}`);
    }
    await setTheme(page, 'dark');
    await runCommand(page, 'Smart Objects: Sign Out…');
    await page.locator('.monaco-dialog-box', { hasText: 'PRODUCTION · Shop: sign out?' }).waitFor();
    await screenshot(page, 'connections-dialog');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Cancel' }).click();
  });

  test('the active connection is marked, another one is set from its row, and Accounts lists both', async () => {
    await showExplorer(page);
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    const active = (name: string): Locator =>
      page.locator(`.pane-body .monaco-list-row[aria-label^="${name}, active connection"]`).first();
    await active('Local Sandbox').waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
    await takePictures(page, 'connections-active', async () => {
      await root('Shop').hover();
      await root('Shop').locator('.action-label[aria-label^="Set as Active"]').waitFor();
    });
    await chooseInMenu(root('Meridian Goods'), 'Rename Organization…', () =>
      screenshot(page, 'connections-organization-menu'),
    );
    await type('Local Sandbox: Rename Meridian Goods', 'Quayside');
    await root('Quayside').waitFor();
    await chooseInMenu(root('Shop'), 'Set as Active', () => screenshot(page, 'connections-menu'));
    await active('Shop').waitFor();
    await status().filter({ hasText: 'PRODUCTION · Shop' }).waitFor();
    await page.getByRole('button', { name: 'Accounts' }).first().click();
    await page.locator('.monaco-menu .action-label', { hasText: 'Shop: API key (Smart Objects)' }).waitFor();
    await screenshot(page, 'connections-accounts');
    await page.keyboard.press('Escape');
    await runCommand(page, 'Smart Objects: Stop Local Sandbox');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Stop' }).click();
    await page.locator('.notification-toast', { hasText: 'Local Sandbox stopped' }).waitFor();
  });

  // After a restart a tab that was restored may have a hidden frame, behind the new one or before it.
  const preview = (): FrameLocator =>
    page.locator('iframe.webview.ready').filter({ visible: true }).last().contentFrame().frameLocator('#active-frame');

  test('Check Connection and Show Permissions are readable', async () => {
    await runCommand(page, 'Notifications: Clear All Notifications');
    await runCommand(page, 'Smart Objects: Check Connection');
    await preview().getByRole('heading', { name: 'Check of PRODUCTION · Shop' }).waitFor();
    await preview().getByText('and accepted the credential.').waitFor();
    await takePictures(page, 'connections-check');
    await runCommand(page, 'Smart Objects: Show Permissions');
    await page.locator('.tab', { hasText: 'Preview Permissions of Shop.md' }).waitFor();
    await preview().getByRole('heading', { name: 'API keys' }).waitFor();
    await screenshot(page, 'connections-permissions');
  });

  // Slow: restarts the editor.
  test('sign-in survives a restart of the editor', async () => {
    const { port } = new URL(server.origin);
    await close();
    await open(Number(port));
    await status().waitFor();
    await showExplorer(page);
    await root('Shop').waitFor();
    await runCommand(page, 'Smart Objects: Check Connection');
    await preview().getByText('and accepted the credential.').waitFor();
    assert.ok(!((await status().textContent()) ?? '').includes('not signed in'));
  });

  test('a secret typed by hand is shown nowhere', async () => {
    recordCanaryEntered('window');
    await runCommand(page, 'Smart Objects: Sign In…');
    await choice('API key').click();
    await type('Enter the API key', CANARY);
    await form('rejected the credential.').waitFor();
    await choice('Sign In Anyway').click();
    await page.locator('.notification-toast', { hasText: 'signed in' }).waitFor();
    await runCommand(page, 'Smart Objects: Show Output');
    assert.ok(!(await page.content()).includes(CANARY));
  });
});
