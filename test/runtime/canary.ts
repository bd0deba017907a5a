/** The canary: a secret that tests enter as a person would, and that must turn up nowhere afterwards. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

// Computed, so that no bundle and no copy of a test holds it.
export const CANARY = `cnry_${createHash('sha256').update('a bird in a mine').digest('hex').slice(0, 40)}`;

/** Forms in which a secret may lie in a file. */
export const CANARY_FORMS: readonly string[] = [
  CANARY,
  Buffer.from(CANARY).toString('base64').replace(/=+$/, ''),
  Buffer.from(CANARY).toString('hex'),
  Array.from(CANARY).reverse().join(''),
];

/** Notes that a test really entered it: a canary that nobody let in proves nothing. */
export function noteEntered(where: string): void {
  const dir = process.env['RUN_DIR'];
  if (dir !== undefined) fs.writeFileSync(path.join(dir, `canary-entered-${where}`), '');
}
