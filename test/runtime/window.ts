/** Windows for tests that see what a person sees: the real workbench with the packed extension installed. */
import fs from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import {
  installVsix,
  launchBrowser,
  openWorkbench,
  startServer,
  writeUserSettings,
  type Browser,
  type Server,
  type Settings,
} from './editor.ts';
import { DEMO, RESULTS, temporary, VSIX } from './paths.ts';
import { setup } from './setup.ts';

export interface WindowOptions {
  readonly settings?: Settings;
  /** copied into the window's workspace; default: the demo folder */
  readonly folder?: string;
  /** the browser takes any certificate */
  readonly trusting?: boolean;
}

export interface TestWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly server: Server;
  /** the workspace that is open, a copy of its own */
  readonly workspace: string;
  close(): Promise<void>;
}

interface Shared {
  readonly dir: string;
  readonly server: Server;
  readonly browser: Browser;
}

const open = new Set<Page>();

// One server and one browser for all windows of the process: starting them is most of the time.
let shared: Promise<Shared> | undefined;

async function start(): Promise<Shared> {
  await setup();
  const dir = temporary('window');
  const dataDir = path.join(dir, 'data');
  installVsix([VSIX], dataDir);
  const [server, browser] = await Promise.all([startServer({ dataDir, keep: 5 }), launchBrowser()]);
  return { dir, server, browser };
}

/** Opens a window with storage of its own (secrets, layout), so nothing of an earlier window is in it. */
export async function openWindow(options: WindowOptions = {}): Promise<TestWindow> {
  const { dir, server, browser } = await (shared ??= start());
  writeUserSettings(server.dataDir, options.settings);
  const workspace = path.join(fs.mkdtempSync(path.join(dir, 'workspace-')), 'smart-objects-demo');
  fs.cpSync(options.folder ?? DEMO, workspace, { recursive: true });
  // Settings that are written later are noticed sooner where there were some when the folder was opened.
  const settings = path.join(workspace, '.vscode/settings.json');
  fs.mkdirSync(path.dirname(settings), { recursive: true });
  if (!fs.existsSync(settings)) fs.writeFileSync(settings, '{}\n');
  const context = await browser.fresh(options.trusting);
  const page = await openWorkbench(context, server, { folder: workspace });
  open.add(page);
  const close = (): Promise<void> => {
    open.delete(page);
    return context.close();
  };
  return { page, context, server, workspace, close };
}

/** What stood on the screen when a test failed: `test-results/failed-<name>.png`, one a window. */
export async function pictureOfFailure(name: string): Promise<void> {
  const file = name.replace(/[^\w]+/g, '-').slice(0, 100);
  let number = 0;
  for (const page of open) {
    const suffix = number++ === 0 ? '' : `-${String(number)}`;
    // A window that is gone has nothing to show, and the failure itself is reported.
    await screenshot(page, `failed-${file}${suffix}`).catch(() => undefined);
  }
}

/** Kept as `test-results/<name>.png`; returns the path. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const file = path.join(RESULTS, `${name}.png`);
  await page.screenshot({ path: file });
  return file;
}

/** Ends the shared server and browser, if any; the runner calls it after the last test. */
export async function closeWindows(): Promise<void> {
  if (shared === undefined) return;
  const { server, browser } = await shared;
  shared = undefined;
  await browser.close();
  await server.stop();
}
