/** One kind's items: those generated from their index, with what was added, changed or removed since laid over them. */
import type { JsonObject } from '../platform/json.ts';

export type Item = JsonObject;
export type Order = 'asc' | 'desc';

/** Items made from their index; nothing of them is stored. */
export interface Source {
  readonly size: number;
  indexOf(id: string): number | undefined;
  /** milliseconds; must not fall as the index rises */
  createdAt(index: number): number;
  make(index: number): Item;
  /** the organization an item belongs to, where the kind is an organization's */
  organizationOf?(index: number): string;
  /** a cheap test for one query parameter, sparing `make`; undefined where there is none */
  test?(parameter: string, value: string): ((index: number) => boolean) | undefined;
  /** a cheap value of one field for sorting and date filters; dates as milliseconds */
  column?(field: string): ((index: number) => unknown) | undefined;
}

/** Where an entry stands in the order of creation; `seq` parts those of the same millisecond. */
export interface Place {
  readonly created: number;
  readonly seq: number;
}

export interface Entry extends Place {
  /** absent for items that are not, or no longer, as generated */
  readonly index?: number;
  readonly organization?: string;
  item(): Item;
}

interface Extra extends Place {
  readonly id: string;
  readonly organization?: string;
  value: Item;
  item(): Item;
}

export interface Span {
  /** milliseconds, inclusive */
  readonly from: number;
  /** milliseconds, inclusive */
  readonly to: number;
}

export const ALWAYS: Span = { from: -Infinity, to: Infinity };

export function compare(a: Place, b: Place): number {
  return a.created - b.created || a.seq - b.seq;
}

/** The first index of `size` for which `holds` is true, where it stays true from there on. */
export function firstIndex(size: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class Collection {
  readonly source: Source;
  readonly #extras: Extra[] = [];
  readonly #byId = new Map<string, Extra>();
  /** generated items that were changed or removed */
  readonly #hidden = new Set<number>();
  #added = 0;

  constructor(source: Source) {
    this.source = source;
  }

  /** how many there are now */
  get size(): number {
    return this.source.size - this.#hidden.size + this.#extras.length;
  }

  find(id: string): Entry | undefined {
    const extra = this.#byId.get(id);
    if (extra !== undefined) return extra;
    const index = this.source.indexOf(id);
    return index === undefined || index >= this.source.size || this.#hidden.has(index) ? undefined : this.#entry(index);
  }

  get(id: string): Item | undefined {
    return this.find(id)?.item();
  }

  /** Adds an item, or puts it in the place of the one with the same `id`. */
  put(id: string, value: Item, created: number, organization?: string): void {
    const known = this.#byId.get(id);
    if (known !== undefined) {
      known.value = value;
      return;
    }
    const index = this.source.indexOf(id);
    const generated = index !== undefined && index < this.source.size ? index : undefined;
    if (generated !== undefined) this.#hidden.add(generated);
    const extra: Extra = {
      id,
      created: generated === undefined ? created : this.source.createdAt(generated),
      seq: generated ?? this.source.size + this.#added++,
      ...(organization !== undefined && { organization }),
      value,
      item() {
        return this.value;
      },
    };
    const place = firstIndex(this.#extras.length, (at) => compare(this.#extras[at] ?? extra, extra) > 0);
    this.#extras.splice(place, 0, extra);
    this.#byId.set(id, extra);
  }

  remove(id: string): void {
    const extra = this.#byId.get(id);
    const index = this.source.indexOf(id);
    if (index !== undefined && index < this.source.size) this.#hidden.add(index);
    if (extra === undefined) return;
    this.#byId.delete(id);
    this.#extras.splice(this.#extras.indexOf(extra), 1);
  }

  /** Entries in order of creation, beyond `after`, created within `span`, whose index passes `accept`. */
  *walk(order: Order, span: Span, after?: Place, accept?: (index: number) => boolean): Generator<Entry> {
    const { source } = this;
    const step = order === 'asc' ? 1 : -1;
    const low = firstIndex(source.size, (index) => source.createdAt(index) >= span.from);
    const high = firstIndex(source.size, (index) => source.createdAt(index) > span.to) - 1;
    let index = step === 1 ? low : high;
    if (after !== undefined) {
      const beyond = firstIndex(source.size, (at) => compare({ created: source.createdAt(at), seq: at }, after) > 0);
      const before = firstIndex(source.size, (at) => compare({ created: source.createdAt(at), seq: at }, after) >= 0);
      index = step === 1 ? Math.max(low, beyond) : Math.min(high, before - 1);
    }
    // A copy: an item that is added or changed between two steps must not shift the walk.
    const extras = this.#extras.filter(
      (extra) =>
        extra.created >= span.from &&
        extra.created <= span.to &&
        (after === undefined || compare(extra, after) * step > 0),
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
      if (extra !== undefined && (generated === undefined || compare(extra, { created, seq: generated }) * step < 0)) {
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
    const organization = source.organizationOf?.(index);
    return {
      index,
      created: source.createdAt(index),
      seq: index,
      ...(organization !== undefined && { organization }),
      item: () => source.make(index),
    };
  }
}
