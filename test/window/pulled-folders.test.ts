/** A pulled folder in the window: what changed on the platform and locally, in Source Control, the Explorer and a diff. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { hashText, MANIFEST_FILE } from '../../src/model/pulled/pulled-folder.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { chooseInMenu, expand, signIn, treeRow } from './support/gestures.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from './support/window.ts';
import { pickerInput, runCommand, showExplorer, until } from './support/workbench.ts';

suite('a pulled folder in the window', () => {
  let window: TestWindow;
  let sandbox: Sandbox;
  let page: Page;

  suiteSetup(async () => {
    sandbox = await startSandbox({ objects: 30 });
    const [organization] = sandbox.organizations;
    const organizations = [{ id: organization?.id, label: 'Meridian Goods' }];
    window = await openWindow({
      settings: {
        'smartObjects.connections': [
          { name: 'Rehearsal', baseUrl: sandbox.baseUrl, environment: 'development', organizations },
        ],
        'editor.minimap.enabled': false,
      },
    });
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(page, sandbox.apiKey);
    await showExplorer(page);
    await expand(treeRow(page, 'Rehearsal'));
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox.close();
  });

  const toast = (text: string | RegExp): Locator => page.locator('.notification-toast', { hasText: text }).first();
  const change = (name: string): Locator => page.locator('.scm-view .monaco-list-row', { hasText: name }).first();

  test('one change on the platform and one in a file: each has its group, badge and diff', async () => {
    await chooseInMenu(treeRow(page, 'Meridian Goods'), 'Pull Templates and Faces…');
    await pickerInput(page).waitFor();
    assert.equal(await pickerInput(page).inputValue(), 'platform/Meridian Goods');
    await pickerInput(page).fill('platform');
    await page.keyboard.press('Enter');
    await toast('The files are as on the platform').waitFor();

    const root = path.join(window.workspace, 'platform');
    const faces = fs.readdirSync(path.join(root, 'faces')).filter((name) => name.endsWith('.html'));
    const [theirs = assert.fail(), mine = assert.fail()] = faces;
    const requests = sandbox.recorder.requests.length;
    const file = path.join(root, 'faces', theirs);
    const text = fs.readFileSync(file, 'utf8');
    // As if the file had been pulled before the platform changed.
    const before = `<!-- before -->\n${text}`;
    const manifest = fs.readFileSync(path.join(root, MANIFEST_FILE), 'utf8');
    fs.writeFileSync(file, before);
    fs.writeFileSync(path.join(root, MANIFEST_FILE), manifest.replace(hashText(text), hashText(before)));
    fs.appendFileSync(path.join(root, 'faces', mine), '<!-- mine -->\n');

    await runCommand(page, 'Notifications: Clear All Notifications');
    await page.locator('.activitybar .badge[aria-label*="2 pending changes"]').waitFor();
    assert.equal(sandbox.recorder.requests.length, requests, 'nothing is requested in the background');
    await chooseInMenu(treeRow(page, 'Meridian Goods'), 'Check for Changes');
    await toast('2 files differ').locator('.monaco-button', { hasText: 'Show Changes' }).click();
    await change('Changed on Platform').waitFor();
    await change('Changed Locally').waitFor();
    await change(theirs).waitFor();
    await change(mine).waitFor();
    await until(async () => (await page.locator('.scm-view .resource').count()) === 2);
    await change(theirs).click();
    await page.locator('.tab.active', { hasText: 'platform ↔ file' }).waitFor();
    await page.locator('.editor-instance .view-line', { hasText: 'before' }).first().waitFor();
    await screenshot(page, 'pulled-folder-source-control-dark');
    await runCommand(page, 'View: Show Explorer');
    for (const name of ['platform', 'faces'])
      await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first().waitFor();
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: mine }).first().waitFor();
    await takePictures(page, 'pulled-folder-explorer');
  });
});
