/** A refused secret in the window, then the Requests view: records, filters, shows, repeats and exports what is sent. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { parseHar } from '../support/har-schema.ts';
import { CANARY, CANARY_FORMS, recordCanaryEntered } from '../support/secret-canary.ts';
import { checkAccessibility } from './support/axe.ts';
import { expand, treeRow } from './support/gestures.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from './support/window.ts';
import { pickerInput, runCommand, showExplorer, until } from './support/workbench.ts';

suite('requests in the window', () => {
  let sandbox: Sandbox;
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    sandbox = await startSandbox({ seed: 1 });
    const connections = [{ name: 'Mine', baseUrl: sandbox.baseUrl, environment: 'sandbox' }];
    window = await openWindow({ settings: { 'smartObjects.connections': connections } });
    page = window.page;
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox.close();
  });

  const view = (): FrameLocator =>
    page.locator('iframe.webview.ready').filter({ visible: true }).last().contentFrame().frameLocator('#active-frame');
  const rows = (): Locator => view().locator('.line.item');
  const grid = (): Locator => view().locator('.grid');
  const details = (): Locator => view().locator('.details');

  /** Opens the view, and gives it the whole panel. */
  async function openView(): Promise<void> {
    await runCommand(page, 'Smart Objects: Focus on Requests View');
    for (const name of ['Action Logs', 'Runs']) await page.locator('.pane-header', { hasText: name }).click();
    await view().locator('.names', { hasText: 'Waterfall' }).waitFor();
  }

  async function signInWithTokens(): Promise<void> {
    await runCommand(page, 'Smart Objects: Sign In…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'A JWT' }).click();
    // The list that was open before has an input too.
    await page.locator('.quick-input-widget:visible input[type="password"]').waitFor();
    await pickerInput(page).fill(sandbox.accessToken);
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget:visible', { hasText: 'refresh token' }).waitFor();
    await pickerInput(page).fill(CANARY);
    await page.keyboard.press('Enter');
    const echo = { fault: 'unknownField', field: 'leak', value: `key: ${CANARY}`, count: null } as const;
    sandbox.faults.add({ route: 'GET /assets', ...echo });
    // Another command would end the sign-in.
    await page.locator('.statusbar', { hasText: 'not signed in' }).waitFor({ state: 'hidden' });
    await showExplorer(page);
    await treeRow(page, 'Templates').waitFor();
  }

  /** All text of the window and of every frame in it. */
  async function readWindowText(): Promise<string> {
    const frames = await Promise.all(
      page.frames().map((frame) => frame.evaluate(() => document.documentElement.outerHTML).catch(() => '')),
    );
    return frames.join('\n');
  }

  test('a key is masked in the input box and not shown after the platform refused it', async () => {
    await runCommand(page, 'Smart Objects: Sign In…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Sent in the header' }).click();
    const input = pickerInput(page);
    await page.locator('.quick-input-widget:visible input[type="password"]').waitFor();
    await input.fill(CANARY);
    await input.press('Enter');
    recordCanaryEntered('window');
    await page.locator('.quick-input-widget', { hasText: 'rejected the credential' }).waitFor();
    await showExplorer(page);
    await treeRow(page, 'Templates').waitFor();
    await expand(treeRow(page, 'Templates'));
    // The key was refused, so nothing is signed in.
    await treeRow(page, /requires a credential/).waitFor();
    await runCommand(page, 'Smart Objects: Show Output');
    const shown = await readWindowText();
    assert.ok(shown.includes('Templates'), 'nothing was read');
    for (const form of CANARY_FORMS) assert.equal(shown.includes(form), false);
  });

  test('nothing is recorded before the view is opened; then each request is a row', async () => {
    await signInWithTokens();
    await expand(treeRow(page, 'Templates'));
    await treeRow(page, /Concert Ticket/).waitFor();
    await openView();
    assert.equal(await rows().filter({ hasText: '/templates' }).count(), 0);
    // From below: what is expanded pushes rows out of view.
    for (const name of ['API Keys', 'Assets']) await expand(treeRow(page, name));
    for (const path of ['/assets', '/api-keys'])
      await rows().filter({ hasText: path }).filter({ hasText: '200' }).first().waitFor();
    assert.equal(await rows().filter({ hasText: '/templates' }).count(), 0);
    assert.ok((await view().locator('.waterfall .bar').count()) >= 2);
    await takePictures(page, 'requests');
  });

  test('a filter shows the requests that contain its words', async () => {
    const filter = view().locator('input[type=search]');
    await filter.fill('GET /assets 200');
    await view()
      .locator('.count', { hasText: /^\d+ of \d+ requests$/ })
      .waitFor();
    await until(async () => (await rows().allTextContents()).every((text) => text.includes('/assets')));
    await filter.fill('nowhere');
    await view().locator('.empty', { hasText: 'No request matches the filter.' }).waitFor();
    await filter.fill('');
    await rows().filter({ hasText: '/api-keys' }).first().waitFor();
  });

  test('the details have times, masked headers and the body; Escape closes them', async () => {
    await runCommand(page, 'View: Toggle Maximized Panel');
    await rows().filter({ hasText: '/assets' }).first().click();
    await details().locator('h2', { hasText: 'GET /assets' }).waitFor();
    await details().locator('dt', { hasText: 'First byte' }).waitFor();
    await details().locator('dd', { hasText: '••••' }).waitFor();
    await details().locator('pre', { hasText: '"assets": [' }).waitFor();
    await takePictures(page, 'requests-details');
    await checkAccessibility(page, view(), 'requests');
    await page.setViewportSize({ width: 560, height: 800 });
    await screenshot(page, 'requests-narrow');
    await page.setViewportSize({ width: 1280, height: 800 });
    await grid().focus();
    await page.keyboard.press('Escape');
    await details().waitFor({ state: 'hidden' });
  });

  test('exports a HAR file that is valid and has no secret', async () => {
    const count = Number(/^\d+/.exec((await view().locator('.count').textContent()) ?? '')?.[0]);
    await view().getByRole('button', { name: 'Export as HAR…' }).click();
    const file = path.join(window.workspace, 'requests.har');
    await until(async () => (await pickerInput(page).inputValue()).endsWith('Mine.har'));
    await pickerInput(page).fill(file);
    await page.keyboard.press('Enter');
    await page.locator('.notification-toast', { hasText: 'The requests were exported' }).waitFor();
    const har = fs.readFileSync(file, 'utf8');
    for (const secret of [...CANARY_FORMS, sandbox.accessToken]) assert.equal(har.includes(secret), false);
    const entries = parseHar(har);
    assert.equal(entries.length, count);
    const assets = entries.find(({ request }) => new URL(request.url).pathname.endsWith('/assets'));
    assert.ok(assets !== undefined);
    assert.ok(
      assets.request.headers.some(({ name, value }) => /^authorization$/i.test(name) && value === 'Bearer ••••'),
    );
    assert.match(assets.response.content.text ?? '', /"leak": "key: ••••"/);
    assert.match(assets.response.content.text ?? '', /"assets": \[/);
    // A consumer of HAR files that is not ours answers the requests from it.
    const other = await window.context.newPage();
    try {
      await other.routeFromHAR(file, { notFound: 'abort' });
      const response = await other.goto(assets.request.url);
      assert.equal(response?.status(), 200);
      assert.match(await response.text(), /"assets": \[/);
    } finally {
      await other.close();
    }
  });

  test('the list is cleared, and says how long it is kept', async () => {
    await view().getByRole('button', { name: 'Clear' }).click();
    await view().locator('.empty', { hasText: 'reloading the window clears them' }).waitFor();
  });

  test('the keyboard focus stays on the connection that is chosen', async () => {
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    const connection = view().locator('select');
    await until(async () => (await connection.locator('option').count()) === 2);
    await connection.focus();
    for (const name of ['Local Sandbox', 'Mine']) {
      await connection.selectOption(name);
      await view().locator(`.grid[aria-label="Requests of ${name}"]`).waitFor();
      await view().locator('select:focus').waitFor();
    }
  });
});
