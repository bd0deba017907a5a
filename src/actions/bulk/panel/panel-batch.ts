/** The batch of a panel, without the editor: its data, its check, its journal, and what is shown of each row. */
import * as l10n from '@vscode/l10n';
import { getErrorMessage } from '../../../model/text/error-message.ts';
import type { Labels } from '../../../model/text/labels.ts';
import { toPlainText } from '../../../platform/text/plain-text.ts';
import type { BulkRow, Phase, RowFilter } from '../../../webviews/protocol/bulk.ts';
import type { ColumnType } from '../../../model/runs/column-types.ts';
import type { LiveLookup } from '../../file/preflight.ts';
import type { Batch, BatchData, BatchOptions, BatchPacing, Decisions, RowState } from '../batch.ts';
import { waitUntilUnlocked } from '../journal/journal-lock.ts';
import { createBatch, readFailedRows, resumeBatch, runAgain } from '../open-batch.ts';
import { BatchInput } from './batch-input.ts';
import { PanelRows } from './panel-rows.ts';
import type { BatchStorage, StoredBatch } from './panel-storage.ts';
import { findSentBefore } from './sent-before.ts';
import { findOnlyLogs } from '../settle.ts';
import type { Validation, ValidationOptions } from '../validate-batch.ts';

/** What a batch needs of a session. */
export interface BatchContext
  extends
    Pick<
      BatchOptions,
      'connection' | 'platform' | 'variables' | 'getSigner' | 'secrets' | 'knownLogs' | 'searchDuration'
    >,
    Pick<ValidationOptions, 'getName'> {
  /** checks ids against the platform; absent: the session is signed out */
  readonly live?: LiveLookup;
}

interface PanelBatchOptions {
  readonly storage: BatchStorage;
  readonly stored: StoredBatch;
  /** shown in what the rows do */
  readonly labels?: Pick<Labels, 'get'>;
  /** opens the data; rejects with Error, for users */
  readonly openData: (signal: AbortSignal) => Promise<BatchData>;
  /** Does what needs the journal of the batch that this one runs again; it may be open in another panel. */
  readonly withFormer?: <T>(former: string, use: () => Promise<T>) => Promise<T>;
  /** Called with each change. `rows`: numbers of the rows that changed; absent: anything else may have changed too. */
  readonly onDidChange: (rows?: ReadonlySet<number>) => void;
  /** Called with the ids of objects that decided rows made or changed. */
  readonly onTouch?: (ids: readonly string[]) => void;
}

/** The batch of one panel: read and checked by `load`, sent by `run`. */
export class PanelBatch {
  /** the action and the data as they were last read, and what the check found */
  readonly input: BatchInput;
  readonly #options: PanelBatchOptions;
  #stored: StoredBatch;
  #batch: Batch | undefined;
  /** the context that the batch was opened with */
  #context: BatchContext | undefined;
  #stopListening: () => void = () => undefined;
  #loading: AbortController | undefined;
  #isOpening = false;
  #problem: string | undefined;
  #rows = new PanelRows([]);
  /** stores one change after the other */
  #storing: Promise<void> = Promise.resolve();
  /** the last read of rows */
  #reading: Promise<unknown> = Promise.resolve();
  #sentBefore: readonly string[] = [];
  #onlyLogs: ReadonlyMap<number, string> = new Map();

  constructor(options: PanelBatchOptions) {
    this.#options = options;
    this.#stored = options.stored;
    this.input = new BatchInput(options.stored.action.text);
  }

  get stored(): StoredBatch {
    return this.#stored;
  }
  get batch(): Batch | undefined {
    return this.#batch;
  }
  /** Why it could not be read, checked or opened: a sentence. */
  get problem(): string | undefined {
    return this.#problem;
  }
  /** What other batches sent of the same data, when it was last checked: sentences without the full stop. */
  get sentBefore(): readonly string[] {
    return this.#sentBefore;
  }
  /** The action logs of unknown rows with exactly one possible log, by row, once nothing is sent any more. */
  get onlyLogs(): ReadonlyMap<number, string> {
    return this.phase === 'stopped' || this.phase === 'ended' ? this.#onlyLogs : new Map<number, string>();
  }
  get isLoading(): boolean {
    return this.#loading !== undefined;
  }
  /** True until there is a journal, which is of the types that were checked before it. */
  get canChangeTypes(): boolean {
    return this.#batch === undefined && !this.#isOpening;
  }

