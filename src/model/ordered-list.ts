/** Entries without duplicates in order of time, then id: for the host's buffer and the table of a view. */

export interface TimedItem {
  readonly key: string;
  readonly id: string;
  /** milliseconds since the epoch */
  readonly time: number;
}

/** Compares by time, then id. */
export function compareItems(a: TimedItem, b: TimedItem): number {
  return a.time - b.time || compareTexts(a.id, b.id) || compareTexts(a.key, b.key);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A sorted list with lookup by id. */
export class OrderedList<T extends TimedItem> {
  #list: T[] = [];
  readonly #byKey = new Map<string, T>();

  /** Sorted oldest first; changed in place. */
  get list(): readonly T[] {
    return this.#list;
  }

  get size(): number {
    return this.#list.length;
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  /** Adds or replaces entries; the caller compares for equality. Returns the number of new ones. */
  put(entries: readonly T[]): number {
    const inserted: T[] = [];
    let moved = false;
    let added = 0;
    // The last duplicate of a batch wins.
    for (const entry of new Map(entries.map((entry) => [entry.key, entry])).values()) {
      const known = this.#byKey.get(entry.key);
      const at = known?.time === entry.time ? this.indexOf(known) : -1;
      this.#byKey.set(entry.key, entry);
      if (at >= 0) this.#list[at] = entry;
      else inserted.push(entry);
      if (known === undefined) added++;
      else if (at < 0) moved = true;
    }
    if (moved) this.#list = this.#list.filter((entry) => this.#byKey.get(entry.key) === entry);
    if (inserted.length > 0) this.#merge(inserted.sort(compareItems));
    return added;
  }

  /** Merges two sorted lists from the first changed index on. */
  #merge(inserted: readonly T[]): void {
    const [first] = inserted;
    if (first === undefined) return;
    const from = this.#lowerBound(first);
    if (from === this.#list.length) {
      this.#list = inserted.length > 10_000 ? this.#list.concat(inserted) : (this.#list.push(...inserted), this.#list);
      return;
    }
    const tail = this.#list.splice(from);
    let at = 0;
    for (const entry of inserted) {
      for (let other = tail[at]; other !== undefined && compareItems(other, entry) < 0; other = tail[++at])
        this.#list.push(other);
      this.#list.push(entry);
    }
    for (; at < tail.length; at++) {
      const other = tail[at];
      if (other !== undefined) this.#list.push(other);
    }
  }

  remove(keys: readonly string[]): readonly T[] {
    const removed = keys.flatMap((key) => this.#byKey.get(key) ?? []);
    for (const { key } of removed) this.#byKey.delete(key);
    if (removed.length > 0) this.#list = this.#list.filter(({ key }) => this.#byKey.has(key));
    return removed;
  }

  dropOldest(count: number): readonly T[] {
    if (count <= 0) return [];
    const dropped = this.#list.splice(0, count);
    for (const { key } of dropped) this.#byKey.delete(key);
    return dropped;
  }

  clear(): void {
    this.#list = [];
    this.#byKey.clear();
  }

  /** Index of an entry; -1 if it is missing. */
  indexOf(entry: T): number {
    const at = this.#lowerBound(entry);
    return this.#list[at]?.key === entry.key ? at : -1;
  }

  /** Number of entries older than a time. */
  countBefore(time: number): number {
    let low = 0;
    let high = this.#list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#list[middle]?.time ?? Infinity) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #lowerBound(item: TimedItem): number {
    let low = 0;
    let high = this.#list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#list[middle];
      if (other !== undefined && compareItems(other, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
