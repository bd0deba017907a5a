/** The dashboard as a person sees it: three charts of the sandbox, the same numbers as tables one key away, in every theme. */
import assert from 'node:assert/strict';
import type { FrameLocator, Page } from 'playwright-core';
import { runCommand, setTheme } from '../runtime/editor.ts';
import { openWindow, screenshot, type TestWindow } from '../runtime/window.ts';

suite('statistics in the window', function () {
  this.timeout(120_000);
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    window = await openWindow();
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 900 });
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    await page.locator('.statusbar-item', { hasText: 'Local Sandbox' }).waitFor({ timeout: 20_000 });
    await runCommand(page, 'Smart Objects: Show Statistics');
  });
  suiteTeardown(() => window.close());

  const dashboard = (): FrameLocator =>
    page.locator('iframe.webview.ready').contentFrame().locator('#active-frame').contentFrame();
  const charts = () => dashboard().locator('.chart');

  test('three charts with their totals', async () => {
    await charts().nth(2).waitFor({ timeout: 20_000 });
    assert.equal(await charts().count(), 3);
    for (const label of ['Executions', 'Fees', 'Objects created']) {
      await dashboard().getByText(label).first().waitFor();
    }
    const totals = await dashboard().locator('.total').allInnerTexts();
    assert.equal(totals.length, 3);
    for (const total of totals) assert.match(total, /\d/);
  });

  test('pictures in each kind of theme', async () => {
    for (const theme of ['light', 'highContrastDark', 'dark'] as const) {
      await setTheme(page, theme);
      await charts().nth(2).waitFor();
      await screenshot(page, `statistics-${theme}`);
    }
  });

  test('T shows the same numbers as tables, and T again the charts', async () => {
    await charts().first().focus();
    await page.keyboard.press('t');
    await dashboard().locator('table').first().waitFor();
    assert.equal(await charts().count(), 0);
    assert.ok((await dashboard().locator('table').first().locator('tbody tr').count()) > 5);
    await screenshot(page, 'statistics-table');
    await page.keyboard.press('t');
    await charts().nth(2).waitFor();
  });
});
