/** Actions as a person sees them: new file, completion, finding, fix, run, proof; and production, typed wrong and right. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { pickerInput, pickerRow, runCommand, setTheme } from '../runtime/editor.ts';
import { startSandbox, type Sandbox } from '../runtime/sandbox.ts';
import { openWindow, screenshot, type TestWindow } from '../runtime/window.ts';

suite('actions in the window', function () {
  this.timeout(150_000);
  let window: TestWindow;
  let sandbox: Sandbox;
  let page: Page;

  suiteSetup(async () => {
    sandbox = await startSandbox();
    window = await openWindow({
      settings: {
        'smartObjects.connections': [
          { name: 'Rehearsal', baseUrl: sandbox.baseUrl, environment: 'development' },
          { name: 'Live', baseUrl: sandbox.baseUrl, environment: 'production' },
        ],
        'smartObjects.confirmExecution': 'always',
        'editor.minimap.enabled': false,
      },
    });
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ['Rehearsal', 'Live']) await signIn(name);
    await runCommand(page, 'Smart Objects: Select Connection…');
    await pickerRow(page, 'Rehearsal').click();
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox.stop();
  });

  const row = (text: string | RegExp): Locator =>
    page.locator('.pane-body .monaco-list-row', { hasText: text }).first();
  const editor = (): Locator => page.locator('.editor-group-container.active .view-lines').first();
  const box = (): Locator => page.locator('.quick-input-widget:visible');

  async function signIn(name: string): Promise<void> {
    await runCommand(page, 'Smart Objects: Sign In…');
    await pickerRow(page, name).click();
    await box().locator('.monaco-list-row', { hasText: 'Sent in the header x-api-key' }).first().click();
    await box().locator('input[type=password]').waitFor();
    await pickerInput(page).fill(sandbox.apiKey);
    await page.keyboard.press('Enter');
    await page.locator('.notification-toast', { hasText: 'signed in' }).first().waitFor({ timeout: 20_000 });
    await runCommand(page, 'Notifications: Clear All Notifications');
  }

  const run = (): Promise<void> => page.locator('.codelens-decoration a', { hasText: 'Run' }).first().click();

  async function posts(): Promise<number> {
    const answer = await fetch(`${sandbox.baseUrl}/__sandbox/stats`, { headers: { 'x-sandbox-key': sandbox.apiKey } });
    const { routes } = (await answer.json()) as { readonly routes: Readonly<Record<string, number>> };
    return routes['POST /ebus/execute'] ?? 0;
  }

  test('new file, completion, finding, fix, run, proof', async () => {
    await runCommand(page, 'Smart Objects: New Action File…');
    await pickerRow(page, 'mint').click();
    await pickerRow(page, 'Wool Jacket Passport').click();
    await editor().getByText('"template_id"').first().waitFor();
    // An id by its name.
    const id = editor().locator('.view-line', { hasText: '"template_id"' });
    await id.getByText('tpl_').first().dblclick();
    await page.keyboard.press('Control+Space');
    const suggestion = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'Harbour Concert Ticket' });
    await page.keyboard.type('Harbour');
    await suggestion.first().waitFor({ timeout: 20_000 });
    await screenshot(page, 'actions-completion');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    // A mistake is found while typing, and one key puts it right.
    await editor().locator('.view-line', { hasText: '"num"' }).getByText('1').first().dblclick();
    await page.keyboard.type('0');
    const squiggle = page.locator('.squiggly-warning').first();
    await squiggle.waitFor({ timeout: 20_000 });
    await page.keyboard.press('Control+.');
    const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'Change to 1' });
    await fix.waitFor({ timeout: 20_000 });
    await screenshot(page, 'actions-fix');
    await fix.click();
    await squiggle.waitFor({ state: 'detached' });
    const before = await posts();
    const dialog = page.locator('.monaco-dialog-box');
    await run();
    await dialog.getByText('Development · Rehearsal: Mints 1 object from template “Wool Jacket Passport”').waitFor();
    await screenshot(page, 'actions-dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await posts(), before);
    await run();
    await dialog.getByRole('button', { name: 'Execute' }).click();
    await runCommand(page, 'Smart Objects: Show Runs');
    await row(/^action-1\s*completed · Development · Rehearsal/).waitFor({ timeout: 30_000 });
    assert.equal(await posts(), before + 1);
    for (const part of [/^Action log\s*completed/, /^Batch\s*completed/, /^obj_/]) await row(part).waitFor();
    for (const theme of ['light', 'highContrastDark', 'highContrastLight', 'dark'] as const) {
      await setTheme(page, theme);
      await screenshot(page, `actions-run-${theme}`);
    }
  });

  test('production wants its name: typed wrong nothing is sent, typed right once', async () => {
    await runCommand(page, 'Smart Objects: Select Connection…');
    await pickerRow(page, 'Live').click();
    const before = await posts();
    await run();
    await box().getByText('PRODUCTION · Live: Mints 1 object from template “Wool Jacket Passport”').first().waitFor();
    await pickerInput(page).fill('live');
    await page.keyboard.press('Enter');
    await box().getByText("Type the connection's name, Live, exactly").first().waitFor();
    await screenshot(page, 'actions-production');
    assert.equal(await posts(), before);
    await page.keyboard.press('Escape');
    await box().waitFor({ state: 'hidden' });
    assert.equal(await posts(), before);
    await run();
    await pickerInput(page).fill('Live');
    await page.keyboard.press('Enter');
    await row(/^action-1\s*PRODUCTION · Live · completed/).waitFor({ timeout: 30_000 });
    assert.equal(await posts(), before + 1);
  });
});
