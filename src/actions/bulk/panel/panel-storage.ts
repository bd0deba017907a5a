/** The batches of the panel on disk: a folder each, with what it runs, its journal, and the data of a selection. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { writePrivateFile } from '../../../model/files/write-file.ts';
import { COLUMN_TYPES } from '../../../model/runs/column-types.ts';
import { readJournalSummary, type JournalSummary } from '../journal/journal-reader.ts';

const ID = /^[\w-]{1,80}$/;
/** Batches that are kept; the oldest go first. */
const MAX_BATCHES = 20;

const storedBatchSchema = z.object({
  id: z.string().check(z.regex(ID)),
  action: z.object({
    name: z.string(),
    /** URI of the file */
    uri: z.optional(z.string()),
    /** the text that was checked last; it no longer changes once the batch was started */
    text: z.string(),
  }),
  /** `uri`: a file of the workspace; without it the data is stored beside */
  data: z.object({ name: z.string(), uri: z.optional(z.string()) }),
  /** types of columns that the user chose */
  types: z.optional(z.record(z.string(), z.enum(COLUMN_TYPES))),
  connection: z.string(),
  /** one of several identities of the connection; absent: the default one */
  identity: z.optional(z.string()),
  /** id of the batch whose refused and failed rows this one runs again */
  former: z.optional(z.string().check(z.regex(ID))),
  /** the user does not want to be told that it is unfinished */
  isDismissed: z.optional(z.boolean()),
  pacing: z.object({ concurrency: z.number(), rate: z.optional(z.number()) }),
});
/** What a batch of the panel runs. */
export type StoredBatch = z.infer<typeof storedBatchSchema>;

/** A stored batch with its journal; without one nothing was sent. */
interface StoredBatchSummary {
  readonly stored: StoredBatch;
  readonly journal: JournalSummary | undefined;
}

/** The folder of the batches of a workspace. */
export class BatchStorage {
  /** path of the folder of all batches */
  readonly folder: string;

  /** `storage`: path of the storage of the workspace */
  constructor(storage: string) {
    this.folder = path.join(storage, 'batches');
  }

  /** Returns an id that sorts by time. */
  createId(): string {
    return `${new Date().toISOString().replace(/\D/g, '').slice(0, 17)}-${randomUUID().slice(0, 8)}`;
  }

  /** Returns the path of the journal. */
  getJournal(id: string): string {
    return path.join(this.folder, id, 'journal.ndjson');
  }

  /** Returns the path of the data of a selection. */
  getData(id: string): string {
    return path.join(this.folder, id, 'data.ndjson');
  }

  /** Stores a batch, with its data if that is no file. Rejects with the file-system error. */
  async save(stored: StoredBatch, data?: string): Promise<void> {
    if (data !== undefined) await writePrivateFile(this.getData(stored.id), data);
    await writePrivateFile(path.join(this.folder, stored.id, 'batch.json'), JSON.stringify(stored));
  }

  /** Copies the data of a selection to another batch. Rejects with the file-system error. */
  async copyData(from: string, to: string): Promise<void> {
    await writePrivateFile(this.getData(to), await fs.readFile(this.getData(from), 'utf8'));
  }

  /** Reads a stored batch. Rejects with Error if there is none. */
  async read(id: string): Promise<StoredBatch> {
    if (!ID.test(id)) throw new Error(l10n.t('This batch is no longer stored'));
    const text = await fs.readFile(path.join(this.folder, id, 'batch.json'), 'utf8').catch(() => '{}');
    const parsed = storedBatchSchema.safeParse(JSON.parse(text));
    if (!parsed.success) throw new Error(l10n.t('This batch is no longer stored'));
    return parsed.data;
  }

  /** True if something was sent for the batch, or was about to be. */
  async hasJournal(id: string): Promise<boolean> {
    return fs.access(this.getJournal(id)).then(
      () => true,
      () => false,
    );
  }

  /** Lists the stored batches, oldest first. Never rejects: skips what cannot be read. */
  async list(): Promise<readonly StoredBatchSummary[]> {
    const names = (await fs.readdir(this.folder).catch(() => [])).filter((name) => ID.test(name)).sort();
    const found: StoredBatchSummary[] = [];
    for (const name of names) {
      const stored = await this.read(name).catch(() => undefined);
      if (stored === undefined) continue;
      const journal = await readJournalSummary(this.getJournal(name)).catch(() => undefined);
      found.push({ stored, journal });
    }
    return found;
  }

  /** Deletes a batch. Rejects with the file-system error. */
  async delete(id: string): Promise<void> {
    if (ID.test(id)) await fs.rm(path.join(this.folder, id), { recursive: true, force: true });
  }

  /** No longer offers to resume a batch. Rejects with Error if it is not stored or cannot be stored. */
  async dismiss(id: string): Promise<void> {
    await this.save({ ...(await this.read(id)), isDismissed: true });
  }

  /** Deletes the oldest batches beyond 20, but none that is unfinished and not dismissed, open, or in `except`. Rejects with the file-system error. */
  async prune(except: ReadonlySet<string>): Promise<void> {
    const idle = (await this.list()).filter(
      ({ stored, journal }) =>
        !except.has(stored.id) &&
        journal?.isOpen !== true &&
        (journal?.isUnfinished !== true || stored.isDismissed === true),
    );
    for (const { stored } of idle.slice(0, Math.max(0, idle.length - MAX_BATCHES))) await this.delete(stored.id);
  }
}
