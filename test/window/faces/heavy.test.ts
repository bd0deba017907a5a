/** Faces that keep a window busy: most are not shown at once, and what a window did not survive is not shown again by itself. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { openWorkbench, workbenchReady } from '../../runtime/editor.ts';
import { heavyFaces, type HeavyFace } from '../../support/faces/heavy-faces.ts';
import { openFile } from '../support/gestures.ts';
import { runCommand, until, webview } from '../support/workbench.ts';
import { takePictures } from '../support/window.ts';
import { leaveSharedWindow, openSharedWindow } from './shared-window.ts';

const BATCH = 40;
const FILE = 'heavy.face.json';
const SEED = Number(process.env['SEED'] ?? 4711);

suite('heavy faces', () => {
  const faces = heavyFaces(SEED, 120);
  const uncounted = faces.filter(({ name }) => name.endsWith('nested columns'));
  const counted = faces.filter((face) => !uncounted.includes(face));

  function format(list: readonly HeavyFace[]): string {
    return JSON.stringify({ name: 'Heavy', views: list.map(({ name, content }) => ({ variant: name, content })) });
  }

  async function openPreview(page: Page): Promise<void> {
    await openFile(page, FILE);
    await runCommand(page, 'Smart Objects: Preview Face');
  }

  /** Whether the page responds within a second. To be polled: a busy page does in time, a blocked one never does. */
  function responds(page: Page): Promise<boolean> {
    const response = webview(page)
      .locator('header')
      .evaluate(() => true);
    const tooLate = new Promise<boolean>((resolve) => setTimeout(resolve, 1000, false));
    return Promise.race([response.catch(() => false), tooLate]);
  }

  let window: Awaited<ReturnType<typeof openSharedWindow>>;
  suiteSetup(async () => {
    window = await openSharedWindow(FILE, format(counted.slice(0, BATCH)));
  });

  // Slow: lays out 120 captions.
  test('120 are gated, and the window responds', async () => {
    const { page, file } = window;
    await openPreview(page);
    const captions = webview(page).locator('figcaption bdi');
    await webview(page).locator('[data-name="variant"]').selectOption('all');
    for (let at = 0; at < counted.length; at += BATCH) {
      const batch = counted.slice(at, at + BATCH);
      if (at > 0) fs.writeFileSync(file, format(batch));
      await until(async () => (await captions.allTextContents()).join() === batch.map(({ name }) => name).join());
      assert.equal(await webview(page).locator('iframe').count(), 0);
      assert.equal(await webview(page).locator('button', { hasText: 'Show Anyway' }).count(), batch.length);
      await until(() => responds(page));
    }
  });

  // Slow: blocks the window, and opens another.
  test('one that a window does not survive is a card at the next start', async () => {
    const { page, file } = window;
    // In this editor a frame blocks the window with it.
    fs.writeFileSync(file, format(uncounted.slice(0, 1)));
    await until(async () => !(await responds(page)));
    const opening = openWorkbench(window.context, window.server, { folder: window.workspace });
    await page.close();
    const next = await opening;
    await workbenchReady(next);
    await openPreview(next);
    await webview(next).locator('.empty', { hasText: 'The window did not respond' }).waitFor();
    assert.equal(await webview(next).locator('iframe').count(), 0);
    await webview(next).locator('button', { hasText: 'Show Anyway' }).waitFor();
    await takePictures(next, 'face-unresponsive');
    await until(() => responds(next));
    await leaveSharedWindow(window, next);
  });
});
