/** Launcher of the in-editor tests: real VS Code from npm, with the packed extension installed as a user would. */
import path from 'node:path';
import { installVsix, launchBrowser, openWorkbench, startServer, type Settings } from './editor.ts';
import { addTests, copyOfVsix, prepareHostRun, type HostRunOptions } from './host-run.ts';
import { DRIVER, temporary } from './paths.ts';
import { setup } from './setup.ts';
import type { Tally } from './tally.ts';

export interface HostEditor {
  /** Opens a window, and with it an extension host of its own, and runs tests in it. */
  run(options: HostRunOptions): Promise<Tally>;
  close(): Promise<void>;
}

export interface HostEditorOptions {
  /** further packed extensions to install, beside ours */
  readonly extensions?: readonly string[];
  /** whether ours activates through its test entry; default true */
  readonly testEntry?: boolean;
  readonly settings?: Settings;
}

/** One server and one browser for any number of runs. */
export async function startHostEditor(options: HostEditorOptions = {}): Promise<HostEditor> {
  await setup();
  const dir = temporary('host');
  const dataDir = path.join(dir, 'data');
  installVsix([await copyOfVsix(dir), ...(options.extensions ?? [])], dataDir);
  const extension = await addTests(path.join(dataDir, 'extensions'), options.testEntry ?? true);
  const server = await startServer({ dataDir, testDriver: true, settings: options.settings ?? {} });
  const browser = await launchBrowser();

  async function run(order: HostRunOptions): Promise<Tally> {
    const prepared = prepareHostRun(extension, order);
    const context = await browser.fresh();
    const unfollow = prepared.follow();
    const seen: string[] = [];
    try {
      const exit = await new Promise<number | undefined>((resolve, reject) => {
        const timer = setTimeout(resolve, order.timeout ?? 420_000, undefined);
        openWorkbench(context, server, {
          folder: prepared.workspace,
          extensionDevelopmentPath: DRIVER,
          extensionTestsPath: prepared.testsPath,
          extensionEnvironment: prepared.environment,
          wait: false,
          onConsole: (line) => seen.push(line),
          onExit: (code) => {
            clearTimeout(timer);
            resolve(code);
          },
        }).catch(reject);
      });
      const counts = prepared.tally();
      if (counts !== undefined) return counts;
      const why = exit === undefined ? 'ran into the time limit' : `ended (${String(exit)}) before the tests did`;
      throw new Error([`the editor ${why}`, ...seen.slice(-30), server.output().slice(-3000)].join('\n'));
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

export async function runInNpmEditor(options: HostRunOptions): Promise<Tally> {
  const editor = await startHostEditor();
  try {
    return await editor.run(options);
  } finally {
    await editor.close();
  }
}
