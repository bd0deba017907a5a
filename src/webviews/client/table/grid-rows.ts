import type { ColumnLayout, TableRow } from '../../protocol/table.ts';
import { h } from '../dom.ts';

export const ROW_HEIGHT = 24;
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

/** The rows in the DOM: those that are visible, and some around them. Rows that stay keep their elements. */
export class GridRows {
  readonly element = h('div', { class: 'body', role: 'rowgroup' });
  readonly #lines = new Map<number, { readonly content: GridRow; readonly element: HTMLElement }>();

  /** Shows the rows from `first` to before `last`. */
  render(first: number, last: number, getRow: (index: number) => GridRow): void {
    for (const [index, { element }] of this.#lines) {
      if (index >= first && index < last) continue;
      element.remove();
      this.#lines.delete(index);
    }
    let next = this.element.firstChild;
    for (let index = first; index < last; index++) {
      const content = getRow(index);
      const line = this.#lines.get(index);
      if (line !== undefined && isEqual(line.content, content)) {
        next = line.element.nextSibling;
        continue;
      }
      const element = renderRow(index, content);
      if (line === undefined) this.element.insertBefore(element, next);
      else {
        line.element.replaceWith(element);
        next = element.nextSibling;
      }
      this.#lines.set(index, { content, element });
    }
  }
}

function isEqual(a: GridRow, b: GridRow): boolean {
  return (
    a.row === b.row &&
    a.columns === b.columns &&
    a.isSelected === b.isSelected &&
    a.cursor === b.cursor &&
    a.picture === b.picture &&
    a.hasPictures === b.hasPictures
  );
}

function renderRow(index: number, { row, columns, isSelected, cursor, picture, hasPictures }: GridRow): HTMLElement {
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
      const text = row?.cells[column] ?? (row === undefined && column === 0 ? '…' : '');
      return h(
        'span',
        {
          role: 'gridcell',
          id: formatCellId(index, column),
          'aria-colindex': column + 1,
          title: text,
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

/** Formats the id of a cell's element. */
export function formatCellId(row: number, column: number): string {
  return `cell-${String(row)}-${String(column)}`;
}

/** Returns the row and column of an element within the body. */
export function findCell(target: EventTarget | null): { readonly row: number; readonly column: number } | undefined {
  const id = target instanceof Element ? target.closest('[role=gridcell]')?.id : undefined;
  const [, row, column] = /^cell-(\d+)-(\d+)$/.exec(id ?? '') ?? [];
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) };
}
