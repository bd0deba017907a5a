import { h, type Child } from '../../dom.ts';
import type { FailureGroup } from './failure-groups.ts';
import { NO_REASON, reasonSourceLabels } from '../../../protocol/logs.ts';
import { formatCount, shorten, formatTime } from '../format.ts';

export interface FailureActions {
  /** shows the latest failure */
  readonly select: (key: string) => void;
  /** shows all failures of the group in the table */
  readonly show: (group: FailureGroup) => void;
  readonly report: (key: string) => void;
}

/** Renders the groups of failed entries as a table. */
export function renderFailures(
  groups: readonly FailureGroup[],
  loaded: number,
  actions: FailureActions,
): readonly Child[] {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  if (total === 0) return [h('p', { class: 'empty' }, `No failure in ${formatCount(loaded)} loaded.`)];
  return [
    h(
      'p',
      { class: 'muted lead' },
      `${formatCount(total)} failed in ${formatCount(loaded)} loaded, in ${groups.length === 1 ? 'one group' : `${groups.length} groups`}`,
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
      h('tbody', {}, ...groups.map((group) => renderGroup(group, actions))),
    ),
  ];
}

function renderGroup(group: FailureGroup, actions: FailureActions): HTMLElement {
  const { latest, key } = group;
  const button = (label: string, name: string, run: () => void): HTMLElement =>
    h('button', { type: 'button', class: 'link', 'data-name': `${name} ${key}`, on: { click: run } }, label);
  return h(
    'tr',
    {},
    h('td', { class: 'number' }, formatCount(group.count)),
    h('th', { scope: 'row' }, group.action === '' ? 'no action named' : group.action),
    h('td', { class: 'why' }, ...renderReason(group)),
    h('td', {}, formatTime(group.first, false)),
    h('td', {}, formatTime(group.last, false)),
    h(
      'td',
      { class: 'actions' },
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

/** Renders the reason with its source, or the signer if there is no reason. */
function renderReason({ message, reasonFrom, signer }: FailureGroup): readonly Child[] {
  if (message !== '')
    return [
      message,
      ' ',
      h('span', { class: 'muted' }, reasonFrom === undefined ? '' : reasonSourceLabels[reasonFrom]),
    ];
  const by = signer === '' ? 'nobody named' : shorten(signer);
  return [h('span', { class: 'muted' }, `${NO_REASON}. `), h('span', { title: signer }, `Signed by ${by}`)];
}
