/** Prepares a run of in-editor tests for either editor and reads its results. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { HostRunRequest } from './extension-host-entry.ts';
import { withLock } from './lock.ts';
import { DEMO, EDITOR_TESTS, ROOT, createTemporaryFolder, VSIX } from './paths.ts';
import type { TestCounts } from './test-counts.ts';

/** Port of the extension host's inspector; see .vscode/launch.json. */
export const INSPECT_PORT = 9229;

const ID = 'smart-objects.smart-object-explorer';

export interface HostRunOptions {
  /** test modules below `dist/test`, in order; default: the activation test, then all other in-editor tests */
  readonly tests?: readonly string[];
  readonly grep?: string;
  /** seed of the order of the suites */
  readonly shuffle?: string;
  /** further variables of the extension host */
  readonly environment?: Readonly<Record<string, string>>;
  /** wait for a debugger on INSPECT_PORT */
  readonly inspect?: boolean;
  /** milliseconds for the whole run */
  readonly timeout?: number;
}

export interface HostRun {
  readonly workspace: string;
  readonly testsPath: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Copies the output of the tests to stdout until the returned function is called. */
  follow(): () => void;
  /** The counts, or `undefined` when the extension host ended before the tests. */
  readCounts(): TestCounts | undefined;
}

function withBuildLock(work: () => void): Promise<void> {
  return withLock(path.join(ROOT, '.cache/build.lock'), () => {
    work();
    return Promise.resolve();
  });
}

/** Copies the packed extension to `dir`, so that a parallel build does not change it; resolves with the path. */
export async function copyVsix(dir: string): Promise<string> {
  const copy = path.join(dir, 'extension.vsix');
  await withBuildLock(() => {
    fs.copyFileSync(VSIX, copy);
  });
  return copy;
}

export interface ExtensionWithTests {
  readonly folder: string;
  /** files in `dist` that belong to the package */
  readonly shipped: readonly string[];
}

/**
 * Copies the tests into the installed extension, where they share its chunks. With `testEntry` the extension activates
 * through `test/editor/extension.ts`, with `inspect` it has source maps. Rejects when it is not installed.
 */
export async function addTests(extensions: string, testEntry: boolean, inspect = false): Promise<ExtensionWithTests> {
  const name = fs.readdirSync(extensions).find((folder) => folder.startsWith(`${ID}-`));
  if (name === undefined) throw new Error(`The extension is not installed in ${extensions}`);
  const folder = path.join(extensions, name);
  const shipped = fs.readdirSync(path.join(folder, 'dist'));
  await withBuildLock(() => {
    const dist = path.join(folder, 'dist');
    fs.cpSync(EDITOR_TESTS, dist, { recursive: true });
    // Tests import chunks of this build, which another version of the extension does not have.
    const isModule = (file: string): boolean => !path.basename(file).includes('.') || file.endsWith('.mjs');
    fs.cpSync(path.join(ROOT, 'dist'), dist, { recursive: true, force: false, filter: isModule });
    // The package contains no source maps, nor their names. The modules of the tests have theirs beside them.
    if (inspect)
      for (const name of fs.readdirSync(dist).filter((file) => file.endsWith('.mjs'))) {
        if (shipped.includes(name))
          fs.copyFileSync(path.join(ROOT, 'dist', `${name}.map`), path.join(dist, `${name}.map`));
        fs.appendFileSync(path.join(dist, name), `//# sourceMappingURL=${name}.map\n`);
      }
  });
  if (testEntry) {
    const file = path.join(folder, 'package.json');
    const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as object;
    fs.writeFileSync(file, JSON.stringify({ ...manifest, main: './dist/test/extension.mjs' }));
  }
  return { folder, shipped };
}

/** Creates the workspace and the environment variables of a run. */
export function prepareHostRun(extension: ExtensionWithTests, options: HostRunOptions): HostRun {
  const dir = createTemporaryFolder('run');
  const workspace = path.join(dir, 'smart-objects-demo');
  // Includes `.vscode`, since VS Code notices one that is created later only after a delay.
  for (const part of [DEMO, path.join(ROOT, 'test/fixtures/editor-workspace')])
    fs.cpSync(part, workspace, { recursive: true });
  const output = path.join(dir, 'output.log');
  const result = path.join(dir, 'result.json');
  fs.writeFileSync(output, '');
  const tests = path.join(extension.folder, 'dist/test');
  const request: HostRunRequest = {
    tests: (options.tests ?? ['editor/first/activation.test.mjs', '../stdin.mjs']).map((file) =>
      path.join(tests, file),
    ),
    output,
    result,
    mocha: createRequire(import.meta.url).resolve('mocha/lib/mocha.cjs'),
    debug: options.inspect ?? false,
    color: process.env['FORCE_COLOR'] === '1',
    ...(options.grep === undefined ? {} : { grep: options.grep }),
    ...(options.shuffle === undefined ? {} : { shuffle: options.shuffle }),
  };
  return {
    workspace,
    testsPath: path.join(tests, 'extension-host-entry.mjs'),
    environment: {
      ...options.environment,
      HARNESS: JSON.stringify(request),
      SHIPPED: JSON.stringify(extension.shipped),
    },
    follow: () => follow(output),
    readCounts: () => (fs.existsSync(result) ? (JSON.parse(fs.readFileSync(result, 'utf8')) as TestCounts) : undefined),
  };
}

function follow(file: string): () => void {
  let position = 0;
  const drain = (): void => {
    const text = fs.readFileSync(file);
    process.stdout.write(text.subarray(position));
    position = text.length;
  };
  const timer = setInterval(drain, 100);
  return () => {
    clearInterval(timer);
    drain();
  };
}
