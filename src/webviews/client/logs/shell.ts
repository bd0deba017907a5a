/** The page of a view: its parts that stay, in their places; what they hold is drawn by main.ts. */
import { h } from '../kit.ts';
import { legend } from './chart.ts';

export interface ShellActions {
  /** what stands in the search is another */
  readonly find: (text: string) => void;
  /** on to the table */
  readonly leaveFind: () => void;
  readonly closeDetails: () => void;
}

export interface Shell {
  readonly toolbar: HTMLElement;
  readonly phase: HTMLElement;
  readonly counts: HTMLElement;
  readonly find: HTMLInputElement;
  readonly chips: HTMLElement;
  readonly trouble: HTMLElement;
  readonly list: HTMLElement;
  readonly end: HTMLElement;
  readonly empty: HTMLElement;
  readonly groups: HTMLElement;
  readonly chain: HTMLElement;
  readonly side: HTMLElement;
}

export function buildShell(page: HTMLElement, chart: HTMLElement, table: HTMLElement, actions: ShellActions): Shell {
  const find = h('input', {
    type: 'search',
    placeholder: 'Find in what is loaded',
    'aria-label': 'Find in what is loaded',
    maxlength: 200,
    on: {
      input: () => {
        actions.find(find.value);
      },
      keydown: (event) => {
        if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        actions.leaveFind();
      },
    },
  });
  const end = h('p', { class: 'muted end', role: 'status' });
  const empty = h('div', { class: 'empty' });
  const shell: Shell = {
    toolbar: h('div', { class: 'toolbar' }),
    phase: h('span', { class: 'phase', role: 'status' }),
    counts: h('span', { class: 'muted counts' }),
    find,
    chips: h('div', { class: 'chips', role: 'group', 'aria-label': 'Filters on the server' }),
    trouble: h('div', { class: 'trouble' }),
    list: h('div', { class: 'list' }, table, empty, end),
    end,
    empty,
    groups: h('main', { class: 'groups', 'aria-label': 'Failures' }),
    chain: h('main', { class: 'history', 'aria-label': 'History of an object' }),
    side: h('aside', {
      class: 'details',
      'aria-label': 'Details',
      on: {
        keydown: (event) => {
          if (event.key === 'Escape') actions.closeDetails();
        },
      },
    }),
  };
  const { toolbar, phase, counts, chips, trouble, list, groups, chain, side } = shell;
  page.append(
    h(
      'header',
      {},
      toolbar,
      h('div', { class: 'toolbar second' }, chips, h('span', { class: 'spring' }), find),
      h('div', { class: 'line' }, phase, counts, legend()),
      trouble,
    ),
    chart,
    h('div', { class: 'both' }, list, groups, chain, side),
  );
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f') return;
    event.preventDefault();
    find.focus();
    find.select();
  });
  return shell;
}
