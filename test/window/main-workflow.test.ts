/** The main workflow of a new user: sandbox, object, JSON, face, run, log. Takes the screenshot of the README. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { runCommand } from './support/workbench.ts';
import { expand, openFile, treeRow, retryUntilVisible } from './support/gestures.ts';
import { openWindow, screenshot, takePictures, TAKES_PICTURES, type TestWindow } from './support/window.ts';

suite('the main workflow', () => {
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    window = await openWindow();
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 900 });
  });
  suiteTeardown(() => window.close());

  const row = (text: string | RegExp): Locator => treeRow(page, text);
  const editor = (): Locator => page.locator('.editor-group-container.active .view-lines');

  test('the empty view in the activity bar offers the sandbox and a connection', async () => {
    const title = page.locator('.sidebar .composite.title', { hasText: 'Smart Objects' });
    await retryUntilVisible(
      () => page.locator('.activitybar .action-label[aria-label^="Smart Objects"]').click(),
      title,
    );
    await screenshot(page, 'workbench');
    await page.getByRole('button', { name: 'Add Connection…' }).first().waitFor();
    await page.getByRole('button', { name: 'Start Local Sandbox' }).first().click();
    await row('Local Sandbox').waitFor();
    await row('Harbourlight Events').waitFor();
  });

  test('an object opens as the platform’s own JSON', async () => {
    await expand(row('Harbourlight Events'));
    await expand(row('Objects'));
    const id = editor().getByText('"template_id"').first();
    await retryUntilVisible(() => row(/Harbour Concert Ticket/).click(), id, 10_000);
    await editor().getByText('"state_root"').first().waitFor();
  });

  test('its face is rendered in a sandboxed frame', async () => {
    await runCommand(page, 'Smart Objects: Preview Face');
    const preview = page.locator('iframe.webview.ready').contentFrame().locator('#active-frame').contentFrame();
    const face = preview.locator('iframe[srcdoc]').first();
    await face.waitFor();
    assert.equal(await face.getAttribute('sandbox'), '');
    // Placeholders are filled with the object's values.
    await face
      .contentFrame()
      .getByText(/^obj_[0-9a-f]+$/)
      .first()
      .waitFor();
  });

  test('an action file runs and is followed to its batch', async () => {
    await openFile(page, 'mint.action.json');
    await editor().getByText('"mint"').first().waitFor();
    await page.locator('.codelens-decoration a', { hasText: 'Run on Local Sandbox' }).first().click();
    // The Runs view opens by itself.
    await row(/^mint\s*completed/).waitFor();
    await expand(row(/^mint\s*completed/));
    for (const state of [/^Action log\s*completed/, /^Batch\s*completed/]) {
      await row(state).waitFor();
    }
    await screenshot(page, 'journey-run');
  });

  test('its action log appears in the action logs view', async () => {
    await runCommand(page, 'Smart Objects: Show Action Logs');
    const table = page.locator('iframe.webview.ready').last().contentFrame().locator('#active-frame').contentFrame();
    await table.getByRole('row', { name: /mint/ }).first().waitFor();
  });

  const testPictures = TAKES_PICTURES ? test : undefined;
  testPictures?.('pictures in each kind of theme', async () => {
    // The preview opened beside the object.
    await page.getByRole('tab', { name: /^Concert ticket, Editor Group 2/ }).click();
    await page.locator('.notification-toast').waitFor({ state: 'hidden' });
    await takePictures(page, 'journey');
    // High enough for the whole face above the panel.
    await page.setViewportSize({ width: 1440, height: 1100 });
    await screenshot(page, 'readme');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('the face of the minted ticket is filled in', async () => {
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Smart Objects: Refresh');
    const opened = editor().getByText('"Harbour Concert Ticket · Row A Seat 1"').first();
    await retryUntilVisible(() => row(/Row A Seat 1(?!\d)/).click(), opened, 20_000);
    await runCommand(page, 'Smart Objects: Preview Face');
    const preview = page.locator('iframe.webview.ready').last().contentFrame().locator('#active-frame').contentFrame();
    const ticket = preview.locator('iframe[srcdoc]').first().contentFrame().locator('.ticket');
    await ticket.waitFor();
    const texts = ['Pier 7', 'Nordlys Quartet', 'Quay', 'A', '1', '2026-07-18', '64.50 EUR', 'Valid'];
    for (const text of texts) await ticket.getByText(text, { exact: true }).waitFor();
    await runCommand(page, 'View: Toggle Panel Visibility');
    await screenshot(page, 'journey-minted');
  });
});
