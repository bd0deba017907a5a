import type { FileHandle } from 'node:fs/promises';
import type { AnyQuery } from '../../platform/operation.ts';
import type { Page } from '../../platform/page.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import type { ExportFormat } from '../../model/export/export-writer.ts';
import { createExportWriter } from '../../model/export/export-writer.ts';
import type { ExportProgress } from './pending-exports.ts';

export const NO_PROGRESS: ExportProgress = { count: 0, bytes: 0, complete: false };

type ExportPage = Pick<Page, 'next'> & { readonly items: readonly { readonly raw: unknown }[] };

export interface ExportOptions {
  readonly definition: ResourceDefinition;
  readonly format: ExportFormat;
  readonly query: AnyQuery;
  /** the client's `listPagesFor` */
  readonly pages: (
    definition: ResourceDefinition,
    query: AnyQuery,
    signal: AbortSignal,
    from: string | undefined,
  ) => AsyncIterable<ExportPage> | Iterable<ExportPage>;
  /** closed at the end, also of an export that fails */
  readonly file: FileHandle;
  readonly from: ExportProgress;
  readonly signal: AbortSignal;
  /** called after each page that is written */
  readonly onProgress: (reached: ExportProgress) => void;
}

/**
 * Streams a list into a file page by page, at constant memory. Resolves to the number of items. Rejects with
 * PlatformError or the file system's error; the last reported progress stays valid.
 */
export async function runExport(options: ExportOptions): Promise<number> {
  try {
    return await writePages(options);
  } finally {
    await options.file.close();
  }
}

async function writePages({
  definition,
  format,
  query,
  pages,
  file,
  from,
  signal,
  onProgress,
}: ExportOptions): Promise<number> {
  const writer = createExportWriter(format, definition);
  const isNew = from.bytes === 0;
  let progress = from;
  await file.truncate(from.bytes);
  const write = async (text: string): Promise<number> => {
    const bytes = Buffer.from(text);
    // A full disk accepts a part; only the next write fails.
    for (let done = 0; done < bytes.length;)
      done += (await file.write(bytes, done, bytes.length - done, progress.bytes + done)).bytesWritten;
    return progress.bytes + bytes.length;
  };
  if (isNew) progress = { ...progress, bytes: await write(writer.head) };
  if (!progress.complete) {
    for await (const { items, next } of pages(definition, query, signal, progress.cursor)) {
      signal.throwIfAborted();
      const text = writer.rows(
        items.map(({ raw }) => raw),
        progress.count,
      );
      const bytes = await write(text);
      progress = {
        count: progress.count + items.length,
        bytes,
        complete: next === undefined,
        ...(next !== undefined && { cursor: next }),
      };
      onProgress(progress);
    }
    // Repeated cursors end the list too.
    onProgress((progress = { count: progress.count, bytes: progress.bytes, complete: true }));
  }
  await write(writer.tail(progress.count));
  return progress.count;
}
