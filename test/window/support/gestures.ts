/** Gestures on trees, menus and files, repeated while the workbench ignores them. */
import type { Locator, Page } from 'playwright-core';
import { pickerInput, pickerRow, runCommand, searchUntilListed, toExactPattern, until } from './workbench.ts';

const VISIBLE_TIMEOUT = 3000;
const MAX_ATTEMPTS = 6;

/** Repeats `act` until `target` is visible: a row that is re-rendered under the mouse loses the click. */
export async function retryUntilVisible(
  act: () => Promise<unknown>,
  target: Locator,
  within = VISIBLE_TIMEOUT,
): Promise<void> {
  for (let time = 1; time < MAX_ATTEMPTS; time++) {
    await act();
    const isVisible = await target.waitFor({ timeout: within }).then(
      () => true,
      () => false,
    );
    if (isVisible) return;
  }
  await act();
  await target.waitFor({ timeout: within });
}

/**
 * The first row of the lists of views with exactly this name, or whose name and description match an expression: other rows
 * may have the name in their description.
 */
export function treeRow(page: Page, text: string | RegExp): Locator {
  const condition =
    typeof text === 'string'
      ? { has: page.locator('.label-name', { hasText: toExactPattern(text) }) }
      : { hasText: text };
  return page.locator('.pane-body .monaco-list-row', condition).first();
}

/** Scrolls the explorer until a row is in view: rows far above and below are not in the DOM. */
export async function scrollTo(row: Locator): Promise<void> {
  const page = row.page();
  const tree = page.locator('.part.sidebar .pane-body .monaco-list').first();
  const isInView = async (what: Locator): Promise<boolean> => {
    const [box, area] = await Promise.all([(await what.isVisible()) ? what.boundingBox() : null, tree.boundingBox()]);
    return box !== null && area !== null && box.y >= area.y && box.y + box.height <= area.y + area.height;
  };
  // From the top, since rows that are scrolled away may lie under those that stick there.
  for (const [what, step] of [
    [tree.locator('.monaco-list-rows > [data-index="0"]'), -1000],
    [row, 100],
  ] as const) {
    await until(async () => {
      if (await isInView(what)) return true;
      await tree.hover();
      await page.mouse.wheel(0, step);
      return false;
    });
  }
}

/** Expands a row unless it is expanded. */
export function expand(row: Locator): Promise<void> {
  return setExpanded(row, 'true');
}

export function collapse(row: Locator): Promise<void> {
  return setExpanded(row, 'false');
}

async function setExpanded(row: Locator, wanted: 'true' | 'false'): Promise<void> {
  await row.waitFor();
  const turn = async (): Promise<void> => {
    if ((await row.getAttribute('aria-expanded')) !== wanted) await row.locator('.monaco-tl-twistie').click();
  };
  // The locator is resolved each time: the row may have moved to another element.
  await retryUntilVisible(turn, row.and(row.page().locator(`[aria-expanded="${wanted}"]`)));
}

/**
 * Chooses from the context menu of a row with the keyboard, since menus ignore the mouse just after opening.
 * `verify` runs while the menu is open.
 */
export async function chooseInMenu(row: Locator, action: string, verify?: () => Promise<unknown>): Promise<void> {
  const page = row.page();
  const entries = menuEntries(page);
  for (let time = 1; ; time++) {
    await retryUntilVisible(() => row.click({ button: 'right' }), entries.first());
    await verify?.();
    // Whatever takes the focus closes the menu: try again.
    const chosen = await requireFocus(row)
      .then(() => pressTo(page, action))
      .then(
        () => true,
        (error: unknown) => {
          if (time === MAX_ATTEMPTS) throw error;
          return false;
        },
      );
    if (chosen) return;
    await page.keyboard.press('Escape');
  }
}

/** Rejects if another row of a list has the menu: while rows are rendered, the element of one becomes that of another. */
async function requireFocus(row: Locator): Promise<void> {
  const isFocused = await row.evaluate((element) => element.closest('.monaco-list-row')?.matches('.focused') ?? true);
  if (!isFocused) throw new Error('another row has the menu');
}

function menuEntries(page: Page): Locator {
  return page.locator('.monaco-menu .action-item:not(.disabled) .action-label:not(.separator)');
}

/** Moves down the open menu to the entry and chooses it. */
export async function pressTo(page: Page, action: string): Promise<void> {
  const entries = menuEntries(page);
  await entries.first().waitFor({ timeout: VISIBLE_TIMEOUT });
  await page.keyboard.press('Home');
  const offered = await entries.allTextContents();
  if (!offered.includes(action)) throw new Error(`the menu offers ${offered.join(', ')}, and not ${action}`);
  for (const label of offered) {
    await page.locator('.monaco-menu .action-item.focused', { hasText: label }).waitFor({ timeout: VISIBLE_TIMEOUT });
    if (label === action) break;
    await page.keyboard.press('ArrowDown');
  }
  // Pressed on the entry itself: if the menu has closed, the key must not go to the workbench.
  await page
    .locator('.monaco-menu .action-item.focused', { hasText: action })
    .press('Enter', { timeout: VISIBLE_TIMEOUT });
  await page.locator('.monaco-menu').waitFor({ state: 'detached', timeout: VISIBLE_TIMEOUT });
}

/** Opens a file of the workspace by its name, and waits until an editor shows it: a command before that would not find it. */
export async function openFile(page: Page, name: string): Promise<void> {
  const found = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
  const search = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+p');
    await pickerInput(page).fill(name);
  };
  await searchUntilListed(search, found);
  await found.click();
  await page.locator('.tab.active', { hasText: name }).waitFor();
  await page.locator(`.monaco-editor[data-uri$="/${name}"]`).first().waitFor();
}

/** Drops a row into the text of an editor with Shift: without, it would open beside it. */
export async function dropInto(row: Locator, text: Locator): Promise<void> {
  const page = row.page();
  const toText = (): Promise<void> => text.hover({ force: true });
  const drag = async (): Promise<void> => {
    await page.mouse.up();
    await row.hover();
    await page.mouse.down();
    await toText();
  };
  await retryUntilVisible(drag, page.locator('.monaco-list.dragging'));
  await page.keyboard.down('Shift');
  // The editor marks the place where it takes what is dragged.
  await until(async () => {
    await toText();
    return page.locator('.monaco-editor .dnd-target').isVisible();
  });
  await page.mouse.up();
  await page.keyboard.up('Shift');
}

/** Signs in with an API key; `connection` where there are several. */
export async function signIn(page: Page, apiKey: string, connection?: string): Promise<void> {
  await runCommand(page, 'Smart Objects: Sign In…');
  if (connection !== undefined) await pickerRow(page, connection).click();
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Sent in the header x-api-key' }).first().click();
  await page.locator('.quick-input-widget:visible input[type=password]').waitFor();
  await pickerInput(page).fill(apiKey);
  await page.keyboard.press('Enter');
  await page.locator('.notification-toast', { hasText: 'signed in' }).first().waitFor();
  await runCommand(page, 'Notifications: Clear All Notifications');
}

/** Makes a connection active and waits until the status bar shows it. */
export async function selectConnection(page: Page, name: string): Promise<void> {
  await runCommand(page, 'Smart Objects: Select Connection…');
  await pickerRow(page, name).click();
  await page.locator('.statusbar-item[id*="smartObjects.connection"]', { hasText: name }).waitFor();
}
