import add from '@vscode/codicons/src/icons/add.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import exporting from '@vscode/codicons/src/icons/export.svg';
import link from '@vscode/codicons/src/icons/link.svg';
import pauseIcon from '@vscode/codicons/src/icons/debug-pause.svg';
import pin from '@vscode/codicons/src/icons/pin.svg';
import pinned from '@vscode/codicons/src/icons/pinned.svg';
import playIcon from '@vscode/codicons/src/icons/play.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import tab from '@vscode/codicons/src/icons/empty-window.svg';
import {
  type FilterChoice,
  type Filters,
  type LogsState,
  textFilters,
  type ViewState,
} from '../../../protocol/logs.ts';
import { createSelect, createToolButton } from '../../controls.ts';
import { h, type Child } from '../../dom.ts';
import { formatFailureGroup } from '../pages/failure-groups.ts';
import type { Brush } from '../table/rows-model.ts';
import { formatCount, shorten, formatTime } from '../format.ts';

export interface HeaderActions {
  readonly filter: (filters: Filters) => void;
  readonly addFilter: (what?: FilterChoice) => void;
  readonly mode: (mode: ViewState['mode']) => void;
  readonly pause: (paused: boolean) => void;
  readonly pin: (pinned: boolean) => void;
  readonly retry: () => void;
  readonly unbrush: () => void;
  readonly failure: (group: string | undefined) => void;
  readonly run: (what: 'export' | 'copyLink' | 'openTab') => void;
  readonly command: (id: 'signIn' | 'addConnection' | 'startSandbox', connection?: string) => void;
}

/** Counts of the rows model. */
export interface RowCounts {
  readonly loaded: number;
  readonly visible: number;
  /** not all loaded rows are shown */
  readonly filtered: boolean;
  readonly brush: Brush | undefined;
}

/** Renders the toolbar. */
export function renderTools(state: LogsState, actions: HeaderActions): readonly Child[] {
  const { mode, filters } = state.view;
  const { paused } = state.feed;
  const history = mode === 'history';
  return [
    h(
      'span',
      { class: 'group' },
      !history &&
        createToolButton({
          icon: paused ? playIcon : pauseIcon,
          label: paused ? 'Resume following' : 'Pause following',
          onClick: () => {
            actions.pause(!paused);
          },
        }),
      createToolButton({ icon: refresh, label: history ? 'Read again' : 'Look now', onClick: actions.retry }),
      !history &&
        createToolButton({
          icon: error,
          label: 'Group failures by action and reason',
          isPressed: mode === 'failures',
          onClick: () => {
            actions.mode(mode === 'failures' ? 'logs' : 'failures');
          },
        }),
    ),
    !history && renderPresets(filters, actions),
    h('span', { class: 'spring' }),
    h(
      'span',
      { class: 'group' },
      !history &&
        createToolButton({
          icon: exporting,
          label: 'Export what is shown…',
          onClick: () => {
            actions.run('export');
          },
        }),
      createToolButton({
        icon: link,
        label: 'Copy link to this view',
        onClick: () => {
          actions.run('copyLink');
        },
      }),
      !state.tab &&
        createToolButton({
          icon: tab,
          label: 'Open in an editor tab',
          onClick: () => {
            actions.run('openTab');
          },
        }),
    ),
  ].map(addNames);
}

/** Names controls, so that `keepFocus` finds them after rendering. */
function addNames(child: Child): Child {
  if (child instanceof HTMLElement)
    for (const button of child.matches('button, select')
      ? [child]
      : child.querySelectorAll<HTMLElement>('button, select'))
      button.dataset['name'] = button.title;
  return child;
}

const PRESETS = [
  { value: 'latest', label: 'Latest' },
  { value: 'hour', label: 'Last hour' },
  { value: 'today', label: 'Today' },
  { value: 'session', label: 'Since I started' },
  { value: 'between', label: 'Between…' },
  { value: 'thisObject', label: 'This object…' },
  { value: 'thisFile', label: 'This file’s runs…' },
] as const;

function renderPresets(filters: Filters, actions: HeaderActions): HTMLElement {
  return createSelect({
    label: 'Range of time',
    choices: PRESETS,
    value: filters.range,
    onSelect: (value) => {
      if (value === 'between' || value === 'thisObject' || value === 'thisFile') actions.addFilter(value);
      else actions.filter({ ...omit(filters, 'from', 'to'), range: value });
    },
  });
}

function omit<Name extends keyof Filters>(filters: Filters, ...names: Name[]): Omit<Filters, Name> {
  const left = { ...filters };
  for (const name of names) Reflect.deleteProperty(left, name);
  return left;
}