  get phase(): Phase {
    if (this.#loading !== undefined) return 'checking';
    if (this.#batch === undefined) return 'ready';
    const { status, counts } = this.#batch.totals;
    if (status === 'running' || status === 'stopping') return status;
    if (status === 'pausing' || status === 'paused') return 'paused';
    if (this.isUnsent) return 'ready';
    return counts.notSent + counts.sending + counts.accepted > 0 ? 'stopped' : 'ended';
  }

  /** True until the first row is sent: the action may still change. */
  get isUnsent(): boolean {
    return this.#batch === undefined || this.#batch.totals.counts.notSent === this.#rows.numbers.length;
  }

  /** True if the text of the action was replaced since it was checked. */
  get isActionChanged(): boolean {
    return this.#stored.action.text !== this.input.text;
  }

  /** Rows that starting sends: not those with errors. */
  get sendable(): number {
    if (this.#batch !== undefined) return this.#batch.totals.counts.notSent;
    return this.#problem === undefined ? this.#rows.unskipped.length - this.errorRows.length : 0;
  }

  /** Rows of a new batch in which the check found errors or warnings, and those with errors, which cannot be sent. */
  get problemRows(): readonly number[] {
    return this.isUnsent ? this.#rows.listProblems(this.input.validation) : [];
  }
  get errorRows(): readonly number[] {
    const { rowProblems } = this.input.validation ?? {};
    return this.problemRows.filter((row) => rowProblems?.get(row) === true);
  }

  /** True if rows can be left out: not those of a former batch, and not once there is a journal. */
  get canSkip(): boolean {
    return this.#batch === undefined && this.#stored.former === undefined;
  }

  /** True if nothing but errors of rows keeps the rows from being sent; rows of a former batch are not skipped. */
  get #canSend(): boolean {
    const { validation } = this.input;
    if (validation === undefined || validation.isBlocked) return false;
    return this.errorRows.length === 0 || this.canSkip;
  }

  /** Leaves rows out of a batch that has no journal yet, until it is checked again. */
  skip(rows: readonly number[]): void {
    this.#rows.skipped = new Set(rows);
    this.#options.onDidChange();
  }

  /** True if `run` would do something: send rows, follow them, or look unknown ones up. */
  get canRun(): boolean {
    if (this.isLoading || this.#problem !== undefined || this.input.data === undefined) return false;
    if (this.isUnsent) return this.sendable > 0 && this.#canSend && !this.isActionChanged;
    return this.phase === 'stopped' || (this.phase === 'ended' && (this.#batch?.totals.counts.unknown ?? 0) > 0);
  }

  /**
   * Reads the data, and opens the journal or checks the rows; a later call replaces an earlier one. Sends no action. Never rejects:
   * `problem` says what failed.
   */
  async load(context: BatchContext | undefined): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#problem = undefined;
    this.input.checkedRows = 0;
    this.#options.onDidChange();
    try {
      await this.#load(context, loading.signal);
    } catch (error) {
      if (loading.signal.aborted) return;
      this.#problem = getErrorMessage(error);
    }
    if (this.#loading !== loading) return;
    this.#loading = undefined;
    this.#options.onDidChange();
  }

  async #load(context: BatchContext | undefined, signal: AbortSignal): Promise<void> {
    await this.#release();
    const { storage, openData, labels, onDidChange } = this.#options;
    const { id, former } = this.#stored;
    this.#rows = new PanelRows((await this.input.read(this.#stored, openData, signal)).rows);
    this.#sentBefore = [];
    onDidChange();
    const hasJournal = await storage.hasJournal(id);
    // Only the journal says which rows were sent.
    if (hasJournal) this.#rows.numbers = [];
    if (hasJournal || former !== undefined) {
      if (context === undefined)
        throw new Error(l10n.t('The connection “{0}” does not exist', toPlainText(this.#stored.connection, 64)));
      if (hasJournal) {
        // The process of a window that is reloaded may own it for another moment.
        await waitUntilUnlocked(storage.getJournal(id), signal);
        await this.#findOnlyLogs(await this.#open('resume', context, signal));
      } else if (former !== undefined) {
        const formerJournal = storage.getJournal(former);
        const { rows } = await readFailedRows({ ...this.#createOptions(context), formerJournal });
        this.#rows.numbers = rows;
      }
    }
    if (!this.isUnsent) return;
    const { live, getName } = context ?? {};
    this.#rows.checks = await this.input.check(
      this.#stored.action.name,
      this.#rows.numbers,
      {
        ...(live !== undefined && { live }),
        ...(getName !== undefined && { getName }),
        ...(labels !== undefined && { labels }),
        signal,
      },
      onDidChange,
    );
    await this.checkSentBefore();
  }

  #createOptions({ live: _live, getName: _getName, ...fromSession }: BatchContext): BatchOptions {
    const { data, file } = this.input;
    if (data === undefined) throw new Error(l10n.t('The data has not been read yet'));
    const { id, action } = this.#stored;
    const { concurrency, rate } = this.#stored.pacing;
    return {
      ...fromSession,
      journal: this.#options.storage.getJournal(id),
      folder: this.#options.storage.folder,
      action: { name: action.name, file },
      data,
      pacing: { concurrency, ...(rate !== undefined && { rate }) },
    };
  }

  /** Leaves no journal open once `signal` is aborted: rejects with its reason. */
  async #open(how: 'create' | 'resume', context: BatchContext, signal?: AbortSignal): Promise<Batch> {
    const { storage } = this.#options;
    const { action, former } = this.#stored;
    const options = this.#createOptions(context);
    // It is shown until another one is open.
    await this.#batch?.close();
    // The journal is of the text that was checked.
    if (how === 'create') await this.#store({ ...this.#stored, action: { ...action, text: this.input.text } });
    const open = (): Promise<Batch> => {
      if (how === 'resume') return resumeBatch(options);
      return former === undefined
        ? createBatch(this.#rows.skipped.size === 0 ? options : { ...options, rows: this.#rows.unskipped })
        : runAgain({ ...options, formerJournal: storage.getJournal(former) });
    };
    const { withFormer } = this.#options;
    const batch = await (former === undefined || withFormer === undefined ? open() : withFormer(former, open));
    if (signal?.aborted === true) await batch.close();
    signal?.throwIfAborted();
    this.#stopListening();
    this.#batch = batch;
    this.#context = context;
    this.#rows.numbers = [...batch.rowNumbers];
    this.#stopListening = batch.listen((event) => {
      const rows = event.type === 'rows' ? event.rows : [];
      const touched = rows.flatMap(({ state, objects }) => (isDecided(state) ? (objects ?? []) : []));
      if (touched.length > 0) this.#options.onTouch?.(touched);
      this.#options.onDidChange(event.type === 'rows' ? new Set(event.rows.map(({ row }) => row)) : undefined);
    });
    void batch.ended.then(() => this.#findOnlyLogs(batch)).catch(() => undefined);
    return batch;
  }

  /** What the rows do that are not skipped, with their number. */
  get effects(): Validation['effects'] {
    return this.#rows.getEffects(this.input.validation);
  }

  async #findOnlyLogs(batch: Batch): Promise<void> {
    this.#onlyLogs = new Map();
    if (batch.totals.counts.unknown > 0) this.#onlyLogs = findOnlyLogs(await batch.readResults(this.select('unknown')));
    this.#options.onDidChange();
  }

  /** Ids of the action logs that may be of an unknown row. Rejects with Error if the journal cannot be read. */
  async readPossibleLogs(number: number): Promise<readonly string[]> {
    return (await this.#batch?.readResults([number]))?.[0]?.possibleLogs ?? [];
  }

  /** Closes the journal; rows that are being sent become unknown. */
  async #release(): Promise<void> {
    const batch = this.#batch;
    if (batch === undefined) return;
    this.#stopListening();
    this.#batch = undefined;
    await batch.close();
  }

  /**
   * Replaces the text of the action; does nothing once there is a journal, which is of the text that was checked before it.
   * Call `load` then. Rejects with the file-system error.
   */
  setActionText(text: string): Promise<void> {
    return this.#change(({ action }) => ({ action: { ...action, text } }));
  }

  /** Changes what the cells of a column are sent as, by its index; otherwise as `setActionText`. */
  async setType(index: number, type: ColumnType): Promise<void> {
    const column = this.input.data?.columns[index];
    if (column !== undefined) await this.#change(({ types }) => ({ types: { ...types, [column]: type } }));
  }

  async #change(change: (stored: StoredBatch) => Partial<StoredBatch>): Promise<void> {
    if ((await this.#options.storage.hasJournal(this.#stored.id)) || !this.canChangeTypes) return;
    await this.#store({ ...this.#stored, ...change(this.#stored) });
  }

  /** From now on, also after a reload. Rejects with the file-system error. */
  async setPacing(pacing: BatchPacing): Promise<void> {
    this.#batch?.setPacing(pacing);
    await this.#store({ ...this.#stored, pacing });
    this.#options.onDidChange();
  }

  async #store(stored: StoredBatch): Promise<void> {
    this.#stored = stored;
    this.#storing = this.#storing.catch(() => undefined).then(() => this.#options.storage.save(stored));
    await this.#storing;
  }

  /**
   * Starts or resumes the batch after confirmation. `confirmMore` asks again if the journal has more rows to send than
   * were confirmed; if it resolves with false, the batch is not started. Rejects with Error, for users, if the journal
   * cannot be opened.
   */
  async run(
    context: BatchContext,
    confirmMore: () => Promise<boolean> = () => Promise.resolve(false),
    signal?: AbortSignal,
  ): Promise<Batch> {
    const confirmed = this.sendable;
    const batch = await this.#reopen(context, signal);
    if (this.sendable <= confirmed || (await confirmMore())) batch.start();
    this.#options.onDidChange();
    return batch;
  }

  /**
   * Settles unknown rows as the user decided, and follows those with a log if no row is left to send.
   * Rejects with Error, for users, if the journal cannot be opened or written.
   */
  async settle(context: BatchContext, decisions: Decisions, signal?: AbortSignal): Promise<void> {
    const batch = await this.#reopen(context, signal);
    await batch.settle(decisions);
    await this.#findOnlyLogs(batch);
    if (this.sendable === 0) batch.start();
  }

  async #reopen(context: BatchContext, signal: AbortSignal | undefined): Promise<Batch> {
    let batch = this.#batch;
    if (batch === undefined || batch.totals.status === 'ended' || this.#context?.platform !== context.platform) {
      this.#isOpening = true;
      try {
        const hasJournal = await this.#options.storage.hasJournal(this.#stored.id);
        batch = await this.#open(hasJournal ? 'resume' : 'create', context, signal);
      } finally {
        this.#isOpening = false;
      }
    }
    return batch;
  }

  /** Goes on after `pause`. */
  continue(): void {
    this.#batch?.start();
  }

  /** Sends no more rows until `continue`. */
  pause(): void {
    this.#batch?.pause();
  }

  /** Ends after the rows under way. Resolves when ended; never rejects. */
  async stop(): Promise<void> {
    this.#loading?.abort();
    await this.#batch?.stop();
  }

  /** Closes the journal without waiting for responses. Never rejects. */
  async close(): Promise<void> {
    this.#loading?.abort();
    await this.#release();
  }

  /** Number of rows for each filter. */
  countRows(): Record<RowFilter, number> {
    return this.#rows.count(this.#batch);
  }

  /** Numbers of the rows that match a filter, ascending. */
  select(filter: RowFilter): readonly number[] {
    return this.#rows.select(filter, this.#batch);
  }

  /** What is shown of rows; resolves after earlier reads. Rejects with Error if the journal cannot be read. */
  readRows(numbers: readonly number[]): Promise<readonly BulkRow[]> {
    const rows = this.#reading.then(() => this.#rows.read(numbers, this.#batch));
    this.#reading = rows.catch(() => undefined);
    return rows;
  }

  /** Looks what other batches sent of the same data. Never rejects. */
  async checkSentBefore(): Promise<void> {
    const { data } = this.input;
    if (!this.isUnsent || data === undefined) return;
    this.#sentBefore = await findSentBefore(this.#options.storage, this.#stored, data);
    this.#options.onDidChange();
  }
}

function isDecided(state: RowState): boolean {
  return state === 'completed' || state === 'failed';
}
