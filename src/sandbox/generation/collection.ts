/** The items of one kind: generated ones, with an overlay of added, changed and removed items. */
import { getOwn, type JsonObject } from '../../platform/json/json.ts';

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
  /** The values of fields, and of query parameters that are none, without calling `create`; dates as milliseconds. */
  readonly columns?: Readonly<Record<string, (index: number) => unknown>>;
}

/** Position in the order of creation; `seq` orders entries of the same millisecond. */
export interface Position {
  readonly created: number;
  readonly seq: number;
}

export interface Entry extends Position {
  /** absent for added and changed items */
  readonly index?: number;
  readonly organization?: string | undefined;
  item(): Item;
  /** The value of a field, from the column of its source if there is one, else from the item. */
  get(field: string): unknown;
}

interface AddedItem extends Entry {
  readonly id: string;
  value: Item;
}

export interface TimeRange {
  /** milliseconds, inclusive */
  readonly from: number;
  /** milliseconds, inclusive */
  readonly to: number;
}

export const ALL_TIME: TimeRange = { from: -Infinity, to: Infinity };

/** Whether a moment, in milliseconds, is in a range. */
export function isWithin(moment: number, span: TimeRange): boolean {
  return moment >= span.from && moment <= span.to;
}

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

/** An entry of a source. Computes only what is read, since a scan creates one for each item. */
class GeneratedEntry implements Entry {
  readonly index: number;
  readonly #source: Source;

  constructor(source: Source, index: number) {
    this.#source = source;
    this.index = index;
  }

  get created(): number {
    return this.#source.createdAt(this.index);
  }

  get seq(): number {
    return this.index;
  }

  get organization(): string | undefined {
    return this.#source.getOrganization?.(this.index);
  }

  item(): Item {
    return this.#source.create(this.index);
  }

  get(field: string): unknown {
    const column = getOwn(this.#source.columns, field);
    return column === undefined ? this.item()[field] : column(this.index);
  }
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
    return index === undefined || index >= this.source.size || this.#hidden.has(index)
      ? undefined
      : new GeneratedEntry(this.source, index);
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
      get(field) {
        return this.value[field];
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

  /** Entries in order of creation, after `after`, created within `span`. */
  *walk(order: Order, span: TimeRange, after?: Position): Generator<Entry> {
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
      (extra) => isWithin(extra.created, span) && (after === undefined || comparePositions(extra, after) * step > 0),
    );
    if (step === -1) extras.reverse();
    let next = 0;
    for (;;) {
      while (this.#hidden.has(index)) index += step;
      const generated = index >= low && index <= high ? new GeneratedEntry(source, index) : undefined;
      const extra = extras[next];
      if (extra !== undefined && (generated === undefined || comparePositions(extra, generated) * step < 0)) {
        next++;
        yield extra;
      } else if (generated !== undefined) {
        index += step;
        yield generated;
      } else return;
    }
  }
}
