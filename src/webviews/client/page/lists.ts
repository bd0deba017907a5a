/** The lists of a page, and the sparkline of a template. */
import * as l10n from '@vscode/l10n';
import { createButton } from '../controls.ts';
import { h } from '../dom.ts';
import type { PageState } from '../../protocol/page.ts';
import { renderLink, type PagePost } from './fields.ts';

/** Renders the items of a list as links to their pages. */
export function renderList(list: NonNullable<PageState['list']>, post: PagePost): HTMLElement {
  const { kind, items, busy, title, tab, hasMore } = list;
  return h(
    'section',
    { 'aria-label': title, 'aria-busy': String(busy) },
    h('div', { class: 'lead' }, h('h2', {}, title), hasMore && renderShowAll(tab, post)),
    renderListNote(list),
    h(
      'ul',
      { class: 'cards' },
      ...items.map(({ id, title: name, detail, picture }) =>
        h(
          'li',
          {},
          picture === undefined
            ? h('span', { class: 'thumbnail' })
            : h('img', { class: 'thumbnail', src: picture, alt: '' }),
          h(
            'div',
            {},
            id === undefined ? h('bdi', {}, name) : renderLink(h('bdi', {}, name), name, { kind, id }, post),
            h('p', { class: 'muted' }, detail),
          ),
        ),
      ),
    ),
  );
}

/** Renders why a list is empty or outdated, or that it is being read. */
export function renderListNote({
  busy,
  note,
}: {
  readonly busy: boolean;
  readonly note?: string | undefined;
}): HTMLElement | undefined {
  const text = note ?? (busy ? l10n.t('Loading…') : undefined);
  return text === undefined ? undefined : h('p', { class: 'muted' }, text);
}

/** Renders a button to the whole list. */
export function renderShowAll(tab: string, post: PagePost): HTMLElement {
  const onClick = (): void => post('showAll', { tab });
  return createButton({ class: 'link', name: `all ${tab}`, onClick }, l10n.t('Show All'));
}

/** Renders the values as bars; screen readers get them in words. */
export function renderChart({ label, summary, values }: NonNullable<PageState['chart']>): HTMLElement {
  const largest = Math.max(1, ...values);
  const bars = values.map((value) => h('span', { style: { height: `${String((100 * value) / largest)}%` } }));
  return h(
    'figure',
    { class: 'chart' },
    h('figcaption', {}, h('h2', {}, label), h('span', { class: 'muted' }, summary)),
    values.some((value) => value > 0) &&
      h('div', { class: 'bars', role: 'img', 'aria-label': `${label}: ${summary}` }, ...bars),
  );
}
