import type { BatchData, DataRow } from '../batch.ts';

/** Returns the data with only the given rows, which keep their numbers. */
export function selectRows(data: BatchData, numbers: ReadonlySet<number>): BatchData {
  return {
    ...data,
    rowCount: numbers.size,
    async *read(signal?: AbortSignal): AsyncGenerator<DataRow> {
      for await (const row of data.read(signal)) if (numbers.has(row.number)) yield row;
    },
  };
}
