import type { JsonObject } from '../../platform/json/json.ts';
import { isFinalLogStatus, readBatchFailureReason, readStatus } from '../../platform/resources/action-log-fields.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import type { LogRow } from '../../webviews/protocol/logs.ts';
import { getEntryKey } from '../entry.ts';
import type { RunRecord } from '../../model/runs/run-record.ts';

/** A run, and where it came from as it is shown. */
export type FailedRun = Pick<RunRecord, 'id' | 'connection' | 'actionId' | 'logId' | 'steps'> & {
  readonly label: string;
};

interface FailureReasonsOptions {
  readonly runs: () => Promise<readonly FailedRun[]>;
  /** The raw batch, or a message why it cannot be read. */
  readonly readBatch: (connection: string, id: string) => Promise<JsonObject | string>;
  /** milliseconds of a clock that is never set back */
  readonly now: () => number;
}

/** Batches read in one update. */
const MAX_BATCHES = 20;
/** Batches whose reasons are looked for, of the newest failures. */
const MAX_RECENT_BATCHES = 200;
/** Milliseconds after which runs and unsettled batches are read again. */
const REREAD_INTERVAL = 30_000;

/**
 * Finds out why entries failed: from the step of a run of this workspace, else from the batch, else from a field of the
 * log. The contract has reasons on steps and batches only.
 */
export class FailureReasons {
  readonly #options: FailureReasonsOptions;
  /** runs by entry key, with the errors of their steps */
  #runs: ReadonlyMap<string, { readonly error: string; readonly run: LogRow['run'] }> = new Map();
  /** by connection and batch id */
  readonly #batches = new Map<string, { readonly reason: string; readonly due: number }>();
  #runsRead = -Infinity;
  #updating = false;

  constructor(options: FailureReasonsOptions) {
    this.#options = options;
  }

  /** Returns the row with the best known reason. */
  withReason(log: LogRow): LogRow {
    if (log.status !== 'failed') return log;
    const { error, run } = this.#runs.get(log.key) ?? {};
    const row = run === undefined ? log : { ...log, run };
    if (error !== undefined && error !== '') return { ...row, message: error, reasonSource: 'step' };
    const batch = this.#batches.get(getEntryKey(row.connection, row.batch))?.reason;
    if (batch === undefined) return row.batch === '' || row.message !== '' ? row : { ...row, reasonUnread: true };
    return batch === '' ? row : { ...row, message: batch, reasonSource: 'batch' };
  }

  /**
   * Reads the runs, and the batches of the newest failed rows, that are due. `rows`: oldest first; reading stops when they
   * are no longer `wanted`. Resolves with the keys of the rows whose reason changed. Never rejects.
   */
  async update(rows: readonly LogRow[], wanted: () => boolean): Promise<readonly string[]> {
    if (this.#updating) return [];
    this.#updating = true;
    try {
      const failed = rows.filter(({ status }) => status === 'failed');
      const before = failed.map((row) => this.withReason(row));
      await this.#readRuns();
      await this.#readBatches(failed, wanted);
      const changed = failed.filter((row, index) => {
        const { message, reasonSource, reasonUnread, run } = this.withReason(row);
        const old = before[index];
        return (
          old?.message !== message ||
          old.reasonSource !== reasonSource ||
          old.reasonUnread !== reasonUnread ||
          old.run?.label !== run?.label
        );
      });
      return changed.map(({ key }) => key);
    } finally {
      this.#updating = false;
    }
  }

  async #readRuns(): Promise<void> {
    const { runs, now } = this.#options;
    if (now() - this.#runsRead < REREAD_INTERVAL) return;
    this.#runsRead = now();
    const records = await runs().catch(() => []);
    this.#runs = new Map(
      records.flatMap(({ id: run, connection, actionId, logId, steps, label }) => {
        const error = toPlainText(steps.find((step) => (step.error ?? '') !== '')?.error ?? '', 400);
        const ids = [actionId, logId].filter((id) => id !== undefined && id !== '');
        return ids.map((id) => [getEntryKey(connection, id ?? ''), { error, run: { id: run, label } }] as const);
      }),
    );
  }

  async #readBatches(failed: readonly LogRow[], wanted: () => boolean): Promise<void> {
    const { readBatch, now } = this.#options;
    const recent = new Map<string, LogRow>();
    for (const row of failed.toReversed()) {
      if (recent.size === MAX_RECENT_BATCHES) break;
      if (row.batch !== '' && (this.#runs.get(row.key)?.error ?? '') === '')
        recent.set(getEntryKey(row.connection, row.batch), row);
    }
    const due = [...recent].filter(([key]) => now() >= (this.#batches.get(key)?.due ?? -Infinity));
    for (const [key, { connection, batch: id }] of due.slice(0, MAX_BATCHES)) {
      if (!wanted()) return;
      const batch = await readBatch(connection, id);
      const raw = typeof batch === 'string' ? {} : batch;
      const isSettled = isFinalLogStatus(readStatus(raw));
      const reason = toPlainText(readBatchFailureReason(raw) ?? '', 400);
      this.#batches.set(key, { reason, due: isSettled || reason !== '' ? Infinity : now() + REREAD_INTERVAL });
    }
  }
}
