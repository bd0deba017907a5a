/** What a watch reads, in one request each time. */
import { resolveFilter, type Filter } from '../../explorer/filter/filter.ts';
import { splitResourceId } from '../../model/resources/resource-uri.ts';
import { RELATIVE_DATE, resolveRelativeDate } from '../../model/text/time-format.ts';
import { runPoll, type PollMemory } from '../../platform/http/poll.ts';
import { isObject } from '../../platform/json/json.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { Item } from '../../platform/page.ts';
import { registry, type Kind } from '../../platform/registry.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import type { WatchSource } from './stored-watch.ts';
import {
  isFinalBatchStatus,
  isFinalLogStatus,
  readActionName,
  readStatus,
} from '../../platform/resources/action-log-fields.ts';

/** The part of a client that reads. */
export type WatchClient = Pick<PlatformClient, 'readFor' | 'listPageFor' | 'target'>;

export interface Reading {
  /** by id, in the order of the list */
  readonly items: ReadonlyMap<string, Item>;
  /** the list has no further page */
  readonly isWhole: boolean;
  /** the resource no longer changes: an action log or batch that is completed or failed */
  readonly isFinal: boolean;
  /** whether an item may be missing since a relative date of the filter has passed it; `raw`: as it was read before */
  readonly mayBeTooOld: (raw: unknown) => boolean;
}

/** The contract's largest page. */
const MAX_ITEMS = 100;

/**
 * Reads what a watch names, in one request that is not repeated. `now`: milliseconds since the epoch, for relative dates.
 * Rejects with PlatformError.
 */
export async function readSource(
  client: WatchClient,
  { kind, id, filter = {}, action }: WatchSource,
  { memory, now, signal }: { readonly memory: PollMemory; readonly now: number; readonly signal: AbortSignal },
): Promise<Reading> {
  const definition: ResourceDefinition = registry[kind];
  if (id !== undefined) {
    const { item } = await runPoll(memory, () => client.readFor(definition, splitResourceId(kind, id), { signal }));
    return { items: new Map([[id, item]]), isWhole: true, isFinal: isFinal(kind, item.raw), mayBeTooOld: () => false };
  }
  const sorts = definition.list?.operation.query['sortBy'] !== undefined && filter['sortBy'] === undefined;
  const newest = sorts ? { sortBy: 'when_created', order: 'descending' } : {};
  const query = { ...newest, ...resolveFilter(filter, now), limit: client.target.pageSize ?? MAX_ITEMS };
  const page = await runPoll(memory, () => client.listPageFor(definition, query, { signal }));
  const items = page.items.flatMap((item): readonly (readonly [string, Item])[] =>
    item.id !== undefined && (action === undefined || isOfAction(item.raw, action)) ? [[item.id, item]] : [],
  );
  return {
    items: new Map(items),
    isWhole: page.next === undefined,
    isFinal: false,
    mayBeTooOld: (raw) => mayBeTooOld(filter, now, raw),
  };
}

/** True for an item without a date, too. */
function mayBeTooOld(filter: Filter, now: number, raw: unknown): boolean {
  return Object.entries(filter).some(([name, dates]) => {
    const start = typeof dates === 'object' ? (dates.gte ?? dates.gt ?? '') : '';
    const date = isObject(raw) ? Date.parse(String(raw[name])) : NaN;
    return RELATIVE_DATE.test(start) && !(date >= Date.parse(resolveRelativeDate(start, now)));
  });
}

function isFinal(kind: Kind, raw: unknown): boolean {
  const status = isObject(raw) ? readStatus(raw) : undefined;
  return (kind === 'action-logs' && isFinalLogStatus(status)) || (kind === 'batches' && isFinalBatchStatus(status));
}

function isOfAction(raw: unknown, action: string): boolean {
  return isObject(raw) && [readActionName(raw), raw['action_alias'] ?? raw['alias']].includes(action);
}
