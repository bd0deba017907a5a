/** The action logs in the window: panel, filters, details, failures, histories, themes. */
import assert from 'node:assert/strict';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { workbenchReady } from '../runtime/editor.ts';
import { pickerInput, pickerRow, runCommand, until, webview } from './support/workbench.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from './support/window.ts';
import { checkAccessibility } from './support/axe.ts';

suite('action logs in the window', () => {
  let window: TestWindow;
  let page: Page;
  let sandbox: Sandbox | undefined;

  suiteSetup(async () => {
    window = await openWindow();
    page = window.page;
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    await page.locator('.statusbar', { hasText: 'Local Sandbox' }).waitFor();
    await runCommand(page, 'Smart Objects: Show Action Logs');
    await grid().waitFor();
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox?.close();
  });

  const view = (): FrameLocator => webview(page);
  const grid = (): Locator => view().locator('.grid');
  const rows = (): Locator => view().locator('.line.item');
  const titleButton = (label: string): Locator =>
    page.locator('.pane-header', { hasText: 'Action Logs' }).locator(`.action-label[aria-label="${label}"]`);

  /** Clicks a button in the title of the view, which appears under the mouse. */
  async function clickInTitle(label: string): Promise<void> {
    await page.locator('.pane-header', { hasText: 'Action Logs' }).hover();
    await titleButton(label).click();
  }

  /** Waits for a number of rows that are not cut off: they follow a change of the size. */
  async function waitForVisibleRows(least: number): Promise<void> {
    const count = (): Promise<number> =>
      grid().evaluate((box) => {
        const { top, bottom } = box.getBoundingClientRect();
        return [...box.querySelectorAll('.line.item')].filter((row) => {
          const rect = row.getBoundingClientRect();
          return rect.height > 15 && rect.top >= top - 1 && rect.bottom <= bottom + 1;
        }).length;
      });
    await until(async () => (await count()) >= least);
  }

  test('a panel of the default height shows ten rows; what is shown stands in its title', async () => {
    assert.deepEqual(page.viewportSize(), { width: 1280, height: 800 });
    await rows().nth(9).waitFor();
    await page
      .locator('.pane-header', { hasText: 'Action Logs' })
      .locator('.description', { hasText: /Local Sandbox · Live.* · [\d,]+ loaded/ })
      .waitFor();
    await page.locator('.pane-header', { hasText: 'Action Logs' }).hover();
    await takePictures(page, 'logs-panel', () => rows().nth(9).waitFor());
    await checkAccessibility(page, view());
    await waitForVisibleRows(10);
  });

  test('search, filters and histogram fold away, remembered for the workspace', async () => {
    const find = view().locator('input[type=search]');
    await find.waitFor({ state: 'hidden' });
    // The key that finds shows them too.
    await rows().first().click();
    await grid().focus();
    await page.keyboard.press('Control+f');
    await view().locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('transfer');
    await view().locator('mark').first().waitFor();
    await view().locator('.chart .plot').waitFor();
    await screenshot(page, 'logs-panel-expanded');
    await waitForVisibleRows(3);
    await find.fill('');
    await clickInTitle('Hide Search, Filters and Histogram');
    await find.waitFor({ state: 'hidden' });
    await clickInTitle('Show Search, Filters and Histogram');
    await find.waitFor();
    await page.keyboard.press('Escape');
  });

  test('the buttons of the title pause, resume and filter', async () => {
    const description = page.locator('.pane-header', { hasText: 'Action Logs' }).locator('.description');
    await clickInTitle('Pause Action Logs');
    await description.filter({ hasText: 'Paused' }).waitFor();
    await clickInTitle('Resume Action Logs');
    await description.filter({ hasText: 'Live' }).waitFor();
    await clickInTitle('Filter Action Logs…');
    await pickerRow(page, 'Created').waitFor();
    await screenshot(page, 'logs-filter');
    await pickerRow(page, 'Created').click();
    await pickerRow(page, 'Today').click();
    await description.filter({ hasText: 'Created: today' }).waitFor();
    await clickInTitle('Filter Action Logs…');
    await pickerRow(page, 'Object').click();
    await pickerRow(page, 'Object').waitFor({ state: 'hidden' });
    await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await screenshot(page, 'logs-filter-object');
    await page.keyboard.press('Escape');
    await view().locator('button[title="Remove Filter Created: today"]').click();
    await view().locator('.chip', { hasText: 'Created' }).waitFor({ state: 'hidden' });
  });

  test('follows the platform, finds, filters, and shows an entry in full', async () => {
    await rows().first().waitFor();
    await view().locator('.phase', { hasText: 'Live' }).waitFor();
    await view().locator('.counts', { hasText: 'loaded' }).waitFor();
    await until(async () => Number(await grid().getAttribute('aria-rowcount')) > 200);
    const drawn = await rows().count();
    assert.ok(drawn < 60, `${String(drawn)} rows drawn`);
    // The frame after a jump draws those in view only, and the next one those around them.
    const drawnAtOnce = await grid().evaluate(async (box) => {
      box.scrollTop = 2000;
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      return box.querySelectorAll('.line.item').length;
    });
    assert.ok(drawnAtOnce > 0 && drawnAtOnce < 20, `${String(drawnAtOnce)} rows drawn at once`);
    await rows().nth(40).waitFor();
    await grid().evaluate((box) => {
      box.scrollTop = 0;
    });
    await grid().locator('[aria-rowindex="2"]').waitFor();
    await runCommand(page, 'View: Toggle Maximized Panel');
    await rows().first().click();
    await view().locator('.details h2').waitFor();
    await view().locator('.details dd', { hasText: 'act_' }).first().waitFor();
    await screenshot(page, 'logs-dark');
    await checkAccessibility(page, view(), 'logs');
    await view().locator('input[type=search]').fill('mint');
    await view().locator('mark').first().waitFor();
    const found = view().locator('.counts', { hasText: / of [\d,]+ loaded/ });
    await found.waitFor();
    await screenshot(page, 'logs-find');
    await view().locator('input[type=search]').fill('');
    await found.waitFor({ state: 'hidden' });
  });

  test('a search goes on in older entries by keyboard', async () => {
    const counts = view().locator('.counts', { hasText: / of [\d,]+ loaded/ });
    const countLoaded = async (): Promise<number> =>
      parseCount(/([\d,]+) loaded/.exec((await counts.textContent()) ?? '')?.[1] ?? '');
    const description = page.locator('.pane-header .description', { hasText: '“mint”' });
    await view().locator('input[type=search]').fill('mint');
    await description.waitFor();
    const before = await countLoaded();
    await view().getByRole('button', { name: 'Search Older Entries' }).focus();
    await page.keyboard.press('Enter');
    await until(async () => (await countLoaded()) > before);
    await view().locator('[role=grid]:focus').waitFor();
    await view().locator('input[type=search]').fill('');
    await description.waitFor({ state: 'hidden' });
  });

  test('values with their counts narrow the loaded entries; the legend hides a status', async () => {
    const find = view().locator('input[type=search]');
    const facet = (name: string, text: string): Locator =>
      view().locator('.facet', { hasText: name }).locator('button', { hasText: text });
    const legend = (status: string): Locator => view().locator('.legend button', { hasText: status });
    const showsText = (text: string): Promise<void> => until(async () => (await find.inputValue()) === text);
    const failed = facet('Status', 'failed');
    const count = parseCount((await failed.locator('.count').textContent()) ?? '');
    await failed.click();
    await showsText('status:failed');
    await view()
      .locator('.counts', { hasText: new RegExp(`^${String(count)} of [\\d,]+ loaded`) })
      .waitFor();
    assert.equal(await rows().locator('.status').filter({ hasNotText: 'failed' }).count(), 0);
    await view().locator('.facet button[aria-pressed=true]', { hasText: 'failed' }).waitFor();
    await view().locator('.legend button[aria-pressed=false]', { hasText: 'completed' }).waitFor();
    await takePictures(page, 'logs-facets');
    await checkAccessibility(page, view(), 'logs facets');
    // By keyboard: one tab stop, the arrow keys move between the values.
    await failed.focus();
    await page.keyboard.press('Enter');
    await showsText('');
    await legend('failed').focus();
    await page.keyboard.press('Space');
    await showsText('-status:failed');
    await rows().first().waitFor();
    // The chart follows the rows a moment later.
    await until(async () => (await view().locator('.bar.failed').count()) === 0);
    await screenshot(page, 'logs-legend');
    await page.keyboard.press('Space');
    await showsText('');
    await page.setViewportSize({ width: 620, height: 800 });
    await facet('Action', 'mint').waitFor();
    await screenshot(page, 'logs-facets-620');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('the keyboard alone: rows, details, back', async () => {
    await grid().focus();
    // A key takes effect a frame later.
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
    // Older pages may load while the end is shown, so the number is not fixed.
    await view().locator('.item[aria-selected="true"]:not(#row-3)').waitFor();
    await page.keyboard.press('Enter');
    await view().locator('.details button:focus').waitFor();
    await page.keyboard.press('Escape');
    await view().locator('.details').waitFor({ state: 'hidden' });
  });

  test('in light, high contrast and 400 pixels', async () => {
    await rows().first().click();
    await takePictures(page, 'logs', () => rows().first().waitFor());
    await runCommand(page, 'View: Close Primary Side Bar').catch(() => undefined);
    await page.setViewportSize({ width: 440, height: 800 });
    await rows().first().waitFor();
    await screenshot(page, 'logs-400');
    // Nothing is cut.
    const fits = (body: HTMLElement): boolean => body.clientWidth <= 440 && body.scrollWidth <= body.clientWidth;
    await until(() => view().locator('body').evaluate(fits));
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('in a window of 640 by 400 pixels, the list and the details keep a few rows', async () => {
    await page.setViewportSize({ width: 640, height: 400 });
    const details = view().locator('.details');
    await details.locator('h2').waitFor();
    await screenshot(page, 'logs-640x400');
    // Neither covers the other.
    await grid().click({ trial: true, timeout: 10_000 });
    await waitForVisibleRows(3);
    await details.locator('h2').click({ trial: true, timeout: 10_000 });
    assert.ok(((await details.boundingBox())?.height ?? 0) > 100, 'height of the details');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('a server filter becomes a chip; failures are grouped, all of them', async () => {
    await view().locator('button', { hasText: 'Filter…' }).click();
    await pickerRow(page, 'Status').click();
    await pickerInput(page).fill('failed');
    await pickerRow(page, 'failed').click();
    await view().locator('.chip', { hasText: 'Status: failed' }).waitFor();
    await rows().first().waitFor();
    await view().locator('button[title^="Remove Filter Status"]').focus();
    // By keyboard.
    await page.keyboard.press('Enter');
    await view().locator('.chip', { hasText: 'Status: failed' }).waitFor({ state: 'hidden' });
    await clickInTitle('Show Failures');
    const group = view().locator('table.failures tbody tr').first();
    await group.waitFor();
    await view()
      .locator('.lead', { hasText: /^[\d,]+ failures · [\d,]+ groups(?! ·)/ })
      .waitFor();
    await screenshot(page, 'logs-failures');
    await checkAccessibility(page, view(), 'logs-failures');
    // One tab stop: the arrow keys move between the buttons.
    const groups = view().locator('table.failures tbody tr');
    assert.equal(await view().locator('table.failures button[tabindex="0"]').count(), 1);
    const focusedIn = (row: number, name: string): Promise<void> =>
      groups.nth(row).getByRole('button', { name }).and(view().locator(':focus')).waitFor();
    await group.getByRole('button', { name: 'Show Latest' }).focus();
    await page.keyboard.press('ArrowRight');
    await focusedIn(0, 'Show All');
    await page.keyboard.press('ArrowDown');
    await focusedIn(1, 'Show All');
    await page.keyboard.press('Tab');
    assert.equal(await view().locator('table.failures button:focus').count(), 0);
    await page.keyboard.press('Shift+Tab');
    await focusedIn(1, 'Show All');
    await page.keyboard.press('Home');
    await focusedIn(0, 'Show All');
    const counts = (await view().locator('table.failures .number').allTextContents()).map(parseCount);
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => b - a),
    );
    const [many = 0] = counts;
    await group.getByRole('button', { name: 'Show All' }).click();
    const chip = view().locator('.chip', { hasText: 'Failure: ' });
    await chip.waitFor();
    // All of the group; it may have grown.
    await view()
      .getByRole('grid')
      .evaluate(async (grid, least) => {
        while (Number(grid.getAttribute('aria-rowcount')) <= least)
          await new Promise<unknown>((resolve) => requestAnimationFrame(resolve));
      }, many);
    await chip.locator('button').click();
    await chip.waitFor({ state: 'hidden' });
    await rows().first().waitFor();
  });

  test('a group of failures is marked as known, which moves it to the end, and unmarked', async () => {
    await clickInTitle('Show Failures');
    const groups = view().locator('table.failures tbody tr');
    const known = view().locator('table.failures tbody tr:last-child', { hasText: '(known)' });
    const same = view().locator('table.failures tbody tr[data-same]');
    await groups.first().waitFor();
    await groups.evaluateAll((rows) => rows.forEach((row) => row.setAttribute('data-same', '')));
    await groups.first().getByRole('button', { name: 'Mark as Known', exact: true }).click();
    await known.waitFor();
    // The other rows are the same elements; some may have a new failure.
    assert.notEqual(await same.count(), 0);
    assert.equal(await groups.filter({ hasText: '(known)' }).count(), 1);
    await known.evaluate((row) => row.scrollIntoView({ block: 'nearest' }));
    await screenshot(page, 'logs-failures-known');
    await known.getByRole('button', { name: 'Unmark as Known' }).click();
    await known.waitFor({ state: 'hidden' });
    await runCommand(page, 'Smart Objects: Show Action Logs');
    await rows().first().waitFor();
  });

  test('an entry becomes an action file', async () => {
    await view().locator('input[type=search]').fill('transfer obj_');
    await view().locator('mark').first().waitFor();
    await rows().first().click();
    // Not those of the entry that was selected before.
    await view().locator('.details dd', { hasText: 'transfer' }).first().waitFor();
    await view().locator('.details button[title="New Action File"]').click();
    await page.locator('.tab', { hasText: 'transfer.action.json' }).waitFor();
    await page.locator('.editor-instance .view-line', { hasText: '"transfer"' }).waitFor();
    await view().locator('input[type=search]').fill('');
  });

  test('the history of an object shows each change', async () => {
    await rows().first().waitFor();
    await view().locator('input[type=search]').fill('transfer obj_');
    await rows().first().click();
    await view().locator('.details button[title="Show Object History"]').click();
    const history = page.locator('iframe.webview.ready').last().contentFrame().frameLocator('#active-frame');
    await history.locator('.chain li').first().waitFor();
    await screenshot(page, 'logs-history');
    await checkAccessibility(page, history);
    // Rows stay visible beside the details in a low panel.
    await view().locator('.details h2').waitFor();
    const row = await rows().first().boundingBox();
    assert.ok(row !== null && row.height > 10);
    assert.ok(((await grid().boundingBox())?.height ?? 0) > 70, 'the table keeps a few rows');
    await history.locator('.verdict', { hasText: /state root|Complete since/ }).waitFor();
  });

  test('a range is brushed with the pointer, and a click shows all again', async () => {
    await runCommand(page, 'View: Close Editor');
    await view().locator('input[type=search]').fill('');
    await runCommand(page, 'View: Toggle Maximized Panel');
    const plot = view().locator('.chart .plot');
    await plot.waitFor();
    const all = Number(await grid().getAttribute('aria-rowcount'));
    const at = async (part: number): Promise<[number, number]> => {
      const box = await plot.boundingBox();
      assert.ok(box !== null);
      return [box.x + box.width * part, box.y + box.height / 2];
    };
    await page.mouse.move(...(await at(0.45)));
    await page.mouse.down();
    await page.mouse.move(...(await at(0.6)));
    await page.mouse.move(...(await at(0.75)));
    await page.mouse.up();
    await view().locator('.chip', { hasText: 'Selected: ' }).waitFor();
    await view()
      .locator('.counts', { hasText: / of [\d,]+ loaded/ })
      .waitFor();
    await rows().first().waitFor();
    const some = Number(await grid().getAttribute('aria-rowcount'));
    assert.ok(some > 1 && some < all, `${String(some)} of ${String(all)}`);
    await screenshot(page, 'logs-brushed');
    // The chip adds a line to the header.
    await page.mouse.click(...(await at(0.1)));
    await view().locator('.chip', { hasText: 'Selected: ' }).waitFor({ state: 'hidden' });

    // By keyboard, the slider says the bar, the range, and how it is applied and reset.
    const slider = view().getByRole('slider', { name: 'Action logs over time' });
    const waitForValue = (text: RegExp): Promise<void> =>
      until(async () => text.test((await slider.getAttribute('aria-valuetext')) ?? ''));
    const heard = view().locator('[role=status].visually-hidden');
    await slider.focus();
    await waitForValue(/: (?:no entries|\d+ \w+)/);
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowRight');
    await waitForValue(/^Selected: .+ – .+\. Press Enter to apply\.$/);
    await page.keyboard.press('Enter');
    await waitForValue(/\. Filter: .+ – .+\. Press Escape to reset\.$/);
    await heard
      .filter({ hasText: / of [\d,]+ loaded/ })
      .first()
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await heard.filter({ hasText: 'The time range was reset.' }).waitFor({ state: 'attached' });
  });

  test('two platforms in one view: each row names its connection', async () => {
    sandbox = await startSandbox({ seed: 5, objects: 60, logErrors: true });
    const type = async (title: string, text: string): Promise<void> => {
      await page.locator('.quick-input-widget:visible', { hasText: title }).waitFor();
      await pickerInput(page).fill(text);
      await page.keyboard.press('Enter');
    };
    const choice = (label: string): Locator => page.locator('.quick-input-list .monaco-list-row', { hasText: label });
    await runCommand(page, 'Smart Objects: Add Connection…');
    await type('(1/6)', 'Ferry');
    await type('(2/6)', sandbox.baseUrl);
    await choice('Staging').first().click();
    await choice('API key').first().click();
    await type('Enter the API key', sandbox.apiKey);
    await choice('Add Connection').first().click();
    await page.locator('.notification-toast', { hasText: 'signed in' }).waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
    const other = (await view().locator('.chip', { hasText: 'Ferry' }).isVisible()) ? 'Local Sandbox' : 'Ferry';
    await view().locator('button', { hasText: 'Filter…' }).click();
    await pickerRow(page, 'Connection').click();
    await pickerRow(page, other).click();
    for (const name of ['Ferry', 'Local Sandbox']) {
      await view().locator('.chip', { hasText: name }).waitFor();
      await view().locator('.item > .connection', { hasText: name }).first().waitFor();
    }
    await screenshot(page, 'logs-several');
    await runCommand(page, 'Smart Objects: Open Action Logs in Editor');
    await page.locator('.tab', { hasText: 'Action Logs' }).waitFor();
    await runCommand(page, 'View: Hide Panel');
    await grid().waitFor();
    await rows().first().waitFor();
    // Below the pending entries, which have no objects yet.
    const completed = view().locator('.item[data-tone="completed"]:has(.objects:not(:empty))').first();
    await until(async () => {
      if (await completed.isVisible()) return true;
      await grid().hover();
      await page.mouse.wheel(0, 400);
      return false;
    });
    await completed.click();
    await view().locator('.details dd', { hasText: 'act_' }).first().waitFor();
    // The connection column stays visible beside the details.
    const cell = await view().locator('.item > .connection', { hasText: 'Ferry' }).first().boundingBox();
    const table = await grid().boundingBox();
    assert.ok(cell !== null && table !== null && cell.x + cell.width <= table.x + table.width);
    await screenshot(page, 'logs-tab');
    await checkAccessibility(page, view());
    // The focus stays on the button, which gets another name.
    await view().locator('button[title="Pause"]').focus();
    await page.keyboard.press('Enter');
    await view().locator('button[title="Resume"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await view().locator('button[title="Pause"]:focus').waitFor();
    await runCommand(page, 'View: Close Editor');
  });

  test('a link shows its view after a confirmation', async () => {
    await runCommand(page, 'Developer: Open URL');
    await pickerInput(page).fill(
      'code-oss://smart-objects.smart-object-explorer/logs?connection=Ferry&status=failed&text=a',
    );
    await page.keyboard.press('Enter');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Open' }).click();
    await dialog.filter({ hasText: 'Ferry: Show the action logs that a link requests?' }).waitFor();
    await screenshot(page, 'logs-link');
    await dialog.getByRole('button', { name: 'Show' }).click();
    await view().locator('.chip', { hasText: 'Status: failed' }).waitFor();
    await view().locator('.chip', { hasText: 'Ferry' }).waitFor();
    assert.equal(await view().locator('input[type=search]').inputValue(), 'a');
    await rows().first().waitFor();
  });

  // Slow: reloads the window.
  test('a reload of the window brings back filters, position and selection', async () => {
    await view().locator('input[type=search]').fill('');
    // Filters of a link are not stored: the same one by hand.
    await view().locator('button[title^="Remove Filter Status"]').click();
    await view().locator('.chip', { hasText: 'Status: failed' }).waitFor({ state: 'hidden' });
    await view().locator('button', { hasText: 'Filter…' }).click();
    await pickerRow(page, 'Status').click();
    await pickerInput(page).fill('failed');
    await pickerRow(page, 'failed').click();
    await view().locator('.chip', { hasText: 'Status: failed' }).waitFor();
    await rows().first().waitFor();
    /** Index of the topmost visible row. */
    const top = (): Promise<number> =>
      grid().evaluate((box) => {
        const { top } = box.getBoundingClientRect();
        const shown = [...box.querySelectorAll('.line.item')].find(
          (row) => row.getBoundingClientRect().top >= top + 20,
        );
        return Number(shown?.getAttribute('aria-rowindex'));
      });
    await grid().hover();
    await until(async () => {
      if ((await top()) > 20) return true;
      await page.mouse.wheel(0, 500);
      return false;
    });
    await view()
      .locator(`.line.item[aria-rowindex="${String((await top()) + 3)}"]`)
      .click();
    await view().locator('.details dd', { hasText: 'act_' }).first().waitFor();
    const chosen = await view().locator('.item[aria-selected="true"]').getAttribute('data-key');
    assert.ok(chosen !== null);
    // The page stores the position by a timer of 300 ms after the last scroll, which ends before this one.
    await grid().evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
    const before = await top();
    assert.ok(before > 20, String(before));
    await Promise.all([page.waitForEvent('domcontentloaded'), runCommand(page, 'Developer: Reload Window')]);
    await workbenchReady(page);
    await view().locator('.chip', { hasText: 'Status: failed' }).waitFor();
    await view().locator('.chip', { hasText: 'Ferry' }).waitFor();
    await view()
      .locator(`.item[aria-selected="true"][data-key$="${chosen.slice(chosen.indexOf('act_'))}"]`)
      .waitFor();
    await view().locator('.details dd', { hasText: 'act_' }).first().waitFor();
    await page.locator('.editor-instance .view-line', { hasText: '"transfer"' }).waitFor();
    await screenshot(page, 'logs-reloaded');
    // A row that was cut off at the edge is scrolled into view.
    await until(async () => Math.abs((await top()) - before) <= 1);
  });
});

function parseCount(text: string): number {
  return Number(text.replaceAll(',', ''));
}
