/** The dashboard in the window: charts, tables, cursor, zoom, keyboard, exports, failures, reload, themes. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { workbenchReady } from '../runtime/editor.ts';
import { pickerInput, runCommand, setTheme, webview } from './support/workbench.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { openWindow, screenshot, type TestWindow } from './support/window.ts';
import { signIn } from './support/gestures.ts';

suite('statistics in the window', function () {
  this.timeout(150_000);
  let window: TestWindow;
  let sandbox: Sandbox;
  let page: Page;

  suiteSetup(async () => {
    sandbox = await startSandbox();
    window = await openWindow({
      settings: {
        'smartObjects.connections': [{ name: 'Harbour', baseUrl: sandbox.baseUrl, environment: 'staging' }],
        'smartObjects.requestTimeout': 20,
      },
    });
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(page, sandbox.apiKey);
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await runCommand(page, 'Smart Objects: Show Statistics');
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox.close();
  });

  const dashboard = (): FrameLocator => webview(page);
  const charts = (): Locator => dashboard().locator('.chart');
  const section = (id: string): Locator => dashboard().locator(`section#${id}`);
  const field = (name: string): Locator => dashboard().locator(`input[name="${name}"]`);
  const tool = (name: string | RegExp): Locator => dashboard().getByRole('button', { name }).first();

  /** Polls until the page shows it. */
  async function until(what: () => Promise<boolean>): Promise<void> {
    while (!(await what())) await page.waitForTimeout(30);
  }

  async function set(name: string, value: string): Promise<void> {
    await field(name).fill(value);
    await page.keyboard.press('Enter');
    await waitUntilRead();
  }

  async function waitUntilRead(): Promise<void> {
    await dashboard()
      .getByText(/^Read \d\d:/)
      .waitFor();
  }

  const figures = (text: string): string => (/[\d.]+/.exec(text) ?? [''])[0];

  test('three charts with totals and the period before', async () => {
    await charts().nth(2).waitFor({ timeout: 20_000 });
    await set('timeRange', '7d');
    assert.equal(await charts().count(), 3);
    for (const id of ['executions', 'fees', 'creations']) {
      const head = await section(id).locator('.head').innerText();
      assert.match(head, /[+−±][\d.]+ %/, head);
      assert.match(head, /Period before: [\d.]+, \d{4}-\d\d-\d\d – \d{4}-\d\d-\d\d/, head);
      await section(id).locator('.legend', { hasText: 'Period before' }).waitFor();
    }
  });

  test('the cursor of one chart is the cursor of all, by mouse and by keys', async () => {
    const time = (id: string): Promise<string> => section(id).locator('.legend li').last().innerText();
    const plot = section('executions').locator('.u-over');
    const box = (await plot.boundingBox()) ?? assert.fail('no chart');
    await page.mouse.move(box.x + box.width * 0.45, box.y + 40);
    await until(async () => /^\d{4}-\d\d-\d\d 00:00, before: \d{4}-\d\d-\d\d 00:00$/.test(await time('executions')));
    assert.equal(await time('fees'), await time('executions'));
    assert.equal(await time('creations'), await time('executions'));
    await screenshot(page, 'statistics-cursor');
    await page.mouse.move(box.x + box.width / 2, box.y - 60);
    await until(async () => (await time('fees')) === '');
    await charts().nth(1).focus();
    await page.keyboard.press('Home');
    const first = await time('fees');
    await page.keyboard.press('ArrowRight');
    await until(async () => (await time('fees')) > first);
    assert.equal(await time('creations'), await time('fees'));
    await dashboard()
      .locator('section#fees [role=status]', { hasText: (await time('fees')).slice(0, 10) })
      .waitFor();
  });

  test('zoom: by dragging and by keys, all charts together, and back', async () => {
    const last = async (id: string): Promise<string> => {
      await section(id).locator('.chart').focus();
      await page.keyboard.press('End');
      return (await section(id).locator('.legend li').last().innerText()).slice(0, 10);
    };
    // Each series ends at its own last point; these differ shortly after midnight.
    const lastTimes = {
      creations: await last('creations'),
      executions: await last('executions'),
      fees: await last('fees'),
    };
    const box = (await section('executions').locator('.u-over').boundingBox()) ?? assert.fail('no chart');
    await page.mouse.move(box.x + box.width * 0.1, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await tool('Reset Zoom').waitFor();
    assert.ok((await last('creations')) < lastTimes.creations);
    await tool('Reset Zoom').click();
    await tool('Reset Zoom').waitFor({ state: 'hidden' });
    assert.equal(await last('fees'), lastTimes.fees);
    await page.keyboard.press('Home');
    await page.keyboard.press('+');
    await tool('Reset Zoom').waitFor();
    assert.ok((await last('executions')) < lastTimes.executions);
    await page.keyboard.press('Escape');
    await tool('Reset Zoom').waitFor({ state: 'hidden' });
  });

  test('by key: compares each key with the period before; hiding a line keeps the focus', async () => {
    await tool('By Key').click();
    const mint = section('executions').locator('.legend button', { hasText: /^mint / });
    await mint.waitFor();
    assert.match(await mint.innerText(), /^mint\s\d+ [+−±][\d.]+ %$/);
    await screenshot(page, 'statistics-by-key');
    await mint.focus();
    await page.keyboard.press('Enter');
    await section('executions').locator('.legend button[aria-pressed=false]').waitFor();
    assert.match(await section('executions').locator('button:focus').innerText(), /^mint\s/);
    await page.keyboard.press('Enter');
    await section('executions').locator('.legend button[aria-pressed=false]').waitFor({ state: 'detached' });
  });

  test('T toggles between charts and tables of the same numbers, also by key, and keeps the focus', async () => {
    await charts().first().focus();
    await page.keyboard.press('t');
    const head = section('executions').locator('thead');
    await head.getByText('mint, before').waitFor();
    assert.equal(await charts().count(), 0);
    assert.equal(await dashboard().locator(':focus').getAttribute('aria-label'), 'Executions: table');
    await tool('By Key').click();
    await head.getByText('Period before').waitFor();
    const rows = await section('executions').locator('tbody tr').allInnerTexts();
    const columns = rows.map((row) => row.split('\t').slice(1));
    const sum = (column: number): number => columns.reduce((all, cells) => all + (Number(cells[column]) || 0), 0);
    const foot = (await section('executions').locator('tfoot tr').first().innerText()).split('\t');
    assert.deepEqual(foot, ['Total', String(sum(0)), String(sum(1))]);
    assert.equal(figures(await section('executions').locator('.total').innerText()), String(sum(0)));
    await screenshot(page, 'statistics-table');
    await section('executions').locator('.scroll').focus();
    await page.keyboard.press('t');
    await charts().nth(2).waitFor();
    assert.match((await dashboard().locator(':focus').getAttribute('aria-label')) ?? '', /^Executions: chart/);
  });

  /** Saves through the dialog. Resolves to the file's bytes. */
  async function exported(button: string, kind: string): Promise<Buffer> {
    const file = path.join(window.workspace, `out.${kind}`);
    await tool(button).click();
    await page.locator('.quick-input-widget:visible', { hasText: 'Export Statistics' }).waitFor();
    await until(async () => /statistics-Harbour-[\d-]+T\d{4}\./.test(await pickerInput(page).inputValue()));
    await pickerInput(page).fill(file);
    await page.keyboard.press('Enter');
    await page.locator('.notification-toast', { hasText: `exported to out.${kind}` }).waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
    return fs.readFileSync(file);
  }

  test('CSV and PNG contain the shown values with all digits', async () => {
    const rows = (await exported('Export CSV…', 'csv')).toString('utf8').split('\r\n');
    assert.equal(rows[0], 'series,period,when,key,name,value,unit');
    const cells = rows.map((row) => row.split(','));
    const sum = (series: string, period: string): number =>
      cells.filter((row) => row[0] === series && row[1] === period).reduce((all, row) => all + Number(row[5]), 0);
    const total = Number(await section('executions').locator('.total').innerText());
    assert.ok(total > 0);
    assert.equal(sum('Executions', 'this'), total);
    const before = /Period before: (\d+)/.exec(await section('executions').locator('.head').innerText())?.[1];
    assert.equal(String(sum('Executions', 'before')), before);
    const png = await exported('Export PNG…', 'png');
    assert.equal(png.subarray(1, 4).toString('latin1'), 'PNG');
    fs.copyFileSync(path.join(window.workspace, 'out.png'), path.join('test-results', 'statistics-export.png'));
  });

  test('local time: axes, table and date fields change together, and the zone is named', async () => {
    const zone = dashboard().getByLabel('Time zone');
    await zone.selectOption({ index: 1 });
    assert.match((await zone.locator('option:checked').textContent()) ?? '', /^Local: \w/);
    await zone.selectOption({ index: 0 });
  });

  test('failures with the same cause have one message; values stay, marked as stale', async () => {
    const totals = await dashboard().locator('.total').allInnerTexts();
    sandbox.faults.add({ route: '*', fault: 'unauthorized', count: null });
    await tool('Refresh').focus();
    await page.keyboard.press('Enter');
    const notice = dashboard().locator('[role=alert]');
    await notice.getByRole('button', { name: 'Sign In…' }).waitFor();
    // The three requests are refused one after another.
    await dashboard()
      .locator('.age', { hasText: /^Stale: read \d\d:\d\d:\d\d UTC/ })
      .nth(2)
      .waitFor();
    await notice.filter({ hasText: /^Read statistics: .*Sign in again\./ }).waitFor();
    assert.equal(await notice.count(), 1);
    assert.deepEqual(await dashboard().locator('.total').allInnerTexts(), totals);
    // The button shows Stop while reading, then Refresh again.
    assert.equal(await dashboard().locator(':focus').getAttribute('title'), 'Refresh');
    await screenshot(page, 'statistics-refused');
    sandbox.faults.clear();
    sandbox.faults.add({ route: 'GET /stats/actions/fees', fault: 'forbidden', count: 1 });
    await notice.getByRole('button', { name: 'Retry' }).click();
    await section('fees').locator('[role=alert]', { hasText: 'Read fees' }).waitFor();
    assert.equal(await notice.count(), 1);
    assert.equal(await dashboard().locator('.age').count(), 1);
    await screenshot(page, 'statistics-error');
    await section('fees').getByRole('button', { name: 'Retry' }).click();
    await notice.first().waitFor({ state: 'detached' });
    await waitUntilRead();
  });

  test('marks truncated answers, and shows that there are no points', async () => {
    await field('limit').fill('5');
    await set('timeRange', '');
    await section('executions')
      .locator('.notice', { hasText: /^Truncated: the answer was cut, .* choose From to have it read in parts/ })
      .waitFor();
    await screenshot(page, 'statistics-truncated');
    await field('limit').fill('');
    await set('timeRange', '7d');
    await set('signer', 'nobody');
    await section('executions')
      .locator('.empty', { hasText: 'No points in this time range with these filters' })
      .waitFor();
    await screenshot(page, 'statistics-empty');
    await set('signer', `0x${'a1'.repeat(20)}`);
    await dashboard().getByText('statistics take an account name').waitFor();
    await set('signer', '');
    await charts().nth(2).waitFor();
  });

  test('pictures in each kind of theme', async () => {
    for (const theme of ['light', 'highContrastDark', 'highContrastLight', 'dark'] as const) {
      await setTheme(page, theme);
      await charts().nth(2).waitFor();
      await screenshot(page, `statistics-${theme}`);
    }
  });

  test('the page fits into 400 pixels', async () => {
    await page.setViewportSize({ width: 448, height: 900 });
    await charts().nth(2).waitFor();
    const { inner, scrolls } = await dashboard()
      .locator('html')
      .evaluate(({ scrollWidth, clientWidth }) => ({ inner: clientWidth, scrolls: scrollWidth > clientWidth }));
    assert.ok(inner <= 400, String(inner));
    await screenshot(page, 'statistics-narrow');
    assert.equal(scrolls, false);
    await section('fees').evaluate((element) => {
      element.scrollIntoView();
    });
    await screenshot(page, 'statistics-narrow-scrolled');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  // Slow: reloads the window, with an answer that comes 8 s late.
  test('view options survive hiding the tab and reloading the window', async () => {
    await tool('By Key').click();
    await section('executions')
      .locator('.legend button', { hasText: /^mint / })
      .click();
    const same = async (): Promise<void> => {
      await section('executions')
        .locator('.legend button[aria-pressed=false]', { hasText: /^mint/ })
        .waitFor({ timeout: 60_000 });
      assert.equal(await field('timeRange').inputValue(), '7d');
      assert.equal(await tool('By Key').getAttribute('aria-pressed'), 'true');
    };
    await runCommand(page, 'File: New Untitled Text File');
    await page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
    await page.locator('.tab', { hasText: 'Statistics' }).click();
    await same();
    // The names of templates come after the numbers.
    sandbox.faults.add({ route: 'GET /public/templates', fault: 'slowHeaders', delay: 8000, count: null });
    await Promise.all([page.waitForEvent('domcontentloaded'), runCommand(page, 'Developer: Reload Window')]);
    await workbenchReady(page);
    await same();
    const id = section('creations').locator('.legend button', { hasText: /^tpl_/ }).first();
    await id.waitFor();
    await id.waitFor({ state: 'detached' });
    sandbox.faults.clear();
  });
});
