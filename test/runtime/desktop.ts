/** Runs the in-editor tests in desktop VS Code, downloaded by `@vscode/test-electron`, with the packed extension. */
import fs from 'node:fs';
import path from 'node:path';
import { downloadAndUnzipVSCode, runTests, runVSCodeCommand } from '@vscode/test-electron';
import { addTests, copyVsix, INSPECT_PORT, prepareHostRun, type HostRunOptions } from './host-run.ts';
import { DRIVER, ROOT, createTemporaryFolder } from './paths.ts';
import type { TestCounts } from './test-counts.ts';

/** The version in VSCODE_VERSION: a number, `stable`, `insiders`, or `floor` for the oldest that the manifest allows. */
export function desktopVersion(): string {
  const requested = process.env['VSCODE_VERSION'] ?? 'stable';
  if (requested !== 'floor') return requested;
  const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    readonly engines: { readonly vscode: string };
  };
  return manifest.engines.vscode.replace(/^\^/, '');
}

const DOWNLOADS = path.join(ROOT, '.cache/vscode');

/** Downloads VS Code unless it is there; resolves with the path of its executable. Rejects when the download fails. */
export function downloadDesktop(): Promise<string> {
  return downloadAndUnzipVSCode({ version: desktopVersion(), cachePath: DOWNLOADS });
}

/** Installs the packed extension in a new profile and runs the tests. Rejects when VS Code ends before they do. */
export async function runInDesktop(options: HostRunOptions): Promise<TestCounts> {
  const vscodeExecutablePath = await downloadDesktop();
  const dir = createTemporaryFolder('desktop');
  const extensions = path.join(dir, 'extensions');
  const directories = [`--user-data-dir=${path.join(dir, 'data')}`, `--extensions-dir=${extensions}`];
  await runVSCodeCommand([...directories, '--install-extension', await copyVsix(dir), '--force'], {
    version: desktopVersion(),
    cachePath: DOWNLOADS,
  });
  const run = prepareHostRun(await addTests(extensions, true, options.inspect), options);
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
        ...directories,
        ...(options.inspect === true ? [`--inspect-brk-extensions=${String(INSPECT_PORT)}`] : []),
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
    const counts = run.readCounts();
    if (counts === undefined) throw new Error('desktop VS Code ended before the tests did', { cause: failure });
    return counts;
  } finally {
    unfollow();
  }
}
