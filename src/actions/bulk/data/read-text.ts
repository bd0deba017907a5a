/** Reads data files as streams of text. */
import type { Hash } from 'node:crypto';
import { constants } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';

/** Bytes of a data file. */
const MAX_FILE_BYTES = 1024 ** 3;
const CHUNK_BYTES = 256 * 1024;

export interface DataFile {
  /** real path, with links resolved */
  readonly path: string;
  /** for messages */
  readonly name: string;
}

/** The bytes of a file, which `hash` is updated with. Iterating rejects with Error, for users, if it cannot be read. */
export async function* readBytes(file: DataFile, signal?: AbortSignal, hash?: Hash): AsyncGenerator<Buffer> {
  const handle = await openFile(file);
  try {
    for (;;) {
      signal?.throwIfAborted();
      // A new buffer each time: the reader keeps parts of the last one.
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES));
      if (bytesRead === 0) return;
      const chunk = buffer.subarray(0, bytesRead);
      hash?.update(chunk);
      yield chunk;
    }
  } finally {
    await handle.close();
  }
}

async function openFile({ path, name }: DataFile): Promise<FileHandle> {
  // Does not wait for the other end of a pipe, nor follow a link that replaced the file.
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const flags = process.platform === 'win32' ? O_RDONLY : O_RDONLY | O_NONBLOCK | O_NOFOLLOW;
  const handle = await fs.open(path, flags).catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new Error(isMissing ? l10n.t('The file {0} does not exist', name) : l10n.t('{0} could not be read', name), {
      cause: error,
    });
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error(l10n.t('{0} is not a file', name));
    if (stat.size > MAX_FILE_BYTES)
      throw new Error(l10n.t('{0} is larger than {1} GB. Split it into several files', name, MAX_FILE_BYTES >> 30));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Decodes UTF-8, and UTF-16 with a byte order mark, which is removed. Iterating rejects with Error, for users, that names
 * the line of bytes that are neither.
 */
export async function* decodeText(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let encoding = 'utf-8';
  let line = 1;
  for await (const chunk of bytes) {
    encoding = decoder === undefined ? detectEncoding(chunk) : encoding;
    decoder ??= new TextDecoder(encoding, { fatal: true });
    const text = decode(decoder, chunk);
    if (text === undefined) throw createEncodingError(name, line + countLinesBefore(chunk, encoding));
    if (text.includes('\0'))
      throw new Error(l10n.t('{0} is not a text file, or is UTF-16 without a byte order mark', name));
    line += countLines(text);
    yield text;
  }
  const rest = decoder === undefined ? '' : decode(decoder);
  if (rest === undefined) throw createEncodingError(name, line);
  if (rest !== '') yield rest;
}

function detectEncoding(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** `undefined` for bytes that are not of the encoding; without a chunk, the end. */
function decode(decoder: TextDecoder, chunk?: Buffer): string | undefined {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    return undefined;
  }
}

function createEncodingError(name: string, line: number): Error {
  return new Error(l10n.t('{0}, line {1}: the text is not UTF-8. Save the file as UTF-8', name, line));
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Lines before the first character that cannot be decoded. */
function countLinesBefore(chunk: Buffer, encoding: string): number {
  const text = new TextDecoder(encoding).decode(chunk);
  const at = text.indexOf('\ufffd');
  return countLines(at < 0 ? text : text.slice(0, at));
}
