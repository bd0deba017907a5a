/** The animated picture of the README, only with README_ANIMATION=1: an action is run, and its changes are shown. */
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { RESULTS } from '../runtime/paths.ts';
import { Animation } from './support/animation.ts';
import { openFile, treeRow } from './support/gestures.ts';
import { runCommand, showExplorer } from './support/workbench.ts';
import { openWindow, type TestWindow } from './support/window.ts';

const MAX_BYTES = 1_000_000;
const ACTION = `{
  // The ticket is scanned at the gate.
  "action": {
    "update": {
      "id": "obj_117de336dd9acbf8c65f61d1",
      "data": { "custom": { "scanned": true, "gate": "North 2" } }
    }
  }
}
`;

if (process.env['README_ANIMATION'] === '1')
  suite('the animation of the README', function () {
    this.timeout(180_000);
    let window: TestWindow;
    let page: Page;

    suiteSetup(async () => {
      window = await openWindow({ settings: { 'editor.minimap.enabled': false, 'breadcrumbs.enabled': false } });
      page = window.page;
      await page.setViewportSize({ width: 1040, height: 720 });
      fs.writeFileSync(path.join(window.workspace, 'scan.action.json'), ACTION);
    });
    suiteTeardown(() => window.close());

    const lens = (text: string): Locator => page.locator('.codelens-decoration a', { hasText: text }).first();

    test('Run, then Show Changes', async () => {
      await showExplorer(page);
      await page.getByRole('button', { name: 'Start Local Sandbox' }).first().click();
      await treeRow(page, 'Harbourlight Events').waitFor({ timeout: 30_000 });
      await openFile(page, 'scan.action.json');
      await lens('Run on Local Sandbox').waitFor({ timeout: 30_000 });
      await runCommand(page, 'Notifications: Clear All Notifications');

      const animation = new Animation(page);
      await animation.placePointer(720, 300);
      await animation.capture(1200);
      await animation.click(lens('Run on Local Sandbox'));
      await animation.captureUntil(lens('Show Changes'));
      await animation.capture(1200);
      await animation.click(lens('Show Changes'));
      await animation.captureUntil(page.locator('.monaco-diff-editor').getByText('"North 2"').first());
      await animation.placePointer(720, 300);
      await animation.capture(3500);

      const gif = animation.encode();
      fs.mkdirSync(RESULTS, { recursive: true });
      fs.writeFileSync(path.join(RESULTS, 'readme.gif'), gif);
      if (gif.length > MAX_BYTES) throw new Error(`larger than 1 MB: ${String(gif.length)} bytes`);
    });
  });
