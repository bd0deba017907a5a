/**
 * `npm run mutate -- PATH… [TESTS…]`: changes sources, a folder (`src/logs/stream`) or a file, one expression at a time. Each
 * time, runs the unit tests that reach the expression: those in the folder of the same name, and in `TESTS`. Prints each change
 * that no test noticed, and the score; fails below 85 %. Leaves out files that import `vscode`, which unit tests cannot load.
 * Stryker is installed on first use, since nothing else needs it.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { exitOnSignal, killOnExit } from './child-process.ts';
import { ROOT } from './paths.ts';

const STRYKER = '@stryker-mutator/core@10.0.0';

const npm = process.env['npm_execpath'];
const paths = process.argv.slice(2).map((each) => path.posix.normalize(each).replace(/\/$/, ''));
const sources = paths.filter((each) => each.startsWith('src/'));
const missing = paths.filter((each) => !/^(?:src|test\/unit)\//.test(each) || !fs.existsSync(path.join(ROOT, each)));
if (npm === undefined || sources.length === 0 || missing.length > 0) {
  console.error(
    missing.length > 0 ? `Not found: ${missing.join(', ')}` : 'Usage: npm run mutate -- src/PATH… [test/unit/PATH…]',
  );
  process.exit(2);
}
const tests = [...sources.map(findTests), ...paths.filter((each) => !sources.includes(each))];
const files = sources
  .flatMap((source) => (source.endsWith('.ts') ? source : fs.globSync(`${source}/**/*.ts`, { cwd: ROOT })))
  .filter((file) => !/^import \* as vscode/m.test(fs.readFileSync(path.join(ROOT, file), 'utf8')));
const args = ['exec', '--yes', `--package=${STRYKER}`, '--', 'stryker', 'run', '.config/stryker.config.mjs'];
exitOnSignal();
const child = spawn(process.execPath, [npm, ...args], {
  cwd: ROOT,
  env: {
    ...process.env,
    MUTATE: files.join(' '),
    MUTATION_TESTS: tests.map((each) => (each.endsWith('.ts') ? each : `${each}/**/*.test.ts`)).join(' '),
  },
  stdio: 'inherit',
});
killOnExit(child);
child.once('close', (code) => process.exit(code ?? 1));

/** The unit tests of the nearest folder that has some. */
function findTests(source: string): string {
  const folder = source.replace(/^src/, 'test/unit');
  return fs.existsSync(path.join(ROOT, folder)) ? folder : findTests(path.posix.dirname(source));
}
