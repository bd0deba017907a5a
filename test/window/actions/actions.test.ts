/** Actions in the window: new file, completion, finding, fix, run and result; production confirmed by name. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openWorkbench, workbenchReady } from '../../runtime/editor.ts';
import { pickerInput, pickerRow, runCommand } from '../support/workbench.ts';
import {
  chooseInMenu,
  expand,
  openFile,
  retryUntilVisible,
  selectConnection,
  signIn,
  treeRow,
} from '../support/gestures.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from '../support/window.ts';

/** The row of the object that a run created. */
const CREATED = /^Wool Jacket Passport.*obj_/;

suite('actions in the window', () => {
  let window: TestWindow;
  let sandbox: Sandbox;
  let page: Page;

  suiteSetup(async () => {
    sandbox = await startSandbox({ settleDelay: 300, batchDelay: 300 });
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
    for (const name of ['Rehearsal', 'Live']) await signIn(page, sandbox.apiKey, name);
    await selectConnection(page, 'Rehearsal');
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox.close();
  });

  const row = (text: string | RegExp): Locator => treeRow(page, text);
  const editor = (): Locator => page.locator('.editor-group-container.active .view-lines').first();
  const box = (): Locator => page.locator('.quick-input-widget:visible');

  const run = (): Promise<void> => page.locator('.codelens-decoration a', { hasText: 'Run' }).first().click();

  const write = (name: string, value: unknown): void => {
    const file = path.join(window.workspace, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  };

  const open = (file: string): Promise<void> => openFile(page, file);

  const posts = (): number => sandbox.recorder.counts['POST /ebus/execute'] ?? 0;

  // Slow: a user's whole way from an empty file to a result.
  test('new file, completion, finding, fix, run, result', async () => {
    await runCommand(page, 'Smart Objects: New Action File…');
    await pickerRow(page, 'mint').click();
    await pickerRow(page, 'Wool Jacket Passport').click();
    await editor().getByText('"template_id"').first().waitFor();
    // Completes an id by the name of its resource.
    const id = editor().locator('.view-line', { hasText: '"template_id"' });
    await id.getByText('tpl_').first().dblclick();
    await page.keyboard.press('Control+Space');
    const suggestion = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'Harbour Concert Ticket' });
    await page.keyboard.type('Harbour');
    await suggestion.first().waitFor();
    await screenshot(page, 'actions-completion');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    // A mistake is reported while typing; the quick fix corrects it.
    await editor().locator('.view-line', { hasText: '"num"' }).getByText('1').first().dblclick();
    await page.keyboard.type('0');
    const squiggle = page.locator('.squiggly-warning').first();
    await squiggle.waitFor();
    await page.keyboard.press('Control+.');
    const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'Change to 1' });
    await fix.waitFor();
    await screenshot(page, 'actions-fix');
    await fix.click();
    await squiggle.waitFor({ state: 'detached' });
    const before = posts();
    const dialog = page.locator('.monaco-dialog-box');
    await run();
    await dialog.getByText('Development · Rehearsal: Creates objects from a template').waitFor();
    await dialog.getByText(/^Action: mint\s*Template: tpl_\w+ “Wool Jacket Passport”\s*Number: 1\s*Fee: /).waitFor();
    await screenshot(page, 'actions-dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(posts(), before);
    await run();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await runCommand(page, 'Smart Objects: Show Runs');
    await row(/^action-\d\s*completed · Development · Rehearsal/).waitFor();
    await expand(row(/^action-\d\s*completed · Development · Rehearsal/));
    assert.equal(posts(), before + 1);
    for (const part of [/^Action log\s*completed/, /^Batch\s*completed/, CREATED]) await row(part).waitFor();
    await takePictures(page, 'actions-run');
  });

  test('production is sent once its name is typed correctly', async () => {
    await selectConnection(page, 'Live');
    const before = posts();
    await run();
    await box().getByText('PRODUCTION · Live: Creates objects from a template').first().waitFor();
    await box()
      .getByText(/Action: mint ‖ Template: tpl_\w+ “Wool Jacket Passport” ‖ Number: 1 ‖ Fee: /)
      .first()
      .waitFor();
    await pickerInput(page).fill('live');
    await page.keyboard.press('Enter');
    await box().getByText('Type Live exactly as shown.').first().waitFor();
    await screenshot(page, 'actions-production');
    assert.equal(posts(), before);
    await page.keyboard.press('Escape');
    await box().waitFor({ state: 'hidden' });
    assert.equal(posts(), before);
    await run();
    await pickerInput(page).fill('Live');
    await page.keyboard.press('Enter');
    await row(/^action-\d\s*PRODUCTION · Live · completed/).waitFor();
    assert.equal(posts(), before + 1);
  });

  // Slow: takes pictures in three themes.
  test('variables are confirmed before sending; an update shows its changes', async () => {
    await selectConnection(page, 'Rehearsal');
    const createdRow = (await row(CREATED).textContent()) ?? '';
    const id = /obj_[0-9a-f]+/.exec(createdRow)?.[0] ?? assert.fail(createdRow);
    write('batch/note.txt', 'Second owner, repaired once');
    write('batch/change.action.json', {
      action: { update: { id, data: { custom: { note: '${file:note.txt}', size: '${input:size}' } } } },
    });
    await open('change.action.json');
    await run();
    await pickerInput(page).fill('L');
    await page.keyboard.press('Enter');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog
      .getByText('batch/change.action.json sends: the content of the file batch/note.txt, the input size (L)')
      .waitFor();
    await screenshot(page, 'actions-discloses');
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await row(/^change\s*completed · Development · Rehearsal/).waitFor();
    await row(new RegExp(`0x.* → 0x.*${id}`)).click();
    await page.locator('.monaco-diff-editor').first().waitFor();
    await page.locator('.monaco-diff-editor').getByText('Second owner, repaired once').first().waitFor();
    await takePictures(page, 'actions-diff');
  });

  test('a folder on production is listed in order, and confirmed once', async () => {
    await selectConnection(page, 'Live');
    write('batch/again.action.json', { action: { burn: { id: 'REPLACE_WITH_ID' } } });
    const before = posts();
    await page.keyboard.press('Control+Shift+e');
    const entry = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'batch' }).first();
    await chooseInMenu(entry, 'Run Action File');
    await box().getByText('PRODUCTION · Live: Runs 2 actions in order').first().waitFor();
    await screenshot(page, 'actions-production-list');
    await page.keyboard.press('Escape');
    await box().waitFor({ state: 'hidden' });
    assert.equal(posts(), before);
  });

  // Slow: reloads the window.
  test('a failed expectation shows the difference; runs are listed after a reload of the window', async () => {
    await selectConnection(page, 'Rehearsal');
    const text = fs.readFileSync(path.join(window.workspace, 'mint.action.json'), 'utf8');
    write('tests/wrong.action.json', text);
    write('tests/wrong.expect.json', { objects: { '*': { custom: { row: 'B', seat: 1 } } } });
    await open('wrong.action.json');
    await runCommand(page, 'Test: Run All Tests');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Run', exact: true }).click();
    const message = page.locator('.test-error-content-widget').first();
    await message.click();
    const peek = page.locator('.test-output-peek');
    await peek.locator('.monaco-diff-editor').getByText('"B"').first().waitFor();
    await screenshot(page, 'actions-test-failed');
    await page.reload();
    await workbenchReady(page);
    await runCommand(page, 'Smart Objects: Show Runs');
    await row(/^wrong\s*completed · Development · Rehearsal/).waitFor();
    await screenshot(page, 'actions-runs-restarted');
  });

  // Slow: opens a window without a folder.
  test('without a folder a new action file can be checked, and is saved with a dialog', async () => {
    const empty = await openWorkbench(window.context, window.server);
    try {
      await runCommand(empty, 'Smart Objects: New Action File…');
      await pickerRow(empty, 'mint').click();
      await pickerRow(empty, 'None. Enter the ID in the file').click();
      await empty.locator('.codelens-decoration a', { hasText: 'Check' }).first().waitFor();
      const place = empty.locator('.quick-input-widget:visible .quick-input-title', { hasText: 'Save As' });
      await retryUntilVisible(() => empty.keyboard.press('Control+s'), place);
    } finally {
      await empty.close();
    }
  });
});
