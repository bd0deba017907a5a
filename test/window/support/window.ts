/** Windows for the window tests: the real workbench with the packed extension installed. */
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
} from '../../runtime/editor.ts';
import { DEMO, RESULTS, USES_FLOOR, createTemporaryFolder, VSIX } from '../../runtime/paths.ts';
import { installEditor } from '../../runtime/install-editor.ts';
import { setTheme } from './workbench.ts';

export interface WindowOptions {
  readonly settings?: Settings;
  /** copied into the window's workspace; default: the demo folder */
  readonly folder?: string;
  /** accept any certificate */
  readonly trusting?: boolean;
  /** pixels of a screenshot in each pixel of the page; default 1 */
  readonly deviceScaleFactor?: number;
  /** called before the window opens */
  readonly prepare?: (editor: WindowPreparation) => void | Promise<void>;
}

export interface WindowPreparation {
  readonly context: BrowserContext;
  readonly server: Server;
}

export interface TestWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly server: Server;
  /** the open folder, a copy for this window */
  readonly workspace: string;
  close(): Promise<void>;
}

interface SharedEditor {
  readonly dir: string;
  readonly server: Server;
  readonly browser: Browser;
}

const THEMES = ['light', 'highContrastDark', 'highContrastLight', 'dark'] as const;

const openPages = new Set<Page>();

// Shared by all windows of the process, since starting a server and a browser is slow.
let shared: Promise<SharedEditor> | undefined;

async function start(): Promise<SharedEditor> {
  await installEditor();
  const dir = createTemporaryFolder('window');
  const dataDir = path.join(dir, 'data');
  installVsix([VSIX], dataDir);
  const [server, browser] = await Promise.all([startServer({ dataDir, keep: 5 }), launchBrowser()]);
  return { dir, server, browser };
}

/** Opens a window with separate storage, without secrets and layout of earlier windows. */
export async function openWindow(options: WindowOptions = {}): Promise<TestWindow> {
  const { dir, server, browser } = await (shared ??= start());
  // Most suites are about JSON; that of pages has the default.
  writeUserSettings(server.dataDir, { 'smartObjects.openResources': 'json', ...options.settings });
  const workspace = path.join(fs.mkdtempSync(path.join(dir, 'workspace-')), 'smart-objects-demo');
  fs.cpSync(options.folder ?? DEMO, workspace, { recursive: true });
  // VS Code notices later changes of an existing settings file sooner than a new file.
  const settings = path.join(workspace, '.vscode/settings.json');
  fs.mkdirSync(path.dirname(settings), { recursive: true });
  if (!fs.existsSync(settings)) fs.writeFileSync(settings, '{}\n');
  const { trusting = false, deviceScaleFactor = 1 } = options;
  const context = await browser.newContext({ ignoreHTTPSErrors: trusting, deviceScaleFactor });
  await options.prepare?.({ context, server });
  const page = await openWorkbench(context, server, { folder: workspace });
  openPages.add(page);
  const close = (): Promise<void> => {
    openPages.delete(page);
    return context.close();
  };
  return { page, context, server, workspace, close };
}

/** True by PICTURES=1. Pictures are for people, no test reads them, and a change of the theme takes seconds. */
export const TAKES_PICTURES = process.env['PICTURES'] === '1';

/** If pictures are taken, writes `test-results/<name>.png`, in the oldest VS Code `floor-<name>.png`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (TAKES_PICTURES) await capture(page, name);
}

/**
 * If pictures are taken, writes `<name>-<theme>.png` for each kind of theme, and leaves the dark one. `prepare` runs before
 * each picture, and once without pictures.
 */
export async function takePictures(page: Page, name: string, prepare?: () => Promise<unknown>): Promise<void> {
  if (!TAKES_PICTURES) await prepare?.();
  for (const theme of TAKES_PICTURES ? THEMES : []) {
    await setTheme(page, theme);
    await prepare?.();
    await capture(page, `${name}-${theme}`);
  }
}

async function capture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(RESULTS, `${USES_FLOOR ? 'floor-' : ''}${name}.png`) });
}

/** Ends the server and the browser of all windows. */
export async function closeEditor(): Promise<void> {
  if (shared === undefined) return;
  const { server, browser } = await shared;
  await browser.close();
  await server.stop();
}

// Root hooks: loaded before any suite is defined, so they apply to all window tests of the process. Benches have none.
if (Reflect.has(globalThis, 'teardown')) {
  teardown(async function () {
    if (this.currentTest?.isPassed() !== false) return;
    const name = this.currentTest
      .fullTitle()
      .replace(/[^\w]+/g, '-')
      .slice(0, 100);
    for (const [index, page] of [...openPages].entries()) {
      const suffix = index === 0 ? '' : `-${String(index + 1)}`;
      // A page that has crashed cannot be captured; the test's own failure is reported.
      await capture(page, `failed-${name}${suffix}`).catch(() => undefined);
    }
  });
  suiteTeardown(closeEditor);
}
