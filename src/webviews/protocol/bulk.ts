/** The messages of a batch's panel. The view holds the rows that it shows; the host sends changes of these only. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { COLUMN_TYPES, type ColumnType } from '../../model/runs/column-types.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { defineProtocol } from './index.ts';

/** Characters of a text in a row. */
export const MAX_TEXT_LENGTH = 400;
const text = z.string().check(z.maxLength(MAX_TEXT_LENGTH));
const index = z.int().check(z.gte(0), z.lte(10_000_000));

/** States of a row, in the order of the filter. */
const ROW_STATES = ['notSent', 'sending', 'unknown', 'refused', 'accepted', 'completed', 'failed'] as const;
/** What the rows can be filtered by; `problems`: rows that the check complains about. */
export const ROW_FILTERS = ['all', 'problems', ...ROW_STATES] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

/** The names of types, as the header of the rows shows them. */
export const COLUMN_TYPE_LABELS: Readonly<Record<ColumnType, string>> = {
  text: l10n.t('Text'),
  number: l10n.t({ message: 'Number', args: [], comment: 'Type of a column of data' }),
  boolean: l10n.t('Boolean'),
  date: l10n.t('Date'),
};

/** Columns of the data that are shown. */
export const MAX_DATA_COLUMNS = 20;
/** Limits of what the user can set. */
export const MAX_CONCURRENCY = 16;
export const MAX_RATE = 1000;
const MAX_SHOWN_ROWS = 400;
/** Characters of a dry run. */
export const MAX_DRY_RUN_LENGTH = 200_000;

const row = z.strictObject({
  /** position in the data, from 1 */
  number: index,
  state: z.enum(ROW_STATES),
  /** the worst that the check found */
  severity: z.optional(z.enum(['error', 'warning'])),
  /** a text for each column of the data */
  cells: z.array(text).check(z.maxLength(MAX_DATA_COLUMNS)),
  /** id of the action */
  action: text,
  /** ids of objects that were made: the first, and how many there are */
  object: text,
  objects: index,
  /** title of the first object, if it is known */
  objectName: z.optional(text),
  /** id of the ledger batch */
  batch: text,
  /** the reason of the state, or what the check found */
  reason: text,
});
export type BulkRow = z.infer<typeof row>;

/** What is used of the result of a row. */
interface ResultSource {
  readonly actionId?: string;
  readonly objects?: readonly string[];
  readonly ledgerBatch?: string;
  readonly reason?: string;
}

/** What is known of a row, with texts of any length. */
interface RowSource extends Pick<BulkRow, 'number' | 'state'> {
  readonly cells: readonly string[];
  readonly result: ResultSource | undefined;
  /** what the check found */
  readonly check: { readonly severity: 'error' | 'warning'; readonly message: string } | undefined;
}

/** Formats a row for the page, as plain text. */
export function createBulkRow({ number, state, cells, result, check }: RowSource): BulkRow {
  const objects = result?.objects ?? [];
  // Once a row was sent, its state says more than the check before it.
  const finding = state === 'notSent' ? check : undefined;
  return {
    number,
    state,
    ...(finding !== undefined && { severity: finding.severity }),
    cells: [...cells],
    action: toPlainText(result?.actionId ?? '', MAX_TEXT_LENGTH),
    object: toPlainText(objects[0] ?? '', MAX_TEXT_LENGTH),
    objects: objects.length,
    batch: toPlainText(result?.ledgerBatch ?? '', MAX_TEXT_LENGTH),
    reason: toPlainText(result?.reason ?? finding?.message ?? '', MAX_TEXT_LENGTH),
  };
}

/**
 * `checking`: rows are read and checked · `ready`: nothing was sent · `running` · `paused`: sends no further rows, follows those
 * that were sent · `stopping`: ends after the rows under way · `stopped`: can be resumed, also after a reload · `ended`: no row
 * is left to send.
 */
