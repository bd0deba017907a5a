import fs from 'node:fs/promises';
import path from 'node:path';

/** The path without links of a file, which need not exist. Never rejects. */
export async function getRealPath(file: string): Promise<string> {
  const folder = await fs.realpath(path.dirname(file)).catch(() => path.dirname(file));
  return fs.realpath(file).catch(() => path.join(folder, path.basename(file)));
}
