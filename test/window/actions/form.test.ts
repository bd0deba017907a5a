/**
 * The form of an action file in the window: from a row to a result, by keyboard, as a file, and for several rows; and a double
 * click, which runs an action once.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { checkAccessibility } from '../support/axe.ts';
import { chooseInMenu, expand, openFile, scrollTo, signIn, treeRow } from '../support/gestures.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from '../support/window.ts';
import { pickerInput, pickerRow, runCommand, showExplorer, until, webview } from '../support/workbench.ts';

const RECEIVER = '0x00000000000000000000000000000000000000a1';

suite('forms of actions in the window', () => {
  let window: TestWindow;
  let sandbox: Sandbox;
  let page: Page;
  let form: FrameLocator;

  suiteSetup(async () => {
    sandbox = await startSandbox({ settleDelay: 50, batchDelay: 50, indexDelay: 0 });
    window = await openWindow({
      settings: {
        'smartObjects.connections': [{ name: 'Rehearsal', baseUrl: sandbox.baseUrl, environment: 'development' }],
        'smartObjects.labels': { [RECEIVER]: 'Ada' },
        'smartObjects.openResources': 'page',
        // A visible Runs view takes the place of the message.
        'smartObjects.revealRuns': false,
        'editor.minimap.enabled': false,
      },
    });
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 1000 });
    await signIn(page, sandbox.apiKey);
    await showExplorer(page);
    await expand(treeRow(page, 'Rehearsal'));
    await expand(treeRow(page, 'All organizations'));
    await expand(treeRow(page, 'Objects'));
    form = webview(page);
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox.close();
  });

  const button = (name: string | RegExp): Locator => form.getByRole('button', { name, exact: true });
  const outcome = (text: string | RegExp): Locator => form.locator('.outcome', { hasText: text });
  const box = (name: string): Locator => form.getByRole('textbox', { name, exact: true });
  const focused = (name: string): Locator => box(name).and(form.locator(':focus'));
  const row = (): Locator => treeRow(page, /Harbour Concert Ticket/);
  const posts = (): number => sandbox.recorder.counts['POST /ebus/execute'] ?? 0;

  test('from a row by form to a run and its result: 3 clicks', async () => {
    const before = posts();
    await row().waitFor();
    await scrollTo(row());
    let clicks = 0;
    // The context menu, and its entry.
    clicks += 2;
    await chooseInMenu(row(), 'Transfer…');
    await focused('Owner').waitFor();
    await form.locator('#reason', { hasText: 'to is empty. Enter the new owner.' }).waitFor();
    assert.equal(await button('Run').getAttribute('aria-disabled'), 'true');
    await page.keyboard.type(RECEIVER);
    await form.locator('.hint', { hasText: 'Ada' }).waitFor();
    await form.locator('.preview', { hasText: `"to": "${RECEIVER}"` }).waitFor();
    await form.locator('.preview', { hasText: /Fee: .*Permission: /s }).waitFor();
    await screenshot(page, 'form-filled');
    clicks += 1;
    await button('Run').and(form.locator('[aria-disabled=false]')).click();
    await outcome(/: completed\./).waitFor();
    await button('Show Changes').waitFor();
    assert.deepEqual([clicks, posts() - before], [3, 1]);
  });

  test('pictures and accessibility', async () => {
    await checkAccessibility(page, form, 'form');
    await takePictures(page, 'form');
    await page.setViewportSize({ width: 760, height: 1000 });
    await screenshot(page, 'form-narrow');
    await page.setViewportSize({ width: 1440, height: 1000 });
  });

  test('save as a file: comments and unknown keys stay, undo is that of the file', async () => {
    await runCommand(page, 'View: Close All Editors');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" }).click();
    const text =
      '{\n  // kept\n  "note": 7,\n  "action": { "update": { "id": "obj_1", "memo": "m", "data": { "custom": { "seat": "A1" } } } }\n}\n';
    const file = path.join(window.workspace, 'kept.action.json');
    fs.writeFileSync(file, text);
    await openFile(page, 'kept.action.json');
    await runCommand(page, 'View: Reopen Editor With...');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Action Form' }).first().click();
    await box('Object').fill('obj_2');
    await form.locator('.preview', { hasText: '"obj_2"' }).waitFor();
    await page.keyboard.press('Control+z');
    await until(async () => (await box('Object').inputValue()) === 'obj_1');
    // A text that begins as a date does is typed to its end.
    await box('memo').fill('2026-01-01');
    await form.locator('.preview', { hasText: '"2026-01-01"' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.type(' Concert');
    await form.locator('.preview', { hasText: '"2026-01-01 Concert"' }).waitFor();
    // A field of its own, with a type.
    await button('Add Field…').first().click();
    await until(() => pickerInput(page).isVisible());
    await pickerInput(page).fill('pages');
    await page.keyboard.press('Enter');
    await pickerRow(page, 'Number').click();
    await focused('pages').waitFor();
    await form.locator('.preview', { hasText: '"pages": 0' }).waitFor();
    await page.keyboard.type('12');
    await form.locator('.preview', { hasText: '"pages": 12' }).waitFor();
    await page.keyboard.press('Control+z');
    await form.locator('.preview', { hasText: '"pages": 0' }).waitFor();
    await page.keyboard.press('Control+z');
    await box('pages').waitFor({ state: 'detached' });
    await box('memo').fill('changed');
    await form.locator('.preview', { hasText: '"changed"' }).waitFor();
    await page.keyboard.press('Control+s');
    await until(() => fs.readFileSync(file, 'utf8') === text.replace('"m"', '"changed"'));
    await button('Save as Action File…').click();
    await until(async () => (await pickerInput(page).inputValue()).endsWith('kept.action.json'));
    await pickerInput(page).fill(path.join(window.workspace, 'copy.action.json'));
    await page.keyboard.press('Enter');
    await until(() => fs.existsSync(path.join(window.workspace, 'copy.action.json')));
    await page.locator('.tab.active', { hasText: 'copy.action.json' }).waitFor();
    await until(async () => (await box('memo').inputValue()) === 'changed');
    assert.equal(await page.locator('.tab', { hasText: 'copy.action.json' }).count(), 1);
    await runCommand(page, 'View: Close All Editors');
  });

  test('the line breaks of a text stay when it is changed', async () => {
    const text = '{ "action": { "update": { "id": "obj_1", "memo": "one\\ntwo" } } }\n';
    const file = path.join(window.workspace, 'lines.action.json');
    fs.writeFileSync(file, text);
    await openFile(page, 'lines.action.json');
    await runCommand(page, 'View: Reopen Editor With...');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Action Form' }).first().click();
    await box('memo').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('!');
    await form.locator('.preview', { hasText: String.raw`"one\ntwo!"` }).waitFor();
    // Without its line break it is still typed in the same control.
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.press('Delete');
    await form.locator('.preview', { hasText: '"onetwo!"' }).waitFor();
    await page.keyboard.type(' and ');
    await form.locator('.preview', { hasText: '"one and two!"' }).waitFor();
    await page.keyboard.press('Control+s');
    await until(() => fs.readFileSync(file, 'utf8') === text.replace('one\\ntwo', 'one and two!'));
    await runCommand(page, 'View: Close All Editors');
  });

  test('code lens clicks 0 and 300 ms apart run an action once; a repeat is sent only on Run Anyway', async () => {
    const toast = (text: string | RegExp): Locator => page.locator('.notification-toast', { hasText: text }).first();
    const action = { mint: { template_id: sandbox.world.templates.source.idAt(0), num: 1 } };
    for (const gap of [0, 300]) {
      const name = `double-${String(gap)}`;
      fs.writeFileSync(path.join(window.workspace, `${name}.action.json`), JSON.stringify({ action }, null, 2));
      await openFile(page, `${name}.action.json`);
      const lens = page.locator('.codelens-decoration a', { hasText: 'Run on' }).first();
      const before = posts();
      // Waits until the lens stays in its place: lenses are drawn again when their texts arrive.
      await lens.hover();
      for (const clickCount of [1, 2]) {
        await page.mouse.down({ clickCount });
        await page.mouse.up({ clickCount });
        // A fixed wait: the time between the clicks is what is tested.
        if (clickCount === 1) await page.waitForTimeout(gap);
      }
      const refused = toast(new RegExp(`${name} (?:was just run|is already being sent).*so it was not run again`));
      await refused.waitFor();
      await toast(`${name}: completed`).waitFor();
      assert.equal(posts(), before + 1, `${String(gap)} ms`);
      if (gap === 300) {
        await screenshot(page, 'actions-double-click');
        await refused.getByRole('button', { name: 'Run Anyway' }).click();
        await refused.waitFor({ state: 'detached' });
        await toast(`${name}: completed`).waitFor();
        await until(() => posts() >= before + 2);
        assert.equal(posts(), before + 2);
      }
      await runCommand(page, 'Notifications: Clear All Notifications');
    }
    await runCommand(page, 'View: Close All Editors');
  });

  test('by keyboard: a new action, the errors, a receiver, and its run', async () => {
    const before = posts();
    await runCommand(page, 'Smart Objects: New Action…');
    await pickerInput(page).fill('transfer');
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Harbour' }).first().waitFor();
    await pickerInput(page).fill('Harbour Concert Ticket');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await focused('Owner').waitFor();
    await page.keyboard.press('Control+Enter');
    await form.locator('.errors:focus', { hasText: 'Owner: to is empty. Enter the new owner.' }).waitFor();
    await screenshot(page, 'form-errors');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await focused('Owner').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await pickerRow(page, 'Ada').waitFor();
    await pickerInput(page).fill('Ada');
    await page.keyboard.press('Enter');
    await focused('Owner').waitFor();
    await until(async () => (await box('Owner').inputValue()) === RECEIVER);
    await form.locator('#reason:empty').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+Enter');
    await outcome(/: completed\./).waitFor();
    assert.equal(posts(), before + 1);
  });

  test('several rows: one form, whose Run opens the batch, which refreshes pages', async () => {
    await runCommand(page, 'View: Close All Editors');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" }).click();
    const first = treeRow(page, /Harbour Concert Ticket/);
    await first.click();
    await form.getByRole('heading', { name: /Harbour Concert Ticket/ }).waitFor();
    // By mouse: what the click opens may take the keyboard focus at any time.
    const tickets = page.locator('.pane-body .monaco-list-row', { hasText: 'Harbour Concert Ticket' });
    for (const at of [1, 2]) await tickets.nth(at).click({ modifiers: ['Control'] });
    await page.locator('.pane-body .monaco-list-row.selected').nth(2).waitFor();
    await chooseInMenu(first, 'Update…');
    await button('Run for 3 objects…').waitFor();
    await screenshot(page, 'form-selection');
    await form.getByRole('textbox', { name: 'description', exact: true }).fill('checked');
    await form.locator('.preview', { hasText: /"id": "obj_.*"checked"/s }).waitFor();
    await button('Run for 3 objects…').and(form.locator('[aria-disabled=false]')).click();
    await form.getByRole('button', { name: 'Run 3 Rows…' }).click();
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Run', exact: true }).click();
    await form.locator('.progress', { hasText: 'Ended. 3 completed' }).waitFor();
    await page.locator('.tab', { hasText: 'Harbour Concert Ticket' }).first().click();
    await form.getByRole('heading', { name: /Harbour Concert Ticket/ }).waitFor();
    await form.getByText('checked', { exact: true }).first().waitFor();
    await screenshot(page, 'page-after-batch');
  });
});
