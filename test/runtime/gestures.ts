/** What a person does with the tree, its menus and files, and does again where the workbench did not notice. */
import type { Locator, Page } from 'playwright-core';
import { pickerInput, pickerRow, runCommand } from './editor.ts';

const NOTICED = 3000;
const TIMES = 6;

/** Does it, and again while nothing comes of it: a row that is drawn anew under the mouse loses the click. */
export async function untilSeen(act: () => Promise<unknown>, seen: Locator, within = NOTICED): Promise<void> {
  for (let time = 1; time < TIMES; time++) {
    await act();
    const there = await seen.waitFor({ timeout: within }).then(
      () => true,
      () => false,
    );
    if (there) return;
  }
  await act();
  await seen.waitFor({ timeout: within });
}

/** The first row of the side bar's lists with this text. */
export function treeRow(page: Page, text: string | RegExp): Locator {
  return page.locator('.pane-body .monaco-list-row', { hasText: text }).first();
}

/** Opens what is closed; of what is open nothing is touched. */
export function expand(row: Locator): Promise<void> {
  return twist(row, 'true');
}

export function collapse(row: Locator): Promise<void> {
  return twist(row, 'false');
}

async function twist(row: Locator, wanted: 'true' | 'false'): Promise<void> {
  await row.waitFor();
  const turn = async (): Promise<void> => {
    if ((await row.getAttribute('aria-expanded')) !== wanted) await row.locator('.monaco-tl-twistie').click();
  };
  // Found anew each time: the row may stand in another element by then.
  await untilSeen(turn, row.and(row.page().locator(`[aria-expanded="${wanted}"]`)));
}

/**
 * Chooses from the context menu of a row, by the keyboard: the mouse is ignored for a moment after a menu has opened.
 * `look` is called while it stands open.
 */
export async function chooseInMenu(row: Locator, action: string, look?: () => Promise<unknown>): Promise<void> {
  const page = row.page();
  const entries = menuEntries(page);
  for (let time = 1; ; time++) {
    await untilSeen(() => row.click({ button: 'right' }), entries.first());
    await look?.();
    // What takes the focus closes a menu.
    const chosen = await pressTo(page, action).then(
      () => true,
      (error: unknown) => {
        if (time === TIMES) throw error;
        return false;
      },
    );
    if (chosen) return;
    await page.keyboard.press('Escape');
  }
}

function menuEntries(page: Page): Locator {
  return page.locator('.monaco-menu .action-item:not(.disabled) .action-label:not(.separator)');
}

/** Goes down the open menu and chooses. */
export async function pressTo(page: Page, action: string): Promise<void> {
  const entries = menuEntries(page);
  await entries.first().waitFor({ timeout: NOTICED });
  await page.keyboard.press('Home');
  const offered = await entries.allTextContents();
  if (!offered.includes(action)) throw new Error(`the menu offers ${offered.join(', ')}, and not ${action}`);
  for (const label of offered) {
    await page.locator('.monaco-menu .action-item.focused', { hasText: label }).waitFor({ timeout: NOTICED });
    if (label === action) break;
    await page.keyboard.press('ArrowDown');
  }
  // By the entry itself: were the menu gone by now, the key would go to what lies below.
  await page.locator('.monaco-menu .action-item.focused', { hasText: action }).press('Enter', { timeout: NOTICED });
  await page.locator('.monaco-menu').waitFor({ state: 'detached', timeout: NOTICED });
}

/** Opens a file of the workspace by its name. */
export async function openFile(page: Page, name: string): Promise<void> {
  const found = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
  // The list is made when the picker opens: a file that was written just now may be in the next one only.
  const look = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+p');
    await pickerInput(page).fill(name);
  };
  await untilSeen(look, found, 4000);
  await found.click();
  await page.locator('.tab.active', { hasText: name }).waitFor();
}

/** Makes a connection the active one, as the status bar then says. */
export async function selectConnection(page: Page, name: string): Promise<void> {
  await runCommand(page, 'Smart Objects: Select Connection…');
  await pickerRow(page, name).click();
  await page.locator('.statusbar-item[id*="smartObjects.connection"]', { hasText: name }).waitFor();
}
