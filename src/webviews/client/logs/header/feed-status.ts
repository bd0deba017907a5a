import * as l10n from '@vscode/l10n';
import type { FeedState, Filters } from '../../../protocol/logs.ts';
import { formatList, formatNumber, pluralize } from '../../../../platform/text/localization.ts';
import { formatTime } from '../time.ts';

const PHASE_LABELS: Readonly<Record<FeedState['phase'], string>> = {
  off: l10n.t({ message: 'Off', args: [], comment: 'State of a list: nothing is loaded' }),
  waiting: l10n.t('Waiting'),
  reading: l10n.t('Loading…'),
  live: l10n.t({ message: 'Live', args: [], comment: 'State of a list: new entries appear in it' }),
  idle: l10n.t({
    message: 'Live · idle',
    args: [],
    comment: 'State of a list: new entries appear in it, but there were none lately',
  }),
  paused: l10n.t('Paused'),
  ended: l10n.t('All loaded'),
  stale: l10n.t('Not up to date'),
};

/** Formats the phase of the feed and its stale connections: `Live · P3: not up to date`. */
export function formatPhase({ phase, paused, stale, since }: FeedState): string {
  if (phase === 'stale' && !paused)
    return since === undefined ? PHASE_LABELS.stale : l10n.t('Not up to date since {0}', formatTime(since));
  const which =
    stale.length > 2
      ? pluralize(stale.length, l10n.t('{0} connection not up to date|{0} connections not up to date'))
      : formatList(stale, 'unit');
  return [PHASE_LABELS[paused ? 'paused' : phase], which].filter((text) => text !== '').join(' · ');
}

/** Formats why no older entries follow the last row; empty if they can be read. */
export function formatEnd(feed: FeedState, range: Filters['range']): string {
  if (feed.readingOlder) return l10n.t('Loading older entries…');
  if (feed.dropped > 0) return l10n.t('Older entries were removed (limit: {0})', formatNumber(feed.limit));
  if (feed.complete) {
    if (feed.stale.length > 0) return l10n.t('No older entries on connections that are up to date');
    return range === 'latest' ? l10n.t('No older entries') : l10n.t('No older entries in this time range');
  }
  return feed.loaded >= feed.limit ? l10n.t('Limit of {0} loaded entries reached', formatNumber(feed.limit)) : '';
}

/** Formats how many failures are shown, and whether that is all of them. `filtered`: by a search or a range. */
export function formatFailureCount(total: number, groupCount: number, feed: FeedState, filtered: boolean): string {
  const failures = pluralize(total, l10n.t('{0} failure|{0} failures'));
  const groups = pluralize(groupCount, l10n.t('{0} group|{0} groups'));
  if (filtered) {
    const found = pluralize(
      total,
      l10n.t('{0} failure · {1} loaded|{0} failures · {1} loaded'),
      formatNumber(feed.loaded),
    );
    return `${found} · ${groups}`;
  }
  const isComplete = feed.complete && feed.dropped === 0;
  if (total === 0 && !isComplete) return formatPhase(feed);
  const parts = total === 0 ? [l10n.t('No failures')] : [failures, groups];
  if (isComplete)
    return [...parts, ...(feed.stale.length > 0 ? [l10n.t('some connections are not up to date')] : [])].join(' · ');
  return [
    ...parts,
    feed.readingOlder && !feed.paused ? l10n.t('loading older entries…') : l10n.t('older entries are not loaded'),
  ].join(' · ');
}

/** True if older entries can be read, of any connection. */
export function canReadOlder({ readingOlder, complete, dropped, loaded, limit, paused, phase }: FeedState): boolean {
  return !readingOlder && !complete && dropped === 0 && loaded < limit && !paused && phase !== 'stale';
}
