import type { BatchData } from '../batch.ts';

export const dataFileExtensions = ['csv', 'tsv', 'ndjson', 'jsonl', 'json'] as const;

interface DataFileOptions {
  /** real path of the file, with links resolved and checked by the caller: see `resolveWorkspaceFile` */
  readonly path: string;
  readonly name: string;
  readonly signal?: AbortSignal;
}

/**
 * Opens a data file (CSV, NDJSON or a JSON array of objects, by its extension) and reads it once as a stream. Rejects with
 * Error, for users, if it is not such a file, too large, or not UTF-8.
 */
export function openDataFile({ name }: DataFileOptions): Promise<BatchData> {
  return Promise.reject(new Error(`${name}: not implemented`));
}

/**
 * The data of rows in memory, such as a selection: cells in the order of the columns. To resume it later, store what
 * `formatRows` returns as a `.ndjson` file and open that.
 */
export function createData(name: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): BatchData {
  throw new Error(`${name}: not implemented ${String(columns.length)} ${String(rows.length)}`);
}

/** Rows as NDJSON, one object a line. */
export function formatRows(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return rows
    .map((cells) => `${JSON.stringify(Object.fromEntries(columns.map((name, index) => [name, cells[index]])))}\n`)
    .join('');
}
