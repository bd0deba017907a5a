/** The last phase: looks for the canary secret in everything that the run left behind (logs, settings, storage, exports). */
import fs from 'node:fs';
import path from 'node:path';
import { CANARY_FORMS } from './runtime/canary.ts';
import { usesDesktop } from './runtime/paths.ts';

const dir = process.env['RUN_DIR'];
if (dir === undefined) throw new Error('The canary needs RUN_DIR, the folder with all that a run leaves behind');

/** An editor that is about to end still takes its locks away. */
function contentOf(file: string): Buffer | undefined {
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
  const content = contentOf(file);
  if (content === undefined) continue;
  read++;
  if (forms.some((form) => content.includes(form))) found.push(path.relative(dir, file));
}
const entered = fs.readdirSync(dir).filter((name) => name.startsWith('canary-entered-'));
console.log(`${String(read)} files read; the canary was entered in: ${entered.join(', ') || 'no suite'}`);
for (const file of found) console.log(`THE CANARY LIES IN ${file}`);
// Both ways in: through the hooks inside the editor, and typed into the real window.
const due = usesDesktop() ? ['editor'] : ['editor', 'window'];
const missing = due.filter((where) => !entered.includes(`canary-entered-${where}`));
if (missing.length > 0) console.log(`It was never entered in: ${missing.join(', ')}`);
process.exitCode = found.length + missing.length === 0 && read > 0 ? 0 : 1;
