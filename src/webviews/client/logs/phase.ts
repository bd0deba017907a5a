/** What the view says of its feed, and what it may ask of it; without a page around it. */
import { momentText } from '../../../ui/times.ts';
import type { FeedState } from '../../protocol-logs.ts';

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
