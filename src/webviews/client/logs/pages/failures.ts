import * as l10n from '@vscode/l10n';
import reproduceIcon from '@vscode/codicons/src/icons/beaker.svg';
import markIcon from '@vscode/codicons/src/icons/check.svg';
import unmarkIcon from '@vscode/codicons/src/icons/discard.svg';
import reportIcon from '@vscode/codicons/src/icons/report.svg';
import runIcon from '@vscode/codicons/src/icons/play.svg';
import { formatLabelled } from '../../../../model/text/labels.ts';
import { createButton, createToolButton } from '../../controls.ts';
import { h, type Child } from '../../dom.ts';
import type { FailureGroup } from '../../../protocol/failure-groups.ts';
import { rangeLabels, reasonSourceLabels, type FeedState, type Filters } from '../../../protocol/logs.ts';
import { formatNumber, pluralize } from '../../../../platform/text/localization.ts';
import { omit } from '../header/chips.ts';
import { formatFailureCount } from '../header/feed-status.ts';
import type { LogsPost } from '../header/header-actions.ts';
import { formatTime } from '../time.ts';
import { shorten } from '../format.ts';

interface FailureActions {
  readonly post: LogsPost;
  /** selects an entry */
  readonly select: (key: string) => void;
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

/** By key. A row that did not change keeps its element: what arrives meanwhile disturbs no click, tooltip or scrolling. */
let rendered = new Map<string, { readonly content: string; readonly row: HTMLElement }>();

/** Renders the groups of failed entries as a table, below what they were counted in. `filtered`: by a search or a range. */
export function renderFailures(
  groups: readonly FailureGroup[],
  { feed, filters, filtered }: { readonly feed: FeedState; readonly filters: Filters; readonly filtered: boolean },
  actions: FailureActions,
): readonly Child[] {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  const newCount = groups.reduce((sum, group) => sum + group.newCount, 0);
  rendered = new Map(
    groups.map((group) => {
      const content = JSON.stringify(group);
      const before = rendered.get(group.key);
      return [group.key, before?.content === content ? before : { content, row: renderGroup(group, actions) }];
    }),
  );
  return [
    h(
      'div',
      { class: 'lead' },
      h('span', { class: 'muted', role: 'status' }, formatFailureCount(total, groups.length, feed, filtered)),
      newCount > 0 &&
        h(
          'span',
          { class: 'new' },
          pluralize(newCount, l10n.t('{0} new since you last looked|{0} new since you last looked')),
        ),
      h(
        'span',
        { class: 'ranges', role: 'group', 'aria-label': l10n.t('Created') },
        ...RANGES.map((value) =>
          createToolButton({
            label: rangeLabels[value],
            name: `range ${value}`,
            isPressed: value === filters.range,
            onClick: () => actions.post('filter', { ...omit(filters, 'from', 'to'), range: value }),
          }),
        ),
      ),
    ),
    total > 0 &&
      h(
        'table',
        { class: 'failures', role: 'grid', 'aria-label': l10n.t('Failures') },
        h('thead', {}, h('tr', {}, ...COLUMN_LABELS.map((label) => h('th', { scope: 'col' }, label)))),
        h('tbody', {}, ...[...rendered.values()].map(({ row }) => row)),
      ),
  ];
}

function renderGroup(group: FailureGroup, { post, select }: FailureActions): HTMLElement {
  const { latest, key, isKnown } = group;
  const { run } = latest;
  const showAll = (): void => {
    post('failure', { failure: key });
    post('mode', { mode: 'logs' });
  };
  const link = (label: string, name: string, onClick: () => void): HTMLElement =>
    createButton({ class: 'link', name: `${name} ${key}`, onClick }, label);
  const tool = (icon: string, label: string, name: string, onClick: () => void): HTMLElement =>
    createToolButton({ icon, label, name: `${name} ${key}`, onClick });
  return h(
    'tr',
    { class: isKnown ? 'known' : '' },
    h('td', { class: 'number' }, formatNumber(group.count)),
    h(
      'th',
      { scope: 'row' },
      group.action === '' ? l10n.t('Unknown action') : group.action,
      ' ',
      group.newCount > 0 && h('span', { class: 'new' }, pluralize(group.newCount, l10n.t('{0} new|{0} new'))),
      isKnown && h('span', { class: 'muted' }, l10n.t('(known)')),
    ),
    h(
      'td',
      { class: 'why' },
      ...renderReason(group),
      run !== undefined && h('div', { class: 'muted' }, l10n.t('Run: {0}', run.label)),
    ),
    h('td', {}, formatTime(group.first)),
    h('td', {}, formatTime(group.last)),
    h(
      'td',
      { class: 'actions' },
      link(l10n.t('Show Latest'), 'latest', () => select(latest.key)),
      link(l10n.t('Show All'), 'all', showAll),
      tool(reportIcon, l10n.t('Open Report'), 'report', () => post('report', { key: latest.key })),
      tool(reproduceIcon, l10n.t('Reproduce'), 'reproduce', () => post('reproduce', { key: latest.key })),
      tool(
        isKnown ? unmarkIcon : markIcon,
        isKnown ? l10n.t('Unmark as Known') : l10n.t('Mark as Known'),
        'known',
        () => post('markKnown', { key: latest.key, known: !isKnown }),
      ),
      // The last, so that the others stay in columns for the arrow keys.
      run !== undefined && tool(runIcon, l10n.t('Show Run'), 'run', () => post('showRun', { run: run.id })),
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
