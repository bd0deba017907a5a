/**
 * The types of a batch: one action file over many rows of data. A batch is opened with `createBatch` or `resumeBatch` of
 * `open-batch.ts`; its state is a journal on disk, so that it survives its process.
 */
import type { Clock } from '../../model/clock.ts';
import type { ActionFile } from '../file/action-file.ts';
import type { ComposeOptions } from '../run/compose.ts';
import type { FollowLimits } from '../follow/snapshot.ts';
import type { VariableSource } from '../variables/variable-source.ts';
import type { ColumnGuess, ColumnTypes } from './data/column-types.ts';
import type { BatchPlatform } from './batch-platform.ts';
import type { BatchHeader, RowResult, RowState } from './journal/journal-format.ts';

export type { BatchHeader, RowResult, RowState } from './journal/journal-format.ts';

/** One row of the data. */
export interface DataRow {
  /** from 1, in the order of the data; a header does not count */
  readonly number: number;
  /**
   * In the order of the columns: strings of a CSV file, any JSON value of another source; `undefined` if the row has
   * no such cell. Hostile text.
   */
  readonly cells: readonly unknown[];
}

/** Something in the data, or in a row as it would be sent, that is wrong or looks wrong. */
export interface RowFinding {
  /** absent: about the data as a whole */
  readonly row?: number;
  readonly column?: string;
  /** an `error` blocks the batch */
  readonly severity: 'error' | 'warning' | 'information';
  /** a sentence without the full stop, plain text */
  readonly message: string;
}

/** The rows of a data file or of a selection, in memory: what was checked is what is sent. */
export interface BatchData {
  /** name of the file, or of the selection */
  readonly name: string;
  /** distinct and not empty; hostile text */
  readonly columns: readonly string[];
  /** of each column, in their order */
  readonly guesses: readonly ColumnGuess[];
  /** types that the user chose; the cells of other columns are sent as they are */
  readonly types?: ColumnTypes;
  /** in order */
  readonly rows: readonly DataRow[];
  /** SHA-256 of the content, hexadecimal */
  readonly digest: string;
  /** about headers and the shape of rows, at most 100 */
  readonly findings: readonly RowFinding[];
}

/** How unknown rows are settled: by the id of the action log of each, or `undefined` for one that was not executed. */
export type Decisions = ReadonlyMap<number, string | undefined>;

/** Number of rows by state. */
export type RowCounts = Readonly<Record<RowState, number>>;

/**
 * `ready` opened, nothing is sent · `running` · `pausing` no more rows are sent, responses are waited for · `paused`
 * accepted rows are still followed · `stopping` as `pausing`, and following ends too · `ended` nothing more happens.
 */
export type BatchStatus = 'ready' | 'running' | 'pausing' | 'paused' | 'stopping' | 'ended';

/** The state of a batch as a whole. */
export interface BatchTotals {
  readonly status: BatchStatus;
  readonly rowCount: number;
  readonly counts: RowCounts;
  /** rows that were sent a second, over the last seconds */
  readonly rowsPerSecond: number;
  /** milliseconds since the epoch: the platform asked to wait until then */
  readonly waitingUntil?: number;
  /** why the batch paused itself, or ended before its last row: a sentence without the full stop */
  readonly reason?: string;
}

/** `rows`: results that changed since the last event, each once · `totals`: follows each `rows`, and each new status. */
export type BatchEvent =
  | { readonly type: 'rows'; readonly rows: readonly RowResult[] }
  | { readonly type: 'totals'; readonly totals: BatchTotals };

export interface BatchPacing {
  /** rows that are sent at once, 1 to 50 */
  readonly concurrency: number;
  /** rows that are sent a second at most; absent: as fast as the platform responds */
  readonly rate?: number;
}

/** A batch that this process owns: no other can open its journal. */
export interface Batch {
  readonly header: BatchHeader;
  readonly totals: BatchTotals;
  /** numbers of the rows of the batch, ascending */
  readonly rowNumbers: Iterable<number>;
  /** State of a row; `undefined` for one that is not of the batch. */
  getState(row: number): RowState | undefined;
  /** Results of rows of the batch, in the given order. Rejects with Error if the journal cannot be read. */
  readResults(rows: readonly number[]): Promise<readonly RowResult[]>;
  /** Listens for changes; bundles them, at most ten events a second. Returns a function that stops listening. */
  listen(listener: (event: BatchEvent) => void): () => void;
  /**
   * Settles unknown rows as the user decided: those with a log are followed by it after `start`, the others count as refused.
   * Does nothing unless `ready`. Rejects with Error if the journal cannot be written.
   */
  settle(decisions: Decisions): Promise<void>;
  /** Sends the rows that are `notSent`, follows accepted ones, looks unknown ones up. Does nothing unless `ready` or `paused`. */
  start(): void;
  /** Sends no more rows. `start` goes on. */
  pause(): void;
  /** Sends no more rows, and ends when those being sent have a response. Resolves when ended; never rejects. */
  stop(): Promise<void>;
  /** From now on. */
  setPacing(pacing: BatchPacing): void;
  /**
   * Resolves when every row has its last state or the batch was stopped: never while it is paused. Rejects never; `reason`
   * of the totals says why it ended early.
   */
  readonly ended: Promise<BatchTotals>;
  /** Stops without waiting for responses, and releases the journal: rows being sent become `unknown`. Never rejects. */
  close(): Promise<void>;
}

export interface BatchOptions {
  /** path of the journal */
  readonly journal: string;
  /** folder that a journal must be in whose rows this batch runs again; absent: that of the journal */
  readonly folder?: string;
  readonly action: { readonly name: string; readonly file: ActionFile };
  readonly data: BatchData;
  /** the rows of a new batch; absent: all */
  readonly rows?: readonly number[];
  readonly connection: BatchHeader['connection'];
  readonly platform: BatchPlatform;
  /** all but `row`; each variable is read once a batch */
  readonly variables: Omit<VariableSource, 'row'>;
  readonly getSigner: ComposeOptions['getSigner'];
  /** further values to redact, such as the credential */
  readonly secrets?: readonly string[];
  /** ids of logs and actions that belong to runs of the same platform */
  readonly knownLogs?: () => ReadonlySet<string>;
  readonly pacing: BatchPacing;
  /** false: a row is done when its action log is decided, whatever becomes of its ledger batch; default true */
  readonly followsLedgerBatches?: boolean;
  readonly limits?: FollowLimits;
  /** milliseconds to search for the action log of an `unknown` row */
  readonly searchDuration?: number;
  readonly time?: Clock;
}

/** Options of a batch that sends the refused and failed rows of another one. */
export interface RunAgainOptions extends BatchOptions {
  /** path of the journal of the other one */
  readonly formerJournal: string;
}
