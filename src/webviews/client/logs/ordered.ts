/** Entries in the order of time, then id, each once: what the host's buffer and the table of a view are built on. */

export interface Placed {
  readonly key: string;
  readonly id: string;
  /** milliseconds since the epoch */
  readonly time: number;
}

export function comparePlaces(a: Placed, b: Placed): number {
  return a.time - b.time || compareTexts(a.id, b.id) || compareTexts(a.key, b.key);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export class Ordered<T extends Placed> {
  #list: T[] = [];
  readonly #byKey = new Map<string, T>();

  /** Oldest first; changes in place. */
  get list(): readonly T[] {
    return this.#list;
  }

  get size(): number {
    return this.#list.length;
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  /** Adds and replaces; what is equal to the letter is up to the caller. Tells how many were new. */
  put(entries: readonly T[]): number {
    const fresh: T[] = [];
    let moved = false;
    let added = 0;
    // Twice in one batch: the later one stands.
    for (const entry of new Map(entries.map((entry) => [entry.key, entry])).values()) {
      const known = this.#byKey.get(entry.key);
      const at = known?.time === entry.time ? this.indexOf(known) : -1;
      this.#byKey.set(entry.key, entry);
      if (at >= 0) this.#list[at] = entry;
      else fresh.push(entry);
      if (known === undefined) added++;
      else if (at < 0) moved = true;
    }
    if (moved) this.#list = this.#list.filter((entry) => this.#byKey.get(entry.key) === entry);
    if (fresh.length > 0) this.#merge(fresh.sort(comparePlaces));
    return added;
  }

  /** Both sorted: only what lies behind the first place is touched. */
  #merge(fresh: readonly T[]): void {
    const [first] = fresh;
    if (first === undefined) return;
    const from = this.#lowerBound(first);
    if (from === this.#list.length) {
      this.#list = fresh.length > 10_000 ? this.#list.concat(fresh) : (this.#list.push(...fresh), this.#list);
      return;
    }
    const tail = this.#list.splice(from);
    let at = 0;
    for (const entry of fresh) {
      for (let other = tail[at]; other !== undefined && comparePlaces(other, entry) < 0; other = tail[++at])
        this.#list.push(other);
      this.#list.push(entry);
    }
    for (; at < tail.length; at++) {
      const other = tail[at];
      if (other !== undefined) this.#list.push(other);
    }
  }

  remove(keys: readonly string[]): readonly T[] {
    const gone = keys.flatMap((key) => this.#byKey.get(key) ?? []);
    for (const { key } of gone) this.#byKey.delete(key);
    if (gone.length > 0) this.#list = this.#list.filter(({ key }) => this.#byKey.has(key));
    return gone;
  }

  dropOldest(count: number): readonly T[] {
    if (count <= 0) return [];
    const gone = this.#list.splice(0, count);
    for (const { key } of gone) this.#byKey.delete(key);
    return gone;
  }

  clear(): void {
    this.#list = [];
    this.#byKey.clear();
  }

  /** Where an entry stands; -1 where it is not. */
  indexOf(entry: T): number {
    const at = this.#lowerBound(entry);
    return this.#list[at]?.key === entry.key ? at : -1;
  }

  /** How many are older than a moment. */
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

  #lowerBound(place: Placed): number {
    let low = 0;
    let high = this.#list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#list[middle];
      if (other !== undefined && comparePlaces(other, place) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
