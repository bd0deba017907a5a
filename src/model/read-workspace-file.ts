/** Reads files inside a folder, with links resolved. */
import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

/** Texts for errors about a file. */
interface FileErrorTexts {
  /** start of the error: `${file:note.txt}` */
  readonly label: string;
  /** `the workspace folder` */
  readonly folder: string;
  /** the error for a missing file */
  readonly missing: string;
}

/** Error texts for the file of a step of a suite. */
export function getStepErrorTexts(file: string, folder: string): FileErrorTexts {
  return { label: file, folder, missing: `There is no file ${file}` };
}

const getVariableErrorTexts = (name: string): FileErrorTexts => ({
  label: `\${file:${name}}`,
  folder: 'the workspace folder',
  missing: `\${file:${name}}: there is no such file`,
});

/**
 * The real path of an existing file, with links resolved. `name` is relative to the folder of the file `sibling`, else
 * to `root`. Rejects with Error for a file outside `root`.
 */
export async function resolveWorkspaceFile(
  root: string,
  sibling: string | undefined,
  name: string,
  { label, folder, missing }: FileErrorTexts = getVariableErrorTexts(name),
): Promise<string> {
  if (path.isAbsolute(name) || name.includes('\0'))
    throw new Error(`${label}: give a path relative to the action file`);
  const realRoot = await fs.realpath(root);
  const base = sibling === undefined ? root : path.dirname(sibling);
  let real: string;
  try {
    real = await fs.realpath(path.resolve(base, name));
  } catch {
    throw new Error(missing);
  }
  if (real === realRoot || !isInside(realRoot, real)) throw new Error(`${label}: the file lies outside ${folder}`);
  return real;
}

/** Whether a path is `folder` or below it, links not resolved. */
function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/**
 * Creates a file by its path relative to `root`, in a folder that exists, and resolves with its path, links resolved.
 * Rejects with Error for a folder outside `root`, and with the file-system error where a file cannot be created, such as
 * EEXIST.
 */
export async function createWorkspaceFile(root: string, name: string, text: string): Promise<string> {
  const [realRoot, folder] = await Promise.all([fs.realpath(root), fs.realpath(path.join(root, path.dirname(name)))]);
  if (!isInside(realRoot, folder)) throw new Error(`${name}: the file lies outside the workspace folder`);
  const real = path.join(folder, path.basename(name));
  await fs.writeFile(real, text, { flag: 'wx' });
  return real;
}

/**
 * The path of a file below `root`, with `/`, and the path that its links lead to. Rejects as `resolveWorkspaceFile`
 * does.
 */
export async function getWorkspacePaths(
  root: string,
  sibling: string | undefined,
  name: string,
): Promise<{ readonly requested: string; readonly real: string }> {
  const real = await resolveWorkspaceFile(root, sibling, name);
  const getRelativePath = (from: string, to: string): string => path.relative(from, to).split(path.sep).join('/');
  const base = sibling === undefined ? root : path.dirname(sibling);
  return {
    requested: getRelativePath(root, path.resolve(base, name)),
    real: getRelativePath(await fs.realpath(root), real),
  };
}

/**
 * The UTF-8 text of a file inside `root`, of at most `maxBytes`. Rejects with Error if it is no plain file, too large,
 * or not UTF-8.
 */
export async function readWorkspaceFile(
  root: string,
  sibling: string | undefined,
  name: string,
  maxBytes: number,
): Promise<string> {
  const { label } = getVariableErrorTexts(name);
  return readTextFile(await resolveWorkspaceFile(root, sibling, name), maxBytes, label);
}

/** The UTF-8 text of a file by its real path, of at most `maxBytes`; errors start with `label`. Rejects with Error. */
export async function readTextFile(real: string, maxBytes: number, label: string): Promise<string> {
  // Does not wait for the other end of a pipe, nor follow a link that replaced the file.
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const flags = process.platform === 'win32' ? O_RDONLY : O_RDONLY | O_NONBLOCK | O_NOFOLLOW;
  const file = await fs.open(real, flags);
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${label}: not a file`);
    const bytes = Buffer.alloc(maxBytes + 1);
    let filled = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled);
      filled += bytesRead;
      if (bytesRead === 0 || filled > maxBytes) break;
    }
    if (filled > maxBytes) throw new Error(`${label}: larger than ${String(maxBytes >> 20)} MB`);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, filled));
    } catch {
      throw new Error(`${label}: not a text file`);
    }
  } finally {
    await file.close();
  }
}
