/** What every generator knows: the seed, the moment the sandbox's story ends, and how to address its own files. */
import { Draw, Ids } from '../random.ts';
import type { Item, Source } from '../collection.ts';

export interface Context {
  readonly seed: number;
  /** milliseconds; nothing generated is younger */
  readonly epoch: number;
  /** absolute URL of one of the server's own paths */
  url(path: string): string;
}

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const MINUTE = 60_000;

export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The entry of a table, going round. */
export function at<T>(table: readonly T[], index: number): T {
  const found = table[index % table.length];
  if (found === undefined) throw new Error('the table is empty');
  return found;
}

export interface TableOptions {
  readonly prefix: string;
  readonly size: number;
  /** how far back the first item was created */
  readonly days: number;
  readonly organizationOf?: (index: number) => string;
  test?: Source['test'];
  make(of: { readonly index: number; readonly id: string; readonly created: number; readonly draw: Draw }): Item;
}

/** A source whose items are spread evenly over the days before the epoch, the last one a little before it. */
export function table(context: Context, options: TableOptions): Source & { idAt(index: number): string } {
  const ids = new Ids(context.seed, options.prefix);
  const { size, organizationOf, test } = options;
  const step = Math.floor((options.days * DAY) / (size + 1));
  const createdAt = (index: number): number => context.epoch - (size - index) * step;
  return {
    size,
    idAt: (index) => ids.at(index),
    indexOf: (id) => ids.indexOf(id),
    createdAt,
    ...(organizationOf !== undefined && { organizationOf }),
    ...(test !== undefined && { test }),
    make: (index) =>
      options.make({
        index,
        id: ids.at(index),
        created: createdAt(index),
        draw: new Draw(context.seed, options.prefix, index),
      }),
  };
}
