/** What a run leaves behind in the window, how ids get into action files, and the outcome of a run with a simulated failure. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { workbenchReady } from '../../runtime/editor.ts';
import { pickerRow, runCommand, showExplorer, until } from '../support/workbench.ts';
import { dropInto, expand, openFile, scrollTo, selectConnection, treeRow } from '../support/gestures.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from '../support/window.ts';

suite('what a run leaves behind', () => {
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    window = await openWindow({
      settings: {
        'smartObjects.connections': [{ name: 'Live', baseUrl: 'https://live.example', environment: 'production' }],
        'editor.minimap.enabled': false,
      },
    });
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 900 });
    await showExplorer(page);
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    await row('Harbourlight Events').waitFor();
    await selectConnection(page, 'Local Sandbox');
  });
  suiteTeardown(() => window.close());

  const row = (text: string | RegExp): Locator => treeRow(page, text);
  const lens = (text: string | RegExp): Locator => page.locator('.codelens-decoration a', { hasText: text }).first();
  const toast = (text: string | RegExp): Locator => page.locator('.notification-toast', { hasText: text }).first();
  const editor = (): Locator => page.locator('.editor-group-container.active .view-lines').first();
  const runsView = (): Locator => page.locator('.panel .pane-body .monaco-list[aria-label*="Runs"]').first();

  test('the first run opens Runs, which tells the outcome alone, and keeps the focus', async () => {
    await openFile(page, 'mint.action.json');
    await lens('Run on Local Sandbox').waitFor();
    assert.equal(await runsView().isVisible(), false);
    // The action stays as it is while that is looked at.
    await runCommand(page, 'Smart Objects: Pause Clock');
    await row(/clock paused/).waitFor();
    await editor().click();
    await lens('Run on Local Sandbox').click();
    await toast(/Local Sandbox.*mint: /).waitFor();
    await lens('running on Local Sandbox').waitFor();
    await screenshot(page, 'traces-running');
    await runsView().getByText('mint', { exact: true }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.closest('.panel')), null);
    await runCommand(page, 'Smart Objects: Resume Clock');
    await lens(/completed .* on Local Sandbox/).waitFor();
    await row(/^Batch\s*completed/).waitFor();
    await takePictures(page, 'traces-completed');
    assert.equal(await toast('mint: completed').count(), 0);
    await lens('Show Changes').click();
    // The page of the new object.
    await page.locator('.tab.active', { hasText: /Harbour Concert Ticket · Row A Seat 1 #\d+$/ }).waitFor();
    await screenshot(page, 'traces-changes');
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  test('the lens names production, and the last run is there after a reload', async () => {
    await selectConnection(page, 'Live');
    await openFile(page, 'mint.action.json');
    await lens('Run on Live (PRODUCTION)').waitFor();
    await lens(/completed .* on Local Sandbox/).waitFor();
    await takePictures(page, 'traces-production');
    // Reload by command: it stores the state of the window, which a reload by the browser may not.
    await Promise.all([page.waitForEvent('domcontentloaded'), runCommand(page, 'Developer: Reload Window')]);
    await workbenchReady(page);
    await openFile(page, 'mint.action.json');
    await lens(/completed .* on Local Sandbox/).waitFor();
    await runCommand(page, 'View: Close All Editors');
  });

  test('after a reload the sandbox runs again, with what was made in it', async () => {
    await showExplorer(page);
    await expand(row('Local Sandbox'));
    await expand(row('Harbourlight Events'));
    await expand(row('Objects'));
    const newest = page.locator('.pane-body .monaco-list-row[aria-level="4"]').first();
    await until(async () => /^Row A Seat 1 #\d+/.test((await newest.getAttribute('aria-label')) ?? ''));
    await screenshot(page, 'traces-sandbox-again');
  });

  test('a row that is dropped on a placeholder replaces it', async () => {
    await showExplorer(page);
    const file = path.join(window.workspace, 'dropped.action.json');
    fs.writeFileSync(file, JSON.stringify({ action: { burn: { id: 'REPLACE_WITH_OBJECT_ID' } } }, null, 2));
    await expand(row('Harbourlight Events'));
    await expand(row('Objects'));
    const object = page.locator('.pane-body .monaco-list-row[aria-level="4"]').first();
    await object.waitFor();
    await openFile(page, 'dropped.action.json');
    await dropInto(object, editor().getByText('REPLACE_WITH_OBJECT_ID').first());
    await editor()
      .getByText(/^"obj_[0-9a-f]{24}"$/)
      .first()
      .waitFor();
    await screenshot(page, 'traces-dropped');
    await runCommand(page, 'File: Save');
  });

  test('a new action file offers ids for its first value', async () => {
    await selectConnection(page, 'Local Sandbox');
    await runCommand(page, 'Smart Objects: New Action File…');
    await pickerRow(page, 'mint').click();
    await pickerRow(page, 'None. Enter the ID in the file').click();
    const suggestion = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'Wool Jacket Passport' });
    await suggestion.first().waitFor();
    await screenshot(page, 'traces-new-file');
    await suggestion.first().click();
    await editor()
      .getByText(/^"tpl_[0-9a-f]{24}"$/)
      .first()
      .waitFor();
  });

  test('Faults… → run → the outcome is what happened; the status bar clears what is left', async () => {
    const faults = page.locator('.statusbar-item', { hasText: /\d faults?/ });
    const sandbox = row(/^Sandbox\s*\d+ objects · \d+ requests · clock running/);
    await scrollTo(sandbox);
    const objects = Number(/(\d+) objects/.exec((await sandbox.textContent()) ?? '')?.[1]);
    await runCommand(page, 'Smart Objects: Faults…');
    await screenshot(page, 'sandbox-faults-route');
    await pickerRow(page, 'Executions').click();
    await pickerRow(page, 'connection lost after the platform has executed').waitFor();
    await screenshot(page, 'sandbox-faults-kind');
    await pickerRow(page, 'connection lost after the platform has executed').click();
    await pickerRow(page, 'Next 3 executions').click();
    await faults.getByText('1 fault').waitFor();
    await openFile(page, 'mint.action.json');
    await lens('Run on Local Sandbox').click();
    await runCommand(page, 'Smart Objects: Show Runs');
    // The response is lost, but the platform has executed: the run claims neither, and names its possible action log.
    await row(/^mint\s*outcome unknown/).waitFor();
    await expand(row(/^mint\s*outcome unknown/));
    await row(/^Possible action log of this run/).waitFor();
    await screenshot(page, 'sandbox-run');
    const after = `^Sandbox\\s*${String(objects + 1)} objects · \\d+ requests · `;
    await row(new RegExp(`${after}1 fault · clock running`)).waitFor();
    await takePictures(page, 'sandbox-faults');
    await faults.click();
    await faults.waitFor({ state: 'detached' });
    await row(new RegExp(`${after}clock running`)).waitFor();
  });
});
