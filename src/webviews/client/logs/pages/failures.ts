import { formatLabelled } from '../../../../model/labels.ts';
import { h, type Child } from '../../dom.ts';
import type { FailureGroup } from './failure-groups.ts';
import { rangeLabels, reasonSourceLabels, type FeedState, type Filters } from '../../../protocol/logs.ts';
import { shorten } from '../format.ts';
import { formatCount } from '../format-count.ts';
import { formatFailureCount } from '../header/feed-status.ts';
import { formatTime } from '../time.ts';

interface FailureActions {
  /** shows the latest failure */
  readonly select: (key: string) => void;
  /** shows all failures of the group in the table */
  readonly show: (group: FailureGroup) => void;
  readonly report: (key: string) => void;
  readonly chooseRange: (range: Filters['range']) => void;
}

/** The ranges that one click chooses. */
const RANGES = ['hour', 'today', 'latest'] as const;

/** Renders the groups of failed entries as a table, below what they were counted in. `filtered`: by a search or a range. */
export function renderFailures(
  groups: readonly FailureGroup[],
  { feed, range, filtered }: { readonly feed: FeedState; readonly range: Filters['range']; readonly filtered: boolean },
  actions: FailureActions,
): readonly Child[] {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  return [
    h(
      'div',
      { class: 'lead' },
      h('span', { class: 'muted', role: 'status' }, formatFailureCount(total, groups.length, feed, filtered)),
      h(
        'span',
        { class: 'ranges', role: 'group', 'aria-label': 'Created' },
        ...RANGES.map((value) =>
          h(
            'button',
            {
              type: 'button',
              class: 'tool',
              'data-name': `range ${value}`,
              'aria-pressed': String(value === range),
              on: {
                click: () => {
                  actions.chooseRange(value);
                },
              },
            },
            rangeLabels[value],
          ),
        ),
      ),
    ),
    total > 0 &&
      h(
        'table',
        { class: 'failures' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ...['Count', 'Action', 'Reason', 'First', 'Last', 'Commands'].map((label) =>
              h('th', { scope: 'col' }, label),
            ),
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
    h('th', { scope: 'row' }, group.action === '' ? 'Unknown action' : group.action),
    h('td', { class: 'why' }, ...renderReason(group)),
    h('td', {}, formatTime(group.first)),
    h('td', {}, formatTime(group.last)),
    h(
      'td',
      { class: 'actions' },
      button('Show Latest', 'latest', () => {
        actions.select(latest.key);
      }),
      button('Show All', 'all', () => {
        actions.show(group);
      }),
      button('Open Report', 'report', () => {
        actions.report(latest.key);
      }),
    ),
  );
}

/** Renders the reason with its source, or the signer if there is no reason. */
function renderReason({ message, reasonFrom, signer, latest }: FailureGroup): readonly Child[] {
  if (message !== '')
    return [
      message,
      ' ',
      h('span', { class: 'muted' }, reasonFrom === undefined ? '' : reasonSourceLabels[reasonFrom]),
    ];
  const signedBy =
    signer === '' ? 'Unknown signer' : `Signed by ${formatLabelled(shorten(signer, 14), latest.signerLabel)}`;
  return [
    latest.reasonUnread === true
      ? h('span', { class: 'muted', title: 'Select the failure to load its batch' }, 'Reason not loaded. ')
      : h('span', { class: 'muted' }, 'No reason provided. '),
    h('span', { title: formatLabelled(signer, latest.signerLabel) }, signedBy),
  ];
}
