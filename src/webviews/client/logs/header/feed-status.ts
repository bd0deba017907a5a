import type { FeedState, Filters } from '../../../protocol/logs.ts';
import { formatCount } from '../format-count.ts';
import { formatTime } from '../time.ts';

const PHASE_LABELS: Readonly<Record<FeedState['phase'], string>> = {
  off: 'Off',
  waiting: 'Waiting',
  reading: 'Loading…',
  live: 'Live',
  idle: 'Live · idle',
  paused: 'Paused',
  ended: 'All loaded',
  stale: 'Not up to date',
};

/** Formats the phase of the feed and its stale connections: `Live · P3: not up to date`. */
export function formatPhase({ phase, paused, stale, since }: FeedState): string {
  if (phase === 'stale' && !paused)
    return since === undefined ? PHASE_LABELS.stale : `Not up to date since ${formatTime(since)}`;
  const which = stale.length > 2 ? `${stale.length} connections not up to date` : stale.join(', ');
  return [PHASE_LABELS[paused ? 'paused' : phase], which].filter((text) => text !== '').join(' · ');
}

/** Formats why no older entries follow the last row; empty if they can be read. */
export function formatEnd(feed: FeedState, range: Filters['range']): string {
  if (feed.readingOlder) return 'Loading older entries…';
  if (feed.dropped > 0) return `Older entries were removed (limit: ${formatCount(feed.limit)})`;
  if (feed.complete) {
    if (feed.stale.length > 0) return 'No older entries on connections that are up to date';
    return range === 'latest' ? 'No older entries' : 'No older entries in this time range';
  }
  return feed.loaded >= feed.limit ? `Limit of ${formatCount(feed.limit)} loaded entries reached` : '';
}

/** Formats how many failures are shown, and whether that is all of them. `filtered`: by a search or a range. */
export function formatFailureCount(total: number, groupCount: number, feed: FeedState, filtered: boolean): string {
  const failures = total === 1 ? '1 failure' : `${formatCount(total)} failures`;
  const groups = groupCount === 1 ? '1 group' : `${formatCount(groupCount)} groups`;
  if (filtered) return `${failures} in ${formatCount(feed.loaded)} loaded entries · ${groups}`;
  const isComplete = feed.complete && feed.dropped === 0;
  if (total === 0 && !isComplete) return formatPhase(feed);
  const parts = total === 0 ? ['No failures'] : [failures, groups];
  if (isComplete)
    return [...parts, ...(feed.stale.length > 0 ? ['some connections are not up to date'] : [])].join(' · ');
  return [...parts, feed.readingOlder && !feed.paused ? 'loading older entries…' : 'older entries are not loaded'].join(
    ' · ',
  );
}

/** True if older entries can be read, of any connection. */
export function canReadOlder({ readingOlder, complete, dropped, loaded, limit, paused, phase }: FeedState): boolean {
  return !readingOlder && !complete && dropped === 0 && loaded < limit && !paused && phase !== 'stale';
}
