/** Recent starts on disk, so that a double click executes once, across windows. */
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createFile } from '../../../model/files/write-file.ts';

/** Milliseconds. A start is recent for one to two of these. */
const SLOT_DURATION = 2000;

/** Two starts with equal fields are the same. */
export interface Start {
  readonly connection: string;
  readonly baseUrl: string;
  /** absent for the only identity of the connection */
  readonly identity: string | undefined;
  /** URI of the file, or its name if it has none */
  readonly file: string;
  readonly text: string;
}

/**
 * Stores one empty file for each start, created exclusively, and named by a hash and a time slot. A claim checks the
 * slots before and after its own too, so that two windows at a boundary see at least one file of the other.
 */
export class RecentStarts {
  readonly #folder: string;
  readonly #now: () => number;

  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  /**
   * Records the starts of a batch. Resolves with false if one of them is recent and `isRepeat` is not set; then it is recent for
   * longer, as while a key is held, and the others are not recorded. Rejects if the folder cannot be written.
   */
  async claim(starts: readonly Start[], isRepeat = false): Promise<boolean> {
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const slot = Math.floor(this.#now() / SLOT_DURATION);
    await this.#removeOld(slot);
    const created: string[] = [];
    for (const hash of new Set(starts.map(hashStart))) {
      const file = this.#file(hash, slot);
      const isNew = await create(file);
      if (isRepeat || (isNew && !(await this.#exists(hash, slot - 1)) && !(await this.#exists(hash, slot + 1)))) {
        if (isNew) created.push(file);
        continue;
      }
      await Promise.all(created.map(remove));
      return false;
    }
    return true;
  }

  /** Removes a start that sent nothing, so that it may be repeated at once. Rejects if a file cannot be removed. */
  async release(start: Start): Promise<void> {
    const slot = Math.floor(this.#now() / SLOT_DURATION);
    await Promise.all([slot - 1, slot].map((each) => remove(this.#file(hashStart(start), each))));
  }

  async #exists(hash: string, slot: number): Promise<boolean> {
    return fs.access(this.#file(hash, slot)).then(
      () => true,
      () => false,
    );
  }

  async #removeOld(slot: number): Promise<void> {
    const names = await fs.readdir(this.#folder);
    const old = names.filter((name) => Number(name.split('.')[1]) < slot - 1);
    await Promise.all(old.map((name) => remove(path.join(this.#folder, name))));
  }

  #file(hash: string, slot: number): string {
    return path.join(this.#folder, `${hash}.${String(slot)}`);
  }
}

function hashStart({ connection, baseUrl, identity, file, text }: Start): string {
  return createHash('sha256')
    .update(JSON.stringify([connection, baseUrl, identity, file, text]))
    .digest('hex');
}

/** False if it exists already. */
async function create(file: string): Promise<boolean> {
  try {
    await createFile(file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function remove(file: string): Promise<void> {
  await fs.rm(file, { force: true });
}
