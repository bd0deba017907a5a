/**
 * Why failed entries failed: the step of a run of this workspace, else the batch, else a field of the log. The contract
 * has reasons on steps and batches only. Pure.
 */
import type { JsonObject } from '../platform/json.ts';
import { plainText } from '../platform/plain-text.ts';
import { isFinal, type LogRow } from '../webviews/protocol-logs.ts';
import { keyOf } from './entry.ts';
import type { KeptRun } from './runs.ts';

export interface ReasonsOptions {
  readonly runs: () => Promise<readonly KeptRun[]>;
  /** The raw batch, or why it cannot be read. */
  readonly readBatch: (connection: string, id: string) => Promise<JsonObject | string>;
  /** milliseconds */
  readonly now: () => number;
  /** These rows have another reason now. */
  readonly changed: (keys: readonly string[]) => void;
}

/** Batches that are read for one look. */
const MAX_BATCHES = 20;
/** Milliseconds after which runs, and batches that have not settled, are read again. */
const AGAIN = 30_000;

export class Reasons {
  readonly #options: ReasonsOptions;
  /** by the key of an entry */
  #steps: ReadonlyMap<string, string> = new Map();
  /** by connection and id */
  readonly #batches = new Map<string, { readonly reason: string; readonly due: number }>();
  #runsRead = -Infinity;
  #looking = false;

  constructor(options: ReasonsOptions) {
    this.#options = options;
  }

  /** The row with the best reason that is known. */
  withReason(row: LogRow): LogRow {
    if (row.status !== 'failed') return row;
    const step = this.#steps.get(row.key);
    if (step !== undefined) return { ...row, message: step, reasonFrom: 'step' };
    const batch = this.#batches.get(keyOf(row.connection, row.batch))?.reason ?? '';
    return batch === '' ? row : { ...row, message: batch, reasonFrom: 'batch' };
  }

  /** Reads runs and batches of failed rows, newest last, as far as that is due. Never throws. */
  async look(rows: readonly LogRow[]): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const failed = rows.filter(({ status }) => status === 'failed');
      const before = failed.map((row) => this.withReason(row));
      await this.#readRuns();
      await this.#readBatches(failed);
      const changed = failed.filter((row, index) => {
        const { message, reasonFrom } = this.withReason(row);
        return before[index]?.message !== message || before[index].reasonFrom !== reasonFrom;
      });
      if (changed.length > 0) this.#options.changed(changed.map(({ key }) => key));
    } finally {
      this.#looking = false;
    }
  }

  async #readRuns(): Promise<void> {
    const { runs, now } = this.#options;
    if (now() - this.#runsRead < AGAIN) return;
    this.#runsRead = now();
    const kept = await runs().catch(() => []);
    this.#steps = new Map(
      kept.flatMap(({ connection, actionId, logId, steps }) => {
        const error = plainText(steps?.find((step) => (step.error ?? '') !== '')?.error ?? '', 400);
        const ids = [actionId, logId].filter((id) => id !== undefined && id !== '');
        return error === '' ? [] : ids.map((id) => [keyOf(connection, id ?? ''), error] as const);
      }),
    );
  }

  async #readBatches(failed: readonly LogRow[]): Promise<void> {
    const { readBatch, now } = this.#options;
    const due = new Map<string, LogRow>();
    for (const row of failed.toReversed()) {
      const key = keyOf(row.connection, row.batch);
      const known = this.#batches.get(key);
      if (row.batch === '' || this.#steps.has(row.key)) continue;
      if (known !== undefined && now() < known.due) continue;
      if (due.size < MAX_BATCHES) due.set(key, row);
    }
    for (const [key, { connection, batch: id }] of due) {
      const batch = await readBatch(connection, id);
      const { error, status } = typeof batch === 'string' ? {} : batch;
      const isSettled = typeof status === 'string' && isFinal(status);
      const reason = typeof error === 'string' ? plainText(error, 400) : '';
      this.#batches.set(key, { reason, due: isSettled || reason !== '' ? Infinity : now() + AGAIN });
    }
  }
}
