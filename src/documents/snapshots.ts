/** Pure: earlier texts of resources, as this window saw them, for comparing over time; bounded in number and size. */
import type { ResourceArgument } from '../commands/ids.ts';

export interface Snapshot {
  /** milliseconds since the epoch */
  readonly readAt: number;
  /** masked */
  readonly text: string;
}

export interface SnapshotLimits {
  /** of one resource */
  readonly each: number;
  /** UTF-16 units, of all together */
  readonly size: number;
}

export class Snapshots {
  /** the longest unseen resource first; of each the oldest text first */
  readonly #kept = new Map<string, readonly Snapshot[]>();
  readonly #limits: SnapshotLimits;
  #size = 0;

  constructor(limits: SnapshotLimits = { each: 20, size: 8 * 1024 * 1024 }) {
    this.#limits = limits;
  }

  /** A text that is the same as the last one adds nothing. */
  add(resource: ResourceArgument, snapshot: Snapshot): void {
    const key = keyOf(resource);
    const before = this.#kept.get(key) ?? [];
    const same = before.at(-1)?.text === snapshot.text;
    const all = same ? before : [...before, snapshot];
    const kept = all.slice(-this.#limits.each);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    this.#size += sizeOf(kept) - sizeOf(before);
    while (this.#size > this.#limits.size) this.#dropOne();
  }

  /** The latest first. */
  of(resource: ResourceArgument): readonly Snapshot[] {
    return [...(this.#kept.get(keyOf(resource)) ?? [])].reverse();
  }

  get size(): number {
    return this.#size;
  }

  #dropOne(): void {
    for (const [key, snapshots] of this.#kept) {
      const [oldest, ...rest] = snapshots;
      this.#size -= oldest?.text.length ?? 0;
      if (rest.length === 0) this.#kept.delete(key);
      else this.#kept.set(key, rest);
      return;
    }
  }
}

function keyOf({ connection, kind, id }: ResourceArgument): string {
  return JSON.stringify([connection, kind, id]);
}

function sizeOf(snapshots: readonly Snapshot[]): number {
  return snapshots.reduce((sum, { text }) => sum + text.length, 0);
}
