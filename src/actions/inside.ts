/** Reads a file that a variable names, only from inside a folder, after links are followed. Pure: Node's own file system. */
import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * UTF-8 text of at most `most` bytes. `name` is relative to the action file's folder, else to the root. Throws where it
 * leaves the root, is no plain file, is too large, or is no text.
 */
export async function readInside(
  root: string,
  beside: string | undefined,
  name: string,
  most: number,
): Promise<string> {
  const shown = `\${file:${name}}`;
  if (path.isAbsolute(name) || name.includes('\0'))
    throw new Error(`${shown}: give a path relative to the action file`);
  const realRoot = await fs.realpath(root);
  const base = beside === undefined ? root : path.dirname(beside);
  let real: string;
  try {
    real = await fs.realpath(path.resolve(base, name));
  } catch {
    throw new Error(`${shown}: there is no such file`);
  }
  const relative = path.relative(realRoot, real);
  if (relative === '' || relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
    throw new Error(`${shown}: the file lies outside the workspace folder`);
  // Without waiting for the other end of a pipe, and without a link that took the file's place.
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const flags = process.platform === 'win32' ? O_RDONLY : O_RDONLY | O_NONBLOCK | O_NOFOLLOW;
  const file = await fs.open(real, flags);
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${shown}: not a file`);
    const bytes = Buffer.alloc(most + 1);
    let filled = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled);
      filled += bytesRead;
      if (bytesRead === 0 || filled > most) break;
    }
    if (filled > most) throw new Error(`${shown}: larger than ${String(most >> 20)} MB`);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, filled));
    } catch {
      throw new Error(`${shown}: not a text file`);
    }
  } finally {
    await file.close();
  }
}
