/** Documents as a person sees them: from the tree to the JSON, its links, cards and hidden values, in every kind of theme. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { pickerInput, runCommand, setTheme, showExplorer } from '../runtime/editor.ts';
import { openWindow, screenshot, type TestWindow } from '../runtime/window.ts';

suite('documents in the window', function () {
  this.timeout(120_000);
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    // A connection of an earlier day, and what was met then.
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
    await row('Local Sandbox').waitFor({ timeout: 20_000 });
    await row('Shop').locator('.monaco-tl-twistie').click();
  });
  suiteTeardown(() => window.close());

  function row(label: string): Locator {
    return page.locator('.pane-body .monaco-list-row', { hasText: label }).first();
  }

  async function expand(label: string): Promise<void> {
    await row(label).waitFor();
    if ((await row(label).getAttribute('aria-expanded')) !== 'true')
      await row(label).locator('.monaco-tl-twistie').click();
  }

  /** The first row below a list, by the level of the tree. */
  async function openFirst(list: string): Promise<void> {
    await expand(list);
    const level = Number(await row(list).getAttribute('aria-level'));
    const item = page.locator(`.pane-body .monaco-list-row[aria-level="${String(level + 1)}"]`).first();
    await item.locator('.label-name').click();
  }

  /** Faded in, so that the picture shows what a person sees. */
  async function shown(element: Locator): Promise<void> {
    await element.evaluate((node) =>
      Promise.all(node.getAnimations({ subtree: true }).map(({ finished }) => finished)),
    );
  }

  /** Opens a file of the workspace, made here. */
  async function openFile(name: string, text: string): Promise<void> {
    fs.writeFileSync(path.join(window.workspace, name), text);
    await page.keyboard.press('Control+p');
    await pickerInput(page).fill(name);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
    await page.locator('.tab.active', { hasText: name }).waitFor();
  }

  /** The pointer comes again where the editor was busy when it came. */
  async function hover(what: Locator, card: Locator): Promise<void> {
    const visible = (): Promise<boolean> =>
      card.waitFor({ timeout: 4000 }).then(
        () => true,
        () => false,
      );
    for (let again = true; again; again = !(await visible())) {
      await page.locator('.statusbar').hover();
      await what.hover();
    }
    await shown(card);
  }

  const lens = (text: string): Locator => page.locator('.codelens-decoration', { hasText: text }).first();
  const code = (text: string): Locator => page.locator('.editor-instance .view-line span', { hasText: text }).last();

  test('an id of an earlier day: the first hover knows it, its link comes without an edit, and one setting ends both', async () => {
    await openFile('shop.ts', "const chair = 'obj_of_yesterday';\n");
    const id = code('obj_of_yesterday');
    await id.waitFor();
    const link = page.locator('.editor-instance .detected-link', { hasText: 'obj_of_yesterday' });
    assert.equal(await link.count(), 0, 'the index was read before anybody asked');
    await hover(id, page.locator('.monaco-hover:visible', { hasText: 'Deck chair' }));
    await link.waitFor();
    await page.keyboard.press('Escape');
    const settings = path.join(window.workspace, '.vscode/settings.json');
    fs.mkdirSync(path.dirname(settings), { recursive: true });
    fs.writeFileSync(settings, '{ "smartObjects.linkIds": false }');
    await link.waitFor({ state: 'detached' });
    fs.rmSync(settings);
    await link.waitFor();
  });

  test('a click opens the JSON with its state, and an id has a card', async () => {
    await expand('Local Sandbox');
    await expand('All organizations');
    await openFirst('Objects');
    await lens('Read at').waitFor();
    await lens('Compare With').waitFor();
    await page.keyboard.press('Control+b');
    const id = code('tpl_');
    const card = page.locator('.monaco-hover:visible', { hasText: 'Copy ID' });
    await hover(id, card);
    await card.getByText('Preview Face').waitFor();
    await screenshot(page, 'documents-card-dark');
    for (const theme of ['light', 'highContrastDark'] as const) {
      await setTheme(page, theme);
      await hover(code('tpl_'), card);
      await screenshot(page, `documents-card-${theme}`);
    }
    await setTheme(page, 'dark');
    await page.keyboard.press('Control+b');
  });

  test('an id in the person’s own code has its card, with the picture below', async () => {
    // Rows below the edge of the view do not exist.
    await row('All organizations').locator('.monaco-tl-twistie').click();
    await expand('Assets');
    const asset = page.locator('.pane-body .monaco-list-row', { hasText: '.png' }).first();
    const tab = page.locator('.tab.active', { hasText: /ast_/ });
    // A row that is drawn anew under the mouse, as its picture comes, loses the click.
    const opened = (): Promise<boolean> =>
      tab.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    do await asset.locator('.label-name').click();
    while (!(await opened()));
    const [id = ''] = /ast_\w+/.exec(await tab.innerText()) ?? [];
    await openFile('live.ts', `/** The picture of the ticket. */\nexport const ASSET_ID = '${id}';\n`);
    const card = page.locator('.monaco-hover:visible', { hasText: 'Copy ID' });
    for (const theme of ['dark', 'light', 'highContrastDark'] as const) {
      await setTheme(page, theme);
      await hover(code(id), card);
      await page.locator('.monaco-hover:visible img[src^="data:image/png"]').waitFor();
      await screenshot(page, `documents-code-${theme}`);
    }
    await setTheme(page, 'dark');
    await page.keyboard.press('Escape');
    await row('Assets').locator('.monaco-tl-twistie').click();
  });

  test('a secret is hidden, and says so', async () => {
    await openFirst('API Keys');
    await code('••••').waitFor();
    await screenshot(page, 'documents-hidden');
    const text = await page.locator('.editor-instance .view-lines').last().innerText();
    assert.ok(!text.includes('sok_'));
  });

  test('an older reading says so', async () => {
    await runCommand(page, 'Smart Objects: Stop Local Sandbox');
    await lens('this was read at').waitFor();
    await screenshot(page, 'documents-old');
  });
});
