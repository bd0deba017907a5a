/** The page of a resource: opened by a click, its links, copies and tabs, its JSON, a reload, a run that touches it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { workbenchReady } from '../runtime/editor.ts';
import { checkAccessibility } from './support/axe.ts';
import { chooseInMenu, expand, openFile, retryUntilVisible, treeRow } from './support/gestures.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from './support/window.ts';
import { runCommand, showExplorer, until, webview } from './support/workbench.ts';

suite('page of a resource', () => {
  let window: TestWindow;
  let page: Page;
  const row = (text: string | RegExp): Locator => treeRow(page, text);
  const view = (): FrameLocator => webview(page);
  const heading = (text: string | RegExp): Locator => view().locator('h1', { hasText: text });
  const fact = (name: string): Locator => view().locator('dl.facts dt', { hasText: name }).locator('+ dd');
  const tab = (name: string): Locator => view().getByRole('tab', { name, exact: true });
  const control = (name: string): Locator => view().locator(`[data-name="${name}"]`);
  const ticket = (): Locator => row(/^(?!.*…).*Harbour Concert Ticket/);
  const editorTabs = (): Locator => page.locator('.tabs-container .tab');

  suiteSetup(async () => {
    window = await openWindow({ settings: { 'smartObjects.openResources': 'page' } });
    page = window.page;
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize({ width: 1440, height: 1000 });
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    await row('Local Sandbox').waitFor();
    await expand(row('Harbourlight Events'));
    await expand(row('Objects'));
  });
  suiteTeardown(() => window.close());

  test('a click opens the page of an object: picture, facts, face, fields, actions', async () => {
    await retryUntilVisible(() => ticket().click(), heading('Harbour Concert Ticket'), 20_000);
    const face = view().locator('.face iframe');
    await face.waitFor();
    assert.equal(await face.getAttribute('sandbox'), '');
    await view().locator('img.picture[src^="data:image/png"]').waitFor();
    await fact('Owner').locator('code', { hasText: '0x' }).waitFor();
    for (const title of ['Custom', 'Metadata', 'Details'])
      await view().locator('summary', { hasText: title }).waitFor();
    await control('action transfer').waitFor();
    await screenshot(page, 'page-dark');
  });

  test('an id is copied; a link leads to the template, and Back returns', async () => {
    await view().getByRole('button', { name: 'Copy ID', exact: true }).click();
    await until(async () => /^obj_[\da-f]+$/.test(await page.evaluate(() => navigator.clipboard.readText())));
    const name = (await view().locator('h1').textContent()) ?? '';
    await fact('Template').locator('button.link').click();
    await heading(/^Harbour Concert Ticket$/).waitFor();
    // The newest objects come before the fields.
    await view().locator('section:has(.cards li) ~ details summary', { hasText: 'Rules and supply' }).waitFor();
    await view().locator('.bars').waitFor();
    await control('action mint').waitFor();
    await screenshot(page, 'page-template');
    await control('back').click();
    await heading(name).waitFor();
    await fact('Owner').locator('button.link').click();
    await view().locator('.cards li').first().waitFor();
    await screenshot(page, 'page-account');
    await control('back').click();
    await heading(name).waitFor();
  });

  test('an id has a context menu, which filters a list by it', async () => {
    await chooseInMenu(fact('Template').locator('button.link'), 'Filter by This', () => screenshot(page, 'page-menu'));
    await treeRow(page, /Objects.*Template: Harbour Concert Ticket/).waitFor();
    await screenshot(page, 'page-filtered');
    await chooseInMenu(treeRow(page, /Objects.*Template: Harbour Concert Ticket/), 'Clear Filter');
    // The ID of the page itself has the same menu.
    const filter = page.locator('.monaco-menu .action-label', { hasText: 'Filter by This' });
    await chooseInMenu(fact('ID').locator('code'), 'Copy ID', () => filter.waitFor());
  });

  test('tabs and fields are used with the keyboard; history and logs are those of the object', async () => {
    // A face with other sources loads the page anew: keys in between are lost, the focus is not.
    await view().locator('.face iframe').waitFor();
    await tab('Overview').focus();
    await page.keyboard.press('ArrowRight');
    await view().locator('.chain > li').first().waitFor();
    assert.equal(await tab('History').getAttribute('aria-selected'), 'true');
    await until(async () => {
      const verdict = (await view().locator('.verdict').textContent()) ?? '';
      return (await view().locator('.visually-hidden[role=status]', { hasText: verdict }).count()) > 0;
    });
    await screenshot(page, 'page-history');
    await page.keyboard.press('ArrowRight');
    const rows = view().locator('.logs .line.item');
    await rows.first().locator('.objects', { hasText: 'Harbour Concert' }).waitFor();
    await screenshot(page, 'page-logs');
    await view().getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await view().locator('.toolbar', { hasText: 'action log' }).waitFor();
    await control('back').click();
    await view().locator('.toolbar', { hasText: 'object' }).waitFor();
    await tab('Overview').waitFor();
  });

  test('JSON opens beside, and everything fits a narrow page; no accessibility problems in any theme', async () => {
    await control('json').click();
    await page.locator('.view-lines').getByText('"template_id"').first().waitFor();
    await view().locator('.face iframe').waitFor();
    await screenshot(page, 'page-json');
    await page.locator('.tab', { hasText: '(object)' }).first().click({ button: 'middle' });
    await view().locator('.face iframe').waitFor();
    await checkAccessibility(page, view(), 'page');
    for (const name of ['History', 'Action Logs']) {
      await tab(name).click();
      await checkAccessibility(page, view());
    }
    await tab('Overview').click();
    await takePictures(page, 'page');
  });

  test('the next object replaces the page, unless it is kept by a double-click', async () => {
    await showExplorer(page);
    const others = page.locator('.pane-body .monaco-list-row', { hasText: 'Festival Wristband' });
    await retryUntilVisible(() => others.first().click(), heading('Festival Wristband'), 20_000);
    assert.equal(await editorTabs().count(), 1);
    await ticket().dblclick();
    await heading('Harbour Concert Ticket').waitFor();
    await control('keep').waitFor({ state: 'detached' });
    await retryUntilVisible(() => others.first().click(), editorTabs().nth(1), 20_000);
    await chooseInMenu(ticket(), 'Open to the Side');
    await page.locator('.editor-group-container').nth(1).locator('.tab', { hasText: 'Harbour Concert' }).waitFor();
    await runCommand(page, 'View: Close All Editors');
  });

  test('a reload of the window restores the page with its tab', async () => {
    await retryUntilVisible(() => ticket().click(), heading('Harbour Concert Ticket'), 20_000);
    await tab('History').click();
    await view().locator('.chain > li').first().waitFor();
    // Reload by command: it saves the open editors, which a reload by the browser may not.
    await Promise.all([page.waitForEvent('domcontentloaded'), runCommand(page, 'Developer: Reload Window')]);
    await workbenchReady(page);
    await heading(/./).waitFor();
    await until(async () => (await tab('History').getAttribute('aria-selected')) === 'true');
    await screenshot(page, 'page-restored');
    await runCommand(page, 'View: Close All Editors');
  });

  test('a run that touches an object refreshes its page', async () => {
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    await row('Local Sandbox').waitFor();
    await expand(row('Harbourlight Events'));
    await expand(row('Objects'));
    await retryUntilVisible(() => ticket().click(), heading('Harbour Concert Ticket'), 20_000);
    const id = (await fact('ID').locator('code').textContent()) ?? '';
    await control('keep').click();
    const file = path.join(window.workspace, 'touch.action.json');
    fs.writeFileSync(file, JSON.stringify({ action: { update: { id, data: { custom: { note: 'Seen by a run' } } } } }));
    await openFile(page, 'touch.action.json');
    await page.locator('.codelens-decoration a', { hasText: 'Run on Local Sandbox' }).first().click();
    await page.locator('.tab', { hasText: 'Harbour Concert Ticket' }).first().click();
    await view().locator('dl.fields dd', { hasText: 'Seen by a run' }).waitFor();
  });
});
