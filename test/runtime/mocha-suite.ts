/**
 * Runs test files with mocha in this process.
 *   node test/runtime/mocha-suite.ts GLOB… [--grep REGEX] [--retries N] [--shuffle SEED]
 * `--shuffle` loads the files in the order that belongs to the seed, an integer.
 * Writes the counts to the file that TALLY names.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { exitOnSignal } from './child-process.ts';
import { ROOT } from './paths.ts';
import { runAndCount } from './test-counts.ts';
import { shuffleBySeed } from '../support/seeded-random.ts';

const { values, positionals } = parseArgs({
  options: { grep: { type: 'string' }, retries: { type: 'string', default: '0' }, shuffle: { type: 'string' } },
  allowPositionals: true,
});
exitOnSignal();
const retries = Number(values.retries);
const mocha = new Mocha({ ui: 'tdd', timeout: 20_000, retries, forbidPending: true, forbidOnly: true });
if (values.grep !== undefined) mocha.grep(values.grep);
const files = fs.globSync(positionals, { cwd: ROOT }).sort();
for (const file of shuffleBySeed(files, values.shuffle)) mocha.addFile(path.join(ROOT, file));
await mocha.loadFilesAsync();
const counts = await runAndCount(mocha);
const target = process.env['TALLY'];
if (target !== undefined) fs.writeFileSync(target, JSON.stringify(counts));
// A test may have left a timer or a socket open.
process.exit(counts.failed === 0 ? 0 : 1);
