/** What stands where no rows do: the reason why there are none, and what lies beyond the last one. */
import type { FeedState, Filters, LogsState } from '../../protocol-logs.ts';
import { h, type Child } from '../kit.ts';
import type { HeaderActions } from './header.ts';
import { endText, mayReadOlder } from './phase.ts';
import { count } from './words.ts';

export function emptyParts(
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
      h('p', {}, `Nothing of the ${count(loaded)} loaded fits the search.`),
      mayReadOlder(feed) && button('Read older ones', older),
    ];
  if (feed.phase === 'stale' || feed.phase === 'off') return [h('p', {}, 'Nothing could be read yet.')];
  const bad = badText(feed);
  if (feed.complete && bad !== '') return [h('p', {}, bad)];
  if (feed.complete) return [h('p', {}, 'No action log fits these filters. New ones appear here by themselves.')];
  return [h('p', {}, feed.paused ? 'Paused before anything was read.' : 'Reading…')];
}

/** The bad items of all pages, in one row. */
function badText({ unreadable }: FeedState): string {
  if (unreadable === 0) return '';
  return unreadable === 1
    ? 'One item could not be read: it has no id.'
    : `${count(unreadable)} items could not be read: they have no id.`;
}

/** Below the last row. */
export function endParts(
  feed: FeedState,
  range: Filters['range'],
  searching: boolean,
  older: () => void,
): readonly Child[] {
  const text = endText(feed, range);
  const bad = badText(feed);
  return [
    bad !== '' && `${bad} `,
    text !== '' && text,
    text === '' &&
      searching &&
      mayReadOlder(feed) &&
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
