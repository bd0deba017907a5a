import { systemClock, type Clock } from '../../../model/clock.ts';
import { stored, formatSentence, mapText, type StoredText } from '../../../platform/text/message.ts';
import { defaultFollowLimits } from '../../follow/snapshot.ts';
import { getSignatureDigest, readRequestFacts, type RequestFacts } from '../../follow/match-action-log.ts';
import { compose, type ComposedRequest } from '../../run/compose.ts';
import { createRedactingPlatform, Redactor, redactText } from '../../run/redact-variables.ts';
import { describeRefusal, describeRunError } from '../../run/run-errors.ts';
import { send, type SendResult } from '../../run/send.ts';
import { hasErrorCode, PlatformError } from '../../../platform/errors.ts';
import { BatchEvents } from './batch-events.ts';
import type {
  Batch,
  BatchEvent,
  BatchHeader,
  BatchOptions,
  BatchPacing,
  BatchStatus,
  BatchTotals,
  DataRow,
  Decisions,
  RowResult,
  RowState,
} from '../batch.ts';
import { toResult, type JournalRow } from '../journal/journal-format.ts';
import type { JournalLock } from '../journal/journal-lock.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';
import { readResults, type Journal } from '../journal/read-journal.ts';
import { getFactsDigest, readRowFacts } from '../rows/row-facts.ts';
import { hasOwnSignatures, RowVariables } from '../rows/row-variables.ts';
import { limitReason, RowFollower } from './row-follower.ts';
import { SendGate } from './send-gate.ts';
import { SendRate } from './send-rate.ts';

/** Responses that are lost in a row before a batch pauses itself. */
const MAX_LOST = 10;

interface BatchFiles {
  /** with the state of a resumed batch */
  readonly journal: Pick<Journal, 'header' | 'table' | 'openRows' | 'knownActions' | 'signatures'>;
  readonly writer: JournalWriter;
  readonly lock: JournalLock;
}

/** A batch under way. */
export class BatchRun implements Batch {
  readonly header: BatchHeader;
  readonly ended: Promise<BatchTotals>;
  readonly #options: BatchOptions;
  readonly #files: BatchFiles;
  readonly #time: Clock;
  readonly #variables: RowVariables;
  readonly #gate: SendGate;
  readonly #follower: RowFollower;
  readonly #events = new BatchEvents(() => this.totals);
  readonly #rate: SendRate;
  /** as of the start */
  readonly #openRows: Map<number, JournalRow>;
  readonly #cancel = new AbortController();
  /** values to redact in reasons: logs can repeat what was sent */
  readonly #secrets: Set<string>;
  /** results that are not written to the journal yet, by row */
  readonly #unwritten = new Map<number, JournalRow>();
  readonly #resolveEnded: (totals: BatchTotals) => void;
  #status: BatchStatus = 'ready';
  #reason: string | undefined;
  #lostInARow = 0;
  /** a row was read but not sent, for example because there is no connection */
  #hasUnsent = false;

