/** The file that an export is written to until it is complete. Links and foreign files are never opened. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import fs from 'node:fs/promises';

export interface PartialFile {
  readonly path: string;
  /** device and inode, to detect a replaced file */
  readonly identity: string;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
// The last two are undefined on Windows, which `|` treats as 0.
const OPEN_FLAGS = O_RDWR | O_NOFOLLOW | O_NONBLOCK;

/** Creates a file with a random name that starts with `pathPrefix`, readable by its owner only. Rejects as `fs.open` does. */
export async function createPartial(pathPrefix: string): Promise<PartialFile & { readonly file: fs.FileHandle }> {
  const path = `${pathPrefix}.${randomBytes(8).toString('hex')}.partial`;
  const file = await fs.open(path, OPEN_FLAGS | O_CREAT | O_EXCL, 0o600);
  return { file, path, identity: getIdentity(await file.stat({ bigint: true })) };
}

/**
 * Opens the same file of at least `bytes`; resolves to `undefined` if it was deleted, shortened, or replaced. Rejects
 * with the file-system error.
 */
export async function reopenPartial(
  { path, identity }: PartialFile,
  bytes: number,
): Promise<fs.FileHandle | undefined> {
  const file = await fs.open(path, OPEN_FLAGS).catch(() => undefined);
  const stat = await file?.stat({ bigint: true });
  if (stat?.isFile() === true && stat.nlink === 1n && getIdentity(stat) === identity && stat.size >= bytes) return file;
  await file?.close();
  return undefined;
}

function getIdentity({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}
