/** The first minutes of a new user: Get Started, the keyboard, and the clicks from the demo to what it can show. */
import assert from 'node:assert/strict';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { pickerRow, runCommand, showExplorer, until } from './support/workbench.ts';
import { expand, retryUntilVisible, treeRow } from './support/gestures.ts';
import { openWindow, screenshot, takePictures, type TestWindow } from './support/window.ts';

const STATISTICS_CLICKS = 2;
const FACE_CLICKS = 2;
const OWNER_CLICKS = 2;
const FAILURES_CLICKS = 2;
const RUN_CLICKS = 4;
const STEPS = ['sandbox', 'object', 'face', 'run', 'connect', 'test', 'agents'] as const;

suite('the first minutes', () => {
  let window: TestWindow;
  let page: Page;

  suiteSetup(async () => {
    window = await openWindow({ settings: { 'smartObjects.openResources': 'page' } });
    page = window.page;
    await page.setViewportSize({ width: 1440, height: 900 });
    await showExplorer(page);
  });
  suiteTeardown(() => window.close());

  const row = (text: string | RegExp): Locator => treeRow(page, text);
  const step = (id: string): Locator => page.locator(`.getting-started-step[data-step-id$="#getStarted#${id}"]`);
  const webview = (): Locator => page.locator('iframe.webview.ready').first();
  const view = (): FrameLocator => webview().contentFrame().locator('#active-frame').contentFrame();
  const face = (): Locator => view().locator('iframe[srcdoc]').first();
  const otherObjects = (): Locator => view().locator('.cards li').nth(1);
  const objectRows = (): Locator => page.locator('.pane-body .monaco-list-row[aria-level="4"]');

  async function openStep(id: string): Promise<void> {
    if ((await step(id).getAttribute('aria-expanded')) !== 'true') await step(id).locator('.step-title').click();
    const picture = page.locator(`.getting-started-media img[srcset*="${id}.png"]`);
    await until(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0));
  }

  test('the welcome view leads to Get Started, whose steps have pictures', async () => {
    await retryUntilVisible(() => page.getByText('Open Get Started').first().click(), step('sandbox'), 10_000);
    for (const id of STEPS) await takePictures(page, `get-started-${id}`, () => openStep(id));
  });

  test('a step is checked off when it is done', async () => {
    await openStep('sandbox');
    const start = step('sandbox').locator('.monaco-button', { hasText: 'Start Local Sandbox' });
    await retryUntilVisible(() => start.click(), row('Local Sandbox'), 20_000);
    await step('sandbox').locator('.codicon-getting-started-step-checked').waitFor();
    await screenshot(page, 'get-started-done');
    await runCommand(page, 'View: Close All Editors');
  });

  test('statistics are two clicks away', async () => {
    await showExplorer(page);
    const clicks = createClickCounter();
    await clicks.click(row('Statistics'), row('Executions'));
    await clicks.click(row('Executions'), view().locator('section#executions .chart canvas'));
    await view().locator('section#creations .chart canvas').waitFor();
    await screenshot(page, 'first-statistics');
    assert.equal(clicks.count, STATISTICS_CLICKS);
    await runCommand(page, 'View: Close All Editors');
  });

  test('a face is two clicks away from its organization, the other objects of an owner from an object', async () => {
    await showExplorer(page);
    await expand(row('Harbourlight Events'));
    const face = createClickCounter();
    await face.click(row('Objects'), objectRows().first());
    await face.click(objectRows().first(), view().locator('.face iframe'));
    await screenshot(page, 'first-face');
    assert.equal(face.count, FACE_CLICKS);
    // Get Started knows that a face was seen.
    await runCommand(page, 'Welcome: Open Walkthrough...');
    await pickerRow(page, 'Get Started with Smart Object Explorer').click();
    await step('face').locator('.codicon-getting-started-step-checked').waitFor();
    await runCommand(page, 'View: Close Editor');
    const owner = createClickCounter();
    await owner.click(objectRows().first(), view().locator('.face iframe'));
    await owner.click(view().locator('dt', { hasText: 'Owner' }).locator('+ dd button.link'), otherObjects());
    await screenshot(page, 'first-owner');
    assert.equal(owner.count, OWNER_CLICKS);
    await runCommand(page, 'View: Close All Editors');
  });

  test('the failures of the last hour are two clicks away', async () => {
    await showExplorer(page);
    const clicks = createClickCounter();
    const inView = (): FrameLocator => webview().contentFrame().frameLocator('#active-frame');
    await row('Local Sandbox').hover();
    const failures = row('Local Sandbox').locator('[aria-label^="Show Failures"]');
    await clicks.click(failures, inView().locator('table.failures tbody tr').first());
    const hour = inView().getByRole('button', { name: 'Last hour' });
    await clicks.click(hour, hour.and(inView().locator('[aria-pressed="true"]')));
    await inView()
      .locator('.lead', { hasText: /^[\d,]+ failures · [\d,]+ groups(?! ·)/ })
      .waitFor();
    await screenshot(page, 'first-failures');
    assert.equal(clicks.count, FAILURES_CLICKS);
    await runCommand(page, 'View: Hide Panel');
  });

  test('a completed run with its changes is four clicks away', async () => {
    const clicks = createClickCounter();
    const file = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'mint.action.json' });
    const lens = (text: string): Locator => page.locator('.codelens-decoration a', { hasText: text }).first();
    await clicks.click(page.locator('.activitybar .action-label[aria-label^="Explorer"]').first(), file);
    await clicks.click(file, lens('Run on Local Sandbox'));
    // A second click would be a second run.
    await clicks.click(lens('Run on Local Sandbox'), lens('Show Changes'), 60_000);
    await clicks.click(lens('Show Changes'), page.locator('.tab.active', { hasText: /Row A Seat 1 #\d+$/ }));
    await screenshot(page, 'first-run');
    assert.equal(clicks.count, RUN_CLICKS);
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Notifications: Clear All Notifications');
    await runCommand(page, 'View: Hide Panel');
  });

  test('keys act on the focused row, which no click has selected', async () => {
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await showExplorer(page);
    const focused = page.locator('.pane-body .monaco-list-row.focused');
    const second = objectRows().nth(1);
    await second.waitFor();
    const getFocused = async (): Promise<string | null> =>
      (await focused.count()) === 0 ? '' : focused.first().getAttribute('data-index');
    await page.keyboard.press('Home');
    for (let moves = 0; moves < 30; moves++) {
      if (await second.and(focused).isVisible()) break;
      const before = await getFocused();
      await page.keyboard.press('ArrowDown');
      await until(async () => (await getFocused()) !== before);
    }
    await second.and(focused).waitFor();
    const copied = page.locator('.statusbar-item', { hasText: /Copied / });
    await retryUntilVisible(() => page.keyboard.press('Control+c'), copied, 2000);
    await retryUntilVisible(() => page.keyboard.press('Shift+Alt+p'), face(), 10_000);
    await runCommand(page, 'View: Close All Editors');
  });

  /** Counts clicks. A click that the workbench ignored is repeated and counts once. */
  function createClickCounter(): {
    readonly count: number;
    click(target: Locator, result: Locator, timeout?: number): Promise<void>;
  } {
    let count = 0;
    return {
      get count() {
        return count;
      },
      async click(target, result, timeout = 10_000) {
        count++;
        await retryUntilVisible(() => target.click(), result, timeout);
      },
    };
  }
});
