/** One run of in-editor tests: what the runner outside prepares for the host, and what it reads back. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { HostOrder } from './in-host.ts';
import { withLock } from './lock.ts';
import { DEMO, EDITOR_TESTS, ROOT, temporary, VSIX } from './paths.ts';
import type { Tally } from './tally.ts';

export interface HostRunOptions {
  /** of the bundled tests: those below this folder; default `editor`, the other is `bench` */
  readonly folder?: 'editor' | 'bench';
  readonly grep?: string;
  /** further variables of the extension host */
  readonly environment?: Readonly<Record<string, string>>;
  /** milliseconds for the whole run */
  readonly timeout?: number;
}

export interface HostRun {
  readonly temporary: string;
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

/** Copies the bundled tests aside for the same reason, and writes down what the host is to do with them. */
export async function prepareHostRun(options: HostRunOptions): Promise<HostRun> {
  const dir = temporary('run');
  const tests = path.join(dir, 'tests');
  const workspace = path.join(dir, 'smart-objects-demo');
  await whileNoBuild(() => {
    fs.cpSync(EDITOR_TESTS, tests, { recursive: true });
  });
  // With what the editor reads when a folder opens: it takes its time to notice a `.vscode` that is made later.
  for (const part of [DEMO, path.join(ROOT, 'test/fixtures/editor-workspace')])
    fs.cpSync(part, workspace, { recursive: true });
  const output = path.join(dir, 'output.log');
  const result = path.join(dir, 'result.json');
  fs.writeFileSync(output, '');
  const order: HostOrder = {
    tests: fs
      .globSync(`${options.folder ?? 'editor'}/**/*.test.cjs`, { cwd: tests })
      .sort()
      .map((file) => path.join(tests, file)),
    output,
    result,
    mocha: createRequire(import.meta.url).resolve('mocha/lib/mocha.cjs'),
    color: process.env['FORCE_COLOR'] === '1',
    ...(options.grep === undefined ? {} : { grep: options.grep }),
  };
  return {
    temporary: dir,
    workspace,
    testsPath: path.join(tests, 'runtime/in-host.cjs'),
    environment: { ...options.environment, HARNESS: JSON.stringify(order) },
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
