/** Tests of a list as a table in the window: its columns, pictures, selection, keys and exports, in each kind of theme. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { compareTexts } from '../../src/platform/text/localization.ts';
import { pickerInput, pickerRow, runCommand, until, webview } from './support/workbench.ts';
import { retryUntilVisible } from './support/gestures.ts';
import { screenshot, takePictures, type TestWindow } from './support/window.ts';
import { checkAccessibility } from './support/axe.ts';

/** Rows of the header: names and filters. */
const HEADER_ROWS = 2;

/** Defines the tests of tables, in the window of another suite, whose local sandbox runs and whose lists have no filter yet. */
export function testTables(getWindow: () => TestWindow): void {
  let page: Page;

  async function openTable(list: string): Promise<ReturnType<typeof webview>> {
    page = getWindow().page;
    await runCommand(page, 'View: Close All Editors');
    // Without a selected list, the command shows a quick pick of lists.
    await runCommand(page, 'Smart Objects: Focus on Resources View');
    await page.keyboard.press('Home');
    await runCommand(page, 'Smart Objects: Open as Table');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: new RegExp(`${list}.*All organizations`) })
      .first()
      .click();
    const table = webview(page);
    await table.locator('.line.item').nth(2).waitFor();
    return table;
  }

  test('a list of any length: only the rows in view are in the DOM, and they keep their elements', async () => {
    const table = await openTable('Action Logs');
    await table.locator('.line.item .state').first().waitFor();
    await table.getByRole('button', { name: 'Load All' }).click();
    await table.getByRole('button', { name: 'Load All' }).waitFor({ state: 'detached' });
    await table.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    const grid = table.getByRole('grid');
    const rows = Number(await grid.getAttribute('aria-rowcount')) - HEADER_ROWS;
    assert.ok(rows > 100, String(rows));
    const lines = table.locator('.line.item');
    assert.ok((await lines.count()) < 100);
    // Scrolling by one row adds one row.
    await lines.first().waitFor();
    const added = await grid.evaluate(async (box) => {
      const nextFrames = async (): Promise<void> => {
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      };
      box.scrollTop = 24 * 50;
      await nextFrames();
      let count = 0;
      const observer = new MutationObserver((changes) => {
        for (const { addedNodes } of changes) count += addedNodes.length;
      });
      const body = box.querySelector('.body');
      if (body === null) throw new Error('no body');
      // Arriving rows replace their placeholders: wait until all are there.
      while (body.textContent.includes('…')) await nextFrames();
      observer.observe(body, { childList: true });
      box.scrollTop += 24;
      await nextFrames();
      observer.disconnect();
      return count;
    });
    assert.ok(added >= 1 && added <= 2, String(added));
    await grid.focus();
    await page.keyboard.press('End');
    const last = table.locator(`.line.item[aria-rowindex="${String(rows + HEADER_ROWS)}"]`);
    await last.locator('.state').filter({ hasText: /./ }).waitFor();
    assert.ok((await lines.count()) < 100);
    await takePictures(page, 'explorer-table');
    await grid.focus();
    await page.keyboard.press('Enter');
    await page.locator('.tab', { hasText: '(action log)' }).waitFor();

    // The scroll position is restored when the table is shown again.
    await page.locator('.tab', { hasText: 'Action Logs' }).click();
    await last.and(table.locator('[aria-selected="true"]')).waitFor();
  });

  test('columns of the data are chosen, moved, resized, sorted and filtered', async () => {
    const table = await openTable('Objects');
    await table.locator('.stateless .line.item').first().waitFor();
    assert.ok(!(await table.getByRole('columnheader', { name: 'State' }).isVisible()));
    const status = table.locator('.head [role=status]');
    await status.filter({ hasText: 'in server order' }).waitFor();
    await table.locator('.chooser summary').click();
    const starts = await table
      .locator('.choices input')
      .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().x));
    assert.equal(new Set(starts).size, 1, 'the boxes are aligned');
    // An earlier table may have stored its columns.
    await table.getByRole('button', { name: 'Reset Columns' }).click();
    const ownerHeader = table.getByRole('columnheader', { name: 'owner' });
    // Behind the name: what an object is told apart by, and fields of its data.
    const headers = table.locator('.line.names [role=columnheader]');
    await until(async () => /^Name.*Edition.*Owner.*Template/s.test((await headers.allTextContents()).join(' ')));
    // Fields of the data, whose paths are in the tooltips.
    const dataHeader = headers.filter({ has: page.locator('[title^="custom."]') }).last();
    const [path = ''] = ((await dataHeader.locator('button').getAttribute('title')) ?? '').split(' (');
    assert.match(path, /^custom\../);
    const shortName = (await dataHeader.textContent()) ?? '';
    assert.ok(shortName !== '' && path.endsWith(`.${shortName}`), `${shortName}: ${path}`);
    await screenshot(page, 'explorer-table-columns');
    await table.getByLabel('Search columns').fill('own');
    const choices = table.locator('.choices label');
    await choices.filter({ hasText: 'custom.', visible: true }).first().waitFor({ state: 'detached' });
    await screenshot(page, 'explorer-table-columns-search');
    // At the end, where it is added.
    await table.getByLabel('owner', { exact: true }).uncheck();
    await ownerHeader.waitFor({ state: 'detached' });
    await table.getByLabel('owner', { exact: true }).check();
    await page.keyboard.press('Escape');
    await ownerHeader.getByRole('button').click();
    await table.locator('[role=columnheader][aria-sort="ascending"]').waitFor();
    await status.filter({ hasText: /only \d+ loaded rows sorted by owner/ }).waitFor();
    await until(async () => {
      const texts = await table.locator('.line.item > :last-child').allTextContents();
      const owners = texts.filter((text) => text !== '').map((text) => text.toLowerCase());
      return owners.length > 3 && isDeepStrictEqual(owners, [...owners].sort(compareTexts));
    });
    const widthBefore = (await ownerHeader.boundingBox())?.width ?? 0;
    await until(async () => {
      await ownerHeader.getByRole('button').press('Shift+ArrowRight');
      return ((await ownerHeader.boundingBox())?.width ?? 0) > widthBefore;
    });
    const announcement = table.locator('[role=status].visually-hidden');
    await announcement.filter({ hasText: /^owner: \d+ pixels wide$/ }).waitFor();
    await ownerHeader.getByRole('button').press('Alt+ArrowLeft');
    await table.locator('[role=columnheader]:nth-last-child(2)', { hasText: 'owner' }).waitFor();
    const count = await table.getByRole('columnheader').count();
    await announcement.filter({ hasText: `owner: column ${String(count - 1)} of ${String(count)}` }).waitFor();
    const names = table.locator('.line.item > :first-child');
    await names.filter({ hasText: /^…$/ }).first().waitFor({ state: 'detached' });
    const [name = ''] = await names.allTextContents();
    await table.getByLabel('Filter Name').fill(name);
    await status.filter({ hasText: / of / }).waitFor();
    await names.filter({ hasNotText: name }).first().waitFor({ state: 'detached' });
    await names.filter({ hasText: name }).first().waitFor();
    await takePictures(page, 'explorer-table-columns');
    await checkAccessibility(page, table, 'explorer-table');
    await table.getByLabel('Filter Name').fill('of no row');
    await table.getByText('No loaded row matches the filters.').waitFor();
    await screenshot(page, 'explorer-table-empty');
    await table.getByRole('button', { name: 'Clear Filter' }).click();
    await names.filter({ hasNotText: name }).first().waitFor();
    assert.equal(await table.getByLabel('Filter Name').inputValue(), '');
    assert.ok(
      await table
        .locator('.filters input')
        .first()
        .evaluate((input) => input.ownerDocument.activeElement === input),
    );
    // The next table of this kind has the same columns.
    const next = await openTable('Objects');
    await next.locator('[role=columnheader]:nth-last-child(2)', { hasText: 'owner' }).waitFor();
    await next.locator('.chooser summary').click();
    await next.getByRole('button', { name: 'Reset Columns' }).click();
    await next.locator('[role=columnheader]:nth-last-child(2)', { has: page.locator('[title^="custom."]') }).waitFor();
  });

  test('loading more and changing columns keep the selection, the focus and what is typed', async () => {
    const table = await openTable('Objects');
    const lines = table.locator('.line.item');
    const loadMore = table.getByRole('button', { name: 'Load More' });
    const selected = table.locator('.selected', { hasText: '3 selected' });
    await lines.first().click();
    await lines.nth(2).click({ modifiers: ['Shift'] });
    await selected.waitFor();
    const grid = table.getByRole('grid');
    const before = await grid.evaluate((element) => element.querySelector<HTMLElement>('.body')?.style.height);
    await loadMore.press('Enter');
    await until(
      async () =>
        (await grid.evaluate((element) => element.querySelector<HTMLElement>('.body')?.style.height)) !== before,
    );
    await table.locator('button[title="Load More"][aria-disabled="false"]').waitFor();
    assert.equal(await table.locator('.selected').textContent(), '3 selected');
    await table.locator('button[title="Load More"]:focus').waitFor();
    await table.getByRole('button', { name: 'Load All' }).press('Enter');
    await table.locator('button[title="Refresh"]:focus').waitFor();
    assert.equal(await table.locator('.selected').textContent(), '3 selected');
    // A column gets wider.
    const name = table.locator('.names button').first();
    const width = (await name.boundingBox())?.width ?? 0;
    await name.press('Shift+ArrowRight');
    await until(async () => ((await name.boundingBox())?.width ?? 0) > width);
    await lines.nth(2).filter({ hasNotText: '…' }).waitFor();
    assert.equal(await table.locator('.selected').textContent(), '3 selected');
    // A column moves before the typed filter is sent.
    await grid.evaluate((element) => {
      const input = element.querySelector<HTMLInputElement>('[aria-label="Filter Name"]');
      const name = element.querySelector('.names button');
      if (input === null || name === null) throw new Error('no column');
      input.value = 'Ticket';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      name.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', altKey: true, bubbles: true }));
    });
    await table.locator('.names > :nth-child(2)', { hasText: 'Name' }).waitFor();
    await table.locator('.head [role=status]', { hasText: / of / }).waitFor();
    assert.equal(await table.getByLabel('Filter Name').inputValue(), 'Ticket');
    await table.locator('.chooser summary').click();
    await table.getByRole('button', { name: 'Reset Columns' }).click();
    await table.locator('.names > :first-child', { hasText: 'Name' }).waitFor();
    // Steps that come before the response of the host are all kept, also if a state of before comes between them.
    const columns = await table.getByRole('columnheader').count();
    await table.locator('html').evaluate(async (root) => {
      const find = (selector: string): HTMLElement => {
        const found = root.querySelector<HTMLElement>(selector);
        if (found === null) throw new Error(selector);
        return found;
      };
      const data = await new Promise<unknown>((resolve) => {
        addEventListener('message', (event: MessageEvent<{ readonly type: string }>) => {
          if (event.data.type === 'state') resolve(event.data);
        });
        find('[title="Refresh"]').click();
      });
      const move = (): boolean =>
        find('.names button').dispatchEvent(
          new KeyboardEvent('keydown', { key: 'ArrowRight', altKey: true, bubbles: true }),
        );
      move();
      dispatchEvent(new MessageEvent('message', { data, origin: globalThis.origin }));
      // The page handles it before what the host sends.
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      move();
      for (const box of [...root.querySelectorAll<HTMLElement>('.choices input:not(:checked)')].slice(0, 2))
        box.click();
    });
    await table.locator('.names > :nth-child(3)', { hasText: 'Name' }).waitFor();
    await table
      .getByRole('columnheader')
      .nth(columns + 1)
      .waitFor();
    await table.getByRole('button', { name: 'Reset Columns' }).click();
    // Sorted, a row stays selected at its other place. The columns that are read are those after the reset.
    await table.locator('.names > :first-child', { hasText: 'Name' }).waitFor();
    await lines.first().click();
    const selectedName = table.locator('.line.item[aria-selected="true"] > :first-child').filter({ hasNotText: '…' });
    const nameBefore = (await selectedName.textContent()) ?? '';
    for (const direction of ['ascending', 'descending']) {
      await table.locator('.names button').first().click();
      await table.locator(`.names > [aria-sort="${direction}"]`).waitFor();
    }
    // The key scrolls to the row, wherever the last order has put it.
    await grid.focus();
    await page.keyboard.press('ArrowLeft');
    await selectedName.filter({ hasText: nameBefore }).waitFor();
  });

  test('pictures of the rows, and the keys of the grid', async () => {
    const table = await openTable('Objects');
    await table.locator('.line.item .picture img[src^="data:image/"]').first().waitFor();
    await takePictures(page, 'explorer-table-pictures');
    await checkAccessibility(page, table);
    const grid = table.getByRole('grid');
    assert.equal(await grid.getAttribute('aria-multiselectable'), 'true');
    const activeCell = async (): Promise<readonly (string | null)[]> => {
      const cell = table.locator(`#${(await grid.getAttribute('aria-activedescendant')) ?? ''}`);
      const index = await cell.locator('..').getAttribute('aria-rowindex');
      return [index, await cell.getAttribute('aria-colindex'), await cell.getAttribute('role')];
    };
    const selected = table.locator('.line.item[aria-selected="true"]');
    await grid.focus();
    const status = table.locator('.selected', { hasText: '1 selected' });
    const statusText = await status.evaluateHandle(({ firstChild }) => firstChild);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await activeCell(), ['4', '2', 'gridcell']);
    // A screen reader would announce a new text.
    assert.ok(await status.evaluate(({ firstChild }, before) => firstChild === before, statusText));
    await page.keyboard.press('End');
    assert.deepEqual(await activeCell(), ['27', '2', 'gridcell']);
    await page.keyboard.press('Home');
    assert.deepEqual(await activeCell(), ['3', '2', 'gridcell']);
    // Control moves without selecting; Space selects.
    await page.keyboard.press('Control+ArrowDown');
    await page.keyboard.press('Control+ArrowDown');
    assert.equal(await selected.count(), 1);
    const compare = table.getByRole('button', { name: 'Compare' });
    assert.ok(await compare.isDisabled());
    await page.keyboard.press('Space');
    assert.equal(await selected.count(), 2);
    await table.locator('.selected', { hasText: '2 selected' }).waitFor();
    await table.getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.locator('.statusbar', { hasText: 'Copied 2 rows' }).waitFor();
    await compare.click();
    await page.locator('.tab', { hasText: '↔' }).waitFor();
    // Both rows are still selected, and each gets a tab of its own.
    const open = table.getByRole('button', { name: 'Open' });
    // At its start: the tabs may still move, and its end closes it.
    const tab = page.locator('.tab', { hasText: 'Objects' });
    await retryUntilVisible(() => tab.click({ position: { x: 15, y: 15 } }), open);
    await open.click();
    await page.locator('.tab', { hasText: '(object)', hasNotText: '↔' }).nth(1).waitFor();
  });

  test('the selected rows, the loaded rows and the whole list are exported', async () => {
    const table = await openTable('Objects');
    await table.locator('.line.item').nth(2).waitFor();
    const grid = table.getByRole('grid');
    for (const [scope, name, count] of [
      ['3 selected rows', 'selected.ndjson', 3],
      ['25 loaded rows', 'loaded.ndjson', 25],
      ['Entire list', 'all.ndjson', 0],
    ] as const) {
      await grid.focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+ArrowDown');
      await table.getByRole('button', { name: 'Export…' }).click();
      await pickerRow(page, scope).waitFor();
      if (count === 3) await screenshot(page, 'explorer-table-export');
      await pickerRow(page, scope).click();
      await pickerRow(page, 'NDJSON').click();
      const file = path.join(getWindow().workspace, name);
      // The dialog shows its own suggestion first.
      while (!/objects-[\d-]+\.ndjson$/.test(await pickerInput(page).inputValue())) await page.waitForTimeout(50);
      await pickerInput(page).fill(file);
      await page.keyboard.press('Enter');
      await page.locator('.notification-toast', { hasText: `exported to ${name}` }).waitFor();
      const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
      if (count > 0) assert.equal(lines.length, count);
      else assert.ok(lines.length > 100, String(lines.length));
      await runCommand(page, 'Notifications: Clear All Notifications');
    }
    await runCommand(page, 'View: Close All Editors');
  });
}
