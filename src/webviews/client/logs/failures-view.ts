/** Failed entries that are loaded, in groups of the same action and reason. */
import { h, type Child } from '../kit.ts';
import type { Failures } from './failures.ts';
import { NO_REASON, reasonSources } from '../../protocol-logs.ts';
import { count, shortened, timeText } from './words.ts';

export interface FailureActions {
  /** shows the latest of the group */
  readonly select: (key: string) => void;
  /** shows all of the group in the table */
  readonly show: (group: Failures) => void;
  readonly report: (key: string) => void;
}

export function failureParts(groups: readonly Failures[], loaded: number, actions: FailureActions): readonly Child[] {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  if (total === 0) return [h('p', { class: 'empty' }, `No failure in ${count(loaded)} loaded.`)];
  return [
    h(
      'p',
      { class: 'muted lead' },
      `${count(total)} failed in ${count(loaded)} loaded, in ${groups.length === 1 ? 'one group' : `${groups.length} groups`}`,
    ),
    h(
      'table',
      { class: 'failures' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ...['Count', 'Action', 'Why', 'First seen', 'Last seen', ''].map((label) => h('th', { scope: 'col' }, label)),
        ),
      ),
      h('tbody', {}, ...groups.map((group) => line(group, actions))),
    ),
  ];
}

function line(group: Failures, actions: FailureActions): HTMLElement {
  const { latest, key } = group;
  const button = (label: string, name: string, run: () => void): HTMLElement =>
    h('button', { type: 'button', class: 'link', 'data-name': `${name} ${key}`, on: { click: run } }, label);
  return h(
    'tr',
    {},
    h('td', { class: 'number' }, count(group.count)),
    h('th', { scope: 'row' }, group.action === '' ? 'no action named' : group.action),
    h('td', { class: 'why' }, ...why(group)),
    h('td', {}, timeText(group.first, false)),
    h('td', {}, timeText(group.last, false)),
    h(
      'td',
      { class: 'do' },
      button('Latest', 'latest', () => {
        actions.select(latest.key);
      }),
      button('All', 'all', () => {
        actions.show(group);
      }),
      button('Report', 'report', () => {
        actions.report(latest.key);
      }),
    ),
  );
}

/** The reason and where it is from, or who signed what has none. */
function why({ message, reasonFrom, signer }: Failures): readonly Child[] {
  if (message !== '')
    return [message, ' ', h('span', { class: 'muted' }, reasonFrom === undefined ? '' : reasonSources[reasonFrom])];
  const by = signer === '' ? 'nobody named' : shortened(signer);
  return [h('span', { class: 'muted' }, `${NO_REASON}. `), h('span', { title: signer }, `Signed by ${by}`)];
}
