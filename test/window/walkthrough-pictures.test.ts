/** The pictures of Get Started, made with PICTURES=1: each is the part of the window that its step is about. */
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { RESULTS } from '../runtime/paths.ts';
import { collapse, expand, openFile, selectConnection, treeRow } from './support/gestures.ts';
import { takePicture, type Clip } from './support/picture.ts';
import { pickerInput, runCommand, showExplorer, until } from './support/workbench.ts';
import { openWindow, TAKES_PICTURES, type TestWindow } from './support/window.ts';

const ACTION = `{
  "action": {
    "update": {
      "id": "obj_117de336dd9acbf8c65f61d1",
      "data": { "custom": { "gate": "North 2" } }
    }
  }
}
`;
/** The left edge of what is beside the activity bar, and the upper edge of what is below the title bar. */
const [LEFT, TOP] = [52, 30];
const SIDE_BAR = 440;

if (TAKES_PICTURES)
  suite('pictures of the walkthrough', () => {
    let window: TestWindow;
    let page: Page;
    let sandbox: Sandbox;

    suiteSetup(async () => {
      sandbox = await startSandbox();
      window = await openWindow({
        // VS Code shows the pictures of walkthroughs at this scale.
        deviceScaleFactor: 1.5,
        settings: {
          'smartObjects.openResources': 'page',
          'smartObjects.confirmExecution': 'never',
          'breadcrumbs.enabled': false,
          'chat.disableAIFeatures': false,
          'diffEditor.hideUnchangedRegions.contextLineCount': 1,
          'diffEditor.hideUnchangedRegions.enabled': true,
          'diffEditor.renderSideBySide': false,
          'editor.bracketPairColorization.enabled': false,
          'editor.folding': false,
          'editor.guides.indentation': false,
          'editor.hideCursorInOverviewRuler': true,
          'editor.lineNumbers': 'off',
          'editor.matchBrackets': 'never',
          'editor.minimap.enabled': false,
          'editor.overviewRulerBorder': false,
          'editor.renderLineHighlight': 'none',
          'editor.scrollbar.vertical': 'hidden',
        },
      });
      page = window.page;
      fs.writeFileSync(path.join(window.workspace, 'update.action.json'), ACTION);
      fs.writeFileSync(path.join(window.workspace, 'mint.expect.json'), '{ "status": "completed" }\n');
      fs.rmSync(path.join(RESULTS, 'walkthrough'), { recursive: true, force: true });
      fs.mkdirSync(path.join(RESULTS, 'walkthrough'), { recursive: true });
    });
    suiteTeardown(async () => {
      await window.close();
      await sandbox.close();
    });

    const lens = (text: string): Locator => page.locator('.codelens-decoration a', { hasText: text });
    const view = (): FrameLocator =>
      page.locator('iframe.webview.ready').last().contentFrame().frameLocator('#active-frame');
    const clean = async (): Promise<void> => {
      await runCommand(page, 'View: Close All Editors');
      await runCommand(page, 'Notifications: Clear All Notifications');
    };

    async function take(name: string, clip: Clip, maxColors?: number): Promise<void> {
      await page.mouse.move(1, 1);
      fs.writeFileSync(path.join(RESULTS, `walkthrough/${name}.png`), await takePicture(page, clip, maxColors));
    }

    async function getBox(locator: Locator): Promise<Clip> {
      const box = await locator.boundingBox();
      if (box === null) throw new Error(`not visible: ${String(locator)}`);
      return box;
    }

    async function resizeSideBar(width: number): Promise<void> {
      const { x, y, width: before } = await getBox(page.locator('.part.sidebar'));
      await page.mouse.move(x + before, y + 200);
      await page.mouse.down();
      await page.mouse.move(x + width, y + 200, { steps: 4 });
      await page.mouse.up();
    }

    test('sandbox', async () => {
      await page.setViewportSize({ width: 760, height: 480 });
      await showExplorer(page);
      await resizeSideBar(SIDE_BAR);
      await page.getByRole('button', { name: 'Start Local Sandbox' }).first().click();
      await treeRow(page, 'Harbourlight Events').waitFor();
      await runCommand(page, 'Notifications: Clear All Notifications');
      const { y, height } = await getBox(treeRow(page, 'Edge cases'));
      await take('sandbox', { x: LEFT, y: TOP, width: SIDE_BAR, height: y + height - TOP });
    });

    test('object', async () => {
      await expand(treeRow(page, 'Harbourlight Events'));
      await expand(treeRow(page, /^Objects/));
      await treeRow(page, 'Harbour Concert Ticket').click();
      await view().locator('.face iframe').waitFor();
      await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
      await page.setViewportSize({ width: 500, height: 640 });
      const { y } = await getBox(view().locator('dt[title="Location"]'));
      await take('object', { x: LEFT, y: 122, width: 444, height: y - 122 });
    });

    test('face', async () => {
      await page.setViewportSize({ width: 660, height: 900 });
      await view().getByRole('button', { name: 'Preview Face' }).click();
      await page.locator('.tab.active', { hasText: 'Concert ticket' }).waitFor();
      await runCommand(page, 'View: Close Editors in Other Groups');
      await page.setViewportSize({ width: 390, height: 1100 });
      const face = view().locator('iframe[srcdoc]').first();
      await face.contentFrame().getByText('SEAT').waitFor();
      const { x, y, width } = await getBox(face);
      await take('face', { x, y, width: width - 2, height: 318 }, 32);
      await clean();
    });

    test('run', async () => {
      await page.setViewportSize({ width: 560, height: 900 });
      await openFile(page, 'update.action.json');
      await lens('Run on Local Sandbox').click();
      await lens('Show Changes').waitFor();
      await runCommand(page, 'View: Hide Panel');
      await runCommand(page, 'View: Split Editor Down');
      await page.locator('.editor-group-container.active').locator(lens('Show Changes')).click();
      const added = page.locator('.monaco-diff-editor .modified .view-line', { hasText: '"North 2"' });
      await added.waitFor();
      await runCommand(page, 'Notifications: Clear All Notifications');
      await page.setViewportSize({ width: 560, height: 420 });
      const { y, height } = await getBox(added);
      await take('run', { x: LEFT, y: TOP, width: 452, height: y + height - TOP });
      await clean();
    });

    test('test', async () => {
      await page.setViewportSize({ width: 760, height: 480 });
      await openFile(page, 'mint.expect.json');
      await runCommand(page, 'Testing: Focus on Test Explorer View');
      await resizeSideBar(300);
      const tests = page.locator('.test-explorer .monaco-list-row');
      await tests.filter({ hasText: 'mint' }).first().waitFor();
      await runCommand(page, 'Test: Run All Tests');
      await page.locator('.test-explorer').getByText('1/1').first().waitFor();
      await runCommand(page, 'View: Hide Panel');
      await runCommand(page, 'Notifications: Clear All Notifications');
      const { y, height } = await getBox(tests.filter({ hasText: 'mint' }).first());
      await take('test', { x: LEFT, y: TOP, width: 600, height: y + height + 8 - TOP });
      await clean();
    });

    test('agents', async () => {
      await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
      await page.setViewportSize({ width: 560, height: 400 });
      await page.keyboard.press('Control+Alt+i');
      const text = page.locator('.interactive-input-editor .view-lines');
      await text.waitFor();
      await runCommand(page, 'View: Toggle Maximized Secondary Side Bar');
      await text.click();
      await page.keyboard.type('Why did the last runs fail? #fail');
      const found = page.locator('.suggest-widget .monaco-list-row');
      await found.filter({ hasText: '#failures' }).waitFor();
      await until(async () => (await found.count()) === 2);
      const list = await getBox(page.locator('.suggest-widget').filter({ visible: true }));
      const input = await getBox(page.locator('.interactive-input-part'));
      const y = Math.min(list.y, input.y) - 4;
      await take('agents', { x: LEFT, y, width: 504, height: input.y + input.height - y });
      await page.keyboard.press('Escape');
      await runCommand(page, 'View: Hide Secondary Side Bar');
    });

    test('connect', async () => {
      const choice = (label: string): Locator =>
        page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first();
      const type = async (title: string, text: string): Promise<void> => {
        await page.locator('.quick-input-widget:visible', { hasText: title }).waitFor();
        await pickerInput(page).fill(text);
        await page.keyboard.press('Enter');
      };
      await page.setViewportSize({ width: 760, height: 480 });
      await runCommand(page, 'Smart Objects: Add Connection…');
      await type('(1/6)', 'Harbourlight');
      await type('(2/6)', sandbox.baseUrl);
      await choice('Live data').click();
      await choice('API key').click();
      await type('(5/6)', sandbox.apiKey);
      await choice('Add Connection').click();
      await page.locator('.notification-toast', { hasText: 'added and signed in.' }).waitFor();
      await clean();
      await selectConnection(page, 'Harbourlight');
      await showExplorer(page);
      await resizeSideBar(SIDE_BAR);
      for (const name of ['Local Sandbox', 'Harbourlight']) await collapse(treeRow(page, name));
      await page.setViewportSize({ width: 760, height: 190 });
      await take('connect', { x: 0, y: TOP, width: LEFT + SIDE_BAR, height: 160 });
    });
  });
