/** The action logs as a person sees them: live in the panel, filtered, with details; failures; a history; every kind of theme. */
import assert from 'node:assert/strict';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { pickerInput, pickerRow, runCommand, setTheme, webview } from '../runtime/editor.ts';
import { openWindow, screenshot, type TestWindow } from '../runtime/window.ts';

suite('action logs in the window', function () {
  this.timeout(180_000);
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    window = await openWindow();
    page = window.page;
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    await page.locator('.statusbar', { hasText: 'Local Sandbox' }).waitFor({ timeout: 20_000 });
    await runCommand(page, 'Smart Objects: Show Action Logs');
    await grid().waitFor({ timeout: 20_000 });
  });
  suiteTeardown(() => window.close());

  const view = (): FrameLocator => webview(page);
  const grid = (): Locator => view().locator('[role=grid]');
  const rows = (): Locator => view().locator('.body > .row');

  test('follows the platform, finds, filters, and shows an entry in full', async () => {
    await rows().first().waitFor();
    await view().locator('.phase', { hasText: 'Live' }).waitFor();
    await view().locator('.counts', { hasText: 'loaded' }).waitFor();
    const held = await grid().getAttribute('aria-rowcount');
    const drawn = await rows().count();
    assert.ok(Number(held) > 200 && drawn < 60, `${String(drawn)} rows drawn of ${String(held)}`);
    await runCommand(page, 'View: Toggle Maximized Panel');
    await rows().first().click();
    await view().locator('.details h2').waitFor();
    await view().locator('.details dd', { hasText: 'act_' }).first().waitFor();
    await screenshot(page, 'logs-dark');
    await view().locator('input[type=search]').fill('mint');
    await view().locator('mark').first().waitFor();
    await view()
      .locator('.counts', { hasText: / in [\d,]+ loaded/ })
      .waitFor();
    await screenshot(page, 'logs-find');
    await view().locator('input[type=search]').fill('');
  });

  test('the keyboard alone: rows, details, back', async () => {
    await grid().focus();
    // A key is seen a frame later.
    const selected = (index: number) =>
      view()
        .locator(`#row-${String(index)}[aria-selected="true"]`)
        .waitFor();
    await page.keyboard.press('Home');
    await selected(0);
    for (let step = 1; step <= 3; step++) {
      await page.keyboard.press('ArrowDown');
      await selected(step);
    }
    assert.equal(await grid().getAttribute('aria-activedescendant'), 'row-3');
    await page.keyboard.press('End');
    // Older pages may come while the end is shown, so it is no fixed number.
    await view().locator('.row[aria-selected="true"]:not(#row-3)').waitFor();
    await page.keyboard.press('Enter');
    await view().locator('.details button:focus').waitFor();
    await page.keyboard.press('Escape');
    await view().locator('.details').waitFor({ state: 'hidden' });
  });

  test('in light, high contrast and 400 pixels', async () => {
    await rows().first().click();
    for (const theme of ['light', 'highContrastDark', 'highContrastLight'] as const) {
      await setTheme(page, theme);
      await rows().first().waitFor();
      await screenshot(page, `logs-${theme}`);
    }
    await setTheme(page, 'dark');
    await runCommand(page, 'View: Close Primary Side Bar').catch(() => undefined);
    await page.setViewportSize({ width: 440, height: 800 });
    await rows().first().waitFor();
    await screenshot(page, 'logs-400');
    const wide = await view()
      .locator('body')
      .evaluate((body) => body.scrollWidth > body.clientWidth);
    assert.equal(wide, false, 'nothing is cut at 400 px');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('a filter on the server becomes a chip; failures stand in groups', async () => {
    await view().locator('button', { hasText: 'Filter' }).click();
    await pickerRow(page, 'Status').click();
    await pickerInput(page).fill('failed');
    await pickerRow(page, 'failed').click();
    await view().locator('.chip', { hasText: 'status: failed' }).waitFor();
    await rows().first().waitFor();
    await view().locator('button[title^="Group failures"]').click();
    await view().locator('table.failures tbody tr').first().waitFor();
    await screenshot(page, 'logs-failures');
    await view().locator('button[title^="Group failures"]').click();
    await view().locator('button[title^="Remove filter status"]').click();
  });

  test('an entry becomes an action file', async () => {
    await view().locator('input[type=search]').fill('transfer obj_');
    await rows().first().click();
    await view().locator('.details button[title^="New action file"]').click();
    await page.locator('.tab', { hasText: 'transfer.action.json' }).waitFor();
    await page.locator('.editor-instance .view-line', { hasText: '"transfer"' }).waitFor();
    await view().locator('input[type=search]').fill('');
  });

  test('what changed an object is answered in one view', async () => {
    await rows().first().waitFor();
    await view().locator('input[type=search]').fill('transfer obj_');
    await rows().first().click();
    await view().locator('.details button[title^="What changed"]').click();
    const history = page.locator('iframe.webview.ready').last().contentFrame().frameLocator('#active-frame');
    await history.locator('.chain li').first().waitFor();
    await screenshot(page, 'logs-history');
    // A low panel has room for both: rows stay in sight beside the details.
    await view().locator('.details h2').waitFor();
    const row = await rows().first().boundingBox();
    assert.ok(row !== null && row.height > 10);
    assert.ok(((await grid().boundingBox())?.height ?? 0) > 70, 'the table keeps a few rows');
    assert.match((await history.locator('.verdict').textContent()) ?? '', /chain|root/);
  });
});
