/** A secret typed into the window is masked in the input box and does not appear afterwards. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { CANARY, CANARY_FORMS, recordCanaryEntered } from '../support/secret-canary.ts';
import { pickerInput, runCommand, showExplorer } from './support/workbench.ts';
import { expand, treeRow } from './support/gestures.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { openWindow, type TestWindow } from './support/window.ts';

suite('canary in the window', function () {
  this.timeout(90_000);
  let sandbox: Sandbox;
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    sandbox = await startSandbox();
    const connections = [{ name: 'Mine', baseUrl: sandbox.baseUrl, environment: 'sandbox' }];
    window = await openWindow({ settings: { 'smartObjects.connections': connections } });
    page = window.page;
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox.close();
  });

  /** All text of the window and of every frame in it. */
  async function readWindowText(): Promise<string> {
    const frames = await Promise.all(
      page.frames().map((frame) => frame.evaluate(() => document.documentElement.outerHTML).catch(() => '')),
    );
    return frames.join('\n');
  }

  test('is masked in the input box and not shown after the platform refused it', async () => {
    await runCommand(page, 'Smart Objects: Sign In…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Sent in the header' }).click();
    const input = pickerInput(page);
    await page.locator('.quick-input-widget:visible input[type="password"]').waitFor();
    await input.fill(CANARY);
    await input.press('Enter');
    recordCanaryEntered('window');
    await page.locator('.quick-input-widget', { hasText: 'rejected the credential' }).waitFor();
    await showExplorer(page);
    await treeRow(page, 'Templates').waitFor({ timeout: 20_000 });
    await expand(treeRow(page, 'Templates'));
    // The key was refused, so nothing is signed in.
    await treeRow(page, 'requires a credential').waitFor({ timeout: 20_000 });
    await runCommand(page, 'Smart Objects: Show Output');
    const shown = await readWindowText();
    assert.ok(shown.includes('Templates'), 'nothing was read');
    for (const form of CANARY_FORMS) assert.equal(shown.includes(form), false);
  });
});
