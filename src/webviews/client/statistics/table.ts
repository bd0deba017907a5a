/** The numbers of a series as a table, a page of rows at a time. */
import type { Line, SeriesState } from '../../protocol-statistics.ts';
import { fill, h } from '../kit.ts';
import { toolButton } from '../controls.ts';
import { momentText, zoneOf } from './time.ts';

const ROWS = 200;

/** `lines` over the series' own times; the latest rows first. */
export function table(series: SeriesState, lines: readonly Line[], utc: boolean): HTMLElement {
  const { times, before } = series;
  const earlier = before === undefined ? undefined : new Map(before.times.map((time, index) => [time, index]));
  const previous = lines === series.sums ? (before?.sums ?? []) : [];
  const order = times.map((_time, index) => index).reverse();
  const pages = Math.max(1, Math.ceil(order.length / ROWS));
  let page = 0;
  const body = h('tbody');
  const where = h('span', { class: 'muted', role: 'status' });
  const row = (index: number): HTMLElement => {
    const time = times[index] ?? 0;
    const cells = lines.map(({ values }) => cell(values[index]));
    const back = earlier?.get(time);
    const old = previous.map(({ values }) => cell(back === undefined ? null : values[back]));
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, momentText(time, utc), series.partial.includes(time) && ' (part)'),
      ...cells,
      ...old,
    );
  };
  const show = (): void => {
    fill(body, ...order.slice(page * ROWS, (page + 1) * ROWS).map(row));
    where.textContent =
      pages > 1 ? `Rows ${page * ROWS + 1}–${Math.min((page + 1) * ROWS, order.length)} of ${order.length}` : '';
  };
  const turn = (by: number): void => {
    page = Math.min(Math.max(page + by, 0), pages - 1);
    show();
  };
  show();
  const columns = [...lines.map(({ name }) => name), ...previous.map(() => 'Period before')];
  return h(
    'div',
    {},
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `${series.label}: table` },
      h(
        'table',
        {},
        h('caption', { class: 'visually-hidden' }, `${series.label} by time, latest first, in ${zoneOf(utc)}`),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, `Time (${zoneOf(utc)})`),
            ...columns.map((name) => h('th', { scope: 'col' }, name)),
          ),
        ),
        body,
        h(
          'tfoot',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, 'Total'),
            ...lines.map(({ total }) => h('td', {}, total)),
            ...previous.map(({ total }) => h('td', {}, total)),
          ),
        ),
      ),
    ),
    pages > 1 &&
      h(
        'div',
        { class: 'group' },
        toolButton({
          label: 'Newer Rows',
          run: () => {
            turn(-1);
          },
        }),
        toolButton({
          label: 'Older Rows',
          run: () => {
            turn(1);
          },
        }),
        where,
      ),
  );
}

/** A gap is said, not drawn as zero. */
function cell(value: string | null | undefined): HTMLElement {
  return value === null || value === undefined ? h('td', { class: 'gap', title: 'no point' }, '—') : h('td', {}, value);
}
