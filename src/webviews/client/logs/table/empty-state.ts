import type { FeedState, Filters, LogsState } from '../../../protocol/logs.ts';
import { h, type Child } from '../../dom.ts';
import type { HeaderActions } from '../header/header-actions.ts';
import { formatEnd, canReadOlder } from '../header/feed-status.ts';
import { formatCount } from '../format.ts';

/** Renders why there are no rows, with what helps. */
export function renderEmptyState(
  { view, feed, connections }: LogsState,
  loaded: number,
  actions: Pick<HeaderActions, 'command'>,
  older: () => void,
): readonly Child[] {
  if (connections.length === 0 || view.filters.connections.length === 0)
    return [
      h('p', {}, 'There is no connection to follow yet.'),
      button('Start Local Sandbox', () => {
        actions.command('startSandbox');
      }),
      button('Add Connection…', () => {
        actions.command('addConnection');
      }),
    ];
  if (loaded > 0)
    return [
      h('p', {}, `Nothing of the ${formatCount(loaded)} loaded fits the search.`),
      canReadOlder(feed) && button('Read older ones', older),
    ];
  if (feed.phase === 'stale' || feed.phase === 'off') return [h('p', {}, 'Nothing could be read yet.')];
  const unreadableText = formatUnreadable(feed);
  if (feed.complete && unreadableText !== '') return [h('p', {}, unreadableText)];
  if (feed.complete) return [h('p', {}, 'No action log fits these filters. New ones appear here by themselves.')];
  return [h('p', {}, feed.paused ? 'Paused before anything was read.' : 'Reading…')];
}

/** Counts the entries without an id. */
function formatUnreadable({ unreadable }: FeedState): string {
  if (unreadable === 0) return '';
  return unreadable === 1
    ? 'One item could not be read: it has no id.'
    : `${formatCount(unreadable)} items could not be read: they have no id.`;
}

/** Renders the line below the last row. */
export function renderEnd(
  feed: FeedState,
  range: Filters['range'],
  searching: boolean,
  older: () => void,
): readonly Child[] {
  const text = formatEnd(feed, range);
  const unreadableText = formatUnreadable(feed);
  return [
    unreadableText !== '' && `${unreadableText} `,
    text !== '' && text,
    text === '' &&
      searching &&
      canReadOlder(feed) &&
      h(
        'button',
        { type: 'button', class: 'link', 'data-name': 'older', on: { click: older } },
        'Look through older ones',
      ),
  ];
}

function button(label: string, run: () => void): HTMLElement {
  return h('button', { type: 'button', class: 'action', 'data-name': label, on: { click: run } }, label);
}
