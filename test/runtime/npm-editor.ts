/** Launcher of the in-editor suite: real VS Code from npm, with the packed extension installed as a user would. */
import path from 'node:path';
import { installVsix, launchBrowser, openWorkbench, startServer } from './editor.ts';
import { prepareHostRun, type HostRunOptions } from './host-run.ts';
import { DRIVER } from './paths.ts';
import { setup } from './setup.ts';
import type { Tally } from './tally.ts';

export async function runInNpmEditor(options: HostRunOptions): Promise<Tally> {
  await setup();
  const run = await prepareHostRun(options);
  const dataDir = path.join(run.temporary, 'data');
  installVsix([run.vsix], dataDir);
  const server = await startServer({ dataDir, testDriver: true });
  const browser = await launchBrowser();
  const unfollow = run.follow();
  const seen: string[] = [];
  try {
    const exit = await new Promise<number | undefined>((resolve, reject) => {
      const timer = setTimeout(resolve, options.timeout ?? 240_000, undefined);
      openWorkbench(browser.context, server, {
        folder: run.workspace,
        extensionDevelopmentPath: DRIVER,
        extensionTestsPath: run.testsPath,
        extensionEnvironment: run.environment,
        wait: false,
        onConsole: (line) => seen.push(line),
        onExit: (code) => {
          clearTimeout(timer);
          resolve(code);
        },
      }).catch(reject);
    });
    unfollow();
    const counts = run.tally();
    if (counts === undefined) {
      const why = exit === undefined ? 'ran into the time limit' : `ended (${String(exit)}) before the tests did`;
      throw new Error([`the editor ${why}`, ...seen.slice(-30), server.output().slice(-3000)].join('\n'));
    }
    return counts;
  } finally {
    unfollow();
    await browser.close();
    await server.stop();
  }
}
