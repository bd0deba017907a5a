/** Pictures that only the README needs, made with PICTURES=1: an animation of a run, and the tests of a workspace. */
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { RESULTS } from '../runtime/paths.ts';
import { readExamples } from '../support/doc-examples.ts';
import { Animation } from './support/animation.ts';
import { expand, openFile, treeRow } from './support/gestures.ts';
import { runCommand, showExplorer } from './support/workbench.ts';
import { openWindow, screenshot, TAKES_PICTURES, type TestWindow } from './support/window.ts';

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

if (TAKES_PICTURES)
  suite('pictures of the README', () => {
    let window: TestWindow;
    let page: Page;

    suiteSetup(async () => {
      const settings = { 'editor.minimap.enabled': false, 'breadcrumbs.enabled': false, 'editor.wordWrap': 'on' };
      window = await openWindow({ settings });
      page = window.page;
      await page.setViewportSize({ width: 1040, height: 720 });
      const files = new Map([...readExamples('docs/tests.md').files, ['scan.action.json', ACTION]]);
      for (const [name, text] of files) fs.writeFileSync(path.join(window.workspace, name), text);
      fs.rmSync(path.join(window.workspace, 'update.action.json'));
    });
    suiteTeardown(() => window.close());

    const lens = (text: string): Locator => page.locator('.codelens-decoration a', { hasText: text }).first();

    test('animation: Run, then Show Changes', async () => {
      await showExplorer(page);
      await page.getByRole('button', { name: 'Start Local Sandbox' }).first().click();
      await treeRow(page, 'Harbourlight Events').waitFor();
      await openFile(page, 'scan.action.json');
      await lens('Run on Local Sandbox').waitFor();
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

      await animation.removePointer();

      const gif = animation.encode();
      fs.mkdirSync(RESULTS, { recursive: true });
      fs.writeFileSync(path.join(RESULTS, 'readme.gif'), gif);
      if (gif.length > MAX_BYTES) throw new Error(`larger than 1 MB: ${String(gif.length)} bytes`);
    });

    test('the tests of docs/tests.md in the Test Explorer', async () => {
      await page.setViewportSize({ width: 1200, height: 760 });
      await runCommand(page, 'View: Close All Editors');
      await runCommand(page, 'View: Hide Panel');
      await openFile(page, 'ticket.actions.json');
      await runCommand(page, 'Testing: Focus on Test Explorer View');
      const tests = page.locator('.test-explorer .monaco-list-row');
      await tests.filter({ hasText: 'ticket' }).first().waitFor();
      await runCommand(page, 'Test: Run All Tests');
      const run = page.locator('.monaco-dialog-box').getByRole('button', { name: 'Run', exact: true });
      const summary = page.locator('.test-explorer');
      await run.click();
      // The scenario, which has two tests and a sandbox of its own, is confirmed and run first.
      await summary
        .getByText(/^2\/\d+$/)
        .first()
        .waitFor();
      await run.click();
      await summary
        .getByText(/^([1-9]\d*)\/\1$/)
        .first()
        .waitFor();
      await expand(tests.filter({ hasText: 'ticket' }).first());
      await runCommand(page, 'Notifications: Clear All Notifications');
      await runCommand(page, 'View: Hide Panel');
      await screenshot(page, 'readme-tests');
    });
  });
