/** The canary: a secret that tests enter in dialogs, and that must not appear in any output or file of the run. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

// Computed, so that no bundle and no copy of a test contains it.
export const CANARY = `cnry_${createHash('sha256').update('a bird in a mine').digest('hex').slice(0, 40)}`;

/** Encodings of the canary to search for. */
export const CANARY_FORMS: readonly string[] = [
  CANARY,
  Buffer.from(CANARY).toString('base64').replace(/=+$/, ''),
  Buffer.from(CANARY).toString('hex'),
  Array.from(CANARY).reverse().join(''),
];

/** Records that a test entered the canary; without it the search proves nothing. */
export function recordCanaryEntered(where: string): void {
  const dir = process.env['RUN_DIR'];
  if (dir !== undefined) fs.writeFileSync(path.join(dir, `canary-entered-${where}`), '');
}
