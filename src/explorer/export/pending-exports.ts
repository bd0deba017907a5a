import { isObject } from '../../platform/json/json.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import type { KeyValueStore } from '../storage.ts';
import { isExportFormat, type ExportFormat } from '../../model/export/export-writer.ts';
import type { PartialFile } from '../../model/files/write-file.ts';
import type { ExportProgress } from './run-export.ts';

/** All that is needed to resume an export. */
export interface PendingExport {
  readonly connection: string;
  /** that it reads as; absent for the only identity of the connection */
  readonly identity?: string;
  /** cursors are valid for this platform only */
  readonly baseUrl: string;
  readonly kind: string;
  readonly label: string;
  readonly format: ExportFormat;
  /** with dates resolved, so that all pages use the same query */
  readonly query: AnyQuery;
  /** URI of the final file */
  readonly target: string;
  /** the file being written */
  readonly partial: PartialFile;
  readonly reached: ExportProgress;
}

const STORAGE_KEY = 'explorer.exports';
const MAX_PENDING_EXPORTS = 20;

/** Stores interrupted exports, so that they can be resumed after a reload. */
export class PendingExports {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  get all(): readonly PendingExport[] {
    const stored = this.#store.get(STORAGE_KEY);
    return Array.isArray(stored) ? stored.filter(isPending) : [];
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

const TEXT_FIELDS = ['connection', 'baseUrl', 'kind', 'label', 'target'] as const;

function isPending(value: unknown): value is PendingExport {
  if (!isObject(value) || !TEXT_FIELDS.every((name) => typeof value[name] === 'string')) return false;
  const { identity, reached, query, format, partial } = value;
  if (identity !== undefined && typeof identity !== 'string') return false;
  if (!isObject(reached) || !isObject(query) || !isExportFormat(format) || !isObject(partial)) return false;
  if (typeof partial['path'] !== 'string' || typeof partial['identity'] !== 'string') return false;
  const { count, bytes, cursor, complete } = reached;
  const counted = Number.isSafeInteger(count) && Number.isSafeInteger(bytes);
  return counted && typeof complete === 'boolean' && (cursor === undefined || typeof cursor === 'string');
}
