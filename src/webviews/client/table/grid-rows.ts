import type { ColumnLayout, TableRow } from '../../protocol/table.ts';
import { getResourceContext, h } from '../dom.ts';
import { formatCellId, ROW_HEIGHT } from '../virtual-rows.ts';

const STATE_COLUMN = 'summary:State';
const NAME_COLUMN = 'summary:Name';
/** `aria-rowindex` of the first row; the rows of the header are before it. */
const FIRST_ROW_INDEX = 3;

/** What a row shows; the same values mean the same element. */
interface GridRow {
  /** undefined until it has arrived */
  readonly row: TableRow | undefined;
  readonly columns: readonly ColumnLayout[];
  readonly isSelected: boolean;
  /** column of the cursor, if it is in this row */
  readonly cursor: number | undefined;
  /** data: URI */
  readonly picture: string | undefined;
  /** whether rows of the table have pictures */
  readonly hasPictures: boolean;
}

/** Renders one row, or its place until it has arrived. */
export function renderGridRow(
  index: number,
  { row, columns, isSelected, cursor, picture, hasPictures }: GridRow,
): HTMLElement {
  return h(
    'div',
    {
      class: `line item ${row?.tone ?? 'none'}`,
      role: 'row',
      'aria-rowindex': index + FIRST_ROW_INDEX,
      'aria-selected': String(isSelected),
      style: { top: `${String(index * ROW_HEIGHT)}px` },
    },
    ...columns.map(({ key }, column) => {
      const resource = row?.resources[key];
      const text = row?.cells[column] ?? (row === undefined && column === 0 ? '…' : '');
      return h(
        'span',
        {
          role: 'gridcell',
          id: formatCellId(index, column),
          'aria-colindex': column + 1,
          title: text,
          'data-vscode-context': resource && getResourceContext(resource),
          class: [key === STATE_COLUMN && 'state', column === cursor && 'cursor'].filter(Boolean).join(' '),
        },
        key === NAME_COLUMN && hasPictures && createPicture(picture),
        text,
      );
    }),
  );
}

/** The name in the same cell says what it shows. */
function createPicture(dataUri: string | undefined): HTMLElement {
  return h('span', { class: 'picture' }, dataUri !== undefined && h('img', { src: dataUri, alt: '' }));
}

/** Whether a layout has the column of the state. */
export function hasStateColumn(columns: readonly ColumnLayout[]): boolean {
  return columns.some(({ key }) => key === STATE_COLUMN);
}
