/** The extension in another display language: a pseudo-language, which marks each translated text with brackets. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import * as z from 'zod/mini';
import { pseudoLocalize } from '../../.config/pseudo-localize.mjs';
import { ROOT } from '../runtime/paths.ts';
import { workbenchReady } from '../runtime/editor.ts';
import { expand, retryUntilVisible, treeRow } from './support/gestures.ts';
import { openWindow, screenshot, type TestWindow } from './support/window.ts';

const LANGUAGE = 'qps-ploc';
const messageSchema = z.record(z.string(), z.string());

/** Adds the translations to the installed extension. */
function addTranslations(dataDir: string): void {
  const extensions = path.join(dataDir, 'extensions');
  const name = fs.readdirSync(extensions).find((folder) => folder.startsWith('smart-objects.')) ?? '';
  for (const file of ['package.nls.json', 'l10n/bundle.l10n.json']) {
    const messages = z.parse(messageSchema, JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')));
    const target = path.join(extensions, name, file.replace(/json$/, `${LANGUAGE}.json`));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, JSON.stringify(pseudoLocalize(messages)));
  }
}

function translate(text: string): string {
  return pseudoLocalize({ text })['text'] ?? '';
}

suite('display language', function () {
  this.timeout(120_000);
  let opened: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    opened = await openWindow();
    ({ page } = opened);
    addTranslations(opened.server.dataDir);
    await page.addInitScript((language) => {
      Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { value: language });
    }, LANGUAGE);
    await page.reload({ waitUntil: 'commit' });
    await workbenchReady(page);
  });
  suiteTeardown(() => opened.close());

  test('titles, rows and menus are translated', async () => {
    const container = page.locator('.activitybar .action-label[aria-label*="Smart Objects"]').first();
    const welcome = page.locator('.welcome-view-content');
    const start = welcome.locator('.monaco-button').first();
    await retryUntilVisible(() => container.click(), start, 20_000);
    await welcome.getByText(/^\[/).first().waitFor();
    const everything = treeRow(page, translate('All organizations'));
    await retryUntilVisible(() => start.click(), everything, 20_000);
    await expand(everything);
    await treeRow(page, translate('Objects')).waitFor({ timeout: 30_000 });
    await screenshot(page, 'display-language');
  });
});
