/**
 * Writes files on disk; a lint rule keeps other modules from it. A file is written beside its target under a random name,
 * exclusively, and then renamed, so that readers never see half of it and no link is followed.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, constants, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDWR, O_WRONLY } = constants;
// The last two are undefined on Windows, which `|` treats as 0.
const PARTIAL_FLAGS = O_RDWR | O_NOFOLLOW | O_NONBLOCK;
/** Folders of the system whose links lead to open files, such as `/dev/stdout`. */
const SYSTEM_FOLDER = /^\/(?:dev|proc)(?:\/|$)/;

type Content = string | Uint8Array | AsyncIterable<string>;

interface WriteOptions {
  /** permissions of the file; absent: those that it has, or 0600 */
  readonly mode?: number;
  /** resolves once the data is on disk */
  readonly flush?: boolean;
}

/** A file that is being written, beside its target. */
export interface PartialFile {
  readonly path: string;
  /** device and inode, to detect a replaced file */
  readonly identity: string;
}

/**
 * Creates or replaces a file in a folder that exists. Appends to a pipe or device. Rejects with Error for a link or a
 * folder, else with the file-system error, leaving no partial file.
 */
export async function replaceFile(file: string, content: Content, options: WriteOptions = {}): Promise<void> {
  if ((await readTarget(file))?.isStream === true) {
    await fs.writeFile(file, content, { flag: O_WRONLY | O_APPEND });
    return;
  }
  const { file: handle, path: partial } = await createPartial(file);
  try {
    await handle.writeFile(content);
    if (options.flush === true) await handle.sync();
    await handle.close();
    await renamePartial(partial, file, options.mode);
  } catch (error) {
    await handle.close();
    await fs.rm(partial, { force: true });
    throw error;
  }
  if (options.flush === true) await syncFolder(path.dirname(file));
}

/** Rejects with Error, for users, if `replaceFile` cannot write the file, as far as that is known before. */
export async function requireReplaceable(file: string): Promise<void> {
  const folder = path.dirname(file);
  const stat = await fs.stat(folder).catch(() => undefined);
  if (stat === undefined) throw new Error(l10n.t('its folder does not exist'));
  if (!stat.isDirectory()) throw new Error(l10n.t('{0} is not a folder', path.basename(folder)));
  const target = await readTarget(file);
  await fs.access(target?.isStream === true ? file : folder, constants.W_OK);
}

/**
 * Creates or replaces a file of mode 0600, and its folder if needed; the folder must be used by this extension only, as
 * it becomes 0700. Rejects as `replaceFile` does.
 */
export async function writePrivateFile(
  file: string,
  text: string,
  options: Pick<WriteOptions, 'flush'> = {},
): Promise<void> {
  const folder = path.dirname(file);
  await fs.mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await fs.chmod(folder, FOLDER_MODE);
  await replaceFile(file, text, { ...options, mode: FILE_MODE });
}

/** As `writePrivateFile`, synchronously, for the shutdown of a window. */
export function writePrivateFileSync(file: string, text: string): void {
  const folder = path.dirname(file);
  const partial = getPartialPath(file);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  chmodSync(folder, FOLDER_MODE);
  try {
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw createLinkError(file);
    writeFileSync(partial, text, { mode: FILE_MODE, flag: 'wx' });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Creates a file of mode 0600. Rejects with the file-system error, such as EEXIST, also for a link. */
export async function createFile(file: string, text = ''): Promise<void> {
  await fs.writeFile(file, text, { mode: FILE_MODE, flag: 'wx' });
}

/** Creates a file of mode 0600 to append to. Rejects with the file-system error, such as EEXIST, also for a link. */
export function createForAppend(file: string): Promise<FileHandle> {
  return fs.open(file, 'ax', FILE_MODE);
}

/** Opens a file to append to, which exists. Rejects with Error for a link, else with the file-system error. */
export function openForAppend(file: string): Promise<FileHandle> {
  return openExisting(file, O_APPEND);
}

/** Opens a file to write over its bytes, which exists. Rejects with Error for a link, else with the file-system error. */
export function openToOverwrite(file: string): Promise<FileHandle> {
  return openExisting(file, 0);
}

async function openExisting(file: string, flags: number): Promise<FileHandle> {
  if ((await fs.lstat(file)).isSymbolicLink()) throw createLinkError(file);
  return fs.open(file, O_WRONLY | flags | O_NOFOLLOW | O_NONBLOCK);
}

/** Creates a file with a random name that starts with `prefix`, readable by its owner only. Rejects as `fs.open` does. */
export async function createPartial(prefix: string): Promise<PartialFile & { readonly file: FileHandle }> {
  const partial = getPartialPath(prefix);
  const file = await fs.open(partial, PARTIAL_FLAGS | O_CREAT | O_EXCL, FILE_MODE);
  return { file, path: partial, identity: getIdentity(await file.stat({ bigint: true })) };
}

/**
 * Opens the same file of at least `bytes`; resolves to `undefined` if it was deleted, shortened, or replaced. Rejects
 * with the file-system error.
 */
export async function reopenPartial(
  { path: partial, identity }: PartialFile,
  bytes: number,
): Promise<FileHandle | undefined> {
  const file = await fs.open(partial, PARTIAL_FLAGS).catch(() => undefined);
  const stat = await file?.stat({ bigint: true });
  if (stat?.isFile() === true && stat.nlink === 1n && getIdentity(stat) === identity && stat.size >= bytes) return file;
  await file?.close();
  return undefined;
}

/** Moves a complete file to its target, with the `mode` of the file there, or 0600. Rejects as `replaceFile` does. */
export async function renamePartial(partial: string, target: string, mode?: number): Promise<void> {
  const existing = await readTarget(target);
  if (existing?.isStream === true) throw new Error(l10n.t('{0} is not a file', path.basename(target)));
  await fs.chmod(partial, mode ?? existing?.mode ?? FILE_MODE);
  await fs.rename(partial, target);
}

/** Flushes the folder, which contains the name of a new file. Windows cannot open folders and does not need it. Never rejects. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r').catch(() => undefined);
  // Some file systems do not support it for folders.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

interface Target {
  /** a pipe, a device or an open file: written to, never replaced */
  readonly isStream: boolean;
  readonly mode: number;
}

/** What is at the place of a file; `undefined` for nothing. Rejects with Error for a link or a folder. */
async function readTarget(file: string): Promise<Target | undefined> {
  const found = await fs.lstat(file).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  if (found.isDirectory()) throw new Error(l10n.t('{0} is a folder', path.basename(file)));
  const isSystem = found.isSymbolicLink() && SYSTEM_FOLDER.test(await fs.realpath(path.dirname(file)));
  if (found.isSymbolicLink() && !isSystem) throw createLinkError(file);
  return { isStream: isSystem || !found.isFile(), mode: found.mode & 0o777 };
}

function createLinkError(file: string): Error {
  return new Error(l10n.t('{0} is a link. Delete it, or use another file', path.basename(file)));
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function getPartialPath(prefix: string): string {
  return `${prefix}.${randomBytes(8).toString('hex')}.partial`;
}

function getIdentity({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}
