import * as l10n from '@vscode/l10n';
import type { LiveLookup } from '../file/preflight.ts';

/** Ids that are read for one validation. */
const MAX_READS = 500;

export interface LimitedLookup extends LiveLookup {
  /** not everything could be read */
  readonly isExhausted: boolean;
}

/** Limits reads: each id is read once, and no more than 500. Further reads reject with Error. */
export function limitReads(live: LiveLookup): LimitedLookup {
  const reads = new Map<string, ReturnType<LiveLookup['read']>>();
  let isExhausted = false;
  return {
    ownIds: live.ownIds,
    connection: live.connection,
    now: () => live.now(),
    can: (resource, verb, organization) => live.can(resource, verb, organization),
    get isExhausted() {
      return isExhausted;
    },
    read(kind, id, signal) {
      const key = `${kind}/${id}`;
      let item = reads.get(key);
      if (item === undefined) {
        if (reads.size >= MAX_READS) {
          isExhausted = true;
          return Promise.reject(new Error(l10n.t('too many IDs')));
        }
        item = live.read(kind, id, signal);
        reads.set(key, item);
      }
      return item;
    },
  };
}
