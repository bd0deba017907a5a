/** Documents as a person sees them: from the tree to the JSON, its links, cards and hidden values, in every kind of theme. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { runCommand, setTheme } from '../runtime/editor.ts';
import { openWindow, screenshot, type TestWindow } from '../runtime/window.ts';

suite('documents in the window', function () {
  this.timeout(120_000);
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    window = await openWindow();
    page = window.page;
    await page.locator('.activitybar [aria-label="Smart Objects"]').first().click();
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    await row('Local Sandbox').waitFor({ timeout: 20_000 });
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

  const lens = (text: string): Locator => page.locator('.codelens-decoration', { hasText: text }).first();
  const code = (text: string): Locator => page.locator('.editor-instance .view-line span', { hasText: text }).last();

  test('a click opens the JSON with its state, and an id has a card', async () => {
    await expand('Local Sandbox');
    await expand('All organizations');
    await openFirst('Objects');
    await lens('Read at').waitFor();
    await lens('Compare With').waitFor();
    await page.keyboard.press('Control+b');
    const id = code('tpl_');
    await id.hover();
    const card = page.locator('.monaco-hover:visible', { hasText: 'Copy ID' });
    await card.waitFor();
    await card.getByText('Preview Face').waitFor();
    await shown(card);
    await screenshot(page, 'documents-card-dark');
    for (const theme of ['light', 'highContrastDark'] as const) {
      await setTheme(page, theme);
      await code('tpl_').hover();
      await card.waitFor();
      await shown(card);
      await screenshot(page, `documents-card-${theme}`);
    }
    await setTheme(page, 'dark');
    await page.keyboard.press('Control+b');
  });

  test('a secret is hidden, and says so', async () => {
    // Rows below the edge of the view do not exist.
    await row('All organizations').locator('.monaco-tl-twistie').click();
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
