import * as l10n from '@vscode/l10n';
import { formatExactAmount, formatRoundedAmount } from './amounts.ts';
import type { SeriesLine, SeriesState } from '../../protocol/statistics.ts';
import { h, type Child } from '../dom.ts';
import { createToolButton } from '../controls.ts';
import { formatTime, getZoneName } from './time.ts';

const PAGE_ROWS = 200;

/** Number of rows shown and scroll offsets in pixels, kept when the table is replaced. */
export interface TablePosition {
  rows: number;
  top: number;
  left: number;
}

/** Renders the values of a series as a table, latest first; older ones on request. */
export function renderTable(
  { times, previous, partial, label }: SeriesState,
  lines: readonly SeriesLine[],
  { utc, dateOnly }: { readonly utc: boolean; readonly dateOnly: boolean },
  position: TablePosition,
): HTMLElement {
  const body = h('tbody');
  const renderRow = (index: number): HTMLElement => {
    const time = times[index] ?? 0;
    const timeBefore = previous?.times[index];
    const when = timeBefore === undefined || timeBefore === null ? undefined : formatTime(timeBefore, utc, dateOnly);
    return h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row' },
        formatTime(time, utc, dateOnly),
        partial.includes(time) && ` ${l10n.t('(incomplete)')}`,
      ),
      ...lines.flatMap(({ values, before, unit }) => [
        renderCell(values[index], unit),
        previous !== undefined && renderCell(before?.values[index], unit, when),
      ]),
    );
  };
  const showOlder = (count: number): void => {
    const shown = body.children.length;
    const indices = [...times.keys()].reverse().slice(shown, shown + count);
    body.append(...indices.map(renderRow));
    position.rows = body.children.length;
    older.hidden = position.rows === times.length;
  };
  const older = createToolButton({ label: l10n.t('Show Older'), onClick: () => showOlder(PAGE_ROWS) });
  showOlder(Math.max(position.rows, PAGE_ROWS));
  const renderFoot = (title: string, now: (line: SeriesLine) => Child, before: (line: SeriesLine) => Child) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, title),
      ...lines.flatMap((line) => [h('td', {}, now(line)), previous !== undefined && h('td', {}, before(line))]),
    );
  const scroll = h(
    'div',
    {
      class: 'scroll',
      tabindex: 0,
      role: 'region',
      'aria-label': l10n.t('{0}: table', label),
      on: {
        scroll: () => {
          [position.top, position.left] = [scroll.scrollTop, scroll.scrollLeft];
        },
      },
    },
    h(
      'table',
      {},
      h('caption', { class: 'visually-hidden' }, l10n.t('{0} over time, newest first ({1})', label, getZoneName(utc))),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, l10n.t('Time ({0})', getZoneName(utc))),
          ...lines.flatMap(({ name }) => [
            h('th', { scope: 'col' }, name),
            previous !== undefined &&
              h(
                'th',
                { scope: 'col' },
                lines.length > 1 ? l10n.t('{0}, previous period', name) : l10n.t('Previous period'),
              ),
          ]),
        ),
      ),
      body,
      h(
        'tfoot',
        {},
        renderFoot(
          l10n.t('Total'),
          ({ total, unit }) => total && renderAmount(total, unit),
          ({ before, unit }) => before?.total && renderAmount(before.total, unit),
        ),
        lines.some(({ change }) => change !== undefined) &&
          renderFoot(
            l10n.t({ message: 'Change', args: [], comment: 'Row of a table: change from the previous period' }),
            ({ change }) => change,
            () => '',
          ),
      ),
    ),
  );
  return h('div', {}, scroll, older);
}

/** Renders a value; `when`: its own time. */
function renderCell(value: string | null | undefined, unit: string, when?: string): HTMLElement {
  return value === null || value === undefined
    ? h('td', { class: 'gap', title: l10n.t('No value') }, formatRoundedAmount(value, unit))
    : h('td', { title: when }, renderAmount(value, unit));
}

/** Renders a rounded amount with the exact one as its tooltip. */
function renderAmount(value: string, unit: string): HTMLElement {
  return h('span', { title: formatExactAmount(value, unit) }, formatRoundedAmount(value, unit));
}
