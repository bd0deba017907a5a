/** Earlier texts of resources that a session has read; bounded in number and size. */

export interface Snapshot {
  /** milliseconds since the epoch */
  readonly readAt: number;
  /** the server's own JSON, pretty-printed and masked */
  readonly text: string;
}

/** Maximum number of texts of one resource. */
export const MAX_SNAPSHOTS_PER_RESOURCE = 20;
/** Maximum of all texts together, in UTF-16 units. */
const MAX_TEXT_LENGTH = 4 * 1024 * 1024;

/** The snapshots of one window. */
export class SnapshotMemory {
  /** least recently used resource first; within one, the oldest text first */
  readonly #snapshots = new Map<string, readonly Snapshot[]>();
  readonly #maxPerResource: number;
  readonly #maxLength: number;
  #size = 0;

  constructor(maxPerResource = MAX_SNAPSHOTS_PER_RESOURCE, maxLength = MAX_TEXT_LENGTH) {
    this.#maxPerResource = maxPerResource;
    this.#maxLength = maxLength;
  }

  /** Returns false if the text equals the last one of the resource. */
  add(key: string, snapshot: Snapshot): boolean {
    const previous = this.#snapshots.get(key) ?? [];
    const isNew = previous.at(-1)?.text !== snapshot.text;
    const next = (isNew ? [...previous, snapshot] : previous).slice(-this.#maxPerResource);
    this.#snapshots.delete(key);
    this.#snapshots.set(key, next);
    this.#size += getTextLength(next) - getTextLength(previous);
    while (this.#size > this.#maxLength) this.#dropOldest();
    return isNew;
  }

  /** The texts of a resource, newest first. */
  get(key: string): readonly Snapshot[] {
    return [...(this.#snapshots.get(key) ?? [])].reverse();
  }

  get size(): number {
    return this.#size;
  }

  #dropOldest(): void {
    for (const [key, [oldest, ...rest]] of this.#snapshots) {
      this.#size -= oldest?.text.length ?? 0;
      if (rest.length === 0) this.#snapshots.delete(key);
      else this.#snapshots.set(key, rest);
      return;
    }
  }
}

function getTextLength(snapshots: readonly Snapshot[]): number {
  return snapshots.reduce((sum, { text }) => sum + text.length, 0);
}
