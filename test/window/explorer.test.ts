/** The tree in the window: rows with states and pictures, related resources, filter and search, in each kind of theme. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { workbenchReady } from '../runtime/editor.ts';
import { pickerInput, pickerRow, runCommand, setTheme, showExplorer, webview } from './support/workbench.ts';
import { chooseInMenu, collapse, expand, pressTo, treeRow, retryUntilVisible } from './support/gestures.ts';
import { openWindow, screenshot, type TestWindow } from './support/window.ts';

suite('explorer in the window', function () {
  this.timeout(120_000);
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    window = await openWindow();
    page = window.page;
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    // The command reveals the view.
    await row('Local Sandbox').waitFor({ timeout: 20_000 });
    await expand(row('All organizations'));
  });
  teardown(async () => {
    await page.keyboard.press('Escape');
  });
  suiteTeardown(() => window.close());

  const row = (label: string | RegExp): Locator => treeRow(page, label);

  const getLabel = async (which: Locator): Promise<string> => (await which.getAttribute('aria-label')) ?? '';
  const labelled = (label: string): Locator =>
    page.locator(`.pane-body .monaco-list-rows > .monaco-list-row[aria-label=${JSON.stringify(label)}]`);

  /** Focuses the row at this index with the keyboard. */
  async function toRow(index: number): Promise<void> {
    await showExplorer(page);
    await page.keyboard.press('Home');
    for (let step = 0; step < index; step++) await page.keyboard.press('ArrowDown');
    await page.locator(`.pane-body .monaco-list-row.focused[data-index="${String(index)}"]`).waitFor();
  }

  async function inEveryTheme(name: string): Promise<void> {
    for (const theme of ['dark', 'light', 'highContrastDark'] as const) {
      await setTheme(page, theme);
      await screenshot(page, `${name}-${theme}`);
    }
    await setTheme(page, 'dark');
  }

  test('an object and its related resources', async () => {
    await expand(row('Objects'));
    const object = page.locator('.pane-body .monaco-list-row[aria-level="4"]').first();
    await expand(object);
    await row('Template').waitFor();
    assert.match((await object.getAttribute('aria-label')) ?? '', /\w/);
    await inEveryTheme('explorer-object');

    // The list grows and keeps its scroll position; the object stays expanded.
    const name = await getLabel(object);
    await object.hover();
    while (!(await row('Load more…').isVisible())) await page.mouse.wheel(0, 100);
    const last = await getLabel(
      page.locator('.pane-body .monaco-list-row[aria-level="4"]', { hasNotText: 'Load' }).last(),
    );
    await row('Load more…').click();
    await row('Load all (25 so far)').waitFor({ state: 'detached' });
    assert.ok(await labelled(last).isVisible());
    await toRow(3);
    assert.equal(await labelled(name).getAttribute('aria-expanded'), 'true');
    await row('Template').waitFor();
    await collapse(labelled(name));
    await collapse(row('Objects'));
  });

  test('two rows that are selected together are compared', async () => {
    await expand(row('Objects'));
    const objects = page.locator('.pane-body .monaco-list-row[aria-level="4"]');
    await objects.nth(2).waitFor();
    // The click opens the document; opening it later would close the menu.
    await retryUntilVisible(() => objects.nth(0).click(), page.locator('.tab.active', { hasText: 'obj_' }));
    await page.locator('.codelens-decoration', { hasText: 'Compare With' }).waitFor();
    await retryUntilVisible(
      () => objects.nth(1).click({ modifiers: ['Control'] }),
      page.locator('.pane-body .monaco-list-row.selected').nth(1),
    );
    await chooseInMenu(objects.nth(1), 'Compare With…', () => screenshot(page, 'explorer-menu'));
    await page.locator('.tab', { hasText: '↔' }).waitFor();
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await screenshot(page, 'explorer-compare');
    await runCommand(page, 'View: Close All Editors');
    await collapse(row('Objects'));
  });

  test('a row that is dragged with Shift into a text editor becomes its id there', async () => {
    await runCommand(page, 'File: New Untitled Text File');
    const editor = page.locator('.editor-group-container.active .monaco-editor .view-lines');
    await editor.waitFor();
    await expand(row('Objects'));
    const object = page.locator('.pane-body .monaco-list-row[aria-level="4"]').first();
    await object.waitFor();
    await object.hover();
    await page.mouse.down();
    await page.mouse.move(500, 300, { steps: 5 });
    await page.keyboard.down('Shift');
    await page.mouse.move(600, 320, { steps: 5 });
    await screenshot(page, 'explorer-drag');
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await editor.locator('.view-line', { hasText: /obj_[0-9a-f]+/ }).waitFor();
    // With the keyboard: focusing a row does not open it.
    await toRow(4);
    await page.keyboard.press('Shift+F10');
    await pressTo(page, 'Insert ID at Cursor');
    await editor.locator('.view-line', { hasText: /obj_[0-9a-f]+obj_[0-9a-f]+/ }).waitFor();
    await runCommand(page, 'View: Revert and Close Editor');
    await collapse(row('Objects'));
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
    await pickerRow(page, 'Status').click();
    await pickerRow(page, 'failed').click();
    const results = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Show Results' }).first();
    await results.waitFor();
    await screenshot(page, 'explorer-filter');
    await results.click();
    await row(/Action Logs.*Status: failed/).waitFor();
    const states = page.locator('.pane-body .monaco-list-row[aria-level="4"] .label-description');
    await states.first().waitFor();
    const texts = (await states.allTextContents()).filter((text) => text !== '');
    assert.ok(texts.length > 0);
    for (const text of texts) assert.match(text, /^failed/);
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

  // Slow: loads a list in full, and takes pictures in three themes.
  test('a list of any length as a table', async () => {
    // Without a selected list, the command shows a quick pick of lists.
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
      .filter({ hasText: /./ })
      .waitFor();
    await inEveryTheme('explorer-table');
    await grid.focus();
    await page.keyboard.press('Enter');
    await page.locator('.tab', { hasText: '.json' }).waitFor();

    // The scroll position is restored when the table is shown again.
    await page.locator('.tab', { hasText: 'Action Logs' }).click();
    await table.locator(`.line.item[aria-rowindex="${String(rows + 1)}"][aria-selected="true"]`).waitFor();
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Smart Objects: Open as Table');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: /Objects.*All organizations/ })
      .first()
      .click();
    await table.locator('.stateless .line.item').first().waitFor();
    assert.ok(!(await table.getByRole('columnheader', { name: 'State' }).isVisible()));
    await screenshot(page, 'explorer-table-objects');

    // Columns of the data, chosen and sorted; the filter row; a selection with its actions.
    await table.locator('.chooser summary').click();
    await table.getByLabel('owner', { exact: true }).check();
    await page.keyboard.press('Escape');
    const ownerHeader = table.getByRole('columnheader', { name: 'owner' });
    await ownerHeader.waitFor();
    const getOwners = async (): Promise<readonly string[]> =>
      (await table.locator('.line.item').all()).length === 0
        ? []
        : table.locator('.line.item > :last-child').allTextContents();
    await ownerHeader.getByRole('button').click();
    await table.locator('[role=columnheader][aria-sort="ascending"]').waitFor();
    await table.locator('.head [role=status]', { hasText: 'sorted' }).waitFor();
    await table.locator('.line.item > :last-child', { hasText: /./ }).first().waitFor();
    const owners = (await getOwners()).filter((text) => text !== '');
    assert.ok(owners.length > 3);
    assert.deepEqual(owners, [...owners].sort());
    const widthBefore = (await ownerHeader.boundingBox())?.width ?? 0;
    await ownerHeader.getByRole('button').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Alt+ArrowLeft');
    await table.locator('[role=columnheader]:nth-last-child(2)', { hasText: 'owner' }).waitFor();
    assert.ok(((await ownerHeader.boundingBox())?.width ?? 0) > widthBefore);
    const [name = ''] = await table.locator('.line.item > :first-child').allTextContents();
    await table.getByLabel('Filter Name').fill(name);
    await table.locator('.head [role=status]', { hasText: / of / }).waitFor();
    const names = table.locator('.line.item > :first-child');
    assert.ok((await names.allTextContents()).every((text) => text.includes(name)));
    await inEveryTheme('explorer-table-columns');
    await table.getByLabel('Filter Name').fill('');
    await table.locator('.line.item').nth(2).waitFor();
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    assert.equal(await table.locator('.line.item[aria-selected="true"]').count(), 2);
    await table.getByRole('button', { name: 'Compare' }).click();
    await page.locator('.tab', { hasText: '↔' }).waitFor();
    // The next table of this kind has the same columns.
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Smart Objects: Open as Table');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: /Objects.*All organizations/ })
      .first()
      .click();
    await table.locator('[role=columnheader]:nth-last-child(2)', { hasText: 'owner' }).waitFor();
  });

  // Slow: reloads the window.
  test('filters, favorites and tables are restored after a reload of the window, tables without rows', async () => {
    const logs = row(/Action Logs.*Status: failed/);
    await runCommand(page, 'View: Close All Editors');
    await chooseInMenu(logs, 'Add to Favorites');
    await pickerInput(page).fill('Failures');
    await page.keyboard.press('Enter');
    await row('Favorites').waitFor();
    await chooseInMenu(logs, 'Open as Table');
    await webview(page).locator('.line.item .state').first().waitFor();

    await Promise.all([page.waitForEvent('domcontentloaded'), runCommand(page, 'Developer: Reload Window')]);
    await workbenchReady(page);
    await webview(page).locator('.notice', { hasText: 'There is no connection “Local Sandbox” now' }).waitFor();
    assert.equal(await webview(page).locator('.line.item').count(), 0);
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    await row('Local Sandbox').waitFor({ timeout: 20_000 });
    await webview(page).locator('.line.item .state', { hasText: 'failed' }).first().waitFor();
    await expand(row('Favorites'));
    await row('Failures').waitFor();
    await expand(row('All organizations'));
    await row(/^Action Logs.*Status: failed/).waitFor();
    await screenshot(page, 'explorer-reloaded');
  });

  test('search shows results as responses arrive', async () => {
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
