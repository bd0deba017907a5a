import type { FeedState, Filters } from '../../../protocol/logs.ts';
import { formatTime } from '../time.ts';

const PHASE_LABELS: Readonly<Record<FeedState['phase'], string>> = {
  off: 'Not following',
  waiting: 'Waiting',
  reading: 'Reading…',
  live: 'Live',
  idle: 'Live, quiet',
  paused: 'Paused',
  ended: 'All read',
  stale: 'Stale',
};

/** Formats the phase of the feed and its stale connections: `Live; P3 stale`. */
export function formatPhase({ phase, paused, stale, since }: FeedState): string {
  if (phase === 'stale' && !paused) return `Stale${since === undefined ? '' : ` since ${formatTime(since)}`}`;
  const which = stale.length > 2 ? `${stale.length} connections stale` : stale.join(', ');
  return `${PHASE_LABELS[paused ? 'paused' : phase]}${which && `; ${which}`}`;
}

/** Formats why no older entries follow the last row; empty if they can be read. */
export function formatEnd(feed: FeedState, range: Filters['range']): string {
  if (feed.readingOlder) return 'Reading older ones…';
  if (feed.dropped > 0) return `Older ones went: at most ${feed.limit.toLocaleString('en')} are held`;
  if (feed.complete) {
    const end = range === 'latest' ? 'The oldest one' : 'The range begins here';
    return feed.stale.length > 0 ? `${end}, but for what is stale` : end;
  }
  return feed.loaded >= feed.limit ? 'No older ones are read: as many are held as the setting allows' : '';
}

/** Formats how many failures are shown, and whether that is all of them. `filtered`: by a search or a range. */
export function formatFailureCount(total: number, groupCount: number, feed: FeedState, filtered: boolean): string {
  const failures = total === 1 ? '1 failure' : `${total.toLocaleString('en')} failures`;
  const groups = groupCount === 1 ? 'one group' : `${groupCount.toLocaleString('en')} groups`;
  if (filtered) return `${failures} of ${feed.loaded.toLocaleString('en')} loaded, in ${groups}`;
  const isComplete = feed.complete && feed.dropped === 0;
  const exception = feed.stale.length > 0 ? ', but for what is stale' : '';
  if (total === 0) return isComplete ? `No failures${exception}` : formatPhase(feed);
  if (isComplete) return `${total === 1 ? '' : 'All '}${failures}, in ${groups}${exception}`;
  if (feed.readingOlder && !feed.paused) return `${failures} loaded, in ${groups}. Reading older ones…`;
  return `${total === 1 ? '' : 'The newest '}${failures}, in ${groups}. Older ones are not loaded.`;
}

/** True if older entries can be read, of any connection. */
export function canReadOlder({ readingOlder, complete, dropped, loaded, limit, paused, phase }: FeedState): boolean {
  return !readingOlder && !complete && dropped === 0 && loaded < limit && !paused && phase !== 'stale';
}
