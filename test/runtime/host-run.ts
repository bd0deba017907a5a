/** One run of in-editor tests: what the launcher prepares for the extension host, and what it reads back. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { HostOrder } from './in-host.ts';
import { withLock } from './lock.ts';
import { DEMO, EDITOR_TESTS, ROOT, temporary, VSIX } from './paths.ts';
import type { Tally } from './tally.ts';

const ID = 'smart-objects.smart-object-explorer';

export interface HostRunOptions {
  /** modules of tests below `dist/test`, in the order in which they run; default: the in-editor suites */
  readonly tests?: readonly string[];
  readonly grep?: string;
  /** further variables of the extension host */
  readonly environment?: Readonly<Record<string, string>>;
  /** milliseconds for the whole run */
  readonly timeout?: number;
}

export interface HostRun {
  readonly workspace: string;
  readonly testsPath: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Starts to copy what the host prints to our own output; call the result to stop. */
  follow(): () => void;
  /** `undefined` when the host ended before the tests did. */
  tally(): Tally | undefined;
}

function whileNoBuild(work: () => void): Promise<void> {
  return withLock(path.join(ROOT, '.cache/build.lock'), () => {
    work();
    return Promise.resolve();
  });
}

/** A copy of the packed extension that a build beside us leaves alone. */
export async function copyOfVsix(dir: string): Promise<string> {
  const copy = path.join(dir, 'extension.vsix');
  await whileNoBuild(() => {
    fs.copyFileSync(VSIX, copy);
  });
  return copy;
}

export interface ExtensionWithTests {
  readonly folder: string;
  /** names of the modules in `dist` that the package itself brought */
  readonly shipped: readonly string[];
}

/**
 * Adds the tests to the packed extension as it was installed, so that they share its chunks. `testEntry`: it activates through
 * `test/editor/extension.ts` instead of its own entry.
 */
export async function addTests(extensions: string, testEntry: boolean): Promise<ExtensionWithTests> {
  const name = fs.readdirSync(extensions).find((folder) => folder.startsWith(`${ID}-`));
  if (name === undefined) throw new Error(`The extension is not installed in ${extensions}`);
  const folder = path.join(extensions, name);
  const shipped = fs.readdirSync(path.join(folder, 'dist'));
  await whileNoBuild(() => {
    fs.cpSync(EDITOR_TESTS, path.join(folder, 'dist'), { recursive: true });
  });
  if (testEntry) {
    const file = path.join(folder, 'package.json');
    const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as object;
    fs.writeFileSync(file, JSON.stringify({ ...manifest, main: './dist/test/extension.mjs' }));
  }
  return { folder, shipped };
}

export function prepareHostRun(extension: ExtensionWithTests, options: HostRunOptions): HostRun {
  const dir = temporary('run');
  const workspace = path.join(dir, 'smart-objects-demo');
  // With what the editor reads when a folder opens: it takes its time to notice a `.vscode` that is made later.
  for (const part of [DEMO, path.join(ROOT, 'test/fixtures/editor-workspace')])
    fs.cpSync(part, workspace, { recursive: true });
  const output = path.join(dir, 'output.log');
  const result = path.join(dir, 'result.json');
  fs.writeFileSync(output, '');
  const tests = path.join(extension.folder, 'dist/test');
  const order: HostOrder = {
    tests: (options.tests ?? ['editor/first/activation.test.mjs', 'suites.mjs']).map((file) => path.join(tests, file)),
    output,
    result,
    mocha: createRequire(import.meta.url).resolve('mocha/lib/mocha.cjs'),
    color: process.env['FORCE_COLOR'] === '1',
    ...(options.grep === undefined ? {} : { grep: options.grep }),
  };
  return {
    workspace,
    testsPath: path.join(tests, 'in-host.mjs'),
    environment: {
      ...options.environment,
      HARNESS: JSON.stringify(order),
      SHIPPED: JSON.stringify(extension.shipped),
    },
    follow: () => follow(output),
    tally: () => (fs.existsSync(result) ? (JSON.parse(fs.readFileSync(result, 'utf8')) as Tally) : undefined),
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
