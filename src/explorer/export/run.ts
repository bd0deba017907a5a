/** Pure: streams a list into a file page by page, at constant memory, so that it can go on where it stopped. */
import type { FileHandle } from 'node:fs/promises';
import type { AnyQuery } from '../../platform/operation.ts';
import type { Page } from '../../platform/page.ts';
import type { ResourceRow } from '../../platform/resource.ts';
import type { Format } from '../../platform/export/format.ts';
import { writerOf } from '../../platform/export/format.ts';

/** How far an export has come: enough to go on, and no more. */
export interface Reached {
  readonly count: number;
  /** of the partial file; what stands behind them was cut off in the middle */
  readonly bytes: number;
  /** of the page to read next; absent before the first */
  readonly cursor?: string;
  /** every page was read */
  readonly complete: boolean;
}

export const START: Reached = { count: 0, bytes: 0, complete: false };

export interface ExportRun {
  readonly row: ResourceRow;
  readonly format: Format;
  readonly query: AnyQuery;
  /** the client's `pagesOf` */
  readonly pages: (
    row: ResourceRow,
    query: AnyQuery,
    signal: AbortSignal,
    from: string | undefined,
  ) => AsyncIterable<Page>;
  /** written to until all is there; the caller closes it */
  readonly file: FileHandle;
  readonly from: Reached;
  readonly signal: AbortSignal;
  /** called after each page that is safely in the file */
  readonly reached: (reached: Reached) => void;
}

/** Resolves with the number of items. Throws PlatformError or the file system's error; what was reached stays valid. */
export async function runExport({
  row,
  format,
  query,
  pages,
  file,
  from,
  signal,
  reached,
}: ExportRun): Promise<number> {
  const writer = writerOf(format, row);
  const fresh = from.bytes === 0;
  let at = from;
  await file.truncate(from.bytes);
  const write = async (text: string): Promise<number> => {
    const bytes = Buffer.from(text);
    // A disk that fills up takes a part, and says why only at the next attempt.
    for (let done = 0; done < bytes.length;)
      done += (await file.write(bytes, done, bytes.length - done, at.bytes + done)).bytesWritten;
    return at.bytes + bytes.length;
  };
  if (fresh) at = { ...at, bytes: await write(writer.head) };
  if (!at.complete) {
    for await (const { items, next } of pages(row, query, signal, at.cursor)) {
      signal.throwIfAborted();
      const text = writer.rows(
        items.map(({ raw }) => raw),
        at.count,
      );
      const bytes = await write(text);
      at = {
        count: at.count + items.length,
        bytes,
        complete: next === undefined,
        ...(next !== undefined && { cursor: next }),
      };
      reached(at);
    }
    // A cursor that led in a circle ends the list too.
    reached((at = { count: at.count, bytes: at.bytes, complete: true }));
  }
  await write(writer.tail(at.count));
  return at.count;
}
