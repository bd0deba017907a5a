/** Reads files inside a folder, with links resolved. */
import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { MessageError, stored, type Message, type StoredText } from '../../platform/text/message.ts';
import { createFile } from './write-file.ts';

/** What users call the folder that a file must be in. */
type FolderName = 'workspace' | 'working' | 'suite';

/** Texts for errors about a file. */
interface FileErrorTexts {
  /** start of the error: `${file:note.txt}` */
  readonly label: string;
  /** the folder that the file must be in; absent: that of the workspace */
  readonly folder?: FolderName;
  /** the error for a missing file */
  readonly missing: StoredText;
}

/** Error texts for the file of a step of a suite. */
export function getStepErrorTexts(file: string, folder: FolderName): FileErrorTexts {
  return { label: file, folder, missing: stored('File {0} was not found', file) };
}

const getVariableErrorTexts = (name: string): FileErrorTexts => ({
  label: `\${file:${name}}`,
  missing: stored('{0}: the file was not found', `\${file:${name}}`),
});

function describeOutside(label: string, folder: FolderName): Message {
  switch (folder) {
    case 'workspace':
      return stored('{0} is outside the workspace folder', label);
    case 'working':
      return stored('{0} is outside the working folder', label);
    case 'suite':
      return stored('{0} is outside the folder of the suite', label);
  }
}

/**
 * The real path of an existing file, with links resolved. `name` is relative to the folder of the file `sibling`, else
 * to `root`. Rejects with Error for a file outside `root`.
 */
export async function resolveWorkspaceFile(
  root: string,
  sibling: string | undefined,
  name: string,
  { label, folder = 'workspace', missing }: FileErrorTexts = getVariableErrorTexts(name),
): Promise<string> {
  if (path.isAbsolute(name) || name.includes('\0'))
    throw new MessageError(stored('{0}: use a path relative to the action file', label));
  const realRoot = await fs.realpath(root);
  const base = sibling === undefined ? root : path.dirname(sibling);
  let real: string;
  try {
    real = await fs.realpath(path.resolve(base, name));
  } catch (error) {
    throw new MessageError(missing, { cause: error });
  }
  if (real === realRoot || !isInside(realRoot, real)) throw new MessageError(describeOutside(label, folder));
  return real;
}

/** Whether a path is `folder` or below it, links not resolved. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/**
 * Creates a file by its path relative to `root`, in a folder that exists, and resolves with its path, links resolved.
 * Rejects with Error for a folder outside `root`, and with the file-system error if a file cannot be created, such as
 * EEXIST.
 */
export async function createWorkspaceFile(root: string, name: string, text: string): Promise<string> {
  const [realRoot, folder] = await Promise.all([fs.realpath(root), fs.realpath(path.join(root, path.dirname(name)))]);
  if (!isInside(realRoot, folder)) throw new MessageError(describeOutside(name, 'workspace'));
  const real = path.join(folder, path.basename(name));
  await createFile(real, text);
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
    if (!(await file.stat()).isFile()) throw new MessageError(stored('{0} is not a file', label));
    const bytes = Buffer.alloc(maxBytes + 1);
    let filled = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled);
      filled += bytesRead;
      if (bytesRead === 0 || filled > maxBytes) break;
    }
    if (filled > maxBytes) throw new MessageError(stored('{0} is larger than {1} MB', label, maxBytes >> 20));
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, filled));
    } catch {
      throw new MessageError(stored('{0} is not a text file', label));
    }
  } finally {
    await file.close();
  }
}
