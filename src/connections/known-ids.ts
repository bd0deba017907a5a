/** The ids that this machine has met: in memory at once, from a file when somebody asks, and written back now and then. */
import * as vscode from 'vscode';
import type { Disposable } from '../ui/disposables.ts';
import type { Log } from '../ui/log.ts';
import { idsFromText, idsToText } from './id-file.ts';
import { IdIndex } from './id-index.ts';
import type { Profile } from './types.ts';

const FILE = 'known-ids.json';
const PAUSE = 5000;

export interface KnownIdsParts {
  readonly storage: vscode.Uri;
  readonly log: Pick<Log, 'warn'>;
  /** connections in memory alone are not written */
  readonly profiles: () => readonly Pick<Profile, 'name' | 'baseUrl' | 'source'>[];
}

export class KnownIds implements Disposable {
  readonly index = new IdIndex();
  readonly #parts: KnownIdsParts;
  readonly #listening: Disposable;
  #reading: Promise<IdIndex> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: KnownIdsParts) {
    this.#parts = parts;
    this.#listening = this.index.onDidChange(() => {
      this.#timer ??= setTimeout(() => void this.#write(), PAUSE);
    });
  }

  /** The index with what earlier windows knew. Reads the file once, when first asked. */
  ready(): Promise<IdIndex> {
    return (this.#reading ??= this.#read());
  }

  async #read(): Promise<IdIndex> {
    try {
      const bytes = await vscode.workspace.fs.readFile(this.#file);
      this.index.recall(idsFromText(new TextDecoder().decode(bytes), this.#baseUrls()));
    } catch {
      // There is no file before the first ids are met.
    }
    return this.index;
  }

  async #write(): Promise<void> {
    try {
      const index = await this.ready();
      const text = idsToText([...index.latest()].reverse(), this.#baseUrls());
      await vscode.workspace.fs.createDirectory(this.#parts.storage);
      await vscode.workspace.fs.writeFile(this.#file, new TextEncoder().encode(text));
    } catch (error) {
      this.#parts.log.warn(`Keep known ids: ${error instanceof Error ? error.message : 'unknown error'}`);
    } finally {
      this.#timer = undefined;
    }
  }

  get #file(): vscode.Uri {
    return vscode.Uri.joinPath(this.#parts.storage, FILE);
  }

  #baseUrls(): ReadonlyMap<string, string> {
    const kept = this.#parts.profiles().filter(({ source }) => source !== 'memory');
    return new Map(kept.map(({ name, baseUrl }) => [name, baseUrl]));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listening.dispose();
  }
}
