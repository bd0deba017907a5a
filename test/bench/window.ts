/** Times in the window, from the press of the mouse to what it shows, and how long the server took of each. */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { startSandbox } from '../../src/sandbox/server.ts';
import {
  chooseInMenu,
  collapse,
  expand,
  openFile,
  retryUntilVisible,
  signIn,
  treeRow,
} from '../window/support/gestures.ts';
import { closeEditor, openWindow, screenshot } from '../window/support/window.ts';
import { runCommand, showExplorer, until, webview } from '../window/support/workbench.ts';
import { median } from './list-reading.ts';

export interface WindowTiming {
  readonly what: string;
  /** milliseconds over the server's own time: of the first round, which also loads code, and the median of the others */
  readonly first: number;
  readonly later: number;
  /** milliseconds of the server, the median */
  readonly server: number;
}

interface Span {
  readonly from: number;
  readonly method: string;
  to: number;
}

/** A proxy that notes when each request came and when its response was sent. */
async function startProxy(target: string): Promise<{ readonly url: string; readonly spans: Span[]; close(): void }> {
  const spans: Span[] = [];
  const { origin, pathname } = new URL(target);
  const server = http.createServer((request, response) => {
    const span: Span = { from: Date.now(), method: request.method ?? '', to: Infinity };
    spans.push(span);
    response.once('close', () => (span.to = Date.now()));
    const { method, headers, url = '/' } = request;
    const forwarded = http.request(new URL(url, origin), { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    forwarded.once('error', () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}${pathname === '/' ? '' : pathname}`,
    spans,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The milliseconds between two times in which the server had a request. */
function getServerTime(spans: readonly Span[], from: number, to: number): number {
  let [sum, end] = [0, from];
  for (const span of spans) {
    const until = Math.min(span.to, to);
    sum += Math.max(0, until - Math.max(span.from, end));
    end = Math.max(end, until);
  }
  return sum;
}

/** What the measurements wait for, in the window and in its webviews. */
const SELECTORS = {
  row: '.pane-body .monaco-list-row[aria-level="4"]',
  line: '.editor-group-container.active .view-line',
  heading: 'h1',
  face: '.face iframe',
  // A line has a tone once its row is there.
  item: '[class^="line item "]',
  chart: '.chart canvas',
} as const;

/**
 * Runs in each frame: notes when a button or Enter was pressed, and when each selector first matched after it. Waiting for a
 * locator would add up to half a second.
 */
function noteTimes(selectors: Readonly<Record<string, string>>): void {
  const press = (event: Event): void => {
    const { dataset } = document.documentElement;
    if (event.type !== 'mousedown' && Reflect.get(event, 'key') !== 'Enter') return;
    dataset['pressed'] = String(Date.now());
    for (const name of Object.keys(selectors)) dataset[name] = '';
  };
  for (const type of ['mousedown', 'keydown']) addEventListener(type, press, { capture: true });
  setInterval(() => {
    const { dataset } = document.documentElement;
    for (const [name, selector] of Object.entries(selectors))
      if ((dataset[name] ?? '') === '' && document.querySelector(selector) !== null) dataset[name] = String(Date.now());
  }, 4);
}

/** Waits for an element, and returns when its frame first had it. */
async function waitForShown(target: Locator, name: keyof typeof SELECTORS): Promise<number> {
  await target.waitFor({ timeout: 20_000 });
  return target.evaluate((element, key) => Number(element.ownerDocument.documentElement.dataset[key]), name);
}

/** Measures each in turn, `rounds` times; the window and the server are its own. Rejects if something is not shown. */
export async function measureWindow(rounds: number): Promise<readonly WindowTiming[]> {
  const sandbox = await startSandbox();
  const proxy = await startProxy(sandbox.baseUrl);
  const window = await openWindow({
    settings: {
      'smartObjects.connections': [{ name: 'Bench', baseUrl: proxy.url, environment: 'development' }],
      'smartObjects.confirmExecution': 'never',
    },
  });
  const { page, workspace } = window;
  const row = (text: string | RegExp): Locator => treeRow(page, text);
  const ticket = (): Locator => row(/^(?!.*…).*Harbour Concert Ticket/);
  const closeEditors = (): Promise<void> => runCommand(page, 'View: Close All Editors');

  /** `show` clicks, waits, and resolves with the time in milliseconds. What was pressed last counts. */
  const measure = async (
    what: string,
    show: () => Promise<number>,
    prepare: (round: number) => Promise<unknown> = closeEditors,
  ): Promise<WindowTiming> => {
    const times: { readonly over: number; readonly server: number }[] = [];
    for (let round = 0; round <= rounds; round++) {
      await prepare(round);
      const shown = await show();
      const pressed = await page.evaluate(() => Number(document.documentElement.dataset['pressed']));
      const server = getServerTime(proxy.spans, pressed, shown);
      times.push({ over: shown - pressed - server, server });
    }
    const [first, ...later] = times.map(({ over }) => over);
    return { what, first: first ?? NaN, later: median(later), server: median(times.map(({ server }) => server)) };
  };

  try {
    await page.setViewportSize({ width: 1440, height: 1000 });
    await page.evaluate(noteTimes, SELECTORS);
    await window.context.addInitScript(noteTimes, SELECTORS);
    await signIn(page, sandbox.apiKey);
    await showExplorer(page);
    await expand(row('Bench'));
    await expand(row('All organizations'));
    const objects = row(/^Objects/);
    const inView = (name: keyof typeof SELECTORS): Locator => webview(page).locator(SELECTORS[name]).first();
    const inWindow = (name: keyof typeof SELECTORS): Locator => page.locator(SELECTORS[name]).first();
    const click = async (target: Locator, name: keyof typeof SELECTORS): Promise<number> => {
      await retryUntilVisible(() => ticket().click(), target, 20_000);
      return waitForShown(target, name);
    };
    const results = [
      await measure(
        'first row of a list',
        async () => {
          await expand(objects);
          return waitForShown(inWindow('row'), 'row');
        },
        async (round) => {
          if (round === 0) return;
          await collapse(objects);
          // A refresh drops lists that are collapsed.
          await runCommand(page, 'Smart Objects: Refresh');
        },
      ),
      await measure('document', () => click(inWindow('line'), 'line')),
    ];
    fs.writeFileSync(
      path.join(workspace, '.vscode/settings.json'),
      JSON.stringify({ 'smartObjects.openResources': 'page' }),
    );
    // Until VS Code has read the setting.
    await retryUntilVisible(async () => {
      await closeEditors();
      await ticket().click();
    }, inView('heading'));
    results.push(
      // What an empty page takes: one that is VS Code's own.
      await measure(
        'Markdown preview of VS Code',
        async () => {
          await runCommand(page, 'Markdown: Open Preview');
          return waitForShown(inView('heading'), 'heading');
        },
        async () => {
          await closeEditors();
          await openFile(page, 'welcome.md');
        },
      ),
      await measure('page of an object', () => click(inView('heading'), 'heading')),
      await measure('face on that page', () => click(inView('face'), 'face')),
      await measure('table', async () => {
        await chooseInMenu(objects, 'Open as Table');
        return waitForShown(inView('item'), 'item');
      }),
      await measure('statistics', async () => {
        await runCommand(page, 'Smart Objects: Show Statistics');
        return waitForShown(inView('chart'), 'chart');
      }),
    );
    await closeEditors();
    let known = 0;
    const getPost = (): Span | undefined => proxy.spans.slice(known).find(({ method }) => method === 'POST');
    results.push(
      await measure(
        'POST of a run',
        async () => {
          await page.locator('.codelens-decoration a', { hasText: 'Run' }).first().click();
          await until(() => getPost() !== undefined);
          return getPost()?.from ?? NaN;
        },
        async (round) => {
          // A request that was sent a moment ago is not sent again without a question.
          const file = path.join(workspace, `mint-${String(round)}.action.json`);
          const text = fs.readFileSync(path.join(workspace, 'mint.action.json'), 'utf8');
          fs.writeFileSync(file, text.replace('Seat 1', `Seat ${String(round + 2)}`));
          await openFile(page, path.basename(file));
          await page.locator('.codelens-decoration a', { hasText: 'Run' }).first().waitFor();
          known = proxy.spans.length;
        },
      ),
    );
    return results;
  } catch (error) {
    await screenshot(page, 'failed-bench').catch(() => undefined);
    throw error;
  } finally {
    await window.close();
    await closeEditor();
    proxy.close();
    await sandbox.close();
  }
}
