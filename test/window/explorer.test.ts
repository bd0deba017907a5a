/** Tables and the tree in the window: rows with states and pictures, related resources, filter and search, in each kind of theme. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { workbenchReady } from '../runtime/editor.ts';
import { pickerInput, pickerRow, runCommand, showExplorer, until, webview } from './support/workbench.ts';
import {
  chooseInMenu,
  collapse,
  dropInto,
  expand,
  pressTo,
  retryUntilVisible,
  scrollTo,
  treeRow,
} from './support/gestures.ts';
import { testTables } from './explorer-table.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from './support/window.ts';

suite('explorer in the window', () => {
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    window = await openWindow();
    page = window.page;
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    // The command reveals the view.
    await row('Local Sandbox').waitFor();
    await expand(row('All organizations'));
  });
  // Not after a test, since the picture of a failure is taken then.
  setup(async () => {
    await page.keyboard.press('Escape');
  });
  suiteTeardown(() => window.close());

  // Before the tree has a filter.
  testTables(() => window);

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

  test('an object and its related resources', async () => {
    await expand(row('Objects'));
    const object = page.locator('.pane-body .monaco-list-row[aria-level="4"]').first();
    await expand(object);
    await row('Template').waitFor();
    assert.match((await object.getAttribute('aria-label')) ?? '', /\w/);
    await takePictures(page, 'explorer-object');

    // The list grows and keeps its scroll position; the object stays expanded.
    const name = await getLabel(object);
    await object.hover();
    while (!(await row('Load More').isVisible())) await page.mouse.wheel(0, 100);
    const last = await getLabel(
      page.locator('.pane-body .monaco-list-row[aria-level="4"]', { hasNotText: 'Load' }).last(),
    );
    await row('Load More').click();
    await row('Load All (25 so far)').waitFor({ state: 'detached' });
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
    await retryUntilVisible(() => objects.nth(0).click(), page.locator('.tab.active', { hasText: '(object)' }));
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
    await dropInto(object, editor);
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
    await row('Load More').waitFor();
    await takePictures(page, 'explorer-logs');
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
    // The rows come after the name of the list.
    await until(async () => {
      const texts = (await states.allTextContents()).filter((text) => text !== '');
      return texts.length > 0 && texts.every((text) => text.startsWith('failed'));
    });
  });

  test('assets with their pictures', async () => {
    await showExplorer(page);
    await scrollTo(row('Assets'));
    await expand(row('Assets'));
    await page
      .locator('.pane-body .monaco-list-row .custom-view-tree-node-item-icon[style*="data:"]')
      .first()
      .waitFor();
    await row(/^Load All/).scrollIntoViewIfNeeded();
    await takePictures(page, 'explorer-assets');
  });

  // Slow: reloads the window.
  test('filters, favorites and tables are restored after a reload of the window, with their sandbox', async () => {
    const logs = row(/Action Logs.*Status: failed/);
    await runCommand(page, 'View: Close All Editors');
    await showExplorer(page);
    await scrollTo(logs);
    await chooseInMenu(logs, 'Add to Favorites');
    await pickerInput(page).fill('Failures');
    await page.keyboard.press('Enter');
    await row('Favorites').waitFor();
    await chooseInMenu(logs, 'Open as Table');
    await webview(page).locator('.line.item .state').first().waitFor();

    await Promise.all([page.waitForEvent('domcontentloaded'), runCommand(page, 'Developer: Reload Window')]);
    await workbenchReady(page);
    await row('Local Sandbox').waitFor();
    await webview(page).locator('.line.item .state', { hasText: 'failed' }).first().waitFor();
    await expand(row('Favorites'));
    await row('Failures').waitFor();
    await expand(row('All organizations'));
    await row(/^Action Logs.*Status: failed/).waitFor();
    await screenshot(page, 'explorer-reloaded');
  });

  test('search says what it searches, finds objects by name, and keeps the highlighted row', async () => {
    await runCommand(page, 'Smart Objects: Search…');
    const results = page.locator('.quick-input-list .monaco-list-row');
    await results.filter({ hasText: 'by part of the name' }).first().waitFor();
    await screenshot(page, 'explorer-search-start');
    // A prefix without a term searches nothing yet.
    for (const prefix of ['@', '#', ':']) {
      await pickerInput(page).fill(prefix);
      await results.filter({ hasText: 'Open by ID' }).waitFor({ state: 'hidden' });
      await results.filter({ hasText: 'narrow the results' }).waitFor();
    }
    await page.keyboard.press('Escape');
    // Objects arrive well after the other lists, and after the keys.
    await runCommand(page, 'Smart Objects: Faults…');
    for (const step of ['Objects: list', 'response after 5 seconds', 'Next 1 request'])
      await pickerRow(page, step).click();
    await page.locator('.statusbar-item', { hasText: '1 fault' }).waitFor();
    await runCommand(page, 'Smart Objects: Search…');
    await pickerInput(page).fill('Hut');
    for (const found of [/hut-key\.svg.*asset/, /Hut door.*face/, /Hut.*template/])
      await results.filter({ hasText: found }).first().waitFor();
    const focused = page.locator('.quick-input-list .monaco-list-row.focused');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const label = await getLabel(focused);
    const progress = page.locator('.quick-input-progress.active');
    await progress.waitFor({ state: 'detached' });
    await page.locator('.quick-input-title', { hasText: /\d objects searched/ }).waitFor();
    assert.equal(await getLabel(focused), label);
    await screenshot(page, 'explorer-search');
    // An item that continues the search leaves the picker open.
    await pickerInput(page).fill('Ticket');
    // Until then the list is that of the text before, with the same item at its end.
    await results.filter({ hasText: 'Ticket' }).first().waitFor();
    const further = results.filter({ hasText: 'Showing the first 20 matches' });
    // By keys, and after the responses: rows that arrive move those under the mouse. The last row is followed by the first.
    await until(async () => {
      if (await progress.isVisible()) return false;
      if (await further.and(focused).isVisible()) return true;
      await page.keyboard.press('ArrowDown');
      return false;
    });
    await page.keyboard.press('Enter');
    await further.waitFor({ state: 'hidden' });
    assert.ok(await pickerInput(page).isVisible());
    await screenshot(page, 'explorer-search-further');
    await page.keyboard.press('Escape');
    // Owners and templates of what was read in this window narrow a search.
    await expand(row('All organizations'));
    await expand(row('Objects'));
    await row(/Harbour Concert Ticket/).waitFor();
    await collapse(row('Objects'));
    await runCommand(page, 'Smart Objects: Search…');
    await pickerInput(page).fill('#"Concert Ticket" :objects');
    await results.filter({ hasText: 'Save This Search' }).first().waitFor();
    await results.filter({ hasText: 'Concert Ticket' }).first().waitFor();
    await screenshot(page, 'explorer-search-narrowed');
    // A saved search is a row of the tree, and begins where it ended.
    await results.filter({ hasText: 'Save This Search' }).first().click();
    await expand(treeRow(page, 'Favorites'));
    const saved = treeRow(page, '#"Concert Ticket" :objects');
    await saved.waitFor();
    await saved.click();
    await results.filter({ hasText: 'Concert Ticket' }).first().waitFor();
    assert.equal(await pickerInput(page).inputValue(), '#"Concert Ticket" :objects');
    await page.keyboard.press('Escape');
  });

  test('rows differ in a side bar of 250 pixels', async () => {
    await runCommand(page, 'View: Close All Editors');
    await showExplorer(page);
    await collapse(row('Local Sandbox'));
    await expand(row('Local Sandbox'));
    await expand(row('All organizations'));
    await collapse(row('Action Logs'));
    await expand(row('Objects'));
    const sideBar = page.locator('.part.sidebar');
    const { x, y, width } = (await sideBar.boundingBox()) ?? assert.fail();
    await page.mouse.move(x + width, y + 300);
    await page.mouse.down();
    await page.mouse.move(x + 250, y + 300, { steps: 5 });
    await page.mouse.up();
    assert.ok(Math.abs(((await sideBar.boundingBox())?.width ?? 0) - 250) <= 4);
    const objects = page.locator('.pane-body .monaco-list-row[aria-level="4"]', { hasNotText: 'Load' });
    await objects.nth(20).waitFor();
    await takePictures(page, 'explorer-narrow');
    // What is in view of each row: its text up to the edge.
    const visible = await objects.evaluateAll((rows) =>
      rows.map((row) => {
        const name = row.querySelector('.label-name');
        const edge = row.getBoundingClientRect().right;
        const range = document.createRange();
        const node = name?.firstChild?.firstChild ?? name?.firstChild;
        if (!(node instanceof Text)) return name?.textContent ?? '';
        const text = node.data;
        let end = text.length;
        do {
          range.setStart(node, 0);
          range.setEnd(node, end);
        } while (range.getBoundingClientRect().right > edge && --end > 0);
        return text.slice(0, end);
      }),
    );
    assert.ok(visible.length > 15, visible.join('\n'));
    assert.equal(new Set(visible).size, visible.length, visible.join('\n'));
  });
});
