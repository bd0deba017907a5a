import { ROW_LINKS, type BulkRow, type RowLink } from '../../protocol/bulk.ts';
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../../platform/text/localization.ts';
import { h } from '../dom.ts';
import { formatCellId, ROW_HEIGHT } from '../virtual-rows.ts';

/** `aria-rowindex` of the first row; the header is before it. */
const FIRST_ROW_INDEX = 2;

/** Labels of the states. */
export const STATE_LABELS: Readonly<Record<BulkRow['state'], string>> = {
  notSent: l10n.t('Not sent'),
  sending: l10n.t('Sending'),
  unknown: l10n.t({ message: 'Unknown', args: [], comment: 'State of a row of data' }),
  refused: l10n.t('Refused'),
  accepted: l10n.t('Accepted'),
  completed: l10n.t('Completed'),
  failed: l10n.t('Failed'),
};

/** A column of the grid, and the text of its cells. */
export interface BulkColumn {
  readonly label: string;
  /** a CSS length */
  readonly width: string;
  /** takes the room that the other columns leave */
  readonly grows?: boolean;
  readonly getText: (row: BulkRow) => string;
  /** what the cell leads to if it has a text */
  readonly link?: RowLink;
  readonly isState?: boolean;
}

/** Returns the columns: number, state and the first column of the data, the results once rows were sent, the rest of the data. */
export function listColumns(dataColumns: readonly string[], hasResults: boolean): readonly BulkColumn[] {
  const [action, objects, batch] = ROW_LINKS;
  const [first, ...others] = dataColumns.map((label, index) => ({
    label,
    width: '160px',
    getText: ({ cells }: BulkRow) => cells[index] ?? '',
  }));
  return [
    { label: l10n.t('Row'), width: fit(56, [l10n.t('Row')]), getText: ({ number }) => formatNumber(number) },
    {
      label: l10n.t('State'),
      width: fit(96, Object.values(STATE_LABELS)),
      getText: ({ state }) => STATE_LABELS[state],
      isState: true,
    },
    ...(first === undefined ? [] : [first]),
    { label: l10n.t('Reason'), width: '220px', grows: true, getText: ({ reason }) => reason },
    ...(hasResults
      ? [
          {
            label: l10n.t('Action ID'),
            width: fit(130, [l10n.t('Action ID')]),
            getText: (row: BulkRow) => row.action,
            link: action,
          },
          { label: l10n.t('Objects'), width: '150px', getText: formatObjects, link: objects },
          {
            label: l10n.t('Ledger Batch'),
            width: fit(130, [l10n.t('Ledger Batch')]),
            getText: (row: BulkRow) => row.batch,
            link: batch,
          },
        ]
      : []),
    ...others,
  ];
}

/** Returns the width in which the longest text fits in any language, with the mark of a state; at least `pixels`. */
function fit(pixels: number, texts: readonly string[]): string {
  return `max(${String(pixels)}px, ${String(Math.max(...texts.map((text) => text.length)))}ch + 1.5em)`;
}

function formatObjects({ object, objects, objectName = object }: BulkRow): string {
  return objects > 1 ? l10n.t('{0} and {1} more', objectName, formatNumber(objects - 1)) : objectName;
}

interface Line {
  /** undefined until it has arrived */
  readonly row: BulkRow | undefined;
  readonly columns: readonly BulkColumn[];
  /** column of the cursor, if it is in this row */
  readonly cursor: number | undefined;
}

/** Renders one row, or its place until it has arrived. */
export function renderBulkRow(position: number, { row, columns, cursor }: Line): HTMLElement {
  return h(
    'div',
    {
      class: ['line', 'item', row?.state, row?.severity].filter((name) => name !== undefined).join(' '),
      role: 'row',
      'aria-rowindex': position + FIRST_ROW_INDEX,
      'aria-selected': String(cursor !== undefined),
      style: { top: `${String(position * ROW_HEIGHT)}px` },
    },
    ...columns.map(({ getText, link, isState }, column) => {
      const text = row === undefined ? (column === 0 ? '…' : '') : getText(row);
      const classes = [isState && 'state', link !== undefined && text !== '' && 'link', column === cursor && 'cursor'];
      return h(
        'span',
        {
          role: 'gridcell',
          id: formatCellId(position, column),
          'aria-colindex': column + 1,
          title: text,
          class: classes.filter(Boolean).join(' '),
        },
        text,
      );
    }),
  );
}
