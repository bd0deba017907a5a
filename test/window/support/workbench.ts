/** What a user does with the workbench itself: command palette, pickers, views, theme. */
import type { FrameLocator, Locator, Page } from 'playwright-core';

/** `id`: value of `workbench.colorTheme`; `label`: in the picker; `marker`: class of the workbench. */
const THEMES = {
  dark: { id: 'Dark Modern', label: 'Dark Modern', marker: 'vs-dark' },
  light: { id: 'Light Modern', label: 'Light Modern', marker: 'vs' },
  highContrastDark: { id: 'Default High Contrast', label: 'Dark High Contrast', marker: 'hc-black' },
  highContrastLight: { id: 'Default High Contrast Light', label: 'Light High Contrast', marker: 'hc-light' },
} as const;
export type Theme = keyof typeof THEMES;

/** An expression for this text and no other. */
export function toExactPattern(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
}

/** Polls until `ready` is true. Rejects after 60 s with its source text. */
export async function until(ready: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await ready())) {
    if (Date.now() > end) throw new Error(`not seen: ${ready.toString().slice(0, 300)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** The row of the open picker with exactly this label. */
export function pickerRow(page: Page, label: string): Locator {
  const name = page.locator('.quick-input-list-row .label-name', { hasText: toExactPattern(label) });
  return page.locator('.quick-input-list .monaco-list-row').filter({ has: name }).first();
}

/** The text field of the open picker or input box. */
export function pickerInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible .input');
}

/**
 * Repeats `search`, which opens a picker, until the picker lists `row`. What a picker lists is decided when it opens, so the
 * first attempts are short; the last ones are long enough for a busy machine.
 */
export async function searchUntilListed(search: () => Promise<unknown>, row: Locator): Promise<void> {
  for (let seconds = 1; seconds <= MAX_SEARCH_WAIT; seconds++) {
    await search();
    if (await isVisible(row, seconds * 1000)) return;
    await row.page().keyboard.press('Escape');
  }
  throw new Error(`the picker does not list ${String(row)}`);
}

/** Seconds of the longest attempt. */
const MAX_SEARCH_WAIT = 8;

/** Runs a command by its full palette title, such as `Preferences: Color Theme`. */
export async function runCommand(page: Page, title: string): Promise<void> {
  const search = async (): Promise<void> => {
    await until(() => openPalette(page));
    await pickerInput(page).fill(`>${title}`);
  };
  await searchUntilListed(search, pickerRow(page, title));
  await pickerRow(page, title).click();
}

/** Shows the explorer view. By command, since a click on the icon would close an open view. */
export async function showExplorer(page: Page): Promise<void> {
  await runCommand(page, 'Smart Objects: Focus on Resources View');
}

/** Opens the command palette. A webview that is still loading keeps the keyboard focus: returns false, and takes the focus away. */
async function openPalette(page: Page): Promise<boolean> {
  await page.keyboard.press('F1');
  if (await isVisible(pickerInput(page), 1500)) return true;
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  return false;
}

function isVisible(what: Locator, timeout: number): Promise<boolean> {
  return what.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}

/** The extension's document in the nth webview of the window, counting views and panels. */
export function webview(page: Page, index = 0): FrameLocator {
  return page.locator('iframe.webview.ready').nth(index).contentFrame().frameLocator('#active-frame');
}

/** Selects a theme in VS Code's picker, since user settings on disk are read only at page load. */
export async function setTheme(page: Page, theme: Theme): Promise<void> {
  const { label, marker } = THEMES[theme];
  await runCommand(page, 'Preferences: Color Theme');
  await pickerRow(page, THEMES.dark.label).waitFor();
  await pickerInput(page).fill(label);
  await pickerRow(page, label).click();
  await page.locator(`.monaco-workbench.${marker}`).waitFor();
}
