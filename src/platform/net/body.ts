/** Gathers an answer's body: decompressed as it streams in, counted, never more of it kept than allowed. */
import zlib from 'node:zlib';
import type { Transform } from 'node:stream';

/** What is accepted, best first; a server that knows none of them sends the plain text. */
export const ACCEPT_ENCODING = 'createZstdDecompress' in zlib ? 'gzip, deflate, br, zstd' : 'gzip, deflate, br';

// A compressed stream may be a little longer than what it holds.
const OVERHEAD = 64 * 1024;

/** What data can reasonably unpack to, as a multiple of what arrived; counts from `RATIO_FROM` bytes on. */
export const MAX_RATIO = 200;
const RATIO_FROM = 8 * 1024 * 1024;

export type BodyProblem =
  /** more than `maxBytes` */
  | 'tooLarge'
  /** more than `MAX_RATIO` times of what arrived */
  | 'bomb'
  /** what came is no whole compressed stream */
  | 'damaged';

export interface BodyEvents {
  done(whole: Buffer): void;
  fail(problem: BodyProblem): void;
  /** more may be written again after `write` said false */
  drain(): void;
}

// Some servers send `deflate` without the wrapper that the standard asks for: the first byte tells.
const DECODERS: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: (first) => ((first & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  ...('createZstdDecompress' in zlib && { zstd: () => zlib.createZstdDecompress() }),
};

/** True for what `encodingOf` gives if `Body` can read it. */
export function isKnownEncoding(encoding: string): boolean {
  return encoding === '' || Object.hasOwn(DECODERS, encoding);
}

export class Body {
  readonly #encoding: string;
  readonly #maxBytes: number;
  readonly #events: BodyEvents;
  readonly #chunks: Buffer[] = [];
  #decoder: Transform | undefined;
  #received = 0;
  #size = 0;
  #over = false;

  /** `encoding`: normalised by `encodingOf`; `maxBytes` counts decompressed bytes. */
  constructor(encoding: string, maxBytes: number, events: BodyEvents) {
    this.#encoding = encoding;
    this.#maxBytes = maxBytes;
    this.#events = events;
  }

  /** False: wait for `drain` before the next chunk. */
  write(chunk: Buffer): boolean {
    if (this.#over || chunk.length === 0) return true;
    if (this.#encoding === '') {
      this.#keep(chunk);
      return true;
    }
    this.#received += chunk.length;
    // Decoders may swallow any amount without giving anything out.
    if (this.#received > this.#maxBytes + OVERHEAD) {
      this.#fail('tooLarge');
      return true;
    }
    this.#decoder ??= this.#open(chunk[0] ?? 0);
    return this.#decoder.write(chunk);
  }

  /** All of the body has been written. */
  end(): void {
    if (this.#over) return;
    if (this.#decoder === undefined) this.#finish();
    else this.#decoder.end();
  }

  /** Drops everything; no event follows. */
  destroy(): void {
    this.#over = true;
    this.#chunks.length = 0;
    this.#decoder?.destroy();
  }

  #open(first: number): Transform {
    const decoder = DECODERS[this.#encoding]?.(first) ?? zlib.createGunzip();
    decoder.on('data', (chunk: Buffer) => {
      this.#keep(chunk);
    });
    decoder.on('drain', () => {
      if (!this.#over) this.#events.drain();
    });
    decoder.on('end', () => {
      this.#finish();
    });
    decoder.on('error', () => {
      this.#fail('damaged');
    });
    return decoder;
  }

  #keep(chunk: Buffer): void {
    if (this.#over) return;
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) this.#fail('tooLarge');
    else if (this.#decoder !== undefined && this.#size > Math.max(RATIO_FROM, MAX_RATIO * this.#received))
      this.#fail('bomb');
    else this.#chunks.push(chunk);
  }

  #fail(problem: BodyProblem): void {
    if (this.#over) return;
    this.destroy();
    this.#events.fail(problem);
  }

  #finish(): void {
    if (this.#over) return;
    const whole =
      this.#chunks.length === 1 && this.#chunks[0] !== undefined ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.destroy();
    this.#events.done(whole);
  }
}

/** `Content-Encoding` as `Body` wants it: lower case, without `identity`; empty for none. */
export function encodingOf(header: string | undefined): string {
  const codings = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  return codings.filter((coding) => coding !== '' && coding !== 'identity').join(',');
}

/** As UTF-8, without a byte order mark. */
export function textOf(whole: Buffer): string {
  return whole.toString('utf8', whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? 3 : 0);
}
