/** One action over many rows in the window: a selection and its results; a data file, its dry run, and a reload in between. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { ROW_FILTERS, type BulkState, type RowFilter } from '../../../src/webviews/protocol/bulk.ts';
import { workbenchReady } from '../../runtime/editor.ts';
import { checkAccessibility } from '../support/axe.ts';
import { openFile, selectConnection, signIn } from '../support/gestures.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from '../support/window.ts';
import { pickerRow, runCommand, webview } from '../support/workbench.ts';

const ROWS = 60;
/** Harbour Concert Ticket. */
const TICKET = 'tpl_a988a8ed2db28a1f66a20b18';

suite('batches in the window', () => {
  let window: TestWindow;
  let sandbox: Sandbox;
  let page: Page;

  suiteSetup(async () => {
    sandbox = await startSandbox({ settleDelay: 50, batchDelay: 50, indexDelay: 0 });
    window = await openWindow({
      settings: {
        'smartObjects.connections': [
          { name: 'Rehearsal', baseUrl: sandbox.baseUrl, environment: 'development' },
          { name: 'Live', baseUrl: sandbox.baseUrl, environment: 'production' },
        ],
        'smartObjects.bulk.rate': 0.5,
        'editor.minimap.enabled': false,
      },
    });
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ['Rehearsal', 'Live']) await signIn(page, sandbox.apiKey, name);
    await selectConnection(page, 'Rehearsal');
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox.close();
  });

  const posts = (): number => sandbox.recorder.counts['POST /ebus/execute'] ?? 0;
  const button = (panel: FrameLocator, name: string | RegExp): Locator => panel.getByRole('button', { name });
  const focused = (panel: FrameLocator, name: string): Locator => button(panel, name).and(panel.locator(':focus'));
  const rows = (panel: FrameLocator, state: string): Locator => panel.locator(`.line.item.${state}`);

  function write(name: string, content: unknown): void {
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    fs.writeFileSync(path.join(window.workspace, name), text);
  }

  async function setRate(panel: FrameLocator, rate: string): Promise<void> {
    await panel.getByLabel('Rows per second').fill(rate);
    await page.keyboard.press('Enter');
  }

  test('selected rows are run once, and show their results', async () => {
    write('label.action.json', {
      action: { update: { id: '${row:id}', data: { custom: { note: 'bulk ${row:name}' } } } },
    });
    await runCommand(page, 'Smart Objects: Open as Table');
    await pickerRow(page, 'Rehearsal').click();
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: /Objects.*All organizations/ })
      .first()
      .click();
    const table = webview(page);
    await table.locator('.line.item').nth(2).waitFor();
    await table.getByLabel('Filter Name').fill('Harbour');
    await table.locator('.head [role=status]', { hasText: ' of ' }).waitFor();
    await table.locator('.line.item', { hasNotText: 'Harbour' }).first().waitFor({ state: 'detached' });
    await table.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await table.locator('.selected', { hasText: '3 selected' }).waitFor();
    await button(table, 'Run Action on Selection…').click();
    await pickerRow(page, 'label').click();
    const panel = webview(page);
    const run = button(panel, 'Run 3 Rows…');
    await run.and(panel.locator(':enabled')).waitFor();
    await setRate(panel, '');
    const before = posts();
    sandbox.faults.add({ route: 'POST /ebus/execute', fault: 'unprocessable', count: 1 });
    await run.click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText(/Development · Rehearsal: Runs label for 3 objects/).waitFor();
    await screenshot(page, 'bulk-dialog');
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await panel.locator('.progress', { hasText: 'Ended. 2 completed, 1 refused' }).waitFor();
    await rows(panel, 'refused').first().waitFor();
    await rows(panel, 'completed').nth(1).waitFor();
    assert.equal(posts(), before + 3);
    await checkAccessibility(page, panel);
    await takePictures(page, 'bulk-results');
    await button(panel, 'Run Failed Rows Again (1)…').click();
    await button(panel, 'Run 1 Row…').and(panel.locator(':enabled')).click();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await panel.locator('.progress', { hasText: 'Ended. 1 completed' }).waitFor();
    assert.equal(posts(), before + 4);
    // Action, object: the object opens as a document.
    await panel.locator('.line.item .link').nth(1).click();
    await page.locator('.tab', { hasText: '(object)' }).waitFor();
    await runCommand(page, 'View: Close All Editors');
  });

  // Slow: reloads the window.
  test('a data file: dry run of a row, a batch, and the rest of it after a reload', async () => {
    write('tickets.action.json', {
      action: { mint: { template_id: TICKET, num: 1, data: { metadata: {}, custom: { seat: '${row:seat}' } } } },
    });
    const data = Array.from({ length: ROWS }, (_, index) => `A-${String(index + 1)},<b>guest ${String(index + 1)}</b>`);
    write('tickets.csv', ['seat,guest', ...data, ''].join('\r\n'));
    await openFile(page, 'tickets.action.json');
    await page.locator('.codelens-decoration a', { hasText: 'Run with Data…' }).first().click();
    await pickerRow(page, 'tickets.csv').click();
    const panel = webview(page);
    const run = button(panel, `Run ${String(ROWS)} Rows…`);
    await run.and(panel.locator(':enabled')).waitFor();
    const before = posts();
    await panel.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await panel.locator('.details', { hasText: '"A-2"' }).waitFor();
    await screenshot(page, 'bulk-dry-run');
    assert.equal(posts(), before, 'a dry run sends nothing');
    await page.keyboard.press('Escape');
    await run.click();
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Run', exact: true }).click();
    // The dialog returns the focus to what takes the place of its button.
    for (const name of ['Pause', 'Continue', 'Pause']) {
      await focused(panel, name).waitFor();
      await page.keyboard.press('Enter');
    }
    await focused(panel, 'Continue').waitFor();
    await page.keyboard.press('Enter');
    await rows(panel, 'completed').nth(1).waitFor();
    await screenshot(page, 'bulk-running');
    await Promise.all([page.waitForEvent('domcontentloaded'), runCommand(page, 'Developer: Reload Window')]);
    await workbenchReady(page);
    const resume = button(panel, /^Resume \d+ Rows…$/);
    await resume.and(panel.locator(':enabled')).waitFor();
    await rows(panel, 'completed').nth(1).waitFor();
    await screenshot(page, 'bulk-restored');
    await setRate(panel, '');
    await resume.click();
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Run', exact: true }).click();
    const ended = panel.locator('.progress', { hasText: 'Ended.' });
    await ended.waitFor();
    const [, completed = '', unknown = '0'] =
      /Ended\. (\d+) completed(?:, (\d) unknown)?$/.exec((await ended.textContent()) ?? '') ?? [];
    // A row that was being sent when the window closed may be unknown, and is not sent again.
    assert.equal(Number(completed) + Number(unknown), ROWS);
    assert.ok(
      Number(unknown) <= 2 && posts() <= before + ROWS,
      `${unknown} unknown, ${String(posts() - before)} requests`,
    );
    await screenshot(page, 'bulk-resumed');
  });

  test('the type of a column is shown in its header, and changed for what the platform has', async () => {
    await runCommand(page, 'View: Close All Editors');
    const custom = { seat: '${row:seat}', scanned: '${row:scanned}' };
    write('typed.action.json', { action: { mint: { template_id: TICKET, num: 1, data: { metadata: {}, custom } } } });
    const data = Array.from(
      { length: 12 },
      (_, index) => `A-${String(index)},${String(index % 2 === 0)},${String(index)}.50,2026-03-31,00${String(index)}`,
    );
    write('typed.csv', ['seat,scanned,price,day,entrance', ...data].join('\n'));
    await openFile(page, 'typed.action.json');
    await page.locator('.codelens-decoration a', { hasText: 'Run with Data…' }).first().click();
    await pickerRow(page, 'typed.csv').click();
    const panel = webview(page);
    const notice = panel.locator('.notice', { hasText: 'scanned is text here, but true or false on the platform.' });
    await notice.waitFor();
    const shown = (column: string): Promise<string> =>
      panel.getByLabel(`Type of ${column}`).evaluate((select) => {
        if (!(select instanceof HTMLSelectElement)) throw new Error('no select');
        return select.selectedOptions[0]?.text ?? '';
      });
    const columns = ['seat', 'scanned', 'price', 'day', 'entrance'];
    assert.deepEqual(await Promise.all(columns.map(shown)), [
      'Text',
      'Text (Boolean?)',
      'Text (Number?)',
      'Text (Date?)',
      'Text',
    ]);
    await checkAccessibility(page, panel);
    await takePictures(page, 'bulk-types');
    // The window of 1280 × 800 pixels at a zoom of 200 %.
    await page.setViewportSize({ width: 640, height: 400 });
    await panel.locator('.line.item').nth(3).click();
    await page.setViewportSize({ width: 1440, height: 900 });
    await panel.getByLabel('Type of scanned').focus();
    await panel.getByLabel('Type of scanned').selectOption('boolean');
    await notice.waitFor({ state: 'hidden' });
    await panel.getByLabel('Type of scanned').and(panel.locator(':focus')).waitFor();
    await panel.locator('.line.item', { hasText: 'A-0' }).first().dblclick();
    await panel.locator('.details', { hasText: '"scanned": true' }).waitFor();
    await screenshot(page, 'bulk-types-changed');
  });

  test('of 10,000 rows only those in view are in the DOM', async () => {
    await runCommand(page, 'View: Close All Editors');
    write('many.action.json', { action: { burn: { id: '${row:id}' } } });
    write(
      'many.csv',
      ['id', ...Array.from({ length: 10_000 }, (_, index) => `missing-${String(index + 1)}`)].join('\n'),
    );
    await openFile(page, 'many.action.json');
    await page.locator('.codelens-decoration a', { hasText: 'Run with Data…' }).first().click();
    await pickerRow(page, 'many.csv').click();
    const panel = webview(page);
    await button(panel, 'Run 10,000 Rows…').and(panel.locator(':enabled')).waitFor();
    const items = panel.locator('.line.item');
    await panel.getByRole('grid').focus();
    await page.keyboard.press('End');
    await items.filter({ hasText: 'missing-10000' }).waitFor();
    assert.ok((await items.count()) < 120);
    await panel.getByLabel('Show').selectOption('problems');
    await panel.locator('.line.item.warning').nth(2).waitFor();
    await items.filter({ hasText: '…' }).first().waitFor({ state: 'detached' });
    await screenshot(page, 'bulk-problems');
  });

  test('a button that goes passes the focus on, in the panel of the test before', async () => {
    const panel = webview(page);
    const counts = Object.fromEntries(ROW_FILTERS.map((name) => [name, 0])) as Record<RowFilter, number>;
    const ready: BulkState = {
      title: 'title',
      summary: '',
      phase: 'ready',
      progress: '',
      notice: { text: '', tone: 'info' },
      columns: [],
      canChangeTypes: false,
      counts,
      filter: 'all',
      matching: 0,
      sendable: 3,
      canRun: true,
      settleable: 0,
      canReload: false,
      concurrency: 1,
      batch: 'batch',
      version: 1000,
    };
    const show = (change: Partial<BulkState> = {}): Promise<void> =>
      panel.locator('html').evaluate(
        (_root, body) => {
          globalThis.postMessage({ type: 'state', body }, globalThis.origin);
        },
        { ...ready, ...change },
      );
    const ended = { phase: 'ended', canRun: false } as const;
    await show();
    await button(panel, 'Run 3 Rows…').focus();
    for (const [change, name] of [
      [{ phase: 'running' }, 'Pause'],
      [{ phase: 'paused' }, 'Continue'],
      [{ phase: 'stopping' }, 'Export Results…'],
    ] as const) {
      await show(change);
      await focused(panel, name).waitFor();
    }
    await show({ ...ended, settleable: 2, counts: { ...counts, unknown: 3 } });
    await button(panel, 'Settle 2 by Their Logs…').focus();
    await show({ ...ended, canRun: true, counts: { ...counts, unknown: 1 } });
    await focused(panel, 'Find Logs of Unknown Rows (1)').waitFor();
    // While the rows are checked there is no button.
    await show({ phase: 'checking', canRun: false });
    await button(panel, 'Run 3 Rows…').and(panel.locator(':disabled')).waitFor();
    await show();
    await focused(panel, 'Run 3 Rows…').waitFor();
  });
});
