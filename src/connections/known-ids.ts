/** Pure: the ids that this machine has met: in memory at once, from a file when somebody asks, and written back now and then. */
import { readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../ui/disposables.ts';
import type { Log } from '../ui/log.ts';
import { writePrivateFile, writePrivateFileSync } from '../ui/private-file.ts';
import { idsFromText, idsToText, type FileIds } from './id-file.ts';
import { IdIndex, MOST_IDS } from './id-index.ts';
import type { Profile } from './types.ts';

const FILE = 'known-ids.json';
const PAUSE = 5000;

export interface KnownIdsParts {
  /** path of a folder of ours; made when the first are written */
  readonly storage: string;
  readonly log: Pick<Log, 'warn'>;
  /** connections in memory alone are not written */
  readonly profiles: () => readonly Pick<Profile, 'name' | 'baseUrl' | 'source'>[];
}

export class KnownIds implements Disposable {
  readonly index = new IdIndex();
  readonly #parts: KnownIdsParts;
  readonly #file: string;
  readonly #listening: Disposable;
  readonly #gone = new Set<string>();
  #reading: Promise<IdIndex> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** how often the index changed, and how much of that is in the file */
  #changes = 0;
  #written = 0;

  constructor(parts: KnownIdsParts) {
    this.#parts = parts;
    this.#file = path.join(parts.storage, FILE);
    this.#listening = this.index.onDidChange(() => {
      this.#changes++;
      this.#schedule();
    });
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), PAUSE);
  }

  /** The index with what earlier windows knew. Reads the file once, when first asked. */
  ready(): Promise<IdIndex> {
    return (this.#reading ??= this.#read().then((text) => {
      this.index.recall(this.#inFile(text).known);
      return this.index;
    }));
  }

  /** Those of a connection that was removed, or is another person's now, in the file too. */
  forget(connection: string): void {
    this.#gone.add(connection);
    this.index.forget(connection);
  }

  async flush(): Promise<void> {
    let met = this.#changes;
    try {
      await this.ready();
      const text = this.#merged(await this.#read());
      met = this.#changes;
      await writePrivateFile(this.#file, text);
      this.#written = met;
      if (this.#changes === met) this.#gone.clear();
    } catch (error) {
      this.#parts.log.warn(`Keep known ids: ${error instanceof Error ? error.message : 'unknown error'}`);
    } finally {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      // What was met during the write is not in it.
      if (this.#changes > met) this.#schedule();
    }
  }

  #read(): Promise<string> {
    // There is no file before the first ids are met.
    return fs.readFile(this.#file, 'utf8').catch(() => '');
  }

  /** Another window may have written since: what it knows is taken in, and what is none of ours is left as it is. */
  #merged(text: string): string {
    const baseUrls = this.#baseUrls();
    const { known, others } = this.#inFile(text);
    const news = known.filter(
      ({ id, connection }) => !this.index.find(id).some((own) => own.connection === connection),
    );
    const room = MOST_IDS - this.index.size;
    if (news.length > 0 && room > 0) this.index.recall(news.slice(-room));
    return idsToText([...this.index.latest()].reverse(), baseUrls, others);
  }

  /** Without what was forgotten and stands there still. */
  #inFile(text: string): FileIds {
    const { known, others } = idsFromText(text, this.#baseUrls());
    const rest = Object.entries(others).filter(([name]) => !this.#gone.has(name));
    return {
      known: known.filter(({ connection }) => !this.#gone.has(connection)),
      others: Object.fromEntries(rest),
    };
  }

  #baseUrls(): ReadonlyMap<string, string> {
    const kept = this.#parts.profiles().filter(({ source }) => source !== 'memory');
    return new Map(kept.map(({ name, baseUrl }) => [name, baseUrl]));
  }

  dispose(): void {
    this.#listening.dispose();
    clearTimeout(this.#timer);
    if (this.#changes === this.#written) return;
    // A write that is under way puts nothing off any more.
    this.#changes = 0;
    try {
      let before = '';
      try {
        before = readFileSync(this.#file, 'utf8');
      } catch {
        // The first of all.
      }
      writePrivateFileSync(this.#file, this.#merged(before));
    } catch {
      // There is nobody left to tell.
    }
  }
}
