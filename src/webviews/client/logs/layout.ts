/** The permanent elements of the page; main.ts renders their content. */
import * as l10n from '@vscode/l10n';
import { getRoot, h } from '../dom.ts';
import { MAX_SEARCH_LENGTH } from '../../protocol/logs.ts';

export const toolbar = h('div', { class: 'toolbar' });
export const phase = h('span', { class: 'phase', role: 'status' });
export const counts = h('span', { class: 'muted counts' });
/** outcomes for screen readers: the counts would be announced with each new entry */
export const announcement = h('div', { class: 'visually-hidden', role: 'status' });
export const find = h('input', {
  type: 'search',
  placeholder: l10n.t('Find'),
  title: l10n.t('Find in loaded entries'),
  'aria-label': l10n.t('Find in loaded entries'),
  maxlength: MAX_SEARCH_LENGTH,
});
export const chips = h('div', { class: 'chips', role: 'group', 'aria-label': l10n.t('Filters') });
export const notices = h('div', { class: 'notices' });
export const facets = h('section', { class: 'facets', 'aria-label': l10n.t('Values of the loaded entries') });
export const end = h('div', { class: 'muted end', role: 'gridcell' });
export const empty = h('div', { class: 'empty', role: 'status' });
export const list = h('div', { class: 'list' }, empty);
export const failures = h('section', { class: 'groups', 'aria-label': l10n.t('Failures') });
export const details = h('section', { class: 'details', 'aria-label': l10n.t('Details') });

/** Puts the elements into the page, around those of the histogram and the table. */
export function show(histogram: readonly HTMLElement[], table: HTMLElement): void {
  // Below the last row, where it takes no row's place.
  table.append(h('div', { role: 'row' }, end));
  list.prepend(table);
  getRoot().append(
    h('h1', { class: 'visually-hidden' }, l10n.t('Action Logs')),
    announcement,
    h(
      'header',
      {},
      toolbar,
      h('div', { class: 'toolbar second' }, chips, h('span', { class: 'spring' }), find),
      h('div', { class: 'status-line' }, phase, counts),
      notices,
    ),
    h('div', { class: 'histogram' }, ...histogram),
    h('div', { class: 'lists' }, facets, h('div', { class: 'content' }, list, failures, details)),
  );
}
