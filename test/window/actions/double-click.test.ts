/** A double click runs once at any speed; a repeat is sent only on Run Anyway. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { runCommand, until } from '../support/workbench.ts';
import { openFile, signIn } from '../support/gestures.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { openWindow, screenshot, type TestWindow } from '../support/window.ts';

suite('a double click runs an action once', () => {
  let window: TestWindow;
  let sandbox: Sandbox;
  let page: Page;

  suiteSetup(async () => {
    sandbox = await startSandbox({ settleDelay: 100, batchDelay: 100 });
    window = await openWindow({
      settings: {
        'smartObjects.connections': [{ name: 'Rehearsal', baseUrl: sandbox.baseUrl, environment: 'sandbox' }],
        // A visible Runs view takes the place of the message.
        'smartObjects.revealRuns': false,
      },
    });
    page = window.page;
    await signIn(page, sandbox.apiKey);
  });
  suiteTeardown(async () => {
    await window.close();
    await sandbox.close();
  });

  const clear = (): Promise<void> => runCommand(page, 'Notifications: Clear All Notifications');
  const toast = (text: string | RegExp): Locator => page.locator('.notification-toast', { hasText: text }).first();

  const posts = (): number => sandbox.recorder.counts['POST /ebus/execute'] ?? 0;

  async function templateId(): Promise<string> {
    const answer = await fetch(`${sandbox.baseUrl}/public/templates?limit=1`, {
      headers: { 'x-api-key': sandbox.apiKey },
    });
    const { templates } = (await answer.json()) as { readonly templates: readonly { readonly id: string }[] };
    return templates[0]?.id ?? assert.fail('no template');
  }

  // Slow: two files are opened and run one after another.
  test('code lens clicks 0 and 300 ms apart', async () => {
    const template_id = await templateId();
    for (const gap of [0, 300]) {
      const name = `double-${String(gap)}`;
      const action = { mint: { template_id, num: 1 } };
      fs.writeFileSync(path.join(window.workspace, `${name}.action.json`), JSON.stringify({ action }, null, 2));
      await openFile(page, `${name}.action.json`);
      const lens = page.locator('.codelens-decoration a', { hasText: 'Run on' }).first();
      const before = posts();
      // Waits until the lens stays in its place: lenses are drawn again when their texts arrive.
      await lens.hover();
      for (const clickCount of [1, 2]) {
        await page.mouse.down({ clickCount });
        await page.mouse.up({ clickCount });
        // A fixed wait: the time between the clicks is what is tested.
        if (clickCount === 1) await page.waitForTimeout(gap);
      }
      const refused = toast(new RegExp(`${name} (?:was just run|is already being sent).*so it was not run again`));
      await refused.waitFor();
      await toast(`${name}: completed`).waitFor();
      assert.equal(posts(), before + 1, `${String(gap)} ms`);
      if (gap === 300) {
        await screenshot(page, 'actions-double-click');
        await refused.getByRole('button', { name: 'Run Anyway' }).click();
        await refused.waitFor({ state: 'detached' });
        await toast(`${name}: completed`).waitFor();
        await until(() => posts() >= before + 2);
        assert.equal(posts(), before + 2);
      }
      await clear();
    }
  });
});
