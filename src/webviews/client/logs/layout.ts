import * as l10n from '@vscode/l10n';
import { h } from '../dom.ts';
import { MAX_SEARCH_LENGTH } from '../../protocol/logs.ts';

interface LayoutActions {
  /** called when the search text changes */
  readonly find: (text: string) => void;
  /** moves the focus to the table */
  readonly leaveFind: () => void;
  /** shows the search, which may be folded away, with the focus in it */
  readonly openFind: () => void;
  readonly closeDetails: () => void;
}

interface Layout {
  readonly toolbar: HTMLElement;
  readonly phase: HTMLElement;
  readonly counts: HTMLElement;
  /** outcomes for screen readers: the counts would be announced with each new entry */
  readonly announcement: HTMLElement;
  readonly find: HTMLInputElement;
  readonly chips: HTMLElement;
  readonly notices: HTMLElement;
  readonly facets: HTMLElement;
  readonly list: HTMLElement;
  readonly end: HTMLElement;
  readonly empty: HTMLElement;
  readonly failures: HTMLElement;
  readonly history: HTMLElement;
  readonly details: HTMLElement;
}

/** Builds the permanent elements of the page; main.ts renders their content. */
export function buildLayout(
  page: HTMLElement,
  histogram: readonly HTMLElement[],
  table: HTMLElement,
  actions: LayoutActions,
): Layout {
  const find = h('input', {
    type: 'search',
    placeholder: l10n.t('Find'),
    title: l10n.t('Find in loaded entries'),
    'aria-label': l10n.t('Find in loaded entries'),
    maxlength: MAX_SEARCH_LENGTH,
    on: {
      input: () => actions.find(find.value),
      keydown: (event) => {
        if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        actions.leaveFind();
      },
    },
  });
  const end = h('div', { class: 'muted end', role: 'gridcell' });
  const empty = h('div', { class: 'empty', role: 'status' });
  const layout: Layout = {
    toolbar: h('div', { class: 'toolbar' }),
    phase: h('span', { class: 'phase', role: 'status' }),
    counts: h('span', { class: 'muted counts' }),
    announcement: h('div', { class: 'visually-hidden', role: 'status' }),
    find,
    chips: h('div', { class: 'chips', role: 'group', 'aria-label': l10n.t('Filters') }),
    notices: h('div', { class: 'notices' }),
    facets: h('section', { class: 'facets', 'aria-label': l10n.t('Values of the loaded entries') }),
    list: h('div', { class: 'list' }, table, empty),
    end,
    empty,
    failures: h('section', { class: 'groups', 'aria-label': l10n.t('Failures') }),
    history: h('section', { class: 'history', 'aria-label': l10n.t('Object history') }),
    details: h('section', {
      class: 'details',
      'aria-label': l10n.t('Details'),
      on: {
        keydown: (event) => {
          if (event.key === 'Escape') actions.closeDetails();
        },
      },
    }),
  };
  const { toolbar, phase, counts, chips, notices, list, failures: groups, history: chain, details: side } = layout;
  // Below the last row, where it takes no row's place.
  table.append(h('div', { role: 'row' }, end));
  page.append(
    h('h1', { class: 'visually-hidden' }, l10n.t('Action Logs')),
    layout.announcement,
    h(
      'header',
      {},
      toolbar,
      h('div', { class: 'toolbar second' }, chips, h('span', { class: 'spring' }), find),
      h('div', { class: 'status-line' }, phase, counts),
      notices,
    ),
    h('div', { class: 'histogram' }, ...histogram),
    h('div', { class: 'lists' }, layout.facets, h('div', { class: 'content' }, list, groups, chain, side)),
  );
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f') return;
    event.preventDefault();
    actions.openFind();
  });
  return layout;
}
