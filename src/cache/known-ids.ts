/** The known ids of this machine: in memory, loaded from a file on first use and written back after changes. */
import { readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../ui/disposables.ts';
import type { Log } from '../ui/log.ts';
import { writePrivateFile, writePrivateFileSync } from '../model/files/write-file.ts';
import { parseIds, serializeIds, type ParsedIds } from './id-file.ts';
import { addTemplateTitle, IdIndex, MAX_IDS, type KnownId } from './id-index.ts';
import type { Profile } from '../model/session/session.ts';
import { getErrorMessage } from '../model/text/error-message.ts';

const FILE_NAME = 'known-ids.json';
const WRITE_DELAY_MS = 5000;

interface KnownIdsOptions {
  /** path of a private folder; created with the first write */
  readonly storage: string;
  readonly log: Pick<Log, 'warn'>;
  /** in-memory connections are not written */
  readonly profiles: () => readonly Pick<Profile, 'name' | 'baseUrl' | 'source'>[];
}

/** Loads, merges and writes the index of known ids. */
export class KnownIds implements Disposable {
  readonly index = new IdIndex();
  readonly #options: KnownIdsOptions;
  readonly #file: string;
  readonly #changeListener: Disposable;
  readonly #forgotten = new Set<string>();
  #loading: Promise<IdIndex> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** change count of the index, and the count that the file contains */
  #changes = 0;
  #writtenChanges = 0;

  constructor(options: KnownIdsOptions) {
    this.#options = options;
    this.#file = path.join(options.storage, FILE_NAME);
    this.#changeListener = this.index.onDidChange(() => {
      this.#changes++;
      this.#schedule();
    });
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_DELAY_MS);
  }

  /** Resolves with the index, including ids of earlier windows. Reads the file once. Never rejects. */
  load(): Promise<IdIndex> {
    return (this.#loading ??= this.#read().then((text) => {
      this.index.restore(this.#parse(text).known);
      return this.index;
    }));
  }

  /** Removes the ids of a connection that was removed or changed identity, in the file too. */
  forget(connection: string): void {
    this.#forgotten.add(connection);
    this.index.forget(connection);
  }

  /** Writes the ids to the file. Never rejects: a failure is logged. */
  async flush(): Promise<void> {
    let changes = this.#changes;
    try {
      await this.load();
      const text = this.#mergeWith(await this.#read());
      changes = this.#changes;
      await writePrivateFile(this.#file, text);
      this.#writtenChanges = changes;
      if (this.#changes === changes) this.#forgotten.clear();
    } catch (error) {
      this.#options.log.warn(`Store known IDs: ${getErrorMessage(error)}`);
    } finally {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      // Ids recorded during the write are not in the file.
      if (this.#changes > changes) this.#schedule();
    }
  }

  *#listTitled(): Generator<KnownId> {
    for (const known of this.index.newestFirst()) yield addTemplateTitle(this.index, known);
  }

  #read(): Promise<string> {
    // The file is created with the first ids.
    return fs.readFile(this.#file, 'utf8').catch(() => '');
  }

  /** Merges with the file, which another window may have written; entries of unknown connections stay unchanged. */
  #mergeWith(text: string): string {
    const baseUrls = this.#baseUrls();
    const { known, others } = this.#parse(text);
    const added = known.filter(
      ({ id, connection }) => !this.index.find(id).some((own) => own.connection === connection),
    );
    const capacity = MAX_IDS - this.index.size;
    if (added.length > 0 && capacity > 0) this.index.restore(added.slice(-capacity));
    return serializeIds([...this.#listTitled()].reverse(), baseUrls, others);
  }

  /** Filters out forgotten entries that are still in the file. */
  #parse(text: string): ParsedIds {
    const { known, others } = parseIds(text, this.#baseUrls());
    const rest = Object.entries(others).filter(([name]) => !this.#forgotten.has(name));
    return {
      known: known.filter(({ connection }) => !this.#forgotten.has(connection)),
      others: Object.fromEntries(rest),
    };
  }

  #baseUrls(): ReadonlyMap<string, string> {
    const stored = this.#options.profiles().filter(({ source }) => source !== 'memory');
    return new Map(stored.map(({ name, baseUrl }) => [name, baseUrl]));
  }

  dispose(): void {
    this.#changeListener.dispose();
    clearTimeout(this.#timer);
    if (this.#changes === this.#writtenChanges) return;
    // A running write already includes earlier changes.
    this.#changes = 0;
    try {
      let previous = '';
      try {
        previous = readFileSync(this.#file, 'utf8');
      } catch {}
      writePrivateFileSync(this.#file, this.#mergeWith(previous));
    } catch {
      // The window is closing: errors cannot be shown.
    }
  }
}
