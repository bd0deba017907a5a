/** The columns of a table: a summary of the resource, its schema's fields, and fields found in the loaded items. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { formatCsvCell, escapeFormula } from '../../model/export/export-writer.ts';
import { getCell, getColumns, type Column } from '../../model/export/columns.ts';
import { formatFieldText } from '../../platform/resources/action-log-fields.ts';
import { isObject, toText } from '../../platform/json/json.ts';
import type { ItemSummary, ResourceDefinition } from '../../platform/resource.ts';
import { columnLayoutSchema, MAX_COLUMNS, type ColumnLayout, type TableRow } from '../../webviews/protocol/table.ts';
import { formatRelativeTime, toOneLine } from '../format.ts';
import { formatFieldLabel } from '../rows/related-resources.ts';
import { getFullTitle, type GetTitle } from '../../model/resources/filter-fields.ts';
import { getItemTitle } from '../../model/resources/item-title.ts';
import { formatStatus } from '../../model/text/status.ts';

/** A row of the table: an item with its summary. */
export interface TableItem {
  readonly raw: unknown;
  readonly id: string | undefined;
  readonly summary: ItemSummary;
}

/** A column that can be shown. */
export interface TableColumn {
  readonly key: string;
  /** the path of a field */
  readonly label: string;
  /** the words above the cells, if the label is none */
  readonly heading?: string;
  /** default width in pixels; only columns with one are visible by default */
  readonly defaultWidth?: number;
  /** the value to copy, and to sort by if the cell has no title */
  readonly getValue: (item: TableItem) => unknown;
  /** what is shown for the value: the title of the resource whose id it is, if known, or the words for a state */
  readonly getTitle?: (item: TableItem) => string | undefined;
  /** kind of the resource whose id is the value */
  readonly kind?: string;
  /** the text to show */
  readonly getText: (item: TableItem) => string;
}

/** How the keys of columns that are not fields begin; their names follow. */
const SUMMARY_KEY = 'summary:';

/** Visible by default behind the name, if the kind has them; then fields of the data. */
const LEADING_FIELDS = ['metadata.edition', 'owner', 'template_id'];

/** Items that are searched for fields. */
const MAX_SEARCHED_ITEMS = 500;
const MAX_DISCOVERED_FIELDS = 100;
/** Fields of the data that are visible by default. */
const VISIBLE_DATA_FIELDS = 5;

/**
 * Lists the columns of a kind. `items`: the loaded items, where `custom.*` and `metadata.*` are searched for.
 * `getTitle`: finds the names that are shown for ids.
 */
export function listTableColumns(
  definition: ResourceDefinition,
  items: readonly { readonly raw: unknown }[],
  getTitle: GetTitle = () => undefined,
): TableColumn[] {
  const [first] = items;
  const hasStates = first === undefined || definition.summary(first.raw).state !== undefined;
  const fields = new Map(getColumns(definition).map((column) => [column.name, column]));
  for (const { raw } of items.slice(0, MAX_SEARCHED_ITEMS))
    for (const field of ['custom', 'metadata']) {
      const container = isObject(raw) ? raw[field] : undefined;
      for (const name of isObject(container) ? Object.keys(container) : []) {
        const key = `${field}.${name}`;
        if (fields.size < MAX_DISCOVERED_FIELDS && key.length <= 200 && !fields.has(key))
          fields.set(key, { name: key, path: [field, name] });
      }
    }
  const data = [...fields.keys()].filter((key) => key.startsWith('custom.')).slice(0, VISIBLE_DATA_FIELDS);
  // What is made from a template is told apart by these.
  const leading = definition.templateField === undefined ? [] : [...LEADING_FIELDS, ...data];
  const [visible, others] = [
    leading.flatMap((key) => fields.get(key) ?? []),
    fields.values().filter(({ name }) => !leading.includes(name)),
  ];
  const create = (column: Column): TableColumn =>
    createFieldColumn(column, definition.references[column.name], getTitle);
  return [
    ...(hasStates
      ? [
          {
            ...createSummaryColumn('summary:State', l10n.t('State'), 100, ({ summary }) => summary.state?.label),
            getTitle: getState,
            getText: (item: TableItem) => toOneLine(getState(item) ?? '', 390),
          },
        ]
      : []),
    createSummaryColumn('summary:Name', l10n.t('Name'), 260, ({ raw, summary }) =>
      getItemTitle(definition, raw, getTitle, summary),
    ),
    ...visible.map((column) => ({
      ...create(column),
      ...(LEADING_FIELDS.includes(column.name) && { heading: formatFieldLabel(column.name) }),
      defaultWidth: 130,
    })),
    createSummaryColumn('summary:Details', l10n.t('Details'), data.length === 0 ? 240 : undefined, ({ summary, id }) =>
      summary.details
        .filter((detail) => detail !== id)
        .slice(0, 6)
        .map((detail) => toOneLine(detail, 60))
        .join(' · '),
    ),
    {
      ...createSummaryColumn('summary:Time', l10n.t('Time'), 140, ({ summary }) => summary.when),
      getText: ({ summary: { when } }) => (when === undefined ? '' : formatRelativeTime(when, Date.now())),
    },
    createSummaryColumn('summary:ID', l10n.t('ID'), leading.length === 0 ? 260 : undefined, ({ id }) => id),
    ...others.map(create),
  ];
}

