/** Watches as the workspace stores them: no data of the platform but ids, state roots and digests. */
import * as z from 'zod/mini';
import { isObject } from '../../platform/json/json.ts';
import { isKind, type Kind } from '../../platform/registry.ts';
import type { Filter } from '../../explorer/filter/filter.ts';

const text = z.string().check(z.minLength(1), z.maxLength(1024));
const kind = z.custom<Kind>((value) => typeof value === 'string' && isKind(value));

const change = z.object({
  /** unique in its watch */
  key: z.string(),
  type: z.enum(['added', 'changed', 'removed']),
  kind,
  id: text,
  /** milliseconds since the epoch */
  at: z.number(),
  /** state roots of an object before and after */
  roots: z.optional(z.tuple([z.string(), z.string()])),
  /** not shown yet */
  isNew: z.optional(z.boolean()),
});
/** A change that a watch found. */
export type FoundChange = z.output<typeof change>;

const source = z.object({
  kind,
  /** absent for a list */
  id: z.optional(text),
  /** of a list; dates may be relative */
  filter: z.optional(z.custom<Filter>(isObject)),
  /** name of an action: the list has only its logs, which no parameter of the contract can request */
  action: z.optional(text),
});
/** One resource, or the newest items of a list. */
export type WatchSource = Readonly<z.output<typeof source>>;

const watch = z.object({
  key: text,
  /** of a list, as the user knows it */
  label: z.optional(z.string()),
  connection: text,
  /** absent for the only identity of the connection */
  identity: z.optional(text),
  /** what the connection was when the watch was added: another address or account is another platform */
  baseUrl: z.string(),
  account: z.optional(z.string()),
  source,
  isPaused: z.optional(z.boolean()),
  /** what was read last: digests by id in the order of the list, and whether they were all of it */
  known: z.catch(
    z.optional(z.object({ digests: z.array(z.tuple([z.string(), z.string()])), isWhole: z.boolean() })),
    undefined,
  ),
  changes: z.catch(z.array(change), []),
});
export type StoredWatch = z.output<typeof watch>;
export type KnownItems = NonNullable<StoredWatch['known']>;

/** Parses what is stored; what is malformed is left out. */
export function parseWatches(stored: unknown): readonly StoredWatch[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one: unknown) => {
    const parsed = watch.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
}
