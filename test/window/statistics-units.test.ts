/** Fees in several units: a chart of its own for each, and production is marked. */
import assert from 'node:assert/strict';
import type { FrameLocator, Page } from 'playwright-core';
import { runCommand, setTheme, webview } from './support/workbench.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { Servers } from '../support/http/servers.ts';
import { openWindow, screenshot, type TestWindow } from './support/window.ts';
import { signIn } from './support/gestures.ts';

suite('statistics of several units', function () {
  this.timeout(90_000);
  const servers = new Servers();
  let window: TestWindow;
  let sandbox: Sandbox;
  let page: Page;

  suiteSetup(async () => {
    sandbox = await startSandbox();
    // The sandbox with units behind its fees.
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
    window = await openWindow({
      settings: { 'smartObjects.connections': [{ name: 'Quay', baseUrl: origin, environment: 'production' }] },
    });
    page = window.page;
    await page.setViewportSize({ width: 1280, height: 800 });
    await signIn(page, sandbox.apiKey);
    await runCommand(page, 'Smart Objects: Show Statistics');
  });
  suiteTeardown(async () => {
    await window.close();
    servers.close();
    await sandbox.close();
  });

  const dashboard = (): FrameLocator => webview(page);

  test('each unit has a chart with its own scale, alone and by key', async () => {
    const fees = dashboard().locator('section#fees');
    await fees.locator('.chart').nth(1).waitFor({ timeout: 20_000 });
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
    await setTheme(page, 'light');
    await screenshot(page, 'statistics-units-by-key');
    await setTheme(page, 'dark');
  });
});
