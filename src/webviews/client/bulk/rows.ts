import { COLUMN_TYPE_LABELS, ROW_LINKS, type BulkRow, type DataColumn, type RowLink } from '../../protocol/bulk.ts';
import { COLUMN_TYPES, type ColumnType } from '../../../model/runs/column-types.ts';
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../../platform/text/localization.ts';
import { createSelect } from '../controls.ts';
import type { GridColumn } from '../grid.ts';

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

/** A column of the grid. */
export interface BulkColumn extends GridColumn<BulkRow> {
  /** what the cell leads to if it has a text */
  readonly link?: RowLink;
}

interface ColumnOptions {
  readonly hasResults: boolean;
  readonly canChangeTypes: boolean;
  /** `column`: its index in the data */
  readonly setType: (column: number, type: ColumnType) => void;
}

/** Returns the columns: number, state and the first column of the data, the results once rows were sent, the rest of the data. */
export function listColumns(
  dataColumns: readonly DataColumn[],
  { hasResults, canChangeTypes, setType }: ColumnOptions,
): readonly BulkColumn[] {
  const [action, objects, batch] = ROW_LINKS;
  const [first, ...others] = dataColumns.map((column, index) => ({
    label: column.label,
    control: createTypeSelect(column, index, { canChangeTypes, setType }),
    width: '160px',
    getText: ({ cells }: BulkRow) => cells[index] ?? '',
  }));
  return [
    { label: l10n.t('Row'), width: fit(56, [l10n.t('Row')]), getText: ({ number }) => formatNumber(number) },
    {
      label: l10n.t('State'),
      width: fit(96, Object.values(STATE_LABELS)),
      getText: ({ state }) => STATE_LABELS[state],
      class: 'state',
    },
    ...(first === undefined ? [] : [first]),
    { label: l10n.t('Reason'), width: '220px', grows: 1, getText: ({ reason }) => reason },
    ...(hasResults
      ? [
          createLink(action, l10n.t('Action ID'), fit(130, [l10n.t('Action ID')]), (row) => row.action),
          createLink(objects, l10n.t('Objects'), '150px', formatObjects),
          createLink(batch, l10n.t('Ledger Batch'), fit(130, [l10n.t('Ledger Batch')]), (row) => row.batch),
        ]
      : []),
    ...others,
  ];
}

/** The type of a column in its header; if its cells look like another type, that too. */
function createTypeSelect(
  { label, type, guess }: DataColumn,
  index: number,
  { canChangeTypes, setType }: Pick<ColumnOptions, 'canChangeTypes' | 'setType'>,
): HTMLSelectElement {
  const isOther = guess !== type && guess !== 'text';
  const [shown, other] = [COLUMN_TYPE_LABELS[type], COLUMN_TYPE_LABELS[guess]];
  const select = createSelect({
    label: l10n.t('Type of {0}', label),
    name: `type-${String(index)}`,
    choices: COLUMN_TYPES.map((value) => ({
      value,
      label: value === type && isOther ? l10n.t('{0} ({1}?)', shown, other) : COLUMN_TYPE_LABELS[value],
    })),
    value: type,
    onSelect: (value) => setType(index, value),
  });
  select.disabled = !canChangeTypes;
  if (isOther) select.title = l10n.t('Sent as: {0}. The values look like: {1}', shown, other);
  return select;
}

function createLink(link: RowLink, label: string, width: string, getText: (row: BulkRow) => string): BulkColumn {
  return { label, width, getText, link, getClass: (row) => (getText(row) === '' ? undefined : 'link') };
}

/** Returns the width in which the longest text fits in any language, with the mark of a state; at least `pixels`. */
function fit(pixels: number, texts: readonly string[]): string {
  return `max(${String(pixels)}px, ${String(Math.max(...texts.map((text) => text.length)))}ch + 1.5em)`;
}

function formatObjects({ object, objects, objectName = object }: BulkRow): string {
  return objects > 1 ? l10n.t('{0} and {1} more', objectName, formatNumber(objects - 1)) : objectName;
}
