import * as l10n from '@vscode/l10n';
import { formatLabelled } from '../../../../model/text/labels.ts';
import { h, type Child } from '../../dom.ts';
import type { FailureGroup } from './failure-groups.ts';
import { rangeLabels, reasonSourceLabels, type FeedState, type Filters } from '../../../protocol/logs.ts';
import { formatNumber, pluralize } from '../../../../platform/text/localization.ts';
import { formatFailureCount } from '../header/feed-status.ts';
import { formatTime } from '../time.ts';
import { shorten } from '../format.ts';

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

const COLUMN_LABELS = [
  l10n.t({ message: 'Count', args: [], comment: 'Column: number of failures' }),
  l10n.t('Action'),
  l10n.t('Reason'),
  l10n.t({ message: 'First', args: [], comment: 'Column: time of the first failure' }),
  l10n.t({ message: 'Last', args: [], comment: 'Column: time of the last failure' }),
  l10n.t('Commands'),
] as const;

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
        { class: 'ranges', role: 'group', 'aria-label': l10n.t('Created') },
        ...RANGES.map((value) =>
          h(
            'button',
            {
              type: 'button',
              class: 'tool',
              'data-name': `range ${value}`,
              'aria-pressed': String(value === range),
              on: { click: () => actions.chooseRange(value) },
            },
            rangeLabels[value],
          ),
        ),
      ),
    ),
    total > 0 &&
      h(
        'table',
        { class: 'failures', role: 'grid', 'aria-label': l10n.t('Failures') },
        h('thead', {}, h('tr', {}, ...COLUMN_LABELS.map((label) => h('th', { scope: 'col' }, label)))),
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
    h('td', { class: 'number' }, formatNumber(group.count)),
    h('th', { scope: 'row' }, group.action === '' ? l10n.t('Unknown action') : group.action),
    h('td', { class: 'why' }, ...renderReason(group)),
    h('td', {}, formatTime(group.first)),
    h('td', {}, formatTime(group.last)),
    h(
      'td',
      { class: 'actions' },
      button(l10n.t('Show Latest'), 'latest', () => {
        actions.select(latest.key);
      }),
      button(l10n.t('Show All'), 'all', () => {
        actions.show(group);
      }),
      button(l10n.t('Open Report'), 'report', () => {
        actions.report(latest.key);
      }),
    ),
  );
}

/** Renders the reason with its source; the signers if there is no reason. */
function renderReason({ message, reasonFrom, signers, latest }: FailureGroup): readonly Child[] {
  if (message !== '')
    return [
      message,
      ' ',
      h('span', { class: 'muted' }, reasonFrom === undefined ? '' : reasonSourceLabels[reasonFrom]),
    ];
  const [signer = ''] = signers;
  const label = signer === '' ? l10n.t('Unknown signer') : formatLabelled(shorten(signer, 14), latest.signerLabel);
  return [
    latest.reasonUnread === true
      ? h(
          'span',
          { class: 'muted', title: l10n.t('Batch not loaded. Select this entry to load it.') },
          l10n.t('Reason not loaded.'),
        )
      : h('span', { class: 'muted' }, l10n.t('No reason provided.')),
    ' ',
    h(
      'span',
      { class: 'muted', title: signers.slice(0, 20).join('\n') },
      signers.length === 1
        ? l10n.t('Signed by {0}', label)
        : pluralize(signers.length, l10n.t('Signed by {0} account|Signed by {0} accounts')),
    ),
  ];
}
