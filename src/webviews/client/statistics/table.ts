import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../../platform/text/localization.ts';
import { formatExactAmount } from './amounts.ts';
import type { SeriesLine, SeriesState } from '../../protocol/statistics.ts';
import { replaceChildren, h } from '../dom.ts';
import { createToolButton } from '../controls.ts';
import type { LinePair } from './line-pairs.ts';
import { formatTime, getZoneName } from './time.ts';

const PAGE_ROWS = 200;

/** Page and scroll offsets in pixels, kept when the table is replaced. */
export interface TablePosition {
  page: number;
  top: number;
  left: number;
}

/** Renders the values of a series as a table in pages, latest first. */
export function renderTable(
  series: SeriesState,
  pairs: readonly LinePair[],
  { utc, dateOnly }: { readonly utc: boolean; readonly dateOnly: boolean },
  position: TablePosition,
): HTMLElement {
  const { times, previous: before } = series;
  const indices = new Map(times.map((time, index) => [time, index]));
  const earlier = new Map(before?.times.map((time, index) => [time, index]));
  // Includes times of the period before alone.
  const order = [...new Set([...times, ...earlier.keys()])].sort((a, b) => b - a);
  const pages = Math.max(1, Math.ceil(order.length / PAGE_ROWS));
  const body = h('tbody');
  const pageStatus = h('span', { class: 'muted', role: 'status' });
  const row = (time: number): HTMLElement => {
    const [index, past] = [indices.get(time) ?? -1, earlier.get(time) ?? -1];
    const when = before?.originalTimes[past];
    return h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row' },
        formatTime(time, utc, dateOnly),
        series.partial.includes(time) && ` ${l10n.t('(incomplete)')}`,
      ),
      ...pairs.flatMap(({ now, before: old }) => [
        renderCell(now?.values[index]),
        before !== undefined &&
          renderCell(old?.values[past], when === undefined ? '' : formatTime(when, utc, dateOnly)),
      ]),
    );
  };
  const show = (): void => {
    position.page = Math.min(Math.max(position.page, 0), pages - 1);
    const first = position.page * PAGE_ROWS;
    replaceChildren(body, ...order.slice(first, first + PAGE_ROWS).map(row));
    pageStatus.textContent =
      pages > 1
        ? l10n.t(
            'Rows {0}–{1} of {2}',
            formatNumber(first + 1),
            formatNumber(Math.min(first + PAGE_ROWS, order.length)),
            formatNumber(order.length),
          )
        : '';
  };
  const pageButton = (label: string, by: number): HTMLElement =>
    createToolButton({
      label,
      onClick: () => {
        position.page += by;
        show();
      },
    });
  show();
  const sums = (title: string, text: (pair: LinePair) => readonly (string | undefined)[]): HTMLElement =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, title),
      ...pairs.flatMap((pair) =>
        text(pair)
          .slice(0, before === undefined ? 1 : 2)
          .map((value) => h('td', {}, value)),
      ),
    );
  const scroll = h(
    'div',
    {
      class: 'scroll',
      tabindex: 0,
      role: 'region',
      'aria-label': l10n.t('{0}: table', series.label),
      on: {
        scroll: () => {
          [position.top, position.left] = [scroll.scrollTop, scroll.scrollLeft];
        },
      },
    },
    h(
      'table',
      {},
      h(
        'caption',
        { class: 'visually-hidden' },
        l10n.t('{0} over time, newest first ({1})', series.label, getZoneName(utc)),
      ),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, l10n.t('Time ({0})', getZoneName(utc))),
          ...pairs.flatMap(({ name }) => [
            h('th', { scope: 'col' }, name),
            before !== undefined &&
              h(
                'th',
                { scope: 'col' },
                pairs.length > 1 ? l10n.t('{0}, previous period', name) : l10n.t('Previous period'),
              ),
          ]),
        ),
      ),
      body,
      h(
        'tfoot',
        {},
        sums(l10n.t('Total'), ({ now, before: old }) => [formatTotal(now), formatTotal(old)]),
        pairs.some(({ now }) => now?.change !== undefined) &&
          sums(
            l10n.t({ message: 'Change', args: [], comment: 'Row of a table: change from the previous period' }),
            ({ now }) => [now?.change, ''],
          ),
      ),
    ),
  );
  return h(
    'div',
    {},
    scroll,
    pages > 1 &&
      h(
        'div',
        { class: 'group' },
        pageButton(l10n.t('Show Newer'), -1),
        pageButton(l10n.t('Show Older'), 1),
        pageStatus,
      ),
  );
}

function formatTotal(line: SeriesLine | undefined): string | undefined {
  return line === undefined ? undefined : formatExactAmount(line.total);
}

/** Renders a value; a gap is a dash, not zero. */
function renderCell(value: string | null | undefined, title = ''): HTMLElement {
  return value === null || value === undefined
    ? h('td', { class: 'gap', title: l10n.t('No value') }, '—')
    : h('td', { title: title === '' ? undefined : title }, formatExactAmount(value));
}