function getState({ summary: { state } }: TableItem): string | undefined {
  return state && formatStatus(state.label);
}

/** Returns the resource that each cell is of or contains the id of, by column. */
export function getCellResources(
  { connection, kind }: { readonly connection: string; readonly kind: string },
  columns: readonly TableColumn[],
  item: TableItem,
): TableRow['resources'] {
  return Object.fromEntries(
    columns.flatMap((column) => {
      const id = column.kind === undefined ? item.id : column.getValue(item);
      return typeof id === 'string' && id !== '' && id.length <= 400
        ? [[column.key, { connection, kind: column.kind ?? kind, id }]]
        : [];
    }),
  );
}

function createSummaryColumn(
  key: string,
  label: string,
  defaultWidth: number | undefined,
  getValue: (item: TableItem) => string | undefined,
): TableColumn {
  return {
    key,
    label,
    ...(defaultWidth !== undefined && { defaultWidth }),
    getValue,
    getText: (item) => toOneLine(getValue(item) ?? '', 390),
  };
}

/** `kind`: the kind of resource whose id the field contains. */
function createFieldColumn(column: Column, kind: string | undefined, getTitle: GetTitle): TableColumn {
  const getValue = ({ raw }: TableItem): unknown => getCell(raw, column);
  const getItemTitle = (item: TableItem): string | undefined => {
    const value = getValue(item);
    return kind === undefined || typeof value !== 'string' ? undefined : getFullTitle(kind, value, getTitle);
  };
  return {
    key: column.name,
    label: toOneLine(column.name, 200),
    ...(kind !== undefined && { kind }),
    getValue,
    getTitle: getItemTitle,
    getText: (item) => toOneLine(getItemTitle(item) ?? formatFieldText(column.name, toText(getValue(item))), 390),
  };
}

/** The columns that the user has chosen, which are stored. */
export const layoutSchema = z.array(columnLayoutSchema).check(z.minLength(1), z.maxLength(MAX_COLUMNS));

/** Returns the columns of a table whose user has chosen none. */
export function listDefaultLayout(columns: readonly TableColumn[]): readonly ColumnLayout[] {
  return columns.flatMap(({ key, defaultWidth }) => (defaultWidth === undefined ? [] : [{ key, width: defaultWidth }]));
}

/** Formats items as CSV with the given columns; no cell is a formula. */
export function formatCsv(columns: readonly TableColumn[], items: readonly TableItem[]): string {
  const rows = [
    // The names of columns are the same in every display language, for programs.
    columns.map(({ key, label }) => (key.startsWith(SUMMARY_KEY) ? key.slice(SUMMARY_KEY.length) : label)),
    ...items.map((item) => columns.map(({ getValue }) => getValue(item))),
  ];
  return rows.map((cells) => `${cells.map(formatCsvCell).join(',')}\r\n`).join('');
}

/** Formats items as a Markdown table with the given columns. */
export function formatMarkdown(columns: readonly TableColumn[], items: readonly TableItem[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => escapeFormula(cell).replace(/[\\|`*_<>[\]]/g, '\\$&')).join(' | ')} |\n`;
  return [
    line(columns.map(({ label }) => label)),
    `| ${columns.map(() => '---').join(' | ')} |\n`,
    ...items.map((item) => line(columns.map(({ getText }) => getText(item)))),
  ].join('');
}
