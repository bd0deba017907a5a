import * as l10n from '@vscode/l10n';
import error from '@vscode/codicons/src/icons/error.svg';
import exporting from '@vscode/codicons/src/icons/export.svg';
import link from '@vscode/codicons/src/icons/link.svg';
import pauseIcon from '@vscode/codicons/src/icons/debug-pause.svg';
import playIcon from '@vscode/codicons/src/icons/play.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import { rangeLabels, TIME_RANGES, type Filters, type LogsState } from '../../../protocol/logs.ts';
import { createNotice, createSelect, createToolButton } from '../../controls.ts';
import { h, type Child } from '../../dom.ts';
import { formatNumber, pluralize, quote } from '../../../../platform/text/localization.ts';
import { formatTime } from '../time.ts';
import { formatFilters, omit } from './chips.ts';
import { formatPhase } from './feed-status.ts';
import type { HeaderActions, LogsPost, RowCounts } from './header-actions.ts';

/** Renders the toolbar of a tab; the panel has these controls in its title. */
export function renderTools(state: LogsState, actions: HeaderActions): readonly Child[] {
  const { post } = actions;
  const { mode, filters } = state.view;
  const { paused } = state.feed;
  return [
    h(
      'span',
      { class: 'group' },
      createToolButton({
        icon: paused ? playIcon : pauseIcon,
        label: paused ? l10n.t('Resume') : l10n.t('Pause'),
        name: 'pause',
        onClick: () => post('pause', { paused: !paused }),
      }),
      createToolButton({ icon: refresh, label: l10n.t('Refresh'), onClick: () => post('retry', {}) }),
      createToolButton({
        icon: error,
        label: l10n.t('Group Failures'),
        isPressed: mode === 'failures',
        onClick: () => post('mode', { mode: mode === 'failures' ? 'logs' : 'failures' }),
      }),
    ),
    renderPresets(filters, actions),
    h('span', { class: 'spring' }),
    h(
      'span',
      { class: 'group' },
      createToolButton({ icon: exporting, label: l10n.t('Export…'), onClick: actions.export }),
      createToolButton({ icon: link, label: l10n.t('Copy Link to View'), onClick: () => post('copyLink', {}) }),
    ),
  ];
}

const PRESETS = [
  ...TIME_RANGES.map((value) => ({ value, label: rangeLabels[value] })),
  { value: 'thisObject', label: l10n.t('This object…') },
  { value: 'thisFile', label: l10n.t('Runs of this action file…') },
] as const;

function renderPresets(filters: Filters, { post, addFilter }: HeaderActions): HTMLElement {
  return createSelect({
    label: l10n.t('Created'),
    choices: PRESETS,
    value: filters.range,
    onSelect: (value) => {
      if (value === 'between' || value === 'thisObject' || value === 'thisFile') addFilter(value);
      else post('filter', { ...omit(filters, 'from', 'to'), range: value });
    },
  });
}

/** Formats how many entries are loaded, shown and dropped. */
export function formatCounts({ feed, from }: LogsState, { loaded, visible, filtered }: RowCounts): string {
  const found = filtered
    ? l10n.t({
        message: '{0} of {1} loaded',
        args: [formatNumber(visible), formatNumber(loaded)],
        comment: 'Action logs',
      })
    : pluralize(loaded, l10n.t({ message: '{0} loaded|{0} loaded', args: [], comment: 'Action logs' }));
  const since = from === undefined ? '' : l10n.t('since {0}', formatTime(from));
  const limit =
    feed.dropped > 0
      ? pluralize(
          feed.dropped,
          l10n.t('{0} older removed (limit: {1})|{0} older removed (limit: {1})'),
          formatNumber(feed.limit),
        )
      : feed.loaded >= feed.limit
        ? l10n.t('limit of {0} reached', formatNumber(feed.limit))
        : '';
  return [found, since, limit].filter((text) => text !== '').join(' · ');
}

/** Formats the view in one line, what matters most first: connections, state, filters, search and counts. */
export function formatSummary(state: LogsState, counts: RowCounts): string {
  const { view, feed } = state;
  const filters = formatFilters(state, counts.brush);
  const connections = filters.slice(0, view.filters.connections.length);
  const search = view.text === '' ? [] : [quote(view.text)];
  const others = filters.slice(connections.length);
  return [...connections, formatPhase(feed), ...others, ...search, formatCounts(state, counts)]
    .join(' · ')
    .slice(0, 1000);
}

/** Renders what is wrong with the feed, and what helps. */
export function renderNotices(state: LogsState, post: LogsPost): readonly Child[] {
  const { feed } = state;
  const retry = (label: string): HTMLElement =>
    createToolButton({ label, name: 'retry', onClick: () => post('retry', {}) });
  if (feed.reason === undefined)
    return feed.note === undefined
      ? []
      : [createNotice({ text: feed.note, role: 'status' }, retry(l10n.t('Continue')))];
  const { signIn } = feed;
  const since =
    feed.since === undefined || feed.loaded === 0 ? '' : l10n.t('Not up to date since {0}.', formatTime(feed.since));
  return [
    createNotice(
      { text: [feed.reason, since].filter((text) => text !== '').join(' '), tone: 'warning', role: 'alert' },
      retry(l10n.t('Retry')),
      signIn !== undefined &&
        createToolButton({
          label: l10n.t('Sign In…'),
          name: 'signIn',
          onClick: () => post('command', { id: 'signIn', connection: signIn }),
        }),
    ),
  ];
}
