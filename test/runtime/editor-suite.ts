/**
 * Runs all in-editor tests in one editor. Writes the counts to the file TALLY.
 *   node test/runtime/editor-suite.ts [--grep REGEX] [--shuffle SEED] [--inspect]
 * `--inspect` makes the extension host wait for a debugger on port 9229; tests have no time limit.
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { exitOnSignal } from './child-process.ts';
import { runInDesktop } from './desktop.ts';
import { runInNpmEditor } from './npm-editor.ts';
import { usesDesktop } from './paths.ts';

const {
  grep,
  shuffle,
  inspect = false,
} = parseArgs({
  options: { grep: { type: 'string' }, shuffle: { type: 'string' }, inspect: { type: 'boolean' } },
}).values;
exitOnSignal();
const counts = await (usesDesktop() ? runInDesktop : runInNpmEditor)({
  // What an action file reads as ${env:TEST_VALUE}.
  environment: { TEST_VALUE: '1' },
  ...(grep === undefined ? {} : { grep }),
  ...(shuffle === undefined ? {} : { shuffle }),
  inspect,
});
const target = process.env['TALLY'];
if (target !== undefined) fs.writeFileSync(target, JSON.stringify(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
