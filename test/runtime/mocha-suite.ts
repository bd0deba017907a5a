/** A phase of plain mocha: `node test/runtime/mocha-suite.ts <glob> [--grep X]`, counts to $TALLY. */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { endOnSignal } from './child.ts';
import { ROOT } from './paths.ts';
import { tally } from './tally.ts';
import { closeWindows, pictureOfFailure } from './window.ts';

const { values, positionals } = parseArgs({
  options: { grep: { type: 'string' } },
  allowPositionals: true,
});
endOnSignal();
// A gesture may be lost on a real workbench that is busy: such a test is tried once more, and the report says so.
const retries = positionals.some((glob) => glob.includes('test/window/')) ? 1 : 0;
const mocha = new Mocha({ ui: 'tdd', timeout: 20_000, retries, forbidPending: true, forbidOnly: true });
mocha.rootHooks({
  async afterEach(this: Mocha.Context) {
    if (this.currentTest?.isPassed() === false) await pictureOfFailure(this.currentTest.fullTitle());
  },
});
if (values.grep !== undefined) mocha.grep(values.grep);
for (const file of fs.globSync(positionals, { cwd: ROOT }).sort()) mocha.addFile(path.join(ROOT, file));
await mocha.loadFilesAsync();
const counts = await tally(mocha);
await closeWindows();
const target = process.env['TALLY'];
if (target !== undefined) fs.writeFileSync(target, JSON.stringify(counts));
// A test that leaves a timer or a socket open must not hold up the run.
process.exit(counts.failed === 0 ? 0 : 1);