/** Renders a chip for each filter. */
export function renderChips(state: LogsState, { brush }: RowCounts, actions: HeaderActions): readonly Child[] {
  const { view, connections, organizations } = state;
  const { filters, mode } = view;
  if (mode === 'history') return [];
  const chip = (label: string, full: string, remove: () => void, tone?: string): HTMLElement =>
    h(
      'span',
      { class: 'chip', title: full, 'data-tone': tone },
      h('span', {}, label),
      createToolButton({ icon: close, label: `Remove filter ${label}`, onClick: remove }),
    );
  const known = new Map(connections.map((connection) => [connection.name, connection]));
  const isMultiple = filters.connections.length > 1;
  return [
    ...filters.connections.map((name) => {
      const connection = known.get(name);
      const label = connection?.production === true ? `PRODUCTION · ${name}` : name;
      const tone = connection === undefined ? 'missing' : connection.production ? 'production' : undefined;
      const isPinned = view.following !== true;
      if (!isMultiple)
        return h(
          'span',
          { class: 'chip', title: connection?.heading ?? `There is no connection ${name}`, 'data-tone': tone },
          h('span', {}, label),
          createToolButton({
            icon: isPinned ? pinned : pin,
            label: 'Keep this connection when another becomes the active one',
            isPressed: isPinned,
            onClick: () => {
              actions.pin(!isPinned);
            },
          }),
        );
      return chip(
        label,
        connection?.heading ?? name,
        () => {
          actions.filter({ ...filters, connections: filters.connections.filter((other) => other !== name) });
        },
        tone,
      );
    }),
    ...filters.organizations.map((id) => {
      const owners = organizations.filter((one) => one.id === id && filters.connections.includes(one.connection));
      // An organization filters only the connections that have it.
      const of = isMultiple && owners.length > 0 ? ` · ${owners.map((one) => one.connection).join(', ')}` : '';
      return chip((owners[0]?.label ?? shorten(id)) + of, `Organization ${id}${of}`, () => {
        actions.filter({ ...filters, organizations: filters.organizations.filter((other) => other !== id) });
      });
    }),
    ...textFilters.flatMap((name) => {
      const value = filters[name];
      return value === undefined
        ? []
        : [
            chip(`${name}: ${shorten(value, 24)}`, `${name}: ${value}`, () => {
              actions.filter(omit(filters, name));
            }),
          ];
    }),
    filters.actions !== undefined &&
      chip(
        `${filters.actions.length} ${filters.actions.length === 1 ? 'run' : 'runs'} of a file`,
        filters.actions.join('\n'),
        () => {
          actions.filter(omit(filters, 'actions'));
        },
      ),
    filters.range === 'between' &&
      chip(`${formatRangeEnd(filters.from)} – ${formatRangeEnd(filters.to)}`, 'Between two moments', () => {
        actions.filter({ ...omit(filters, 'from', 'to'), range: 'latest' });
      }),
    mode === 'logs' &&
      view.failure !== undefined &&
      chip(shorten(`failure: ${formatFailureGroup(view.failure)}`, 48), formatFailureGroup(view.failure), () => {
        actions.failure(undefined);
      }),
    brush !== undefined &&
      chip(
        `${formatTime(brush.from, false)} – ${formatTime(brush.to, false)} of what is loaded`,
        'Brushed in the histogram',
        actions.unbrush,
      ),
    createToolButton({
      icon: add,
      label: 'Filter',
      text: true,
      onClick: () => {
        actions.addFilter();
      },
    }),
  ].map(addNames);
}

/** Formats one end of the range, which may be open. */
function formatRangeEnd(time: number | undefined): string {
  return time === undefined ? '…' : formatTime(time, false);
}

/** Formats how many entries are loaded, shown and dropped. */
export function formatCounts({ feed, from }: LogsState, { loaded, visible, filtered }: RowCounts): string {
  const found = filtered ? `${formatCount(visible)} in ${formatCount(loaded)} loaded` : `${formatCount(loaded)} loaded`;
  const since = from === undefined ? '' : `, since ${formatTime(from, false)}`;
  const dropped =
    feed.dropped === 0
      ? ''
      : `; ${formatCount(feed.dropped)} older ones went (at most ${formatCount(feed.limit)} are held)`;
  const full =
    feed.dropped === 0 && feed.loaded >= feed.limit ? `; full: at most ${formatCount(feed.limit)} are held` : '';
  return found + since + dropped + full;
}

/** Renders what is wrong with the feed, and what helps. */
export function renderNotices(state: LogsState, actions: HeaderActions): readonly Child[] {
  const { feed, view } = state;
  if (view.mode === 'history') return [];
  if (feed.reason === undefined)
    return feed.note === undefined
      ? []
      : [
          h(
            'div',
            { class: 'notice', role: 'status' },
            h('span', {}, feed.note),
            h(
              'button',
              { type: 'button', class: 'tool', 'data-name': 'retry', on: { click: actions.retry } },
              'Read On',
            ),
          ),
        ];
  const { signIn } = feed;
  const which = view.filters.connections.length > 1 ? ' of it' : '';
  const staleText = feed.loaded > 0 ? ` What is shown${which} is of the past.` : '';
  const since = feed.since === undefined ? '' : `Stale since ${formatTime(feed.since, false)} — `;
  return [
    h(
      'div',
      { class: 'notice', 'data-tone': 'warning', role: 'alert' },
      h('span', {}, since + feed.reason + staleText),
      h('button', { type: 'button', class: 'tool', 'data-name': 'retry', on: { click: actions.retry } }, 'Retry'),
      signIn !== undefined &&
        h(
          'button',
          {
            type: 'button',
            class: 'tool',
            'data-name': 'sign in',
            on: {
              click: () => {
                actions.command('signIn', signIn);
              },
            },
          },
          'Sign In…',
        ),
    ),
  ];
}
