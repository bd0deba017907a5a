/**
 * Runs all in-editor tests in one editor with one sandbox server. Writes the counts to the file TALLY.
 *   node test/runtime/editor-suite.ts [--grep REGEX] [--inspect]
 * `--inspect` makes the extension host wait for a debugger on port 9229; tests have no time limit.
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { exitOnSignal } from './child-process.ts';
import { runInDesktop } from './desktop.ts';
import { runInNpmEditor } from './npm-editor.ts';
import { usesDesktop } from './paths.ts';
import { startSandbox } from '../support/sandbox-process.ts';

const { grep, inspect = false } = parseArgs({
  options: { grep: { type: 'string' }, inspect: { type: 'boolean' } },
}).values;
exitOnSignal();
const sandbox = await startSandbox({ settleDelay: 300, batchDelay: 200, logErrors: true });
try {
  const counts = await (usesDesktop() ? runInDesktop : runInNpmEditor)({
    // TEST_VALUE: what an action file reads as ${env:TEST_VALUE}.
    environment: { TEST_VALUE: '1', SANDBOX: sandbox.line },
    ...(grep === undefined ? {} : { grep }),
    inspect,
  });
  const target = process.env['TALLY'];
  if (target !== undefined) fs.writeFileSync(target, JSON.stringify(counts));
  process.exitCode = counts.failed === 0 ? 0 : 1;
} finally {
  await sandbox.stop();
}
