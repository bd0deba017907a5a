/** Pure: earlier texts of resources, as one session saw them; bounded in number and size. */

export interface Snapshot {
  /** milliseconds since the epoch */
  readonly readAt: number;
  /** the server's own JSON, pretty-printed and masked */
  readonly text: string;
}

/** Texts of one resource that are kept. */
export const MOST_EACH = 20;
/** UTF-16 units, of all together. */
const MOST_TEXT = 4 * 1024 * 1024;

export class SnapshotMemory {
  /** the longest unseen resource first; of each the oldest text first */
  readonly #kept = new Map<string, readonly Snapshot[]>();
  readonly #each: number;
  readonly #most: number;
  #size = 0;

  constructor(each = MOST_EACH, most = MOST_TEXT) {
    this.#each = each;
    this.#most = most;
  }

  /** False for a text that is the same as the last one: it adds nothing. */
  add(key: string, snapshot: Snapshot): boolean {
    const before = this.#kept.get(key) ?? [];
    const isNew = before.at(-1)?.text !== snapshot.text;
    const kept = (isNew ? [...before, snapshot] : before).slice(-this.#each);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    this.#size += sizeOf(kept) - sizeOf(before);
    while (this.#size > this.#most) this.#dropOne();
    return isNew;
  }

  /** The latest first. */
  of(key: string): readonly Snapshot[] {
    return [...(this.#kept.get(key) ?? [])].reverse();
  }

  get size(): number {
    return this.#size;
  }

  #dropOne(): void {
    for (const [key, [oldest, ...rest]] of this.#kept) {
      this.#size -= oldest?.text.length ?? 0;
      if (rest.length === 0) this.#kept.delete(key);
      else this.#kept.set(key, rest);
      return;
    }
  }
}

function sizeOf(snapshots: readonly Snapshot[]): number {
  return snapshots.reduce((sum, { text }) => sum + text.length, 0);
}
