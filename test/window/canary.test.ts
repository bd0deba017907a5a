/** A secret typed into the real window: masked while it is typed, and shown nowhere afterwards. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { CANARY, CANARY_FORMS, noteEntered } from '../runtime/canary.ts';
import { pickerInput, runCommand, showExplorer } from '../runtime/editor.ts';
import { expand, treeRow } from '../runtime/gestures.ts';
import { startSandbox, type Sandbox } from '../runtime/sandbox.ts';
import { openWindow, type TestWindow } from '../runtime/window.ts';

suite('canary in the window', function () {
  this.timeout(90_000);
  let sandbox: Sandbox;
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    sandbox = await startSandbox();
    const { baseUrl } = JSON.parse(sandbox.line) as { readonly baseUrl: string };
    const connections = [{ name: 'Mine', baseUrl, environment: 'sandbox' }];
    window = await openWindow({ settings: { 'smartObjects.connections': connections } });
    page = window.page;
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox.stop();
  });

  /** All text of the window and of every frame in it. */
  async function everything(): Promise<string> {
    const frames = await Promise.all(
      page.frames().map((frame) => frame.evaluate(() => document.documentElement.outerHTML).catch(() => '')),
    );
    return frames.join('\n');
  }

  test('is masked in the box, refused by the platform, and shown by nothing', async () => {
    await runCommand(page, 'Smart Objects: Sign In…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Sent in the header' }).click();
    const input = pickerInput(page);
    await page.locator('.quick-input-widget:visible input[type="password"]').waitFor();
    await input.fill(CANARY);
    await input.press('Enter');
    noteEntered('window');
    await showExplorer(page);
    await treeRow(page, 'Templates').waitFor({ timeout: 20_000 });
    await expand(treeRow(page, 'Templates'));
    // The key was refused, so nothing is signed in.
    await treeRow(page, 'asks for a credential').waitFor({ timeout: 20_000 });
    await runCommand(page, 'Smart Objects: Show Output');
    const shown = await everything();
    assert.ok(shown.includes('Templates'), 'nothing was read');
    for (const form of CANARY_FORMS) assert.equal(shown.includes(form), false);
  });
});
