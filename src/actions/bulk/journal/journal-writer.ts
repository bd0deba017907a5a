import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { JournalPlace } from '../rows/row-table.ts';
import { appendLine, type JournalEnd } from './journal-format.ts';

interface PendingLine {
  readonly line: string;
  readonly isFlushed: boolean;
  readonly resolve: (place: JournalPlace) => void;
  readonly reject: (error: unknown) => void;
}

/** Appends lines to a journal in order. Lines that wait at the same time are written, and flushed, together. */
export class JournalWriter {
  /** waited for after lines are on the disk; must not reject */
  onFlushed: ((end: JournalEnd) => Promise<void>) | undefined;
  readonly #file: FileHandle;
  #end: JournalEnd;
  #pending: PendingLine[] = [];
  #writing: Promise<void> | undefined;
  /** after it, the file may end in half a line */
  #error: Error | undefined;

  /** `file`: opened to append; `end`: how far it goes */
  constructor(file: FileHandle, end: JournalEnd) {
    this.#file = file;
    this.#end = end;
  }

  /** How far the journal goes, with all lines that were written. */
  get end(): JournalEnd {
    return this.#end;
  }

  /**
   * Appends a line, a JSON object. Resolves when it is written; `isFlushed`: on the disk. Rejects if it cannot be written:
   * it is not in the journal then.
   */
  append(line: string, { isFlushed = false } = {}): Promise<JournalPlace> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ line, isFlushed, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      // The result of a row, the next row, and those whose responses arrived with it are written, and flushed, together.
      await setImmediate();
      const lines = this.#pending;
      this.#pending = [];
      const texts: string[] = [];
      const places: JournalPlace[] = [];
      let end = this.#end;
      for (const { line } of lines) {
        const [text, next] = appendLine(line, end);
        texts.push(text);
        places.push({ offset: end.size, length: next.size - end.size });
        end = next;
      }
      try {
        if (this.#error !== undefined) throw this.#error;
        await this.#file.appendFile(texts.join(''));
        if (lines.some(({ isFlushed }) => isFlushed)) {
          await this.#file.datasync();
          await this.onFlushed?.(end);
        }
      } catch (error) {
        await this.#undo(error);
        for (const { reject } of lines) reject(error);
        continue;
      }
      this.#end = end;
      for (const [index, { resolve }] of lines.entries()) resolve(places[index] ?? { offset: 0, length: 0 });
    }
    this.#writing = undefined;
  }

  /** Cuts off lines that were written in part, say to a full disk: their rows are not sent. */
  async #undo(error: unknown): Promise<void> {
    try {
      await this.#file.truncate(this.#end.size);
    } catch {
      this.#error = error instanceof Error ? error : new Error(l10n.t('The journal could not be written'));
    }
  }

  /** Writes what is left, flushes and closes the file. Never rejects. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#file.datasync().catch(() => undefined);
    await this.#file.close().catch(() => undefined);
  }
}
