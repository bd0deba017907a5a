/** The last phase: searches all files of the run (logs, settings, storage, exports) for the canary secret. */
import fs from 'node:fs';
import path from 'node:path';
import { CANARY_FORMS } from './support/secret-canary.ts';
import { usesDesktop } from './runtime/paths.ts';

const dir = process.env['RUN_DIR'];
if (dir === undefined) throw new Error('RUN_DIR must name the folder with the files of the run');

/** `undefined` for a file that an ending editor has just removed. */
function readContent(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const forms = CANARY_FORMS.map((form) => Buffer.from(form));
let read = 0;
const found: string[] = [];
for (const entry of fs.readdirSync(dir, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = path.join(entry.parentPath, entry.name);
  const content = readContent(file);
  if (content === undefined) continue;
  read++;
  if (forms.some((form) => content.includes(form))) found.push(path.relative(dir, file));
}
const entered = fs.readdirSync(dir).filter((name) => name.startsWith('canary-entered-'));
console.log(`${String(read)} files read; canary entered in: ${entered.join(', ') || 'no suite'}`);
for (const file of found) console.log(`CANARY FOUND IN ${file}`);
// Entered by the hooks in the editor and typed into the window.
const expectedSuites = usesDesktop() ? ['editor'] : ['editor', 'window'];
const missing = expectedSuites.filter((where) => !entered.includes(`canary-entered-${where}`));
if (missing.length > 0) console.log(`Not entered in: ${missing.join(', ')}`);
process.exitCode = found.length + missing.length === 0 && read > 0 ? 0 : 1;
