import type { ColumnLayout, TableRow } from '../../protocol/table.ts';
import { h } from '../dom.ts';
import type { GridColumn } from '../grid.ts';

const STATE_COLUMN = 'summary:State';
const NAME_COLUMN = 'summary:Name';

/** Returns the columns of a layout. `getPicture`: the data: URI of a row; absent if no row of the table has a picture. */
export function listColumns(
  layout: readonly ColumnLayout[],
  getPicture: ((row: TableRow) => string | undefined) | undefined,
): readonly GridColumn<TableRow>[] {
  return layout.map(({ key, width }, index) => ({
    label: key,
    width: `${String(width)}px`,
    getText: ({ cells }) => cells[index] ?? '',
    getResource: ({ resources }) => resources[key],
    ...(key === STATE_COLUMN && { class: 'state' }),
    ...(key === NAME_COLUMN &&
      getPicture !== undefined && { render: (row, text) => [createPicture(getPicture(row)), ...text] }),
  }));
}

/** The name in the same cell says what it shows. */
function createPicture(dataUri: string | undefined): HTMLElement {
  return h('span', { class: 'picture' }, dataUri !== undefined && h('img', { src: dataUri, alt: '' }));
}

/** Whether a layout has the column of the state. */
export function hasStateColumn(columns: readonly ColumnLayout[]): boolean {
  return columns.some(({ key }) => key === STATE_COLUMN);
}
