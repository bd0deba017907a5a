/**
 * `npm run mutate -- PATH…`: changes the sources of folders (`src/logs/stream`) one expression at a time, and runs the unit tests
 * of the folder of the same name each time. Prints each change that no test noticed, and the score; fails below 85 %.
 * Stryker is installed on first use, since nothing else needs it.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { exitOnSignal, killOnExit } from './child-process.ts';
import { ROOT } from './paths.ts';

const STRYKER = '@stryker-mutator/core@10.0.0';

const npm = process.env['npm_execpath'];
const folders = process.argv.slice(2).map((folder) => path.posix.normalize(folder).replace(/\/$/, ''));
const untested = folders.filter((folder) => !fs.existsSync(path.join(ROOT, folder.replace(/^src/, 'test/unit'))));
if (npm === undefined || folders.length === 0 || untested.length > 0) {
  console.error(untested.length > 0 ? `No unit tests: ${untested.join(', ')}` : 'Usage: npm run mutate -- src/FOLDER…');
  process.exit(2);
}
const args = ['exec', '--yes', `--package=${STRYKER}`, '--', 'stryker', 'run', '.config/stryker.config.mjs'];
exitOnSignal();
const child = spawn(process.execPath, [npm, ...args], {
  cwd: ROOT,
  env: { ...process.env, MUTATE: folders.join(' ') },
  stdio: 'inherit',
});
killOnExit(child);
child.once('close', (code) => process.exit(code ?? 1));
