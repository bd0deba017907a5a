/** The numbers of a series as a table, a page of rows at a time. */
import type { SeriesState } from '../../protocol-statistics.ts';
import { fill, h } from '../kit.ts';
import { toolButton } from '../controls.ts';
import type { Pair } from './pairs.ts';
import { momentText, zoneOf } from './time.ts';

const ROWS = 200;

/** Where its reader is; kept when it is made anew. */
export interface Place {
  page: number;
  top: number;
  left: number;
}

/** The latest rows first. */
export function table(series: SeriesState, pairs: readonly Pair[], utc: boolean, place: Place): HTMLElement {
  const { times, before } = series;
  const indices = new Map(times.map((time, index) => [time, index]));
  const earlier = new Map(before?.times.map((time, index) => [time, index]));
  // Where only the period before has something, that is a row too.
  const order = [...new Set([...times, ...earlier.keys()])].sort((a, b) => b - a);
  const pages = Math.max(1, Math.ceil(order.length / ROWS));
  const body = h('tbody');
  const where = h('span', { class: 'muted', role: 'status' });
  const row = (time: number): HTMLElement => {
    const [index, past] = [indices.get(time) ?? -1, earlier.get(time) ?? -1];
    const when = before?.when[past];
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, momentText(time, utc), series.partial.includes(time) && ' (part)'),
      ...pairs.flatMap(({ now, old }) => [
        cell(now?.values[index]),
        before !== undefined && cell(old?.values[past], when === undefined ? '' : momentText(when, utc)),
      ]),
    );
  };
  const show = (): void => {
    place.page = Math.min(Math.max(place.page, 0), pages - 1);
    const first = place.page * ROWS;
    fill(body, ...order.slice(first, first + ROWS).map(row));
    where.textContent = pages > 1 ? `Rows ${first + 1}–${Math.min(first + ROWS, order.length)} of ${order.length}` : '';
  };
  const turn = (label: string, by: number): HTMLElement =>
    toolButton({
      label,
      run: () => {
        place.page += by;
        show();
      },
    });
  show();
  const sums = (title: string, text: (pair: Pair) => readonly (string | undefined)[]): HTMLElement =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, title),
      ...pairs.flatMap((pair) =>
        text(pair)
          .slice(0, before === undefined ? 1 : 2)
          .map((words) => h('td', {}, words)),
      ),
    );
  const scroll = h(
    'div',
    {
      class: 'scroll',
      tabindex: 0,
      role: 'region',
      'aria-label': `${series.label}: table`,
      on: {
        scroll: () => {
          [place.top, place.left] = [scroll.scrollTop, scroll.scrollLeft];
        },
      },
    },
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
          ...pairs.flatMap(({ name }) => [
            h('th', { scope: 'col' }, name),
            before !== undefined && h('th', { scope: 'col' }, pairs.length > 1 ? `${name}, before` : 'Period before'),
          ]),
        ),
      ),
      body,
      h(
        'tfoot',
        {},
        sums('Total', ({ now, old }) => [now?.total, old?.total]),
        pairs.some(({ now }) => now?.change !== undefined) && sums('Change', ({ now }) => [now?.change, '']),
      ),
    ),
  );
  return h(
    'div',
    {},
    scroll,
    pages > 1 && h('div', { class: 'group' }, turn('Newer Rows', -1), turn('Older Rows', 1), where),
  );
}

/** A gap is said, not drawn as zero. */
function cell(value: string | null | undefined, title = ''): HTMLElement {
  return value === null || value === undefined
    ? h('td', { class: 'gap', title: 'no point' }, '—')
    : h('td', { title: title === '' ? undefined : title }, value);
}
