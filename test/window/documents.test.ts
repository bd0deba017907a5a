/** Documents in the window: the JSON, its links, cards and hidden values, in each kind of theme. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { runCommand, showExplorer } from './support/workbench.ts';
import { collapse, expand, openFile, treeRow, retryUntilVisible } from './support/gestures.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from './support/window.ts';

suite('documents in the window', () => {
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    // A connection and its known ids, stored by an earlier window.
    const baseUrl = 'https://shop.example';
    window = await openWindow({ settings: { 'smartObjects.connections': [{ name: 'Shop', baseUrl }] } });
    page = window.page;
    const storage = path.join(window.server.dataDir, 'User/globalStorage/smart-objects.smart-object-explorer');
    fs.mkdirSync(storage, { recursive: true });
    const ids = [['obj_of_yesterday', 'objects', 'Deck chair', null, null, null]];
    const known = { version: 1, connections: { Shop: { baseUrl, ids } } };
    fs.writeFileSync(path.join(storage, 'known-ids.json'), JSON.stringify(known));
    await showExplorer(page);
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    await row('Local Sandbox').waitFor();
    await collapse(row('Shop'));
  });
  suiteTeardown(() => window.close());

  const row = (label: string): Locator => treeRow(page, label);

  /** The first row below a list, by the level of the tree. */
  async function openFirst(list: string): Promise<void> {
    await expand(row(list));
    const level = Number(await row(list).getAttribute('aria-level'));
    const item = page.locator(`.pane-body .monaco-list-row[aria-level="${String(level + 1)}"]`).first();
    await item.locator('.label-name').click();
  }

  /** Waits until the hover has faded in, for the screenshot. */
  async function shown(element: Locator): Promise<void> {
    await element.evaluate((node) =>
      Promise.all(node.getAnimations({ subtree: true }).map(({ finished }) => finished)),
    );
  }

  /** Creates a file in the workspace and opens it. */
  async function open(name: string, text: string): Promise<void> {
    fs.writeFileSync(path.join(window.workspace, name), text);
    await openFile(page, name);
  }

  /** Moves the pointer again while no hover appears: a busy editor ignores it. */
  async function hover(what: Locator, card: Locator): Promise<void> {
    const come = async (): Promise<void> => {
      await page.locator('.statusbar').hover();
      await what.hover();
    };
    await retryUntilVisible(come, card, 4000);
    await shown(card);
  }

  const lens = (text: string): Locator => page.locator('.codelens-decoration', { hasText: text }).first();
  const code = (text: string): Locator => page.locator('.editor-instance .view-line span', { hasText: text }).last();

  test('an id known from an earlier window: hover and link appear without an edit, and a setting turns both off', async () => {
    await open('shop.ts', "const chair = 'obj_of_yesterday';\n");
    const id = code('obj_of_yesterday');
    await id.waitFor();
    const link = page.locator('.editor-instance .detected-link', { hasText: 'obj_of_yesterday' });
    assert.equal(await link.count(), 0, 'the index was read before anybody asked');
    await hover(id, page.locator('.monaco-hover:visible', { hasText: 'Deck chair' }));
    await link.waitFor();
    await page.keyboard.press('Escape');
    const settings = path.join(window.workspace, '.vscode/settings.json');
    fs.writeFileSync(settings, '{ "smartObjects.linkIds": false }');
    await link.waitFor({ state: 'detached' });
    fs.writeFileSync(settings, '{}');
    await link.waitFor();
  });

  test('a click opens the JSON with its state, and an id has a card', async () => {
    await expand(row('Local Sandbox'));
    await expand(row('All organizations'));
    await openFirst('Objects');
    await lens('Updated ').waitFor();
    await lens('Compare With').waitFor();
    await page.keyboard.press('Control+b');
    const id = code('tpl_');
    const card = page.locator('.monaco-hover:visible', { hasText: 'Copy ID' });
    await hover(id, card);
    await card.getByText('Preview Face').waitFor();
    await takePictures(page, 'documents-card', () => hover(code('tpl_'), card));
    await page.keyboard.press('Control+b');
  });

  test('an id in the user’s own code has its card, with the picture below', async () => {
    // The editor renders visible lines only.
    await collapse(row('All organizations'));
    await expand(row('Assets'));
    const asset = page.locator('.pane-body .monaco-list-row', { hasText: '.png' }).first();
    const tab = page.locator('.tab.active', { hasText: '.png (asset)' });
    await retryUntilVisible(() => asset.locator('.label-name').click(), tab);
    const line = page.locator('.editor-instance .view-line', { hasText: /"id":.*ast_/ });
    const [id = ''] = /ast_\w+/.exec(await line.first().innerText()) ?? [];
    await open('live.ts', `/** The picture of the ticket. */\nexport const ASSET_ID = '${id}';\n`);
    const card = page.locator('.monaco-hover:visible', { hasText: 'Copy ID' });
    await takePictures(page, 'documents-code', async () => {
      await hover(code(id), card);
      await page.locator('.monaco-hover:visible img[src^="data:image/png"]').waitFor();
    });
    await page.keyboard.press('Escape');
    await collapse(row('Assets'));
  });

  test('a secret is hidden, with a note', async () => {
    await openFirst('API Keys');
    await code('••••').waitFor();
    await screenshot(page, 'documents-hidden');
    const text = await page.locator('.editor-instance .view-lines').last().innerText();
    assert.ok(!text.includes('sok_'));
  });

  test('a stale document shows a notice', async () => {
    await runCommand(page, 'Smart Objects: Stop Local Sandbox');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Stop' }).click();
    await lens('last updated').waitFor();
    await screenshot(page, 'documents-old');
  });
});
