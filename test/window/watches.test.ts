/** Watches in the window: from a row to a notification and the changes; several at once; a reload, a sign-out, and the end. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { workbenchReady } from '../runtime/editor.ts';
import { checkAccessibility } from './support/axe.ts';
import { chooseInMenu, expand, retryUntilVisible, scrollTo, signIn, treeRow } from './support/gestures.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from './support/window.ts';
import { runCommand, showExplorer, until, webview } from './support/workbench.ts';

suite('watches in the window', () => {
  let window: TestWindow;
  let sandbox: Sandbox;
  let page: Page;

  suiteSetup(async () => {
    sandbox = await startSandbox({ settleDelay: 50, batchDelay: 50, indexDelay: 0 });
    window = await openWindow({
      settings: {
        'smartObjects.connections': [{ name: 'Rehearsal', baseUrl: sandbox.baseUrl, environment: 'development' }],
        'smartObjects.watches.refreshInterval': 5,
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
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox.close();
  });

  const ticket = (): Locator => treeRow(page, /Harbour Concert Ticket/);
  const pane = (): Locator => page.locator('.pane', { has: page.locator('.pane-header', { hasText: 'Watches' }) });
  const row = (text: string | RegExp): Locator => pane().locator('.monaco-list-row', { hasText: text }).first();
  const toast = (text: string | RegExp): Locator => page.locator('.notification-toast', { hasText: text }).first();
  /** Reads of one object by the platform so far. */
  const countReads = (): number => sandbox.recorder.counts['GET /objects/{objectId}'] ?? 0;
  let object = '';

  async function send(pathname: string, init: RequestInit = {}): Promise<unknown> {
    const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' };
    const response = await fetch(`${sandbox.baseUrl}${pathname}`, { ...init, headers });
    assert.equal(response.status, 200, await response.clone().text());
    return response.json();
  }

  /** Changes the object as another user would. */
  const change = (note: string): Promise<unknown> =>
    send('/ebus/execute', {
      method: 'POST',
      body: JSON.stringify({ action: { update: { id: object, data: { custom: { note } } } }, signature: '0x00' }),
    });

  async function watch(choice: string): Promise<void> {
    await scrollTo(ticket());
    await chooseInMenu(ticket(), 'Watch…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: choice }).click();
  }

  test('an object is watched: a change is a notification, an entry and a comparison', async () => {
    assert.equal(await pane().count(), 0, 'there is no view without a watch');
    await ticket().waitFor();
    await watch('This object');
    await row('Harbour Concert Ticket').waitFor();
    // The first request of the watch names the object.
    await until(() => countReads() > 0);
    const read = sandbox.recorder.requests.findLast(({ route }) => route === 'GET /objects/{objectId}');
    object = read?.path.split('/').at(-1) ?? '';
    await change('seen by a watch');
    // The toast, which does not stay, comes last.
    await row('Changed ').waitFor();
    await toast(/“Harbour Concert Ticket.*” has changed/).waitFor();
    await screenshot(page, 'watches-notification');
    await toast('has changed').locator('.monaco-button', { hasText: 'Show Changes' }).click();
    await page.locator('.monaco-diff-editor').waitFor();
    await page.locator('.editor.modified .view-line', { hasText: 'seen by a watch' }).waitFor();
    await screenshot(page, 'watches-changes');
    await runCommand(page, 'View: Close All Editors');
  });

  test('several changes at once are one notification; pictures', async () => {
    await watch('All objects of its owner');
    await row(/Objects · Owner/).waitFor();
    await closeToasts();
    // Both are read one after the other, the list last.
    const countListReads = (): number =>
      sandbox.recorder.requests.filter(({ route, query }) => route === 'GET /objects' && 'owner' in query).length;
    await until(() => countListReads() > 0);
    const before = countListReads();
    await until(() => countListReads() > before);
    await change('for two watches');
    await toast('2 changes in what you watch').waitFor();
    assert.equal(await page.locator('.notification-toast').count(), 1);
    await toast('2 changes').locator('.monaco-button', { hasText: 'Show Changes' }).click();
    await pane().locator('.monaco-list:focus').waitFor();
    await takePictures(page, 'watches');
    // The change of a list compares the states before and after it.
    await retryUntilVisible(
      () => pane().locator('.monaco-list-row', { hasText: 'Changed ' }).last().click(),
      page.locator('.monaco-diff-editor'),
      20_000,
    );
    await runCommand(page, 'View: Close All Editors');
  });

  async function closeToasts(): Promise<void> {
    await runCommand(page, 'Notifications: Clear All Notifications');
    await page.locator('.notification-toast').first().waitFor({ state: 'hidden' });
  }

  test('the slider of the page shows earlier states, which an action file restores', async () => {
    await scrollTo(ticket());
    await chooseInMenu(ticket(), 'Open Page');
    const view = webview(page);
    await view.getByRole('tab', { name: 'History', exact: true }).click();
    const slider = view.getByRole('slider', { name: 'State' });
    await slider.waitFor();
    const rows = view.locator('.time-machine tbody tr');
    await rows.filter({ hasText: 'for two watches' }).filter({ hasText: 'seen by a watch' }).waitFor();
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^(\d+) of \1: update/i);
    await view.locator('.between li', { hasText: /update/i }).waitFor();
    await screenshot(page, 'time-machine');
    await checkAccessibility(page, view);
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await rows.filter({ hasText: 'seen by a watch' }).waitFor();
    await view.getByLabel('Compare with').selectOption({ index: 1 });
    await view.getByLabel('Unchanged fields').check();
    await takePictures(page, 'time-machine');
    await page.setViewportSize({ width: 760, height: 1000 });
    await screenshot(page, 'time-machine-narrow');
    await page.setViewportSize({ width: 1440, height: 1000 });
    await view.getByRole('button', { name: 'New Action File That Restores This' }).click();
    await page.locator('.view-line', { hasText: '"note": "seen by a watch"' }).waitFor();
    await toast(/No (problems|errors or warnings) found on Rehearsal/).waitFor();
    await screenshot(page, 'time-machine-restore');
    await runCommand(page, 'View: Close All Editors');
    const save = page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" });
    await save.click();
    await closeToasts();
  });

  test('a list of which only the first page is watched says so', async () => {
    await scrollTo(treeRow(page, 'Objects'));
    await chooseInMenu(treeRow(page, 'Objects'), 'Watch…');
    const list = pane().locator('.monaco-list-row[aria-label*="Only the first page of the list is watched"]');
    await list.waitFor();
    assert.equal(await list.count(), 1);
    await chooseInMenu(list, 'Remove');
    await list.waitFor({ state: 'detached' });
  });

  test('a paused watch sends nothing; watches survive a reload and wait for a sign-in', async () => {
    await chooseInMenu(row(/Objects · Owner/), 'Remove');
    await chooseInMenu(row('Harbour Concert Ticket'), 'Pause');
    await row('paused').waitFor();
    const before = countReads();
    await Promise.all([page.waitForEvent('domcontentloaded'), runCommand(page, 'Developer: Reload Window')]);
    await workbenchReady(page);
    await showExplorer(page);
    await row('paused').waitFor();
    assert.equal(countReads(), before);
    await chooseInMenu(row('paused'), 'Resume');
    await until(() => countReads() > before);
    await signOut();
    await row('paused: not signed in').waitFor();
    // What was read is forgotten a moment later, which makes it another row: a menu that is open then is lost.
    await row(/\d new/).waitFor({ state: 'detached' });
    await screenshot(page, 'watches-signed-out');
    await chooseInMenu(row('not signed in'), 'Remove');
    await pane().waitFor({ state: 'detached' });
  });

  async function signOut(): Promise<void> {
    await runCommand(page, 'Smart Objects: Sign Out…');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Sign Out', exact: true }).click();
  }
});
