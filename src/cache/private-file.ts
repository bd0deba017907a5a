/** Writes files that only this user can read: mode 0600 in a folder of mode 0700, atomically. */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * Creates or replaces `file`, and its folder if needed; the folder must be used by this extension only, as it becomes
 * 0700. Writes a temporary file and renames it, so readers never see a partial file and links are not followed.
 * `flush`: resolves once the data is on disk. Rejects with the file-system error, leaving no partial file.
 */
export async function writePrivateFile(
  file: string,
  text: string,
  { flush = false }: { readonly flush?: boolean } = {},
): Promise<void> {
  const folder = path.dirname(file);
  const partial = getPartialPath(file);
  await fs.mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await fs.chmod(folder, FOLDER_MODE);
  try {
    await fs.writeFile(partial, text, { mode: FILE_MODE, flag: 'wx', flush });
    await fs.rename(partial, file);
  } catch (error) {
    await fs.rm(partial, { force: true });
    throw error;
  }
  if (flush) await syncFolder(folder);
}

/** As `writePrivateFile`, synchronously, for the shutdown of a window. */
export function writePrivateFileSync(file: string, text: string): void {
  const folder = path.dirname(file);
  const partial = getPartialPath(file);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  chmodSync(folder, FOLDER_MODE);
  try {
    writeFileSync(partial, text, { mode: FILE_MODE, flag: 'wx' });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function getPartialPath(file: string): string {
  return `${file}.${randomUUID()}.partial`;
}

/** Flushes the folder, which contains the name of a new file. Windows cannot open folders and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // Some file systems do not support it for folders.
  } finally {
    await handle?.close();
  }
}
