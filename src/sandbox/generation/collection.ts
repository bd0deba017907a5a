/** The items of one kind: generated ones, with an overlay of added, changed and removed items. */
import type { JsonObject } from '../../platform/json/json.ts';

export type Item = JsonObject;
export type Order = 'asc' | 'desc';

/** Items that are generated from their index on demand. */
export interface Source {
  readonly size: number;
  indexOf(id: string): number | undefined;
  /** milliseconds since 1970; must not decrease with the index */
  createdAt(index: number): number;
  create(index: number): Item;
  /** The organization of an item, for kinds that belong to one. */
  getOrganization?(index: number): string;
  /** A test of one query parameter that does not call `create`; undefined if there is none. */
  createTest?(parameter: string, value: string): ((index: number) => boolean) | undefined;
  /** The values of one field without calling `create`, dates as milliseconds; undefined if there are none. */
  getColumn?(field: string): ((index: number) => unknown) | undefined;
}

/** Position in the order of creation; `seq` orders entries of the same millisecond. */
export interface Position {
  readonly created: number;
  readonly seq: number;
}

export interface Entry extends Position {
  /** absent for added and changed items */
  readonly index?: number;
  readonly organization?: string;
  item(): Item;
}

interface AddedItem extends Position {
  readonly id: string;
  readonly organization?: string;
  value: Item;
  item(): Item;
}

export interface TimeRange {
  /** milliseconds, inclusive */
  readonly from: number;
  /** milliseconds, inclusive */
  readonly to: number;
}

export const ALL_TIME: TimeRange = { from: -Infinity, to: Infinity };

/** Compares by creation, then by `seq`. */
function comparePositions(a: Position, b: Position): number {
  return a.created - b.created || a.seq - b.seq;
}

/** Binary search: the first index below `size` from which on `test` is true, or `size`. */
export function findFirstIndex(size: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A source and its overlay. */
export class Collection {
  readonly source: Source;
  readonly #addedItems: AddedItem[] = [];
  readonly #byId = new Map<string, AddedItem>();
  /** indices of generated items that were changed or removed */
  readonly #hidden = new Set<number>();
  #added = 0;

  constructor(source: Source) {
    this.source = source;
  }

  /** current number of items */
  get size(): number {
    return this.source.size - this.#hidden.size + this.#addedItems.length;
  }

  /** The entry with this id. */
  find(id: string): Entry | undefined {
    const extra = this.#byId.get(id);
    if (extra !== undefined) return extra;
    const index = this.source.indexOf(id);
    return index === undefined || index >= this.source.size || this.#hidden.has(index) ? undefined : this.#entry(index);
  }

  /** The item with this id. */
  get(id: string): Item | undefined {
    return this.find(id)?.item();
  }

  /** Adds an item or replaces the one with the same id. `created`: milliseconds, for a new item. */
  put(id: string, value: Item, created: number, organization?: string): void {
    const known = this.#byId.get(id);
    if (known !== undefined) {
      known.value = value;
      return;
    }
    const index = this.source.indexOf(id);
    const generated = index !== undefined && index < this.source.size ? index : undefined;
    if (generated !== undefined) this.#hidden.add(generated);
    const extra: AddedItem = {
      id,
      created: generated === undefined ? created : this.source.createdAt(generated),
      seq: generated ?? this.source.size + this.#added++,
      ...(organization !== undefined && { organization }),
      value,
      item() {
        return this.value;
      },
    };
    const position = findFirstIndex(
      this.#addedItems.length,
      (at) => comparePositions(this.#addedItems[at] ?? extra, extra) > 0,
    );
    this.#addedItems.splice(position, 0, extra);
    this.#byId.set(id, extra);
  }

  /** Removes an item, if it exists. */
  remove(id: string): void {
    const extra = this.#byId.get(id);
    const index = this.source.indexOf(id);
    if (index !== undefined && index < this.source.size) this.#hidden.add(index);
    if (extra === undefined) return;
    this.#byId.delete(id);
    this.#addedItems.splice(this.#addedItems.indexOf(extra), 1);
  }

  /** Entries in order of creation, after `after`, created within `span`, whose index passes `accept`. */
  *walk(order: Order, span: TimeRange, after?: Position, accept?: (index: number) => boolean): Generator<Entry> {
    const { source } = this;
    const step = order === 'asc' ? 1 : -1;
    const low = findFirstIndex(source.size, (index) => source.createdAt(index) >= span.from);
    const high = findFirstIndex(source.size, (index) => source.createdAt(index) > span.to) - 1;
    let index = step === 1 ? low : high;
    if (after !== undefined) {
      const beyond = findFirstIndex(
        source.size,
        (at) => comparePositions({ created: source.createdAt(at), seq: at }, after) > 0,
      );
      const before = findFirstIndex(
        source.size,
        (at) => comparePositions({ created: source.createdAt(at), seq: at }, after) >= 0,
      );
      index = step === 1 ? Math.max(low, beyond) : Math.min(high, before - 1);
    }
    // A copy, because items may be added or changed between two steps.
    const extras = this.#addedItems.filter(
      (extra) =>
        extra.created >= span.from &&
        extra.created <= span.to &&
        (after === undefined || comparePositions(extra, after) * step > 0),
    );
    if (step === -1) extras.reverse();
    let next = 0;
    for (;;) {
      while (index >= low && index <= high && (this.#hidden.has(index) || (accept !== undefined && !accept(index))))
        index += step;
      const generated = index >= low && index <= high ? index : undefined;
      const extra = extras[next];
      if (generated === undefined && extra === undefined) return;
      const created = generated === undefined ? 0 : source.createdAt(generated);
      if (
        extra !== undefined &&
        (generated === undefined || comparePositions(extra, { created, seq: generated }) * step < 0)
      ) {
        next++;
        yield extra;
      } else if (generated !== undefined) {
        index += step;
        yield this.#entry(generated);
      }
    }
  }

  #entry(index: number): Entry {
    const { source } = this;
    const organization = source.getOrganization?.(index);
    return {
      index,
      created: source.createdAt(index),
      seq: index,
      ...(organization !== undefined && { organization }),
      item: () => source.create(index),
    };
  }
}
