/** Helpers of all generators. */
import { SeededRandom, IdGenerator } from './random.ts';
import type { Item, Source } from './collection.ts';

export interface GenerationContext {
  readonly seed: number;
  /** milliseconds since 1970; the end of the generated history */
  readonly epoch: number;
  /** The absolute URL of a path of the sandbox. */
  url(path: string): string;
}

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const MINUTE = 60_000;

/** ISO 8601 in UTC, from milliseconds since 1970. */
export function formatIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The entry of a table at `index` modulo its length. */
export function pickCyclic<T>(table: readonly T[], index: number): T {
  const found = table[index % table.length];
  if (found === undefined) throw new Error('the table is empty');
  return found;
}

interface GeneratedSourceOptions {
  readonly prefix: string;
  readonly size: number;
  /** days between the first item's creation and the epoch */
  readonly days: number;
  readonly getOrganization?: (index: number) => string;
  make(of: {
    readonly index: number;
    readonly id: string;
    readonly created: number;
    readonly draw: SeededRandom;
  }): Item;
}

/** A source whose items are spread evenly over the days before the epoch. */
export function createGeneratedSource(
  context: GenerationContext,
  options: GeneratedSourceOptions,
): Source & { idAt(index: number): string } {
  const ids = new IdGenerator(context.seed, options.prefix);
  const { size, getOrganization } = options;
  const step = Math.floor((options.days * DAY) / (size + 1));
  const createdAt = (index: number): number => context.epoch - (size - index) * step;
  return {
    size,
    idAt: (index) => ids.at(index),
    indexOf: (id) => ids.indexOf(id),
    createdAt,
    ...(getOrganization !== undefined && { getOrganization }),
    create: (index) =>
      options.make({
        index,
        id: ids.at(index),
        created: createdAt(index),
        draw: new SeededRandom(context.seed, options.prefix, index),
      }),
  };
}
