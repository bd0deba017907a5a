/**
 * Collects the body of a response, decompressed while it streams in, within size limits. undici's decompress interceptor
 * is not used: it does not limit the compression ratio, does not read raw deflate, ignores unknown encodings, and emits an
 * ExperimentalWarning.
 */
import zlib from 'node:zlib';
import type { Transform } from 'node:stream';

/** The value of `Accept-Encoding`. */
export const ACCEPT_ENCODING = 'createZstdDecompress' in zlib ? 'gzip, deflate, br, zstd' : 'gzip, deflate, br';

// Bytes by which a compressed stream may exceed its content.
const COMPRESSION_OVERHEAD = 64 * 1024;

/** Largest ratio of decompressed to received bytes, applied from `MIN_RATIO_BYTES` on. */
export const MAX_RATIO = 200;
const MIN_RATIO_BYTES = 8 * 1024 * 1024;

type BodyProblem =
  /** more than `maxBytes` */
  | 'tooLarge'
  /** more than `MAX_RATIO` times the received bytes */
  | 'bomb'
  /** the compressed stream is incomplete or invalid */
  | 'damaged';

interface BodyEvents {
  done(content: Buffer): void;
  fail(problem: BodyProblem): void;
  /** Called when writing may continue after `write` returned false. */
  drain(): void;
}

// Some servers send `deflate` without its zlib header. The first byte shows which form it is.
const DECODERS: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: (first) => ((first & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  ...('createZstdDecompress' in zlib && { zstd: () => zlib.createZstdDecompress() }),
};

/** True for a result of `parseContentEncoding` that `ResponseBody` can read. */
export function isKnownEncoding(encoding: string): boolean {
  return encoding === '' || Object.hasOwn(DECODERS, encoding);
}

/** The body of one response: calls either `done` or `fail` of its events. */
export class ResponseBody {
  readonly #encoding: string;
  readonly #maxBytes: number;
  readonly #events: BodyEvents;
  readonly #chunks: Buffer[] = [];
  #decoder: Transform | undefined;
  #received = 0;
  #size = 0;
  #finished = false;

  /** `encoding`: a result of `parseContentEncoding`; `maxBytes`: decompressed bytes. */
  constructor(encoding: string, maxBytes: number, events: BodyEvents) {
    this.#encoding = encoding;
    this.#maxBytes = maxBytes;
    this.#events = events;
  }

  /** Adds a chunk. Returns false if the caller must wait for `drain`. */
  write(chunk: Buffer): boolean {
    if (this.#finished) return true;
    if (this.#encoding === '') {
      this.#append(chunk);
      return true;
    }
    this.#received += chunk.length;
    // Decoders can consume any amount of input without output.
    if (this.#received > this.#maxBytes + COMPRESSION_OVERHEAD) {
      this.#fail('tooLarge');
      return true;
    }
    this.#decoder ??= this.#createDecoder(chunk[0] ?? 0);
    return this.#decoder.write(chunk);
  }

  /** Marks the end of the body. */
  end(): void {
    if (this.#finished) return;
    if (this.#decoder === undefined) this.#finish();
    else this.#decoder.end();
  }

  /** Discards the content. No event follows. */
  destroy(): void {
    this.#finished = true;
    this.#chunks.length = 0;
    this.#decoder?.destroy();
  }

  #createDecoder(first: number): Transform {
    const decoder = DECODERS[this.#encoding]?.(first) ?? zlib.createGunzip();
    decoder.on('data', (chunk: Buffer) => {
      this.#append(chunk);
    });
    // Once destroyed, it emits nothing.
    decoder.on('drain', () => {
      this.#events.drain();
    });
    decoder.on('end', () => {
      this.#finish();
    });
    decoder.on('error', () => {
      this.#fail('damaged');
    });
    return decoder;
  }

  #append(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) this.#fail('tooLarge');
    else if (this.#decoder !== undefined && this.#size > Math.max(MIN_RATIO_BYTES, MAX_RATIO * this.#received))
      this.#fail('bomb');
    else this.#chunks.push(chunk);
  }

  #fail(problem: BodyProblem): void {
    this.destroy();
    this.#events.fail(problem);
  }

  #finish(): void {
    const content = Buffer.concat(this.#chunks);
    this.destroy();
    this.#events.done(content);
  }
}

/** Normalizes a `Content-Encoding` header: lower case, without `identity`; empty for none. */
export function parseContentEncoding(header: string | undefined): string {
  const codings = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  return codings.filter((coding) => coding !== '' && coding !== 'identity').join(',');
}

/** Decodes UTF-8 without its byte order mark. */
export function decodeUtf8(content: Buffer): string {
  return new TextDecoder().decode(content);
}
