import type { Batch, BatchOptions, RunAgainOptions } from './batch.ts';

/**
 * Opens a new batch with a new journal; sends nothing before `start`. Rejects with Error, for users, if the journal
 * exists, cannot be written or is open elsewhere.
 */
export function createBatch(options: BatchOptions): Promise<Batch> {
  return Promise.reject(new Error(`${options.journal}: not implemented`));
}

/**
 * Opens a batch from its journal. Rows that were `sending` become `unknown`: they are looked up, never sent again.
 * Rejects with Error, for users, if the journal is open elsewhere or not one, or is of another action, data or connection.
 */
export function resumeBatch(options: BatchOptions): Promise<Batch> {
  return Promise.reject(new Error(`${options.journal}: not implemented`));
}

/**
 * Opens a new batch over the refused and failed rows of another one. Rejects as `createBatch` and `resumeBatch` do, and
 * if there is no such row or the other batch is open elsewhere.
 */
export function runAgain(options: RunAgainOptions): Promise<Batch> {
  return Promise.reject(new Error(`${options.journal}: not implemented`));
}
