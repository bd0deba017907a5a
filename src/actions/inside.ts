/** Reads a file that a variable names, only from inside a folder, after links are followed. Pure: Node's own file system. */
import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

/** The names that an error calls a file by, and the folder that it must lie in. */
interface Words {
  /** `${file:note.txt}`: what the error begins with */
  readonly shown: string;
  /** `the workspace folder` */
  readonly folder: string;
  /** the whole error where there is no such file */
  readonly missing: string;
}

/** The words for a file that a step of a suite names. */
export function stepWords(file: string, folder: string): Words {
  return { shown: file, folder, missing: `There is no file ${file}` };
}

const usualWords = (name: string): Words => ({
  shown: `\${file:${name}}`,
  folder: 'the workspace folder',
  missing: `\${file:${name}}: there is no such file`,
});

/**
 * The real path of an existing file, all links followed. `name` is relative to the folder of the file `beside`, else to
 * `root`. Throws where it leaves the root.
 */
export async function resolveInside(
  root: string,
  beside: string | undefined,
  name: string,
  { shown, folder, missing }: Words = usualWords(name),
): Promise<string> {
  if (path.isAbsolute(name) || name.includes('\0'))
    throw new Error(`${shown}: give a path relative to the action file`);
  const realRoot = await fs.realpath(root);
  const base = beside === undefined ? root : path.dirname(beside);
  let real: string;
  try {
    real = await fs.realpath(path.resolve(base, name));
  } catch {
    throw new Error(missing);
  }
  const relative = path.relative(realRoot, real);
  if (relative === '' || relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
    throw new Error(`${shown}: the file lies outside ${folder}`);
  return real;
}

/**
 * The path of a file below `root`, with `/`, and where its links lead; both are the same where there are none. Throws as
 * `resolveInside` does.
 */
export async function pathsInside(
  root: string,
  beside: string | undefined,
  name: string,
): Promise<{ readonly given: string; readonly real: string }> {
  const real = await resolveInside(root, beside, name);
  const below = (from: string, to: string): string => path.relative(from, to).split(path.sep).join('/');
  const base = beside === undefined ? root : path.dirname(beside);
  return { given: below(root, path.resolve(base, name)), real: below(await fs.realpath(root), real) };
}

/** UTF-8 text of at most `most` bytes of a file inside `root`. Throws where it is no plain file, too large, or no text. */
export async function readInside(
  root: string,
  beside: string | undefined,
  name: string,
  most: number,
): Promise<string> {
  const { shown } = usualWords(name);
  return readText(await resolveInside(root, beside, name), most, shown);
}

/** UTF-8 text of at most `most` bytes of a file by its real path; `shown` begins the errors. */
export async function readText(real: string, most: number, shown: string): Promise<string> {
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
