import * as z from 'zod/mini';
import { createListSchema, type KeyValueStore } from '../../cache/stored-record.ts';
import { exportFormats } from '../../model/export/export-writer.ts';
import { bounds } from '../filter/filter.ts';

const reached = z.object({
  count: z.int(),
  /** complete pages in the partial file; what follows is an incomplete write */
  bytes: z.int(),
  /** of the next page; absent before the first */
  cursor: z.exactOptional(z.string()),
  /** every page was read */
  complete: z.boolean(),
});
/** The position from which an export can be resumed. */
export type ExportProgress = Readonly<z.output<typeof reached>>;

const pendingExport = z.object({
  connection: z.string(),
  /** that it reads as; absent for the only identity of the connection */
  identity: z.exactOptional(z.string()),
  /** cursors are valid for this platform only */
  baseUrl: z.string(),
  kind: z.string(),
  label: z.string(),
  format: z.enum(exportFormats),
  /** with dates resolved, so that all pages use the same query */
  query: z.record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.partialRecord(z.enum(bounds), z.string())]),
  ),
  /** URI of the final file */
  target: z.string(),
  /** the file being written */
  partial: z.object({ path: z.string(), identity: z.string() }),
  reached,
});
/** All that is needed to resume an export. */
export type PendingExport = Readonly<z.infer<typeof pendingExport>>;

const storedSchema = createListSchema(pendingExport);
const STORAGE_KEY = 'explorer.exports';
const MAX_PENDING_EXPORTS = 20;

/** Stores interrupted exports, so that they can be resumed after a reload. */
export class PendingExports {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  get all(): readonly PendingExport[] {
    return z.safeParse(storedSchema, this.#store.get(STORAGE_KEY)).data ?? [];
  }

  /** Stores an interrupted export. Rejects if the memento cannot be written. */
  async save(pending: PendingExport): Promise<void> {
    await this.#write([...this.#others(pending), pending].slice(-MAX_PENDING_EXPORTS));
  }

  /** Forgets the export to a target. Rejects if the memento cannot be written. */
  async delete(pending: Pick<PendingExport, 'target'>): Promise<void> {
    await this.#write(this.#others(pending));
  }

  #others({ target }: Pick<PendingExport, 'target'>): readonly PendingExport[] {
    return this.all.filter((other) => other.target !== target);
  }

  async #write(all: readonly PendingExport[]): Promise<void> {
    await this.#store.update(STORAGE_KEY, all.length === 0 ? undefined : all);
  }
}