const PHASES = ['checking', 'ready', 'running', 'paused', 'stopping', 'stopped', 'ended'] as const;
export type Phase = (typeof PHASES)[number];

const column = z.strictObject({
  label: text,
  /** what the cells are sent as */
  type: z.enum(COLUMN_TYPES),
  /** what they look like */
  guess: z.enum(COLUMN_TYPES),
});
export type DataColumn = z.infer<typeof column>;

const state = z.strictObject({
  title: text,
  /** connection and what the rows do together */
  summary: text,
  phase: z.enum(PHASES),
  /** a sentence on the progress, for the live region */
  progress: text,
  notice: z.strictObject({ text: z.string().check(z.maxLength(2000)), tone: z.enum(['info', 'warning', 'error']) }),
  columns: z.array(column).check(z.maxLength(MAX_DATA_COLUMNS)),
  /** nothing was sent, so the types of the columns can be changed */
  canChangeTypes: z.boolean(),
  /** rows by filter */
  counts: z.record(z.enum(ROW_FILTERS), index),
  filter: z.enum(ROW_FILTERS),
  /** rows that match the filter */
  matching: index,
  /** rows that starting sends */
  sendable: index,
  /** starting or resuming would do something */
  canRun: z.boolean(),
  /** unknown rows with exactly one possible action log */
  settleable: index,
  /** reading or opening failed, and can be tried again */
  canReload: z.boolean(),
  concurrency: z.int(),
  /** rows a second; absent: no limit */
  rate: z.optional(z.number()),
  /** identifies the batch after a reload of the window */
  batch: text,
  /** changes when other rows are at the known positions */
  version: z.int(),
});
export type BulkState = z.infer<typeof state>;

const shownRow = z.strictObject({ position: index, row });

/** What would be sent for a row: a text under headings, which begin with `#`. */
const dryRun = z.strictObject({ title: text, text: z.string().check(z.maxLength(MAX_DRY_RUN_LENGTH)) });
export type DryRun = z.infer<typeof dryRun>;

/** Links of a row. */
export const ROW_LINKS = ['action', 'objects', 'batch'] as const;
export type RowLink = (typeof ROW_LINKS)[number];

export const bulkProtocol = defineProtocol({
  toView: {
    state,
    /** rows at positions of the current filter: those asked for, or those of them that changed */
    rows: z.strictObject({ version: z.int(), rows: z.array(shownRow).check(z.maxLength(MAX_SHOWN_ROWS)) }),
    dryRun,
  },
  toHost: {
    /** the rows that are rendered; only these are kept up to date */
    showRows: z.strictObject({ from: index, count: z.int().check(z.gte(0), z.lte(MAX_SHOWN_ROWS)), version: z.int() }),
    filter: z.strictObject({ filter: z.enum(ROW_FILTERS) }),
    /** `column`: its index */
    setType: z.strictObject({ column: index, type: z.enum(COLUMN_TYPES) }),
    setPace: z.strictObject({
      concurrency: z.int().check(z.gte(1), z.lte(MAX_CONCURRENCY)),
      rate: z.optional(z.number().check(z.positive(), z.lte(MAX_RATE))),
    }),
    /** starts the batch, or resumes a stopped one; the host asks for confirmation */
    run: z.strictObject({}),
    /** reads and opens again after a failure */
    reload: z.strictObject({}),
    pause: z.strictObject({}),
    /** goes on after `pause` */
    continue: z.strictObject({}),
    /** ends after the rows under way */
    stop: z.strictObject({}),
    /** runs the refused and failed rows as a new batch */
    runFailed: z.strictObject({}),
    /** settles the row, or all that have exactly one possible action log; the host asks for confirmation */
    settle: z.strictObject({ number: z.optional(index) }),
    export: z.strictObject({}),
    dryRun: z.strictObject({ number: index }),
    openLink: z.strictObject({ number: index, link: z.enum(ROW_LINKS) }),
  },
});
