/** The head of the view: how live it is, its presets and filters, the search, and what can be done with all of it. */
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
import { type FilterChoice, type Filters, type LogsState, wordFilters, type ViewState } from '../../protocol-logs.ts';
import { choice, toolButton } from '../controls.ts';
import { h, type Child } from '../kit.ts';
import { groupText } from './failures.ts';
import type { Brush } from './model.ts';
import { count, shortened, timeText } from './words.ts';

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

/** What the view itself knows. */
export interface Counts {
  readonly loaded: number;
  readonly shown: number;
  /** not all that is loaded is shown */
  readonly narrowed: boolean;
  readonly brush: Brush | undefined;
}

export function tools(state: LogsState, actions: HeaderActions): readonly Child[] {
  const { mode, filters } = state.view;
  const { paused } = state.feed;
  const history = mode === 'history';
  return [
    h(
      'span',
      { class: 'group' },
      !history &&
        toolButton({
          icon: paused ? playIcon : pauseIcon,
          label: paused ? 'Resume following' : 'Pause following',
          run: () => {
            actions.pause(!paused);
          },
        }),
      toolButton({ icon: refresh, label: history ? 'Read again' : 'Look now', run: actions.retry }),
      !history &&
        toolButton({
          icon: error,
          label: 'Group failures by action and reason',
          pressed: mode === 'failures',
          run: () => {
            actions.mode(mode === 'failures' ? 'logs' : 'failures');
          },
        }),
    ),
    !history && presets(filters, actions),
    h('span', { class: 'spring' }),
    h(
      'span',
      { class: 'group' },
      !history &&
        toolButton({
          icon: exporting,
          label: 'Export what is shown…',
          run: () => {
            actions.run('export');
          },
        }),
      toolButton({
        icon: link,
        label: 'Copy link to this view',
        run: () => {
          actions.run('copyLink');
        },
      }),
      !state.tab &&
        toolButton({
          icon: tab,
          label: 'Open in an editor tab',
          run: () => {
            actions.run('openTab');
          },
        }),
    ),
  ].map(named);
}

/** Buttons are made anew: their names find the one that had the focus. */
function named(child: Child): Child {
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

function presets(filters: Filters, actions: HeaderActions): HTMLElement {
  return choice({
    label: 'Range of time',
    choices: PRESETS,
    value: filters.range,
    choose: (value) => {
      if (value === 'between' || value === 'thisObject' || value === 'thisFile') actions.addFilter(value);
      else actions.filter({ ...without(filters, 'from', 'to'), range: value });
    },
  });
}

function without<Name extends keyof Filters>(filters: Filters, ...names: Name[]): Omit<Filters, Name> {
  const left = { ...filters };
  for (const name of names) Reflect.deleteProperty(left, name);
  return left;
}

/** One chip a filter; removing it asks the server anew. */
export function chips(state: LogsState, { brush }: Counts, actions: HeaderActions): readonly Child[] {
  const { view, connections, organizations } = state;
  const { filters, mode } = view;
  if (mode === 'history') return [];
  const chip = (label: string, full: string, remove: () => void, tone?: string): HTMLElement =>
    h(
      'span',
      { class: 'chip', title: full, 'data-tone': tone },
      h('span', {}, label),
      toolButton({ icon: close, label: `Remove filter ${label}`, run: remove }),
    );
  const known = new Map(connections.map((connection) => [connection.name, connection]));
  const several = filters.connections.length > 1;
  return [
    ...filters.connections.map((name) => {
      const connection = known.get(name);
      const label = connection?.production === true ? `PRODUCTION · ${name}` : name;
      const tone = connection === undefined ? 'missing' : connection.production ? 'production' : undefined;
      const keeps = view.following !== true;
      if (!several)
        return h(
          'span',
          { class: 'chip', title: connection?.heading ?? `There is no connection ${name}`, 'data-tone': tone },
          h('span', {}, label),
          toolButton({
            icon: keeps ? pinned : pin,
            label: 'Keep this connection when another becomes the active one',
            pressed: keeps,
            run: () => {
              actions.pin(!keeps);
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
      // It narrows the connections that have it, no other.
      const of = several && owners.length > 0 ? ` · ${owners.map((one) => one.connection).join(', ')}` : '';
      return chip((owners[0]?.label ?? shortened(id)) + of, `Organization ${id}${of}`, () => {
        actions.filter({ ...filters, organizations: filters.organizations.filter((other) => other !== id) });
      });
    }),
    ...wordFilters.flatMap((name) => {
      const value = filters[name];
      return value === undefined
        ? []
        : [
            chip(`${name}: ${shortened(value, 24)}`, `${name}: ${value}`, () => {
              actions.filter(without(filters, name));
            }),
          ];
    }),
    filters.actions !== undefined &&
      chip(
        `${filters.actions.length} ${filters.actions.length === 1 ? 'run' : 'runs'} of a file`,
        filters.actions.join('\n'),
        () => {
          actions.filter(without(filters, 'actions'));
        },
      ),
    filters.range === 'between' &&
      chip(`${momentOf(filters.from)} – ${momentOf(filters.to)}`, 'Between two moments', () => {
        actions.filter({ ...without(filters, 'from', 'to'), range: 'latest' });
      }),
    mode === 'logs' &&
      view.failure !== undefined &&
      chip(shortened(`failure: ${groupText(view.failure)}`, 48), groupText(view.failure), () => {
        actions.failure(undefined);
      }),
    brush !== undefined &&
      chip(
        `${timeText(brush.from, false)} – ${timeText(brush.to, false)} of what is loaded`,
        'Brushed in the histogram',
        actions.unbrush,
      ),
    toolButton({
      icon: add,
      label: 'Filter',
      text: true,
      run: () => {
        actions.addFilter();
      },
    }),
  ].map(named);
}

/** A link need not name both. */
function momentOf(time: number | undefined): string {
  return time === undefined ? '…' : timeText(time, false);
}

/** What the table holds and what it does not. */
export function countText({ feed, from }: LogsState, { loaded, shown, narrowed }: Counts): string {
  const found = narrowed ? `${count(shown)} in ${count(loaded)} loaded` : `${count(loaded)} loaded`;
  const begin = from === undefined ? '' : `, since ${timeText(from, false)}`;
  const dropped =
    feed.dropped === 0 ? '' : `; ${count(feed.dropped)} older ones went (at most ${count(feed.limit)} are held)`;
  const full = feed.dropped === 0 && feed.held >= feed.limit ? `; full: at most ${count(feed.limit)} are held` : '';
  return found + begin + dropped + full;
}

/** What is wrong, and what helps. */
export function notices(state: LogsState, actions: HeaderActions): readonly Child[] {
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
  const old = feed.held > 0 ? ` What is shown${which} is of the past.` : '';
  const since = feed.since === undefined ? '' : `Stale since ${timeText(feed.since, false)} — `;
  return [
    h(
      'div',
      { class: 'notice', 'data-tone': 'warning', role: 'alert' },
      h('span', {}, since + feed.reason + old),
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
