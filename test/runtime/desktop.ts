/** Launcher of the in-editor suite: desktop VS Code as `@vscode/test-electron` downloads it, with the packed extension. */
import fs from 'node:fs';
import path from 'node:path';
import { downloadAndUnzipVSCode, runTests, runVSCodeCommand } from '@vscode/test-electron';
import { addTests, copyOfVsix, prepareHostRun, type HostRunOptions } from './host-run.ts';
import { DRIVER, ROOT, temporary } from './paths.ts';
import type { Tally } from './tally.ts';

/** VSCODE_VERSION: `floor` is the oldest version that the manifest allows, else a version, `stable` or `insiders`. */
export function desktopVersion(): string {
  const asked = process.env['VSCODE_VERSION'] ?? 'stable';
  if (asked !== 'floor') return asked;
  const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    readonly engines: { readonly vscode: string };
  };
  return manifest.engines.vscode.replace(/^\^/, '');
}

const DOWNLOADS = path.join(ROOT, '.cache/vscode');

export function downloadDesktop(): Promise<string> {
  return downloadAndUnzipVSCode({ version: desktopVersion(), cachePath: DOWNLOADS });
}

export async function runInDesktop(options: HostRunOptions): Promise<Tally> {
  const vscodeExecutablePath = await downloadDesktop();
  const dir = temporary('desktop');
  const extensions = path.join(dir, 'extensions');
  const places = [`--user-data-dir=${path.join(dir, 'data')}`, `--extensions-dir=${extensions}`];
  await runVSCodeCommand([...places, '--install-extension', await copyOfVsix(dir), '--force'], {
    version: desktopVersion(),
    cachePath: DOWNLOADS,
  });
  const run = prepareHostRun(await addTests(extensions, true), options);
  const unfollow = run.follow();
  try {
    let failure: unknown;
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: DRIVER,
      extensionTestsPath: run.testsPath,
      extensionTestsEnv: run.environment,
      launchArgs: [
        run.workspace,
        ...places,
        ...[
          '--disable-workspace-trust',
          '--skip-welcome',
          '--skip-release-notes',
          '--disable-updates',
          '--disable-gpu',
        ],
      ],
    }).catch((error: unknown) => {
      failure = error;
    });
    unfollow();
    const counts = run.tally();
    if (counts === undefined) throw new Error('desktop VS Code ended before the tests did', { cause: failure });
    return counts;
  } finally {
    unfollow();
  }
}
