/** The file that an export is written to until it is whole: one that nobody else can have put there. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import fs from 'node:fs/promises';

export interface Partial {
  readonly path: string;
  /** device and inode: another file under the same path is not ours */
  readonly identity: string;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
// Windows has no such thing as the last two; undefined counts as 0 here.
const SAFE = O_RDWR | O_NOFOLLOW | O_NONBLOCK;

/** Creates a file under a random name that begins with `beside`, readable by its user alone. Rejects as `fs.open` does. */
export async function createPartial(beside: string): Promise<Partial & { readonly file: fs.FileHandle }> {
  const path = `${beside}.${randomBytes(8).toString('hex')}.partial`;
  const file = await fs.open(path, SAFE | O_CREAT | O_EXCL, 0o600);
  return { file, path, identity: identityOf(await file.stat({ bigint: true })) };
}

/** Opens a file that was created here, of at least `bytes`; `undefined` where it is gone, shorter, a link or another file. */
export async function reopenPartial({ path, identity }: Partial, bytes: number): Promise<fs.FileHandle | undefined> {
  const file = await fs.open(path, SAFE).catch(() => undefined);
  const stat = await file?.stat({ bigint: true });
  if (stat?.isFile() === true && stat.nlink === 1n && identityOf(stat) === identity && stat.size >= bytes) return file;
  await file?.close();
  return undefined;
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}
