/** Launcher of the in-editor tests: real VS Code from npm, with the packed extension installed as a user would. */
import path from 'node:path';
import { installVsix, launchBrowser, openWorkbench, startServer, type Settings } from './editor.ts';
import { addTests, copyVsix, INSPECT_PORT, prepareHostRun, type HostRunOptions } from './host-run.ts';
import { DRIVER, createTemporaryFolder } from './paths.ts';
import { installEditor } from './install-editor.ts';
import type { TestCounts } from './test-counts.ts';

export interface HostEditor {
  /** Runs tests in a new window with its own extension host. Rejects when it ends before the tests or exceeds the time limit. */
  run(options: HostRunOptions): Promise<TestCounts>;
  close(): Promise<void>;
}

export interface HostEditorOptions {
  /** the packed extension to test; default: the one that was built last */
  readonly vsix?: string;
  /** further packed extensions to install */
  readonly extensions?: readonly string[];
  /** whether the extension activates through its test entry; default true */
  readonly testEntry?: boolean;
  readonly settings?: Settings;
  /** copy source maps for `HostRunOptions.inspect` */
  readonly inspect?: boolean;
}

/** Starts one server and one browser for any number of runs. */
export async function startHostEditor(options: HostEditorOptions = {}): Promise<HostEditor> {
  await installEditor();
  const dir = createTemporaryFolder('host');
  const dataDir = path.join(dir, 'data');
  installVsix([options.vsix ?? (await copyVsix(dir)), ...(options.extensions ?? [])], dataDir);
  const extension = await addTests(path.join(dataDir, 'extensions'), options.testEntry ?? true, options.inspect);
  const server = await startServer({ dataDir, testDriver: true, settings: options.settings ?? {} });
  const browser = await launchBrowser();

  async function run(runOptions: HostRunOptions): Promise<TestCounts> {
    const prepared = prepareHostRun(extension, runOptions);
    // Nobody looks at it: a small window costs less to draw.
    const context = await browser.newContext({ viewport: { width: 640, height: 480 } });
    const unfollow = prepared.follow();
    const consoleLines: string[] = [];
    try {
      const exit = await new Promise<number | undefined>((resolve, reject) => {
        const { inspect = false, timeout = inspect ? 86_400_000 : 3_600_000 } = runOptions;
        const timer = setTimeout(resolve, timeout, undefined);
        openWorkbench(context, server, {
          folder: prepared.workspace,
          extensionDevelopmentPath: DRIVER,
          extensionTestsPath: prepared.testsPath,
          extensionEnvironment: prepared.environment,
          wait: false,
          ...(inspect && { inspectPort: INSPECT_PORT }),
          onConsole: (line) => consoleLines.push(line),
          onExit: (code) => {
            clearTimeout(timer);
            resolve(code);
          },
        }).catch(reject);
      });
      const counts = prepared.readCounts();
      if (counts !== undefined) return counts;
      const reason = exit === undefined ? 'ran into the time limit' : `ended (${String(exit)}) before the tests did`;
      throw new Error([`the editor ${reason}`, ...consoleLines.slice(-30), server.output().slice(-3000)].join('\n'));
    } finally {
      unfollow();
      await context.close();
    }
  }

  return {
    run,
    async close() {
      await browser.close();
      await server.stop();
    },
  };
}

/** Runs tests in an editor of their own. Rejects as `HostEditor.run` does. */
export async function runInNpmEditor(options: HostRunOptions): Promise<TestCounts> {
  const editor = await startHostEditor({ inspect: options.inspect ?? false });
  try {
    return await editor.run(options);
  } finally {
    await editor.close();
  }
}
