/** The dashboard in the window: ranges, charts, tables, cursor, zoom, keyboard, logs, exports, failures, reload, themes, units. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { workbenchReady, writeUserSettings, type Settings } from '../runtime/editor.ts';
import { pickerInput, pickerRow, runCommand, until, webview } from './support/workbench.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { Servers } from '../support/http/servers.ts';
import { RESULTS } from '../runtime/paths.ts';
import { openWindow, screenshot, takePictures, TAKES_PICTURES, type TestWindow } from './support/window.ts';
import { checkAccessibility } from './support/axe.ts';
import { signIn } from './support/gestures.ts';

/** The place of a chart; one that is being drawn anew has none for a moment. */
async function measure(chart: Locator): Promise<NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>> {
  let box = await chart.boundingBox();
  await until(async () => (box ??= await chart.boundingBox()) !== null);
  return box ?? assert.fail('no chart');
}

suite('statistics in the window', () => {
  let window: TestWindow;
  let sandbox: Sandbox;
  let page: Page;
  const servers = new Servers();

  const createSettings = (...others: readonly object[]): Settings => ({
    'smartObjects.connections': [{ name: 'Harbour', baseUrl: sandbox.baseUrl, environment: 'staging' }, ...others],
    'smartObjects.requestTimeout': 20,
  });

  suiteSetup(async () => {
    sandbox = await startSandbox();
    window = await openWindow({ settings: createSettings() });
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(page, sandbox.apiKey);
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await runCommand(page, 'Smart Objects: Show Statistics');
  });
  suiteTeardown(async () => {
    await window.close();
    servers.close();
    await sandbox.close();
  });

  const dashboard = (): FrameLocator => webview(page);
  const charts = (): Locator => dashboard().locator('.chart');
  const section = (id: string): Locator => dashboard().locator(`section#${id}`);
  const field = (name: string): Locator => dashboard().locator(`input[name="${name}"]`);
  const tooltip = (id: string): Locator => section(id).locator('.tooltip');
  const when = (id: string): Locator => tooltip(id).locator('.when');
  const range = (): Locator => dashboard().getByLabel('Time range').first();
  const interval = (): Locator => dashboard().getByLabel('Interval');
  const tool = (name: string | RegExp): Locator => dashboard().getByRole('button', { name }).first();
  const filters = (): Locator => dashboard().locator('summary', { hasText: 'Filters' });

  async function set(name: string, value: string): Promise<void> {
    await field(name).fill(value);
    await page.keyboard.press('Enter');
    await waitUntilRead();
  }

  async function selectRange(label: string): Promise<void> {
    await range().selectOption({ label });
    await waitUntilRead();
  }

  /** Waits for the interval that the range is read in. */
  async function waitForInterval(name: string): Promise<void> {
    const label = `Interval: ${name} (automatic)`;
    await until(async () => (await interval().locator('option:checked').textContent()) === label);
  }

  async function waitUntilRead(): Promise<void> {
    await dashboard()
      .getByText(/^Updated \d+:/)
      .waitFor();
  }

  /** An exact total, which the page rounds. */
  async function total(id: string): Promise<number> {
    const exact = await section(id).locator('.total').getAttribute('title');
    return Number((exact ?? '').replaceAll(',', ''));
  }

  test('three charts with totals and the period before fill the editor without scrolling', async () => {
    await charts().nth(2).waitFor();
    // As a new window is: with the side bar.
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await page.setViewportSize({ width: 1280, height: 800 });
    assert.equal(await charts().count(), 3);
    assert.equal(await range().locator('option:checked').textContent(), 'Last 30 days');
    await waitForInterval('day');
    for (const id of ['executions', 'fees', 'creations']) {
      // Just after midnight, today has no points.
      await section(id)
        .locator('.legend li', { hasText: /^Incomplete: (?:first(?: and current)?|current) interval$/ })
        .waitFor();
    }
    for (const [view, button] of [
      ['group-by-key', tool('Group by Key')],
      ['filters', filters()],
    ] as const) {
      await button.click();
      await until(async () => {
        const { height, visible } = await dashboard()
          .locator('html')
          .evaluate(({ scrollHeight, clientHeight }) => ({ height: scrollHeight, visible: clientHeight }));
        return height <= visible && visible > 600;
      });
      await screenshot(page, `statistics-1280-${view}`);
    }
    await checkAccessibility(page, dashboard(), 'statistics');
    await tool('Group by Key').click();
    await filters().click();
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('each range is read in steps that fit it', async () => {
    const steps = { 'Last hour': 'minute', 'Last 24 hours': 'hour', 'Last 90 days': 'week', 'Last year': 'week' };
    for (const [label, step] of Object.entries(steps)) {
      await selectRange(label);
      await waitForInterval(step);
    }
    await selectRange('Custom range');
    assert.match(await field('from').inputValue(), /^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
    await set('from', '2026-01-01T00:00');
    await set('until', '2026-01-03T00:00');
    await waitForInterval('hour');
    await set('until', '2025-12-31T00:00');
    await dashboard().getByText('The start must be before the end.').waitFor();
    await selectRange('Last 7 days');
    await field('from').waitFor({ state: 'hidden' });
    await waitForInterval('day');
    await waitUntilRead();
    for (const id of ['executions', 'fees', 'creations']) {
      await section(id).locator('.legend', { hasText: 'Previous period' }).waitFor();
      const head = await section(id).locator('.head').innerText();
      assert.match(head, /[+-][\d.]+%/, head);
      assert.match(head, /Previous period: [\d.]+ \(\w{3} \d+(?:, \d{4})?\s–\s(?:\w{3} )?\d+, \d{4}\)/, head);
    }
  });

  test('the cursor of one chart is the cursor of all, by mouse and by keys', async () => {
    const plot = section('executions').locator('.u-over');
    const box = await measure(plot);
    await page.mouse.move(box.x + box.width * 0.45, box.y + box.height - 10);
    await until(async () => /^\w{3} \d+, \d{4}$/.test(await when('executions').innerText()));
    assert.equal(await when('fees').innerText(), await when('executions').innerText());
    assert.equal(await when('creations').innerText(), await when('executions').innerText());
    await tooltip('executions').getByText('Click to show the action logs.').waitFor();
    await tooltip('executions')
      .getByText(/^Previous: \w{3} \d+, \d{4}$/)
      .waitFor();
    await screenshot(page, 'statistics-cursor');
    await page.mouse.move(box.x + box.width / 2, box.y - 80);
    await tooltip('fees').waitFor({ state: 'hidden' });
    await charts().nth(1).focus();
    await page.keyboard.press('Home');
    const first = await when('fees').innerText();
    await page.keyboard.press('ArrowRight');
    await until(async () => Date.parse(await when('fees').innerText()) > Date.parse(first));
    assert.equal(await when('creations').innerText(), await when('fees').innerText());
    const heard = section('fees').locator('[role=status]');
    await heard.filter({ hasText: await when('fees').innerText() }).waitFor();
    await page.keyboard.press('End');
    await heard.filter({ hasText: 'Incomplete: this interval is still in progress.' }).waitFor();
  });

  test('zoom: by dragging and by keys, in finer steps for all charts, and back', async () => {
    const exact = await total('executions');
    const box = await measure(section('executions').locator('.u-over'));
    await page.mouse.move(box.x + box.width * 0.3, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await tool('Reset Zoom').waitFor();
    await waitForInterval('hour');
    await waitUntilRead();
    assert.ok((await total('executions')) < exact);
    assert.equal(await range().locator('option:checked').textContent(), 'Custom range');
    await screenshot(page, 'statistics-zoomed');
    await tool('Reset Zoom').click();
    await tool('Reset Zoom').waitFor({ state: 'hidden' });
    await until(async () => (await total('executions')) >= exact);
    await charts().first().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await section('executions')
      .locator('[role=status]', { hasText: /^Selected: .* – .*\. Press Enter to zoom in\.$/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await waitForInterval('hour');
    await waitUntilRead();
    assert.match((await dashboard().locator(':focus').getAttribute('aria-label')) ?? '', /^Executions: chart/);
    await page.keyboard.press('Escape');
    await tool('Reset Zoom').waitFor({ state: 'hidden' });
    await until(async () => (await total('executions')) >= exact);
    await page.keyboard.press('+');
    await tool('Reset Zoom').waitFor();
    await page.keyboard.press('Escape');
    await tool('Reset Zoom').waitFor({ state: 'hidden' });
    await until(async () => (await total('executions')) >= exact);
  });

  test('by key: compares each key with the period before; hiding a line keeps the focus', async () => {
    await tool('Group by Key').click();
    const mint = section('executions').locator('.legend button', { hasText: /^mint / });
    await mint.waitFor();
    await until(async () => /^mint\s\d+ [+-]?[\d.]+%$/.test(await mint.innerText()));
    await screenshot(page, 'statistics-by-key');
    await mint.focus();
    await page.keyboard.press('Enter');
    await section('executions').locator('.legend button[aria-pressed=false]').waitFor();
    assert.match(await section('executions').locator('button:focus').innerText(), /^mint\s/);
    await page.keyboard.press('Enter');
    await section('executions').locator('.legend button[aria-pressed=false]').waitFor({ state: 'detached' });
  });

  test('a click on a point, and Enter, show the action logs of its period and key', async () => {
    const logs = (): FrameLocator => webview(page, 1);
    const box = await measure(section('executions').locator('.u-over'));
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height - 6);
    const active = tooltip('executions').locator('[data-active]');
    await active.waitFor();
    await screenshot(page, 'statistics-tooltip');
    const key = await active.locator('bdi').innerText();
    const count = Number(await active.locator('.value').innerText());
    await page.mouse.click(box.x + box.width * 0.5, box.y + box.height - 6);
    // The panel folds its filters away.
    const search = (): Promise<string> => logs().locator('input[type=search]').inputValue();
    await until(async () => (await search()) === key);
    // The header counts, too.
    await until(async () => (await logs().locator('[role=row]', { hasText: key }).count()) >= Math.min(count, 5));
    await logs()
      .getByRole('button', { name: /^Remove Filter Created: / })
      .waitFor();
    await screenshot(page, 'statistics-logs');
    await charts().first().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    // Screen readers hear the chosen line with its value.
    const heard = new Set<string>();
    const status = section('executions').locator('[role=status]');
    let other = '';
    for (let presses = 0; presses < 2; presses++) {
      await page.keyboard.press('ArrowUp');
      await active.waitFor();
      other = await active.locator('bdi').innerText();
      const value = await active.locator('.value').innerText();
      const text = `${other}: ${value}, ${await when('executions').innerText()}. Press Enter to show the action logs.`;
      await status.getByText(text, { exact: true }).waitFor({ state: 'attached' });
      heard.add(text);
    }
    assert.equal(heard.size, 2);
    assert.notEqual(other, key);
    await page.keyboard.press('Enter');
    await until(async () => (await search()) === other);
    await runCommand(page, 'View: Hide Panel');
  });

  test('T toggles between charts and tables of the same numbers, also by key, and keeps the focus', async () => {
    await charts().first().focus();
    await page.keyboard.press('t');
    const head = section('executions').locator('thead');
    await head.getByText('mint, previous period').waitFor();
    assert.equal(await charts().count(), 0);
    assert.equal(await dashboard().locator(':focus').getAttribute('aria-label'), 'Executions: table');
    await tool('Group by Key').click();
    await head.getByText('Previous period').waitFor();
    const rows = await section('executions').locator('tbody tr').allInnerTexts();
    const columns = rows.map((row) => row.split('\t').slice(1));
    const sum = (column: number): number => columns.reduce((all, cells) => all + (Number(cells[column]) || 0), 0);
    const foot = (await section('executions').locator('tfoot tr').first().innerText()).split('\t');
    assert.deepEqual(foot, ['Total', String(sum(0)), String(sum(1))]);
    assert.equal(await total('executions'), sum(0));
    await screenshot(page, 'statistics-table');
    await checkAccessibility(page, dashboard());
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
    assert.ok((await total('executions')) > 0);
    assert.equal(sum('executions', 'this'), await total('executions'));
    const before = await section('executions')
      .locator('.head [title]', { hasText: 'Previous period' })
      .getAttribute('title');
    assert.equal(String(sum('executions', 'before')), before?.replaceAll(',', ''));
    const png = await exported('Export PNG…', 'png');
    assert.equal(png.subarray(1, 4).toString('latin1'), 'PNG');
    if (TAKES_PICTURES)
      fs.copyFileSync(path.join(window.workspace, 'out.png'), path.join(RESULTS, 'statistics-export.png'));
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
      .locator('.age', { hasText: /^Not up to date \(updated \d+:\d\d:\d\d [AP]M UTC/ })
      .nth(2)
      .waitFor();
    await notice.filter({ hasText: /^Read statistics: .*Sign in again\./ }).waitFor();
    assert.equal(await notice.count(), 1);
    assert.deepEqual(await dashboard().locator('.total').allInnerTexts(), totals);
    // The button shows Stop while reading, then Refresh again.
    await dashboard().locator('[title="Refresh"]:focus').waitFor();
    await screenshot(page, 'statistics-refused');
    await checkAccessibility(page, dashboard());
    sandbox.faults.clear();
    sandbox.faults.add({ route: 'GET /stats/actions/fees', fault: 'forbidden', count: 1 });
    await notice.getByRole('button', { name: 'Retry' }).click();
    await section('fees').locator('[role=alert]', { hasText: 'Read statistics (Fees)' }).waitFor();
    // The others may still be reading, with their old message.
    await notice.nth(1).waitFor({ state: 'detached' });
    await dashboard().locator('.age').nth(1).waitFor({ state: 'detached' });
    assert.equal(await notice.count(), 1);
    assert.equal(await dashboard().locator('.age').count(), 1);
    await screenshot(page, 'statistics-error');
    await section('fees').getByRole('button', { name: 'Retry' }).click();
    await notice.first().waitFor({ state: 'detached' });
    await waitUntilRead();
  });

  test('marks truncated answers, and shows that there are no points', async () => {
    await selectRange('Last year');
    await interval().selectOption({ label: 'Interval: minute' });
    await section('executions')
      .locator('.notice', { hasText: /^Loading stopped after 60 requests\. Values before .* are incomplete/ })
      .waitFor();
    await screenshot(page, 'statistics-truncated');
    await interval().selectOption({ index: 0 });
    await selectRange('Last 7 days');
    await filters().click();
    await set('signer', 'nobody');
    await dashboard().locator('summary', { hasText: 'Filters (1)' }).waitFor();
    await section('executions').locator('.empty', { hasText: 'No points match the time range and filters' }).waitFor();
    await screenshot(page, 'statistics-empty');
    await set('signer', `0x${'a1'.repeat(20)}`);
    await dashboard().getByText('Enter an account name instead').waitFor();
    await set('signer', '');
    await charts().nth(2).waitFor();
    await filters().click();
    await field('signer').waitFor({ state: 'hidden' });
  });

  test('the page fits into 400 pixels', async () => {
    await takePictures(page, 'statistics', () => charts().nth(2).waitFor());
    await page.setViewportSize({ width: 448, height: 900 });
    await charts().nth(2).waitFor();
    // The charts follow the size of the page.
    await until(() =>
      dashboard()
        .locator('html')
        .evaluate(({ scrollWidth, clientWidth }) => clientWidth <= 400 && scrollWidth <= clientWidth),
    );
    await screenshot(page, 'statistics-narrow');
    await section('fees').evaluate((element) => {
      element.scrollIntoView();
    });
    await screenshot(page, 'statistics-narrow-scrolled');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  /** Starts a platform that is the sandbox with units behind its fees; resolves with its address. */
  async function startUnits(): Promise<string> {
    const { origin } = await servers.http(({ url, headers }, response) => {
      void fetch(`${sandbox.baseUrl}${url}`, { headers: { 'x-api-key': String(headers['x-api-key']) } })
        .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
        .then(({ status, text }) => {
          const body = text.replace(
            /("key":"(mint|update)".*?"fee":"[\d.]+|"fee":"[\d.]+)(?=")/g,
            (fee: string, _start: string, key: string | undefined) => `${fee} ${key === undefined ? 'GAS' : 'COIN'}`,
          );
          response.writeHead(status, { 'content-type': 'application/json' }).end(body);
        });
    });
    return origin;
  }

  // Slow: reloads the window, with an answer that comes 8 s late.
  test('view options survive hiding the tab and reloading the window', async () => {
    await tool('Group by Key').click();
    await section('executions')
      .locator('.legend button', { hasText: /^mint / })
      .click();
    const same = async (): Promise<void> => {
      await section('executions').locator('.legend button[aria-pressed=false]', { hasText: /^mint/ }).waitFor();
      assert.equal(await range().locator('option:checked').textContent(), 'Last 7 days');
      assert.equal(await tool('Group by Key').getAttribute('aria-pressed'), 'true');
    };
    await runCommand(page, 'File: New Untitled Text File');
    await page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
    await page.locator('.tab', { hasText: 'Statistics' }).click();
    await same();
    // The names of templates come after the numbers.
    sandbox.faults.add({ route: 'GET /public/templates', fault: 'slowHeaders', delay: 8000, count: null });
    // For the next test: a window reads them when its page loads.
    const quay = { name: 'Quay', baseUrl: await startUnits(), environment: 'production' };
    writeUserSettings(window.server.dataDir, createSettings(quay));
    await Promise.all([page.waitForEvent('domcontentloaded'), runCommand(page, 'Developer: Reload Window')]);
    await workbenchReady(page);
    await same();
    const id = section('creations').locator('.legend button', { hasText: /^tpl_/ }).first();
    await id.waitFor();
    await id.waitFor({ state: 'detached' });
    sandbox.faults.clear();
  });

  test('each unit has a chart with its own scale, alone and by key; production is marked', async () => {
    await runCommand(page, 'View: Close All Editors');
    await page.setViewportSize({ width: 1280, height: 800 });
    await signIn(page, sandbox.apiKey, 'Quay');
    await runCommand(page, 'Smart Objects: Show Statistics');
    await pickerRow(page, 'Quay').click();
    const fees = dashboard().locator('section#fees');
    await fees.locator('.chart').nth(1).waitFor();
    assert.equal(await dashboard().locator('section#executions .chart').count(), 1);
    assert.match(await fees.locator('.total').innerText(), /^[\d.]+K? COIN \+ [\d.]+K? GAS$/);
    await dashboard().locator('.chip', { hasText: 'PRODUCTION' }).waitFor();
    await fees.locator('.chart').nth(1).focus();
    await page.keyboard.press('End');
    const rows = await fees.locator('.tooltip:visible').allInnerTexts();
    assert.equal(rows.length, 2);
    assert.deepEqual(
      rows.map((text) => [text.includes('COIN'), text.includes('GAS')]),
      [
        [true, false],
        [false, true],
      ],
    );
    await screenshot(page, 'statistics-units');
    await dashboard().getByRole('button', { name: 'Group by Key' }).click();
    await fees.locator('.legend button', { hasText: /^mint, COIN / }).waitFor();
    await takePictures(page, 'statistics-units-by-key');
  });
});
