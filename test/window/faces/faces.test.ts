/** Face preview and lab in a real window: kinds of faces, several objects, a reload, every theme. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { workbenchReady } from '../../runtime/editor.ts';
import { pickerInput, pickerRow, runCommand, until, webview } from '../support/workbench.ts';
import { chooseInMenu, collapse, expand, openFile, treeRow } from '../support/gestures.ts';
import { BADGE_HTML, FACE_WITH_LINKS, FACE_WITH_VIEWS } from '../support/faces.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from '../support/window.ts';
import { checkAccessibility } from '../support/axe.ts';

suite('face preview', () => {
  let window: TestWindow;
  let page: Page;
  const face = (): FrameLocator => webview(page).locator('iframe').first().contentFrame();
  const captions = (): Locator => webview(page).locator('figcaption');

  suiteSetup(async () => {
    const folder = fs.mkdtempSync(path.join(fs.realpathSync('/tmp'), 'faces-'));
    fs.writeFileSync(path.join(folder, 'badge.face.html'), BADGE_HTML);
    fs.writeFileSync(path.join(folder, 'varied.face.json'), FACE_WITH_VIEWS);
    fs.writeFileSync(path.join(folder, 'linked.face.json'), FACE_WITH_LINKS);
    window = await openWindow({ folder });
    fs.rmSync(folder, { recursive: true, force: true });
    page = window.page;
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize({ width: 1440, height: 900 });
    await runCommand(page, 'Smart Objects: Start Local Sandbox');
    // Starting the sandbox reveals the explorer.
    await page.locator('.pane-body .monaco-list-row', { hasText: 'Local Sandbox' }).first().waitFor();
    await runCommand(page, 'View: Show Explorer');
  });
  suiteTeardown(() => window.close());

  async function choose(text: string): Promise<void> {
    const row = page.locator('.quick-input-list .monaco-list-row').first();
    await row.waitFor();
    await pickerInput(page).fill(text);
    await pickerRow(page, text).click();
  }

  async function edit(file: string): Promise<void> {
    await runCommand(page, 'View: Close All Editors');
    await openFile(page, file);
  }

  const getControl = (name: string): Locator => webview(page).locator(`[data-name="${name}"]`);
  const file = (name: string): string => path.join(window.workspace, name);

  /** Adds objects that have a name, by their places in the list; the DOM has its rows in any order. */
  async function addObjects(...places: readonly number[]): Promise<void> {
    const rows = page.locator('.quick-input-list .monaco-list-row');
    for (const [index, place] of places.entries()) {
      await getControl('addObject').click();
      await rows.nth(5).waitFor();
      const named = await rows.evaluateAll((elements) =>
        elements
          .filter((element) => !(element.getAttribute('aria-label') ?? '').startsWith('obj_'))
          .map((element) => Number(element.getAttribute('data-index')))
          .toSorted((a, b) => a - b),
      );
      await page.locator(`.quick-input-list .monaco-list-row[data-index="${String(named[place])}"]`).click();
      await webview(page).locator('.chip').nth(index).waitFor();
    }
  }

  async function preview(name: string): Promise<void> {
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Smart Objects: Preview Face');
    await choose(name);
    await webview(page).locator('header h1', { hasText: name }).waitFor();
  }

  test('a page is framed after approval, with a notice; a refusing one shows the reason', async () => {
    await preview('Hut door (live page)');
    assert.equal(await webview(page).locator('iframe').count(), 0);
    await webview(page).locator('button', { hasText: 'Show Page' }).click();
    await webview(page).locator('.note', { hasText: 'not from the platform' }).waitFor();
    const framed = webview(page).locator('iframe');
    assert.equal(await framed.getAttribute('sandbox'), '');
    await framed.contentFrame().locator('body', { hasText: /door/i }).waitFor();
    await screenshot(page, 'face-page');
    // The same origin needs no second approval.
    await preview('Page that refuses framing');
    await webview(page).locator('.empty', { hasText: 'does not allow embedding' }).waitFor();
    await webview(page).locator('button', { hasText: 'Open in Browser' }).waitFor();
    await screenshot(page, 'face-refused');
    await checkAccessibility(page, webview(page));
    const [opened] = await Promise.all([
      window.context.waitForEvent('page'),
      webview(page).locator('button', { hasText: 'Open in Browser' }).click(),
    ]);
    await opened.waitForURL(/\/pages\/no-frame$/);
    await opened.close();
    // A revoked approval no longer applies.
    await webview(page).locator('summary', { hasText: 'Permissions' }).click();
    await webview(page).locator('#details button', { hasText: 'Revoke' }).click();
    await webview(page).locator('button', { hasText: 'Show Page' }).waitFor();
    await webview(page).locator('.empty', { hasText: 'not loaded without your permission' }).waitFor();
  });

  test('a face without objects is filled with another object', async () => {
    await preview('Expedition poster');
    await getControl('addObject').click();
    await page.locator('.quick-input-widget:visible input[placeholder^="No object has this face yet"]').waitFor();
    await page.locator('.quick-input-list .monaco-list-row').first().click();
    await webview(page).locator('.chip').waitFor();
    await face().locator('body', { hasNotText: '{{' }).waitFor();
    await screenshot(page, 'face-filled');
  });

  test('an asset is previewed from its row', async () => {
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Smart Objects: Focus on Resources View');
    await expand(treeRow(page, 'Assets'));
    const asset = treeRow(page, /^\w+-\d+\.png/);
    const name = (await asset.locator('.label-name').textContent()) ?? '';
    await chooseInMenu(asset, 'Preview Asset');
    await webview(page).locator('header h1', { hasText: name }).waitFor();
    await face().locator('img[src^="data:image/png;base64,"]').waitFor({ state: 'attached' });
    await webview(page).locator('button', { hasText: 'Open in Browser' }).waitFor();
    // No object data, and nothing to edit.
    assert.equal(await getControl('addObject').count(), 0);
    assert.equal(await getControl('openLab').count(), 0);
    await screenshot(page, 'face-asset');
    await collapse(treeRow(page, 'Assets'));
    await runCommand(page, 'View: Show Explorer');
  });

  test('views, config, assets and unresolved placeholders are shown with the face, with positions', async () => {
    await edit('varied.face.json');
    await runCommand(page, 'Smart Objects: Preview Face');
    await addObjects(1);
    await getControl('variant').selectOption('all');
    await captions().nth(2).waitFor();
    const texts = await captions().locator('bdi').allTextContents();
    assert.deepEqual(
      texts.map((text) => text.split(' · ')[0]),
      ['Content', 'card', 'share'],
    );
    const shapes: number[] = [];
    for (const index of [0, 1, 2]) {
      const box = await webview(page).locator('.frame').nth(index).boundingBox();
      shapes.push(Math.round(((box?.width ?? 0) / (box?.height ?? 1)) * 10) / 10);
    }
    assert.deepEqual(shapes, [2, 1.6, 1]);
    const frame = (index: number): FrameLocator => webview(page).locator('iframe').nth(index).contentFrame();
    assert.equal(await frame(1).locator('b').textContent(), 'card view');
    await frame(2).getByText('<b>no markup</b>', { exact: true }).waitFor();
    const details = webview(page).locator('#details');
    await details.locator('pre', { hasText: '"theme": "dusk"' }).waitFor({ state: 'attached' });
    await details.locator('li', { hasText: 'https://cdn.example/seal.png' }).waitFor({ state: 'attached' });
    await details.locator('summary', { hasText: 'Unsupported template features' }).waitFor();
    await details.locator('li', { hasText: 'explicit argument indexes' }).first().waitFor({ state: 'attached' });
    await details.locator('summary', { hasText: 'Unresolved placeholders' }).click();
    const open = details.locator('li', { hasText: '{{.custom.nobody}}' });
    assert.match((await open.textContent()) ?? '', /^2:4/);
    // A position in the content is none in the JSON file.
    assert.equal(await details.locator('button.position').count(), 0);
    await details.locator('li', { hasText: 'printf "%[1]d" 3' }).first().waitFor();
    await screenshot(page, 'face-views');
    await checkAccessibility(page, webview(page), 'face-views');

    // The copied text is the visible variant.
    await getControl('openLab').click();
    await getControl('variant').selectOption({ label: 'card' });
    await face().locator('b', { hasText: 'card view' }).waitFor();
    await getControl('copyJsonString').click();
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await until(async () => (await copied()) === JSON.stringify('<b>card view</b>'));
  });

  test('a link shows its address and opens after a confirmation; a complex face is rendered on request', async () => {
    await edit('linked.face.json');
    await runCommand(page, 'Smart Objects: Preview Face');
    const outLink = face().locator('a', { hasText: 'out' });
    await outLink.hover();
    const tooltip = await outLink.evaluate((link) => getComputedStyle(link, '::after').content);
    assert.equal(tooltip, '"https://a.example/x?y=1&z"');
    assert.deepEqual(await face().locator('a[href]').allTextContents(), ['in']);
    // A link within the face scrolls, and the face stays.
    const marked = face().locator('#here');
    const isVisible = (): Promise<boolean> =>
      marked.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight);
    assert.equal(await isVisible(), false);
    await face().locator('a', { hasText: 'in' }).click();
    await until(isVisible);
    await webview(page).locator('summary', { hasText: 'Links' }).click();
    const openLinks = webview(page).locator('#details button', { hasText: 'Open Link…' });
    const dialog = page.locator('.monaco-dialog-box');
    await openLinks.nth(1).click();
    await dialog.getByText('Write an email to desk@a.example?').waitFor();
    await dialog.locator('.monaco-button', { hasText: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await openLinks.first().click();
    await dialog.getByText('Open the link to a.example in the browser?').waitFor();
    assert.match((await dialog.textContent()) ?? '', /https:\/\/a\.example\/x\?y=1&z/);
    await screenshot(page, 'face-link');
    await dialog.locator('.monaco-button', { hasText: 'Cancel' }).click();

    await getControl('variant').selectOption({ label: 'drawn' });
    assert.equal(await face().locator('svg a > title').textContent(), 'https://b.example/');

    await getControl('variant').selectOption({ label: 'heavy' });
    await webview(page).locator('.empty', { hasText: 'more than 200 levels of nested elements' }).waitFor();
    assert.equal(await webview(page).locator('iframe').count(), 0);
    await addObjects(0);
    await webview(page).locator('.note', { hasText: 'more than 200 levels of nested elements' }).waitFor();
    await face().locator('article h1').waitFor();
    await screenshot(page, 'face-heavy');
    await webview(page).locator('button', { hasText: 'Show Anyway' }).click();
    await face().locator('b', { hasText: 'deep' }).waitFor();

    await getControl('variant').selectOption({ label: 'findings' });
    await webview(page).locator('summary', { hasText: 'Blocked content' }).waitFor();
    const height = async (selector: string): Promise<number> =>
      (await webview(page).locator(selector).boundingBox())?.height ?? 0;
    const [stage, below] = [await height('#frames'), await height('#details')];
    assert.ok(stage > 1.5 * below && below > 100, `${String(stage)} and ${String(below)} px`);
    // Reasons are aligned.
    const reasons = webview(page).locator('.findings li > :last-child');
    const leftEdges = await reasons.evaluateAll((list) =>
      list.map((one) => Math.round(one.getBoundingClientRect().left)),
    );
    assert.equal(new Set(leftEdges).size, 1);
    await screenshot(page, 'face-findings');
    await checkAccessibility(page, webview(page));
  });

  test('the frame with the focus is marked; nothing polls once it has left, nor while the page is hidden', async () => {
    await edit('linked.face.json');
    await runCommand(page, 'Smart Objects: Preview Face');
    await face().locator('a', { hasText: 'in' }).waitFor();
    const root = webview(page).locator('html');
    await root.evaluate(({ dataset }) => {
      const set = setTimeout;
      dataset['timers'] = '0';
      Reflect.set(globalThis, 'setTimeout', (run: () => void, delay: number) => {
        dataset['timers'] = String(Number(dataset['timers']) + 1);
        return set(run, delay);
      });
      Reflect.set(globalThis, 'nextTimer', () => new Promise<void>((resolve) => set(resolve, 250)));
    });
    const countTimers = async (): Promise<number> => Number(await root.getAttribute('data-timers'));
    const polls = async (): Promise<boolean> => {
      const before = await countTimers();
      // Ends after the timers that are set before it.
      await root.evaluate(() => (Reflect.get(globalThis, 'nextTimer') as () => Promise<void>)());
      return (await countTimers()) > before;
    };
    const marked = webview(page).locator('.frame[data-focused]');
    const setHidden = (hidden: boolean): Promise<void> =>
      root.evaluate((_root, hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }, hidden);
    // By keyboard, the frame comes after the section that has it.
    await webview(page).locator('#frames').focus();
    await page.keyboard.press('Tab');
    await marked.waitFor();
    assert.ok(await polls());
    await setHidden(true);
    assert.equal(await polls().then(polls), false);
    await setHidden(false);
    assert.ok(await polls());
    await page.locator('.editor-group-container .view-line').first().click();
    await marked.waitFor({ state: 'detached' });
    assert.equal(await polls(), false);
  });

  test('the lab of a platform’s face opens a file with the same object', async () => {
    await preview('Concert ticket');
    await addObjects(0);
    await webview(page).locator('.chip button').waitFor();
    const object = await webview(page).locator('.chip').first().textContent();
    await getControl('openLab').click();
    await page
      .locator('.tab', { hasText: /Untitled-\d/ })
      .nth(1)
      .waitFor();
    await webview(page).locator('header h1', { hasText: 'Untitled' }).waitFor();
    assert.equal(await webview(page).locator('.chip').first().textContent(), object);
    await face().locator('body', { hasNotText: '{{' }).waitFor();

    // After saving, the preview follows the new file with the same object.
    const type = async (text: string): Promise<void> => {
      await page.locator('.editor-group-container .view-line').first().click();
      await page.keyboard.type(text);
      await face().locator('body', { hasText: text }).waitFor();
    };
    await type('typed before ');
    await runCommand(page, 'File: Save As...');
    await pickerInput(page).waitFor();
    // The dialog first suggests a name.
    await until(async () => (await pickerInput(page).inputValue()).includes('.html'));
    await pickerInput(page).fill(file('saved.face.html'));
    await page.keyboard.press('Enter');
    await webview(page).locator('header h1', { hasText: 'saved' }).waitFor();
    await type('typed after ');
    assert.equal(await webview(page).locator('.chip').first().textContent(), object);
    await runCommand(page, 'File: Save');
    await until(() => fs.readFileSync(file('saved.face.html'), 'utf8').includes('typed after'));
    await page.locator('.tab.dirty').waitFor({ state: 'detached' });
    await runCommand(page, 'View: Close All Editors in Group');
    await page.locator('.tab', { hasText: 'saved.face.html' }).waitFor({ state: 'detached' });
    fs.rmSync(file('saved.face.html'));
    await webview(page).getByText('Refresh preview: The file was deleted or moved.', { exact: true }).waitFor();
    await runCommand(page, 'View: Close All Editors');
  });

  test('an image of the connection is inlined; plain text and a card are shown', async () => {
    await preview('Print, picture only');
    await face().locator('img[src^="data:image/"]').waitFor({ state: 'attached' });
    await preview('Plain text slip');
    await face().locator('body', { hasText: /\w/ }).waitFor();
    await preview('Nothing to render');
    await webview(page).locator('.empty', { hasText: 'has no content' }).waitFor();
    await webview(page).locator('[data-name="addObject"]').click();
    await page.locator('.quick-input-list .monaco-list-row').first().click();
    await face().locator('article h1').waitFor();
  });

  // Slow: changes files on disk, and opens a comparison.
  test('the lab copies, opens and compares, and shows the face in any size and on any background', async () => {
    await edit('badge.face.html');
    await runCommand(page, 'Smart Objects: Open Face Lab');
    await face().locator('h1').waitFor();

    // An object adds its connection; removing it removes the connection.
    const heading = (text: string): Promise<void> =>
      webview(page).locator('.heading .muted', { hasText: text }).waitFor();
    await addObjects(0);
    await heading('Local Sandbox');
    await webview(page).locator('.chip button').click();
    await heading('badge.face.html');

    // Changed on disk by another program.
    fs.writeFileSync(file('badge.face.html'), BADGE_HTML.replace('<small>', '<small class="saved">saved elsewhere '));
    await face().locator('small.saved').waitFor();
    fs.writeFileSync(file('badge.face.html'), BADGE_HTML);
    await face().locator('small:not(.saved)').waitFor();

    const box = async (what: Locator): Promise<string> => {
      const { width = 0, height = 0 } = (await what.boundingBox()) ?? {};
      return `${String(Math.round(width))} × ${String(Math.round(height))}`;
    };
    const iframe = webview(page).locator('iframe');
    for (const [size, expected] of [
      ['card', '320 × 448'],
      ['phone', '390 × 844'],
    ] as const) {
      await getControl('size').selectOption(size);
      assert.equal(await box(iframe), expected);
    }
    // At its limit a button keeps the focus, and does nothing more.
    await getControl('Zoom Out').focus();
    for (let step = 0; step < 8; step++) await page.keyboard.press('Enter');
    assert.equal(await getControl('zoom').textContent(), '25%');
    assert.equal(await webview(page).locator(':focus').getAttribute('data-name'), 'Zoom Out');
    for (let step = 0; step < 2; step++) await getControl('Zoom In').click();
    await getControl('Zoom Out').click();
    assert.equal(await getControl('zoom').textContent(), '50%');
    assert.equal(await box(iframe), '195 × 422');
    // The face keeps its width; zoom scales it.
    assert.equal(
      await face()
        .locator('html')
        .evaluate((root) => root.clientWidth),
      390,
    );
    await getControl('zoom').click();
    const frame = webview(page).locator('.frame');
    for (const [name, colour] of [
      ['dark', 'rgb(30, 30, 30)'],
      ['light', 'rgb(255, 255, 255)'],
    ] as const) {
      await getControl('background').selectOption(name);
      assert.equal(await frame.evaluate((box) => getComputedStyle(box).backgroundColor), colour);
    }

    await getControl('copyJsonString').click();
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await until(async () => (await copied()) === JSON.stringify(BADGE_HTML));
    await getControl('openJsonString').click();
    await pickerInput(page).waitFor();
    assert.equal(await pickerInput(page).inputValue(), JSON.stringify(BADGE_HTML));
    await page.keyboard.press('Enter');
    await page.locator('.tab', { hasText: 'Untitled-1' }).waitFor();
    await page.locator('.monaco-editor .view-line', { hasText: '{{if .custom.scanned}}' }).first().waitFor();
    await runCommand(page, 'View: Close Editor');
    await page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" }).click();

    await edit('badge.face.html');
    await runCommand(page, 'Smart Objects: Open Face Lab');
    await getControl('compare').waitFor();
    await page.keyboard.press('Control+2');
    await getControl('compare').click();
    await choose('Concert ticket');
    await page.locator('.tab', { hasText: '↔ badge.face.html' }).waitFor();
    await page
      .locator('.monaco-diff-editor .original .view-line', { hasText: 'Nordlys' })
      .or(page.locator('.monaco-diff-editor .original .view-line', { hasText: '{{' }))
      .first()
      .waitFor();
    await page.locator('.monaco-diff-editor .modified .view-line', { hasText: 'linear-gradient' }).first().waitFor();
    await screenshot(page, 'face-compare');
    assert.equal(await getControl('compare').isVisible(), true, 'the lab is still beside it');
  });

  // Slow: takes pictures in three themes, and reloads the window.
  test('the lab shows a file while it is edited, with three objects, and is restored after a reload', async () => {
    await edit('badge.face.html');
    await runCommand(page, 'Smart Objects: Open Face Lab');
    await face().locator('h1', { hasText: '{{.metadata.name}}' }).waitFor();
    await addObjects(0, 2, 4);
    await face().locator('h1', { hasNotText: '{{' }).waitFor();
    assert.equal(await webview(page).locator('iframe').count(), 3);
    // Positions in the list are positions in the file.
    await webview(page).locator('#details button.position', { hasText: '24:5' }).click();
    await page.locator('.statusbar', { hasText: 'Ln 24, Col 5' }).waitFor();

    // Unsaved edits. The scroll position belongs to the page, not to the frame.
    await webview(page)
      .locator('#frames')
      .evaluate((stage) => (stage.scrollTop = 40));
    await page.locator('.editor-group-container .view-line', { hasText: 'No. {{' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('<p>typed just now</p>');
    await face().locator('p', { hasText: 'typed just now' }).waitFor();
    assert.equal(
      await webview(page)
        .locator('#frames')
        .evaluate((stage) => stage.scrollTop),
      40,
    );
    for (let step = 0; step < 'typed just now'.length + 7; step++) await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+S');
    await webview(page).locator('[data-name="size"]').selectOption('card');

    await page.keyboard.press('Home');
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    for (let step = 0; step < 4; step++) await webview(page).locator('[data-name="Zoom Out"]').click();
    await takePictures(page, 'face-lab');
    await checkAccessibility(page, webview(page));

    // Reload by command: it saves the open editors, which a reload by the browser may not.
    await Promise.all([page.waitForEvent('domcontentloaded'), runCommand(page, 'Developer: Reload Window')]);
    await workbenchReady(page);
    await face().locator('h1').waitFor();
    await webview(page).locator('[data-name="size"]:has(option[value="card"]:checked)').waitFor();
    // After a reload the sandbox has a new address: its objects are listed with errors.
    assert.equal(await webview(page).locator('.chip').count(), 3);
  });
});
