/** The face preview and lab as a person sees them: the kinds of faces, three objects side by side, over a reload, in every theme. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { pickerInput, pickerRow, runCommand, setTheme, webview, workbenchReady } from '../runtime/editor.ts';
import { openWindow, screenshot, type TestWindow } from '../runtime/window.ts';

const BADGE = `<!doctype html>
<html>
  <head>
    <style>
      body { margin: 0; padding: 20px; font: 15px system-ui; }
      article {
        border-radius: 14px;
        padding: 20px;
        color: #fff;
        background: linear-gradient(#4338ca, #0891b2);
      }
      h1 { margin: 0; font-size: 22px; }
    </style>
    <link rel="stylesheet" href="https://fonts.example/font.css" />
  </head>
  <body>
    <article>
      <h1>{{.metadata.name}}</h1>
      <p>No. {{.metadata.edition}}</p>
      {{if .custom.scanned}}<p>Scanned</p>{{else}}<p>Valid</p>{{end}}
      <small>{{.id}}</small>
    </article>
    <img src="https://cdn.example/seal.png" alt="" hidden />
    <script>console.log('not here');</script>
  </body>
</html>
`;

suite('face preview', function () {
  this.timeout(120_000);
  let window: TestWindow;
  let page: Page;
  const face = (): FrameLocator => webview(page).locator('iframe').first().contentFrame();
  const captions = (): Locator => webview(page).locator('figcaption');

  suiteSetup(async () => {
    const folder = fs.mkdtempSync(path.join(fs.realpathSync('/tmp'), 'faces-'));
    fs.writeFileSync(path.join(folder, 'badge.face.html'), BADGE);
    window = await openWindow({ folder });
    fs.rmSync(folder, { recursive: true, force: true });
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 900 });
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    await page.locator('.statusbar', { hasText: 'Local Sandbox' }).waitFor();
  });
  suiteTeardown(() => window.close());

  async function choose(text: string): Promise<void> {
    const row = page.locator('.quick-input-list .monaco-list-row').first();
    await row.waitFor();
    await pickerInput(page).fill(text);
    await pickerRow(page, text).click();
  }

  async function preview(name: string): Promise<void> {
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Smart Objects: Preview Face');
    await choose(name);
    await webview(page).locator('header h1', { hasText: name }).waitFor();
  }

  test('a page is framed after a click, under its notice; one that refuses says so', async () => {
    await preview('Hut door (live page)');
    assert.equal(await webview(page).locator('iframe').count(), 0);
    await webview(page).locator('vscode-button', { hasText: 'Show Page Here' }).click();
    await webview(page).locator('.note', { hasText: 'not of the platform' }).waitFor();
    const framed = webview(page).locator('iframe');
    assert.equal(await framed.getAttribute('sandbox'), '');
    await framed.contentFrame().locator('body', { hasText: /door/i }).waitFor();
    await screenshot(page, 'face-page');
    // The same origin needs no second click.
    await preview('Page that refuses framing');
    await webview(page).locator('.empty', { hasText: 'does not let itself be framed' }).waitFor();
    await webview(page).locator('button[aria-label^="Open Page that refuses framing in Browser"]').waitFor();
    await screenshot(page, 'face-refused');
  });

  test('a picture of the connection’s own is inlined; plain text and a card stand for themselves', async () => {
    await preview('Print, picture only');
    assert.match((await face().locator('img').getAttribute('src')) ?? '', /^data:image\//);
    await preview('Plain text slip');
    await face().locator('body', { hasText: /\w/ }).waitFor();
    await preview('Nothing to render');
    await webview(page).locator('.empty', { hasText: 'no content and no page' }).waitFor();
    await webview(page).locator('[data-name="addObject"]').click();
    await page.locator('.quick-input-list .monaco-list-row').first().click();
    await face().locator('article h1').waitFor();
  });

  test('the lab shows a file as it is typed, with three objects side by side, and comes back after a reload', async () => {
    await runCommand(page, 'View: Close All Editors');
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'badge.face.html' }).dblclick();
    await page.locator('.tab', { hasText: 'badge.face.html' }).first().waitFor();
    await runCommand(page, 'Smart Objects: Open Face Lab');
    await face().locator('h1', { hasText: '{{.metadata.name}}' }).waitFor();
    for (const nth of [0, 3, 6]) {
      await webview(page).locator('[data-name="addObject"]').click();
      await page.locator('.quick-input-list .monaco-list-row').nth(nth).click();
      await captions().nth([0, 3, 6].indexOf(nth)).waitFor();
      while ((await webview(page).locator('.chip').count()) !== [0, 3, 6].indexOf(nth) + 1)
        await page.waitForTimeout(20);
    }
    await face().locator('h1', { hasNotText: '{{' }).waitFor();
    assert.equal(await webview(page).locator('iframe').count(), 3);
    await webview(page).locator('summary', { hasText: 'Blocked by the policy' }).waitFor();

    // Typed and not saved. The place in the page is kept: it is the page's, not the frame's.
    await webview(page)
      .locator('#stage')
      .evaluate((stage) => (stage.scrollTop = 40));
    await page.locator('.editor-group-container .view-line', { hasText: 'No. {{' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('<p>typed just now</p>');
    await face().locator('p', { hasText: 'typed just now' }).waitFor();
    assert.equal(
      await webview(page)
        .locator('#stage')
        .evaluate((stage) => stage.scrollTop),
      40,
    );
    for (let step = 0; step < 'typed just now'.length + 7; step++) await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+S');
    await webview(page).locator('[data-name="size"]').selectOption('card');

    await page.keyboard.press('Home');
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    for (let step = 0; step < 4; step++) await webview(page).locator('[data-name="Zoom Out"]').click();
    for (const theme of ['dark', 'light', 'highContrastDark'] as const) {
      await setTheme(page, theme);
      await screenshot(page, `face-lab-${theme}`);
    }
    await setTheme(page, 'dark');

    // The editor's own way, which writes down what stands open; the browser's may come before that.
    await Promise.all([page.waitForEvent('domcontentloaded'), runCommand(page, 'Developer: Reload Window')]);
    await workbenchReady(page);
    await face().locator('h1').waitFor({ timeout: 20_000 });
    await webview(page).locator('[data-name="size"]:has(option[value="card"]:checked)').waitFor();
    // The sandbox has a new address after a reload: its objects are named, and missed.
    assert.equal(await webview(page).locator('.chip').count(), 3);
  });
});
