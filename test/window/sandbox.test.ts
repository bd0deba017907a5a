/** The local sandbox in the window: its row, and a simulated failure from the picker to the outcome of a run. */
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expand, openFile, treeRow } from './support/gestures.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from './support/window.ts';
import { pickerRow, runCommand, showExplorer } from './support/workbench.ts';

/** Harbour Concert Ticket. */
const TICKET = 'tpl_a988a8ed2db28a1f66a20b18';

suite('the sandbox in the window', () => {
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    window = await openWindow({ settings: { 'editor.minimap.enabled': false } });
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 900 });
    await showExplorer(page);
  });
  suiteTeardown(() => window.close());

  const row = (text: string | RegExp): Locator => treeRow(page, text);
  const faults = (): Locator => page.locator('.statusbar-item', { hasText: /\d faults?/ });

  test('Faults… → run → the outcome is what happened; the status bar clears what is left', async () => {
    const file = path.join(window.workspace, 'mint.action.json');
    fs.writeFileSync(file, JSON.stringify({ action: { mint: { template_id: TICKET, num: 1 } } }, null, 2));
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    await row(/^Local Sandbox/).waitFor();
    const sandbox = row(/^Sandbox\s*500 objects · \d+ requests? · clock running/);
    await sandbox.waitFor();
    await runCommand(page, 'Smart Objects: Faults…');
    await screenshot(page, 'sandbox-faults-route');
    await pickerRow(page, 'Executions').click();
    await pickerRow(page, 'connection lost after the platform has executed').waitFor();
    await screenshot(page, 'sandbox-faults-kind');
    await pickerRow(page, 'connection lost after the platform has executed').click();
    await pickerRow(page, 'Next 3 executions').click();
    await faults().getByText('1 fault').waitFor();
    await openFile(page, 'mint.action.json');
    await page.locator('.codelens-decoration a', { hasText: 'Run' }).first().click();
    await runCommand(page, 'Smart Objects: Show Runs');
    // The response is lost, but the platform has executed: the run claims neither, and names its possible action log.
    await row(/^mint\s*outcome unknown/).waitFor();
    await expand(row(/^mint\s*outcome unknown/));
    await row(/^Possible action log of this run/).waitFor();
    await screenshot(page, 'sandbox-run');
    await row(/^Sandbox\s*501 objects · \d+ requests · 1 fault · clock running/).waitFor();
    await takePictures(page, 'sandbox-faults');
    await faults().click();
    await faults().waitFor({ state: 'detached' });
    await row(/^Sandbox\s*501 objects · \d+ requests · clock running/).waitFor();
  });
});