  constructor(options: BatchOptions, files: BatchFiles) {
    const { time = systemClock, platform, limits = defaultFollowLimits } = options;
    this.#options = options;
    this.#files = files;
    this.#time = time;
    this.#secrets = new Set(options.secrets);
    this.header = files.journal.header;
    this.#openRows = new Map(files.journal.openRows);
    this.#variables = new RowVariables(options.action.file, options.data, options.variables);
    this.#gate = new SendGate(options.pacing, time);
    this.#rate = new SendRate(time);
    this.#follower = new RowFollower({
      platform,
      time,
      limits,
      searchDuration: options.searchDuration,
      followsLedgerBatches: options.followsLedgerBatches ?? true,
      knownActions: files.journal.knownActions,
      isKnown: (id) => this.#isKnown(id),
      signatures: files.journal.signatures,
      report: (result) => void this.#record(result),
    });
    const { promise, resolve } = Promise.withResolvers<BatchTotals>();
    this.ended = promise;
    this.#resolveEnded = resolve;
  }

  get totals(): BatchTotals {
    const { table } = this.#files.journal;
    const { waitingUntil } = this.#gate;
    return {
      status: this.#status,
      rowCount: table.rowCount,
      counts: table.counts,
      rowsPerSecond: this.#rate.perSecond,
      ...(waitingUntil !== undefined && { waitingUntil }),
      ...(this.#reason !== undefined && { reason: this.#reason }),
    };
  }

  get rowNumbers(): Iterable<number> {
    return this.#files.journal.table;
  }

  getState(row: number): RowState | undefined {
    return this.#files.journal.table.getState(row);
  }

  async readResults(rows: readonly number[]): Promise<readonly RowResult[]> {
    const { table } = this.#files.journal;
    const stored = rows.filter((row) => !this.#unwritten.has(row));
    const unwritten = rows.flatMap((row) => this.#unwritten.get(row) ?? []).map(toResult);
    const results = [...unwritten, ...(await readResults(this.#options.journal, table, stored))];
    const byRow = new Map(results.map((result) => [result.row, result]));
    return rows.map((row) => byRow.get(row) ?? { row, state: 'notSent' });
  }

  listen(listener: (event: BatchEvent) => void): () => void {
    return this.#events.listen(listener);
  }

  async settle(decisions: Decisions): Promise<void> {
    if (this.#status !== 'ready') return;
    const settled = [...decisions].flatMap(([row, log]) => {
      const known = this.#openRows.get(row);
      if (known?.state !== 'unknown') return [];
      const { cause: _cause, possibleLogs: _logs, isLookedUp: _lookedUp, ...rest } = known;
      const result: JournalRow =
        log === undefined
          ? { ...rest, state: 'refused', reason: stored('You marked it as not executed') }
          : {
              ...rest,
              state: 'accepted',
              actionId: log,
              reason: stored('You settled it by its action log'),
            };
      if (log !== undefined) this.#files.journal.knownActions.add(log);
      this.#openRows.set(row, result);
      return [this.#write(result, true)];
    });
    await Promise.all(settled);
  }

  start(): void {
    if (this.#status === 'paused' || this.#status === 'pausing') {
      this.#reason = undefined;
      this.#lostInARow = 0;
      this.#gate.resume();
      this.#setStatus('running');
    } else if (this.#status === 'ready') {
      this.#setStatus('running');
      void this.#run();
    }
  }

  pause(): void {
    if (this.#status !== 'running') return;
    this.#gate.pause();
    this.#setStatus('pausing');
    void this.#gate.drain().then(() => {
      if (this.#status === 'pausing') this.#setStatus('paused');
    });
  }

  async stop(): Promise<void> {
    const { status } = this.totals;
    if (status !== 'stopping' && status !== 'ended') {
      this.#setStatus('stopping');
      this.#gate.stop();
      // Following ends too: `#run` may be waiting for its end.
      void this.#gate.drain().then(() => this.#follower.stop());
      if (status === 'ready') await this.#finish();
    }
    await this.ended;
  }

  setPacing(pacing: BatchPacing): void {
    this.#gate.setPacing(pacing);
  }

  async close(): Promise<void> {
    this.#cancel.abort();
    await this.stop();
  }

  #setStatus(status: BatchStatus): void {
    this.#status = status;
    this.#events.flush();
  }

  get #isStopping(): boolean {
    return this.#status === 'stopping';
  }

  async #run(): Promise<void> {
    for (const secret of await this.#variables.readSecrets()) this.#secrets.add(secret);
    for (const row of this.#openRows.values()) {
      const isSearched = row.state === 'accepted' && row.actionId === undefined;
      if (isSearched || row.state === 'completed') this.#follower.follow(row, undefined, true);
    }
    // Rows that were not sent in their turn are behind the others then.
    for (let isFirst = true; isFirst || this.#hasUnsent; isFirst = false) {
      await this.#sendRows(isFirst);
      await this.#gate.drain();
    }
    if (!this.#isStopping) await this.#follower.waitUntilIdle();
    await this.#finish();
  }

  async #finish(): Promise<void> {
    await this.#follower.stop();
    await this.#files.writer.close();
    await this.#files.lock.release();
    this.#setStatus('ended');
    this.#resolveEnded(this.totals);
  }

  /** Sends the rows that were not sent, and first searches for unknown ones. Never rejects. */
  async #sendRows(isFirst: boolean): Promise<void> {
    this.#hasUnsent = false;
    const { table } = this.#files.journal;
    const { notSent, unknown, accepted } = table.counts;
    if (notSent + unknown + (isFirst ? accepted : 0) === 0) return;
    for (const row of this.#options.data.rows) {
      if (this.#isStopping) return;
      const state = table.getState(row.number);
      const known = this.#openRows.get(row.number);
      if (isFirst && known !== undefined && (state === 'unknown' || known.actionId !== undefined)) {
        const request = await this.#readFacts(row, known);
        if (state === 'unknown' || state === 'accepted') this.#follower.follow(known, request, true);
        continue;
      }
      if (state !== 'notSent') continue;
      if (!(await this.#gate.enter())) return;
      void this.#sendRow(row)
        .catch((error: unknown) => this.#fail(error))
        .finally(() => this.#gate.leave());
    }
  }

  /** What is compared of the request of a row as it was sent; `undefined` if it can no longer be composed like that. */
  async #readFacts(row: DataRow, sent: JournalRow): Promise<RequestFacts | undefined> {
    try {
      const facts = readRowFacts(await this.#compose(row, () => undefined));
      return facts !== undefined && getFactsDigest(this.header.id, facts) === sent.facts ? facts : undefined;
    } catch {
      return undefined;
    }
  }

  #compose(row: DataRow, getSigner: BatchOptions['getSigner']): Promise<ComposedRequest> {
    const { action, secrets } = this.#options;
    const variables = this.#variables.forRow(row);
    return compose(
      action.file,
      { variables, getSigner, ...(secrets !== undefined && { secrets }) },
      this.#cancel.signal,
    );
  }

  /** Sends a row once. Rejects with Error if the journal cannot be written; then nothing was sent. */
  async #sendRow(row: DataRow): Promise<void> {
    let request: ComposedRequest;
    try {
      request = await this.#compose(row, this.#options.getSigner);
    } catch (error) {
      await this.#write({ row: row.number, state: 'notSent', reason: limitReason(describeRunError(error)) });
      return;
    }
    const facts = readRowFacts(request);
    const signature = hasOwnSignatures(this.#options.action.file)
      ? getSignatureDigest(readRequestFacts(request.body)?.signature)
      : undefined;
    if (signature !== undefined) this.#files.journal.signatures.add(signature, row.number);
    const sending: JournalRow = {
      row: row.number,
      state: 'sending',
      sentAt: this.#time.now(),
      ...(signature !== undefined && { signature }),
      ...(facts !== undefined && { facts: getFactsDigest(this.header.id, facts) }),
    };
    // On the disk before the first byte is sent: after a crash, no row that may have been sent is sent again.
    await this.#write(sending, true);
    const { signal } = this.#cancel;
    const platform = createRedactingPlatform(this.#options.platform, new Redactor(request.secrets));
    const withdrawn = new AbortController();
    const onSent = (): void => {
      // It may have been composed for long, and have waited for a token, or for other requests of the connection.
      if (!this.#gate.isOpen) withdrawn.abort();
      withdrawn.signal.throwIfAborted();
    };
    const sent = await send(request.body, platform, { signal, stopWaiting: signal, onSent });
    if (withdrawn.signal.aborted) {
      this.#hasUnsent = true;
      await this.#write({ row: row.number, state: 'notSent' });
      return;
    }
    this.#rate.add();
    this.#handle(sending, sent, facts);
  }

  /** The next row does not wait until the result is written: after a crash, this one would be looked up. */
  #handle(row: JournalRow, sent: SendResult, facts: RequestFacts | undefined): void {
    if (sent.kind !== 'lost') this.#lostInARow = 0;
    if (sent.kind === 'accepted') {
      this.#gate.resetBackoff();
      this.#follower.accept(row, sent.response, facts);
      return;
    }
    const { error } = sent;
    const detail = error instanceof PlatformError ? error.detail : {};
    const reason = limitReason(sent.kind === 'refused' ? describeRefusal(error) : describeRunError(error));
    const result = { ...row, reason, ...(detail.status !== undefined && { status: detail.status }) };
    if (sent.kind === 'notSent') {
      const { sentAt: _never, signature: _signature, facts: _facts, ...unsent } = result;
      this.#hasUnsent = true;
      if (!this.#cancel.signal.aborted) this.#pauseItself(reason);
      void this.#record({ ...unsent, state: 'notSent' });
      return;
    }
    if (detail.status === 429 || detail.retryAfter !== undefined) {
      // All rows wait as long as the platform asks.
      this.#gate.hold(detail.retryAfter);
      this.#events.flush();
    }
    if (sent.kind === 'refused') {
      // Every other row would be refused too.
      if (hasErrorCode(error, 'unauthenticated', 'forbidden')) this.#pauseItself(reason);
      void this.#record({ ...result, state: 'refused' });
      return;
    }
    if (sent.kind === 'lost' && ++this.#lostInARow >= MAX_LOST && !this.#cancel.signal.aborted)
      this.#pauseItself(stored('The last {0} responses were lost: {1}', MAX_LOST, reason));
    const unknown: JournalRow = { ...result, state: 'unknown' };
    void this.#record(unknown);
    this.#follower.follow(unknown, facts);
  }

  /** True for the id of a log or an action of another row, or of a run. */
  #isKnown(id: string): boolean {
    return this.#files.journal.knownActions.has(id) || this.#options.knownLogs?.().has(id) === true;
  }

  #pauseItself(reason: StoredText): void {
    this.#reason = formatSentence(reason, 500);
    this.pause();
  }

  /** Ends the batch after an error that makes further rows unsafe. */
  #fail(error: unknown): void {
    if (this.#isStopping) return;
    this.#reason = formatSentence(
      stored('The journal could not be written, so no more rows are sent: {0}', describeRunError(error)),
      500,
    );
    void this.stop();
  }

  /** Writes a result that nobody waits for. */
  #record(result: JournalRow): Promise<void> {
    return this.#write(result).catch((error: unknown) => this.#fail(error));
  }

  async #write(unredacted: JournalRow, isFlushed = false): Promise<void> {
    const { journal, writer } = this.#files;
    const { row, reason, cause } = unredacted;
    const redact = (part: string): string => redactText(part, [...this.#secrets]);
    const result: JournalRow = {
      ...unredacted,
      ...(reason !== undefined && { reason: mapText(reason, redact) }),
      ...(cause !== undefined && { cause: mapText(cause, redact) }),
    };
    const before = journal.table.getState(row) ?? 'notSent';
    journal.table.setState(row, result.state);
    this.#unwritten.set(row, result);
    this.#events.add(toResult(result));
    const place = await writer.append(JSON.stringify(result), { isFlushed }).catch((error: unknown) => {
      // Nothing is sent without this line.
      if (result.state === 'sending') {
        journal.table.setState(row, before);
        this.#unwritten.delete(row);
        this.#events.add({ row, state: before });
      }
      throw error;
    });
    journal.table.setPlace(row, place);
    if (this.#unwritten.get(row) === result) this.#unwritten.delete(row);
  }
}
