/** The phase of the in-editor tests: one editor, one sandbox server, all suites. `[--grep X]`, counts to $TALLY. */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { endOnSignal } from './child.ts';
import { runInDesktop } from './desktop.ts';
import { runInNpmEditor } from './npm-editor.ts';
import { usesDesktop } from './paths.ts';
import { hasSandbox, startSandbox } from './sandbox.ts';

const { grep } = parseArgs({ options: { grep: { type: 'string' } } }).values;
endOnSignal();
const sandbox = hasSandbox() ? await startSandbox({ settleDelay: 300, batchDelay: 200, logErrors: true }) : undefined;
try {
  const counts = await (usesDesktop() ? runInDesktop : runInNpmEditor)({
    // TEST_VALUE: what an action file reads as ${env:TEST_VALUE}.
    environment: { TEST_VALUE: '1', ...(sandbox === undefined ? {} : { SANDBOX: sandbox.line }) },
    ...(grep === undefined ? {} : { grep }),
  });
  const target = process.env['TALLY'];
  if (target !== undefined) fs.writeFileSync(target, JSON.stringify(counts));
  process.exitCode = counts.failed === 0 ? 0 : 1;
} finally {
  await sandbox?.stop();
}
