/** The messages of a list's table. The view requests the rows it shows, and stores no others. */
import * as z from 'zod/mini';
import { remedies } from '../../model/text/error-remedy.ts';
import { defineProtocol } from './index.ts';

const text = z.string().check(z.maxLength(400));
const index = z.int().check(z.gte(0), z.lte(10_000_000));

/** Limits of a column's width in pixels. */
export const MIN_COLUMN_WIDTH = 40;
export const MAX_COLUMN_WIDTH = 1200;
/** Columns of one table. */
export const MAX_COLUMNS = 60;

/** A visible column: its key, and its width in pixels. */
export const columnLayoutSchema = z.strictObject({
  key: text,
  width: z.number().check(z.gte(MIN_COLUMN_WIDTH), z.lte(MAX_COLUMN_WIDTH)),
});
export type ColumnLayout = z.infer<typeof columnLayoutSchema>;

const sort = z.strictObject({ key: text, descending: z.boolean() });
export type TableSort = z.infer<typeof sort>;

const tableRow = z.strictObject({
  /** a text for each visible column */
  cells: z.array(text),
  tone: z.enum(['ok', 'busy', 'bad', 'unknown', 'none']),
  /** by column: the resource of the row, or the one whose id the cell contains */
  resources: z.record(text, z.strictObject({ connection: text, kind: text, id: text })),
  /** number of its picture, see `requestPictures` */
  picture: z.optional(index),
});
export type TableRow = z.infer<typeof tableRow>;

/** What can be done with the selected rows. */
export const ROW_ACTIONS = [
  'open',
  'compare',
  'newActionFile',
  'runOnSelection',
  'copyCsv',
  'copyMarkdown',
  'copyJson',
] as const;
export type RowAction = (typeof ROW_ACTIONS)[number];

/** Rows that one action handles. */
export const MAX_SELECTED_ROWS = 1000;
const selectedRows = z.array(index).check(z.maxLength(MAX_SELECTED_ROWS));
/** indexes of the row of the cursor, and of the selected rows */
const selection = z.strictObject({ row: index, rows: selectedRows });

/** identifies the list, and its selected rows, after a reload of the window */
const list = z.record(z.string(), z.unknown());

const tableState = z.strictObject({
  title: text,
  /** the visible columns, in order */
  columns: z.array(columnLayoutSchema),
  /** all columns that can be chosen, the visible ones included */
  available: z.array(z.strictObject({ key: text, label: text, heading: z.optional(text) })),
  /** undefined: in the order of the server */
  sort: z.optional(sort),
  /** says what is sorted, and by whom */
  order: text,
  /** some of the rows have a picture */
  hasPictures: z.boolean(),
  /** actions that the kind has */
  actions: z.array(z.enum(ROW_ACTIONS)),
  /** the text that each column has to contain */
  filters: z.record(text, text),
  /** rows that are loaded */
  loaded: index,
  /** loaded rows that match the filters */
  matching: index,
  /** there are more rows on the server */
  hasMore: z.boolean(),
  /** the table has no room for them */
  isFull: z.boolean(),
  loading: z.boolean(),
  /** rows a second while all rows are being loaded */
  rate: z.optional(z.int().check(z.gte(0))),
  /** a failure, the age of the rows, or what cannot be shown; empty for none */
  notice: text,
  /** the command that may help after the failure */
  remedy: z.optional(z.enum(remedies)),
  list,
  /** changes when cells at known indexes can change */
  version: z.int(),
  /** changes when known indexes can be those of other rows */
  rowsVersion: z.int(),
  /** to be shown when `rowsVersion` changes */
  selection,
});
export type TableState = z.infer<typeof tableState>;

const MAX_REQUESTED_ROWS = 400;
/** Rows that an action opens one by one. */
export const MAX_OPENED_ROWS = 20;
/** Pictures that the view requests at once. */
export const MAX_REQUESTED_PICTURES = 100;
/** Characters of a picture's data: URI. */
const MAX_PICTURE_LENGTH = 100_000;

export const tableProtocol = defineProtocol({
  toView: {
    state: tableState,
    /** after `select`: to be stored instead of that of the state */
    list: z.strictObject({ list }),
    rows: z.strictObject({ from: index, version: z.int(), rows: z.array(tableRow) }),
    /** without `dataUri` there is no such picture */
    picture: z.strictObject({ picture: index, dataUri: z.optional(z.string().check(z.maxLength(MAX_PICTURE_LENGTH))) }),
  },
  toHost: {
    requestRows: z.strictObject({ from: index, count: z.int().check(z.gte(1), z.lte(MAX_REQUESTED_ROWS)) }),
    setColumns: z.strictObject({
      columns: z.array(columnLayoutSchema).check(z.minLength(1), z.maxLength(MAX_COLUMNS)),
    }),
    resetColumns: z.strictObject({}),
    sort: z.strictObject({ sort: z.optional(sort) }),
    filter: z.strictObject({ filters: z.record(text, text) }),
    /** the pictures of the visible rows that are missing; others are no longer waited for */
    requestPictures: z.strictObject({
      pictures: z.array(index).check(z.minLength(1), z.maxLength(MAX_REQUESTED_PICTURES)),
    }),
    select: z.strictObject({ ...selection.shape, rowsVersion: z.int() }),
    act: z.strictObject({ action: z.enum(ROW_ACTIONS), indexes: selectedRows, rowsVersion: z.int() }),
    /** asks what of the list to export */
    export: z.strictObject({ indexes: selectedRows, rowsVersion: z.int() }),
    loadMore: z.strictObject({}),
    loadAll: z.strictObject({}),
    /** ends `loadAll`; the loaded rows stay */
    stop: z.strictObject({}),
    refresh: z.strictObject({}),
    remedy: z.strictObject({ id: z.enum(remedies) }),
  },
});
