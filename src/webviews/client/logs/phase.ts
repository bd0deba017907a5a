/** What the view says of its feed, and what it may ask of it; without a page around it. */
import { momentText } from '../../../ui/times.ts';
import type { FeedState, Filters } from '../../protocol-logs.ts';

const PHASES: Readonly<Record<FeedState['phase'], string>> = {
  off: 'Not following',
  waiting: 'Waiting',
  reading: 'Reading…',
  live: 'Live',
  idle: 'Live, quiet',
  paused: 'Paused',
  ended: 'All read',
  stale: 'Stale',
};

/** How live it is, in a few words, and what is not: `Live; P3 stale`. */
export function phaseText({ phase, paused, stale, since }: FeedState): string {
  if (phase === 'stale' && !paused) return `Stale${since === undefined ? '' : ` since ${momentText(since)}`}`;
  const which = stale.length > 2 ? `${stale.length} connections stale` : stale.join(', ');
  return `${PHASES[paused ? 'paused' : phase]}${which && `; ${which}`}`;
}

/** What lies beyond the last row; empty where older ones can be read. */
export function endText(feed: FeedState, range: Filters['range']): string {
  if (feed.older) return 'Reading older ones…';
  if (feed.dropped > 0) return `Older ones went: at most ${feed.limit.toLocaleString('en')} are held`;
  if (feed.complete) {
    const end = range === 'latest' ? 'The oldest one' : 'The range begins here';
    return feed.stale.length > 0 ? `${end}, but for what is stale` : end;
  }
  return feed.held >= feed.limit ? 'No older ones are read: as many are held as the setting allows' : '';
}

/** One that is stale does not keep older ones of the others away. */
export function mayReadOlder({ older, complete, dropped, held, limit, paused, phase }: FeedState): boolean {
  return !older && !complete && dropped === 0 && held < limit && !paused && phase !== 'stale';
}
