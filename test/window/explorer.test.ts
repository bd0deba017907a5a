/** The tree as a person sees it: rows with states and pictures, ways onward, filter and search, in every kind of theme. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { pickerInput, pickerRow, runCommand, setTheme, webview } from '../runtime/editor.ts';
import { openWindow, screenshot, type TestWindow } from '../runtime/window.ts';

suite('explorer in the window', function () {
  this.timeout(120_000);
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    window = await openWindow();
    page = window.page;
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    await page.locator('.activitybar .action-label[aria-label^="Smart Objects"]').click();
    await row('Local Sandbox').waitFor({ timeout: 20_000 });
  });
  teardown(async () => {
    await page.keyboard.press('Escape');
  });
  suiteTeardown(() => window.close());

  function row(label: string | RegExp): Locator {
    return page.locator('.pane-body .monaco-list-row', { hasText: label }).first();
  }

  async function expand(which: Locator): Promise<void> {
    await which.waitFor();
    if ((await which.getAttribute('aria-expanded')) !== 'true') await which.locator('.monaco-tl-twistie').click();
  }

  async function inEveryTheme(name: string): Promise<void> {
    for (const theme of ['dark', 'light', 'highContrastDark'] as const) {
      await setTheme(page, theme);
      await screenshot(page, `${name}-${theme}`);
    }
    await setTheme(page, 'dark');
  }

  test('an object and its ways', async () => {
    await expand(row('All organizations'));
    await expand(row('Objects'));
    const object = page.locator('.pane-body .monaco-list-row[aria-level="4"]').first();
    await expand(object);
    await row('Template').waitFor();
    assert.match((await object.getAttribute('aria-label')) ?? '', /\w/);
    await inEveryTheme('explorer-object');
    await object.locator('.monaco-tl-twistie').click();
    await row('Objects').locator('.monaco-tl-twistie').click();
  });

  test('action logs by their state, and the filter that leaves the failed ones', async () => {
    await expand(row('Action Logs'));
    await page.locator('.pane-body .monaco-list-row[aria-level="4"]').first().waitFor();
    await row('Load more…').waitFor();
    await inEveryTheme('explorer-logs');
    await row('Action Logs').hover();
    await row('Action Logs').locator('.action-label.codicon-filter').click();
    // The list draws only the rows that are in view.
    await pickerInput(page).fill('status');
    await pickerRow(page, 'status').click();
    await pickerRow(page, 'failed').click();
    const results = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Show Results' }).first();
    await results.waitFor();
    await screenshot(page, 'explorer-filter');
    await results.click();
    await row(/Action Logs.*status failed/).waitFor();
    const states = page.locator('.pane-body .monaco-list-row[aria-level="4"] .label-description');
    await states.first().waitFor();
    const told = (await states.allTextContents()).filter((text) => text !== '');
    assert.ok(told.length > 0);
    for (const text of told) assert.match(text, /^failed/);
  });

  test('assets with their pictures', async () => {
    await runCommand(page, 'Smart Objects: Focus on Explorer View');
    await page.keyboard.press('End');
    await expand(row('Assets'));
    await page
      .locator('.pane-body .monaco-list-row .custom-view-tree-node-item-icon[style*="data:"]')
      .first()
      .waitFor();
    await row('Load all').scrollIntoViewIfNeeded();
    await inEveryTheme('explorer-assets');
  });

  test('a list of any length as a table', async () => {
    // Without a row in question, the command asks which list is meant.
    await runCommand(page, 'Smart Objects: Focus on Explorer View');
    await page.keyboard.press('Home');
    await runCommand(page, 'Smart Objects: Open as Table');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: /Action Logs.*All organizations/ })
      .first()
      .click();
    const table = webview(page);
    await table.locator('.line.item .state').first().waitFor();
    await table.getByRole('button', { name: 'Load All' }).click();
    await table.getByRole('button', { name: 'Load All' }).waitFor({ state: 'detached' });
    const grid = table.getByRole('grid');
    const rows = Number(await grid.getAttribute('aria-rowcount')) - 1;
    assert.ok(rows > 100, String(rows));
    assert.ok((await table.locator('.line.item').count()) < 100, 'only the rows in view are drawn');
    await grid.focus();
    await page.keyboard.press('End');
    await table
      .locator(`.line.item[aria-rowindex="${String(rows + 1)}"] .state`)
      .filter({ hasText: 'failed' })
      .waitFor();
    await inEveryTheme('explorer-table');
    await grid.focus();
    await page.keyboard.press('Enter');
    await page.locator('.tab', { hasText: '.json' }).waitFor();
  });

  test('search fills in as answers arrive', async () => {
    await runCommand(page, 'Smart Objects: Search…');
    await pickerInput(page).fill('Hut');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: /Hut.*template/ })
      .first()
      .waitFor();
    await screenshot(page, 'explorer-search');
    await page.keyboard.press('Escape');
  });
});
