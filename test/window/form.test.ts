/** The form of an action file in the window: from a row to a result, by keyboard, as a file, and for several rows. */
import assert from 'node:assert/strict';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { checkAccessibility } from './support/axe.ts';
import { chooseInMenu, expand, scrollTo, signIn, treeRow } from './support/gestures.ts';
import { openWindow, screenshot, type TestWindow } from './support/window.ts';
import { setTheme, showExplorer, webview } from './support/workbench.ts';

const RECEIVER = '0x00000000000000000000000000000000000000a1';

suite('forms of actions in the window', function () {
  this.timeout(240_000);
  let window: TestWindow;
  let sandbox: Sandbox;
  let page: Page;
  let form: FrameLocator;

  suiteSetup(async () => {
    sandbox = await startSandbox({ settleDelay: 50, batchDelay: 50, indexDelay: 0 });
    window = await openWindow({
      settings: {
        'smartObjects.connections': [{ name: 'Rehearsal', baseUrl: sandbox.baseUrl, environment: 'development' }],
        'smartObjects.labels': { [RECEIVER]: 'Ada' },
        'editor.minimap.enabled': false,
      },
    });
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 1000 });
    await signIn(page, sandbox.apiKey);
    await showExplorer(page);
    await expand(treeRow(page, 'Rehearsal'));
    await expand(treeRow(page, 'All organizations'));
    await expand(treeRow(page, 'Objects'));
    form = webview(page);
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox.close();
  });

  const button = (name: string | RegExp): Locator => form.getByRole('button', { name, exact: true });
  const outcome = (text: string | RegExp): Locator => form.locator('.outcome', { hasText: text });
  const focused = (label: string): Locator =>
    form.getByRole('textbox', { name: label, exact: true }).and(form.locator(':focus'));
  const row = (): Locator => treeRow(page, 'Harbour Concert Ticket');
  const posts = (): number => sandbox.recorder.counts['POST /ebus/execute'] ?? 0;

  test('from a row by form to a run and its result: 3 clicks', async () => {
    const before = posts();
    await row().waitFor();
    await scrollTo(row());
    let clicks = 0;
    // The context menu, and its entry.
    clicks += 2;
    await chooseInMenu(row(), 'Transfer…');
    await focused('Owner').waitFor({ timeout: 30_000 });
    await form.locator('#reason', { hasText: '`to` is empty. Enter the new owner.' }).waitFor();
    assert.equal(await button('Run').getAttribute('aria-disabled'), 'true');
    await page.keyboard.type(RECEIVER);
    await form.locator('.hint', { hasText: 'Ada' }).waitFor();
    await form.locator('.preview', { hasText: `"to": "${RECEIVER}"` }).waitFor({ timeout: 30_000 });
    await form.locator('.preview', { hasText: /Fee: .*Permission: /s }).waitFor();
    await screenshot(page, 'form-filled');
    clicks += 1;
    await button('Run').and(form.locator('[aria-disabled=false]')).click();
    await outcome(/: completed\./).waitFor({ timeout: 30_000 });
    await button('Show Changes').waitFor({ timeout: 30_000 });
    assert.deepEqual([clicks, posts() - before], [3, 1]);
  });

  test('pictures and accessibility', async () => {
    await checkAccessibility(page, form, 'form');
    for (const theme of ['light', 'highContrastDark', 'dark'] as const) {
      await setTheme(page, theme);
      await screenshot(page, `form-${theme}`);
    }
    await page.setViewportSize({ width: 760, height: 1000 });
    await screenshot(page, 'form-narrow');
    await page.setViewportSize({ width: 1440, height: 1000 });
  });
});
