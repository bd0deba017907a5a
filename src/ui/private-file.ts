/** Pure: writes files of ours that only this user may read: 0600 in a folder of 0700, whole or not at all. */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

const FILE = 0o600;
const FOLDER = 0o700;

/**
 * Replaces `file`, or makes it, and its folder where there is none; the folder has to be one of ours alone, as it becomes
 * 0700. The text is written beside the file first and renamed, so no reader meets half of it and no link is followed.
 * `flush`: resolves only once the text is on the disk itself. Throws what the file system says, and leaves no partial file.
 */
export async function writePrivateFile(
  file: string,
  text: string,
  { flush = false }: { readonly flush?: boolean } = {},
): Promise<void> {
  const folder = path.dirname(file);
  const partial = partialOf(file);
  await fs.mkdir(folder, { recursive: true, mode: FOLDER });
  await fs.chmod(folder, FOLDER);
  try {
    await fs.writeFile(partial, text, { mode: FILE, flag: 'wx', flush });
    await fs.rename(partial, file);
  } catch (error) {
    await fs.rm(partial, { force: true });
    throw error;
  }
  if (flush) await syncFolder(folder);
}

/** As `writePrivateFile`, for the end of a window, when nothing can be waited for. */
export function writePrivateFileSync(file: string, text: string): void {
  const folder = path.dirname(file);
  const partial = partialOf(file);
  mkdirSync(folder, { recursive: true, mode: FOLDER });
  chmodSync(folder, FOLDER);
  try {
    writeFileSync(partial, text, { mode: FILE, flag: 'wx' });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function partialOf(file: string): string {
  return `${file}.${randomUUID()}.partial`;
}

/** The name of a new file is a change of its folder. Windows cannot open one, and needs not. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // Some file systems do not know it for folders.
  } finally {
    await handle?.close();
  }
}
