/** Opens the page of a webview in a plain browser. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { launchBrowser } from '../runtime/editor.ts';
import { ROOT } from '../runtime/paths.ts';

const BUNDLE = path.join(ROOT, 'dist/webviews');
const ORIGIN = 'http://127.0.0.1:1';
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

/**
 * Opens a page of `dist/webviews`, which must be built, without a host: what the page posts goes to `globalThis.receive`,
 * if that is set, and `globalThis.post(type, body)` posts to it.
 */
export async function openWebviewPage(
  { context }: Awaited<ReturnType<typeof launchBrowser>>,
  name: string,
): Promise<Page> {
  const page = await context.newPage();
  // Modules are loaded from an origin; nothing listens there.
  await page.route(`${ORIGIN}/**`, (route) => {
    const file = new URL(route.request().url()).pathname.slice(1);
    const body =
      file === ''
        ? `<!DOCTYPE html><html style="height:100%"><head><link rel="stylesheet" href="${name}.css"></head>` +
          `<body class="vscode-dark"><div id="root"></div><script type="module" src="${name}.js"></script></body></html>`
        : fs.readFileSync(path.join(BUNDLE, path.basename(file)));
    return route.fulfill({ body, contentType: TYPES[path.extname(file)] ?? 'text/html' });
  });
  await page.addInitScript(() => {
    const post = (type: string, body: unknown): void => {
      dispatchEvent(new MessageEvent('message', { data: { type, body }, origin: window.origin }));
    };
    const postMessage = (message: unknown): void => {
      const receive: unknown = Reflect.get(globalThis, 'receive');
      if (typeof receive === 'function') Reflect.apply(receive, undefined, [message]);
    };
    Object.assign(globalThis, {
      post,
      acquireVsCodeApi: () => ({ postMessage, getState: () => undefined, setState: () => undefined }),
    });
  });
  return page;
}

/** Loads the page that `openWebviewPage` prepared; before this, `addInitScript` can set `globalThis.receive`. */
export async function loadWebviewPage(page: Page): Promise<void> {
  await page.goto(`${ORIGIN}/`);
}

/** Posts a message to the page, as the host does. */
export function postToPage(page: Page, type: string, body: unknown): Promise<void> {
  return page.evaluate(
    (message) => {
      const post: unknown = Reflect.get(globalThis, 'post');
      if (typeof post === 'function') Reflect.apply(post, undefined, [message.type, message.body]);
    },
    { type, body },
  );
}

/** Milliseconds of each frame while a box scrolls, and the most elements that match `rows` meanwhile. */
export interface Scrolling {
  readonly frames: readonly number[];
  readonly drawn: number;
}

/** Scrolls a box by steps of a wheel, by pages, and now and then far. */
export function scrollBox(page: Page, box: string, rows: string): Promise<Scrolling> {
  return page.evaluate(
    async ({ box, rows }) => {
      const element = document.querySelector(box);
      if (element === null) throw new Error(`no ${box}`);
      const frames: number[] = [];
      let drawn = 0;
      let last = await new Promise<number>(requestAnimationFrame);
      for (let step = 0; step < 240; step++) {
        element.scrollTop += step % 20 === 19 ? 100_000 : step % 2 === 0 ? 100 : 600;
        const now = await new Promise<number>(requestAnimationFrame);
        frames.push(now - last);
        last = now;
        drawn = Math.max(drawn, document.querySelectorAll(rows).length);
      }
      return { frames, drawn };
    },
    { box, rows },
  );
}

/** Scrolls an empty box of the same height in place of the page's content. */
export async function scrollBareBox(page: Page, height: number): Promise<Scrolling> {
  await page.evaluate((height) => {
    document.body.innerHTML = `<div id="bare" style="height:600px;overflow:auto"><div style="height:${String(height)}px"></div></div>`;
  }, height);
  return scrollBox(page, '#bare', '#bare > div');
}

/** Counts the frames of more than 33 milliseconds: those that miss two refreshes of the screen. */
export function countLongFrames(frames: readonly number[]): number {
  return frames.filter((frame) => frame > 33.4).length;
}
