import * as l10n from '@vscode/l10n';
import type { FeedState, Filters, LogsState } from '../../../protocol/logs.ts';
import { createButton } from '../../controls.ts';
import { h, type Child } from '../../dom.ts';
import type { LogsPost } from '../header/header-actions.ts';
import { formatEnd, canReadOlder } from '../header/feed-status.ts';
import { pluralize } from '../../../../platform/text/localization.ts';

/** Renders why there are no rows, with what helps. */
export function renderEmptyState(
  { view, feed, connections }: LogsState,
  loaded: number,
  post: LogsPost,
): readonly Child[] {
  if (connections.length === 0 || view.filters.connections.length === 0)
    return [
      h('p', {}, l10n.t('There are no connections yet.')),
      createAction(l10n.t('Start Local Sandbox'), () => post('command', { id: 'startSandbox' })),
      createAction(l10n.t('Add Connection…'), () => post('command', { id: 'addConnection' })),
    ];
  if (loaded > 0)
    return [
      h('p', {}, pluralize(loaded, l10n.t('No matches in {0} loaded entry.|No matches in {0} loaded entries.'))),
      canReadOlder(feed) && createAction(l10n.t('Load Older Entries'), () => post('loadOlder', {})),
    ];
  if (feed.phase === 'stale' || feed.phase === 'off') return [h('p', {}, l10n.t('No action logs loaded.'))];
  const unreadableText = formatUnreadable(feed);
  if (feed.complete && unreadableText !== '') return [h('p', {}, unreadableText)];
  if (feed.complete)
    return [h('p', {}, l10n.t('No action logs match the filters. New ones appear here automatically.'))];
  return [h('p', {}, feed.paused ? l10n.t('Paused. No action logs loaded.') : l10n.t('Loading…'))];
}

/** Counts the entries without an id. */
function formatUnreadable({ unreadable }: FeedState): string {
  if (unreadable === 0) return '';
  return pluralize(
    unreadable,
    l10n.t('{0} entry without an ID is not shown.|{0} entries without an ID are not shown.'),
  );
}

/** Renders the line below the last row. */
export function renderEnd(
  feed: FeedState,
  range: Filters['range'],
  searching: boolean,
  post: LogsPost,
): readonly Child[] {
  const text = formatEnd(feed, range);
  const unreadableText = formatUnreadable(feed);
  return [
    unreadableText !== '' && `${unreadableText} `,
    text !== '' && text,
    text === '' &&
      searching &&
      canReadOlder(feed) &&
      createButton(
        { class: 'link', name: 'older', onClick: () => post('loadOlder', {}) },
        l10n.t('Search Older Entries'),
      ),
  ];
}

function createAction(label: string, onClick: () => void): HTMLElement {
  return createButton({ class: 'action', name: label, onClick }, label);
}
