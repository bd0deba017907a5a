/**
 * Runs test files with mocha in this process.
 *   node test/runtime/mocha-suite.ts GLOB… [--grep REGEX] [--rerun] [--shuffle SEED] [--bail]
 * With `--rerun` a file stops at its first failed test and runs once more at the end, in a process of its own: its tests
 * build on each other, so that a single one cannot be tried again. `--shuffle` loads the files in the order that belongs
 * to the seed, an integer. `--bail` ends with the first failed test.
 * Writes the counts to the file that TALLY names.
 */
import fs from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { CHILD_ENVIRONMENT, exitOnSignal, runNode } from './child-process.ts';
import { ROOT, createTemporaryFolder } from './paths.ts';
import { runAndCount, type FileCounts, type TestCounts } from './test-counts.ts';
import { shuffleBySeed } from '../support/seeded-random.ts';

const { values, positionals } = parseArgs({
  options: {
    grep: { type: 'string' },
    rerun: { type: 'boolean', default: false },
    shuffle: { type: 'string' },
    bail: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
exitOnSignal();
// For this process and its children.
process.env['NODE_COMPILE_CACHE'] = CHILD_ENVIRONMENT.NODE_COMPILE_CACHE;
module.enableCompileCache(CHILD_ENVIRONMENT.NODE_COMPILE_CACHE);
// The data of this run instead of the user's.
process.env['XDG_DATA_HOME'] = createTemporaryFolder('data');
// One limit for all tests, for a true hang only: a busy machine is ten times slower.
const mocha = new Mocha({ ui: 'tdd', timeout: 300_000, bail: values.bail, forbidPending: true, forbidOnly: true });
if (values.grep !== undefined) mocha.grep(values.grep);
const files = fs.globSync(positionals, { cwd: ROOT }).sort();
for (const file of shuffleBySeed(files, values.shuffle)) mocha.addFile(path.join(ROOT, file));
await mocha.loadFilesAsync();
const first = await runAndCount(mocha, values.rerun);
const mayRerun = values.rerun && first.failedFiles.size > 0 && !first.failedFiles.has('');
const { passed, failed, failures } = mayRerun ? await rerun(first) : first;
const target = process.env['TALLY'];
if (target !== undefined) fs.writeFileSync(target, JSON.stringify({ passed, failed, failures } satisfies TestCounts));
// A test may have left a timer or a socket open.
process.exit(failed === 0 ? 0 : 1);

/** Runs the files with failed tests once more, and counts what they result in then. */
async function rerun({ passed, failures, failedFiles }: FileCounts): Promise<TestCounts> {
  const again = [...failedFiles.keys()].map((file) => path.relative(ROOT, file));
  for (const failure of failures) console.log(`Tried again: ${failure}`);
  console.log(`Once more, from the start: ${again.join(', ')}`);
  const tally = path.join(createTemporaryFolder('rerun'), 'counts.json');
  const { output } = await runNode(['test/runtime/mocha-suite.ts', ...again], { env: { TALLY: tally } });
  console.log(output);
  const second = JSON.parse(fs.readFileSync(tally, 'utf8')) as TestCounts;
  const passedBefore = [...failedFiles.values()].reduce((sum, count) => sum + count, 0);
  return { ...second, passed: passed - passedBefore + second.passed };
}
