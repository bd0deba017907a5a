import type { FileHandle } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type { JournalPlace } from '../row-table.ts';

interface PendingLine {
  readonly bytes: Buffer;
  readonly isFlushed: boolean;
  readonly resolve: (place: JournalPlace) => void;
  readonly reject: (error: unknown) => void;
}

/** Appends lines to a journal in order. Lines that wait at the same time are written, and flushed, together. */
export class JournalWriter {
  readonly #file: FileHandle;
  #size: number;
  #pending: PendingLine[] = [];
  #writing: Promise<void> | undefined;
  /** after it, the end of the file may be half a line */
  #error: Error | undefined;

  /** `file`: opened to append; `size`: its length in bytes */
  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /**
   * Appends a line. Resolves when it is written; `isFlushed`: on the disk. Rejects if it cannot be written, and every
   * later line too.
   */
  append(line: string, { isFlushed = false } = {}): Promise<JournalPlace> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ bytes: Buffer.from(line), isFlushed, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  async #write(): Promise<void> {
    // Lines that are appended in the same turn are written together.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const lines = this.#pending;
      this.#pending = [];
      try {
        if (this.#error !== undefined) throw this.#error;
        await this.#file.appendFile(Buffer.concat(lines.map(({ bytes }) => bytes)));
        if (lines.some(({ isFlushed }) => isFlushed)) await this.#file.datasync();
      } catch (error) {
        this.#error = error instanceof Error ? error : new Error(l10n.t('The journal could not be written'));
        for (const { reject } of lines) reject(error);
        continue;
      }
      for (const { bytes, resolve } of lines) {
        resolve({ offset: this.#size, length: bytes.length });
        this.#size += bytes.length;
      }
    }
    this.#writing = undefined;
  }

  /** Writes what is left, flushes and closes the file. Never rejects. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#file.datasync().catch(() => undefined);
    await this.#file.close().catch(() => undefined);
  }
}
