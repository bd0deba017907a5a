import { isObject } from '../../platform/json/json.ts';
import { readStatus } from '../../platform/resources/action-log-fields.ts';
import { formatLine, isFinalBatchStatus } from '../../model/runs/run-record.ts';
import { decideOutcome } from './decide-outcome.ts';
import type { Clock, FollowLimits } from './follow.ts';
import type { BatchPlatform } from '../bulk/batch-platform.ts';
import type { JournalRow } from '../bulk/journal/journal-format.ts';

/** Ledger batches that are read in one pass, and at once. */
const MAX_READS = 60;
const MAX_CONCURRENT = 6;

interface LedgerBatchOptions {
  readonly platform: BatchPlatform;
  readonly time: Clock;
  readonly limits: FollowLimits;
  readonly report: (result: JournalRow) => void;
}

interface LedgerBatch {
  readonly id: string;
  /** milliseconds since the epoch */
  readonly since: number;
  readonly rows: JournalRow[];
}

/** Follows the ledger batches of completed rows: a row fails with its batch. */
export class LedgerBatchWatcher {
  readonly #options: LedgerBatchOptions;
  readonly #batches = new Map<string, LedgerBatch>();

  constructor(options: LedgerBatchOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#batches.size === 0;
  }

  get size(): number {
    return this.#batches.size;
  }

  /** A row whose log names no batch is not followed: what decides it is known. */
  add(result: JournalRow): void {
    const { ledgerBatch: id } = result;
    if (id === undefined) return;
    const batch = this.#batches.get(id);
    if (batch === undefined) this.#batches.set(id, { id, since: this.#options.time.now(), rows: [result] });
    else batch.rows.push(result);
  }

  /** Reads each batch once, or as many as a pass may. Never rejects. */
  async pass(signal: AbortSignal): Promise<void> {
    const due = [...this.#batches.values()].slice(0, MAX_READS);
    const next = due.values();
    const readInTurn = async (): Promise<void> => {
      for (const batch of next) {
        if (signal.aborted) return;
        await this.#read(batch, signal);
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, readInTurn));
  }

  async #read(ledgerBatch: LedgerBatch, signal: AbortSignal): Promise<void> {
    const { platform, time, limits, report } = this.#options;
    const { id, since, rows } = ledgerBatch;
    const batch = await platform.batch(id, signal).catch(() => undefined);
    if (signal.aborted) return;
    this.#batches.delete(id);
    const status = isObject(batch) ? readStatus(batch) : undefined;
    if (!isObject(batch) || status === undefined || !isFinalBatchStatus(status)) {
      // To the end of the queue.
      if (time.now() - since < limits.batch) this.#batches.set(id, ledgerBatch);
      return;
    }
    const verdict = decideOutcome(
      { stage: 'batch', logStatus: 'completed', batch, batchStatus: status, isFinished: true },
      [],
    );
    for (const row of rows)
      report({
        ...row,
        ledgerBatchStatus: formatLine(status, 60),
        ...(verdict.outcome === 'failed' && { state: 'failed' as const, reason: formatLine(verdict.reason, 500) }),
      });
  }
}
