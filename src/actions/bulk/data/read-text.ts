/** Reads data files as streams of text. */
import { hash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
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

/** Distinguishes the content of a file from what it was before. */
export interface FileVersion extends Pick<Stats, 'ino' | 'size' | 'mtimeMs'> {
  /** digests of its chunks, as far as they were read: equal size and time do not prove equal content */
  readonly chunks: string[];
}

/** The version of the content of a file. Rejects with Error, for users, if it cannot be read. */
export async function readFileVersion(file: DataFile): Promise<FileVersion> {
  const handle = await openFile(file);
  try {
    const { ino, size, mtimeMs } = await handle.stat();
    return { ino, size, mtimeMs, chunks: [] };
  } finally {
    await handle.close();
  }
}

/** The bytes of a file. Iterating rejects with Error, for users, once its content is no longer that of `version`. */
export async function* readBytes(file: DataFile, version: FileVersion, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const handle = await openFile(file);
  try {
    for (let index = 0; ; index++) {
      signal?.throwIfAborted();
      const chunk = await readChunk(handle);
      const { ino, size, mtimeMs } = await handle.stat();
      const isSame = ino === version.ino && size === version.size && mtimeMs === version.mtimeMs;
      const digest = hash('sha256', chunk, 'base64');
      if (!isSame || digest !== (version.chunks[index] ??= digest))
        throw new Error(l10n.t('{0} has changed since it was opened', file.name));
      if (chunk.length === 0) return;
      yield chunk;
    }
  } finally {
    await handle.close();
  }
}

/** Reads a whole chunk, or up to the end of the file. */
async function readChunk(handle: FileHandle): Promise<Buffer> {
  // A new buffer each time: the reader keeps parts of the last one.
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let length = 0;
  for (let bytesRead = -1; bytesRead !== 0 && length < CHUNK_BYTES; length += bytesRead)
    ({ bytesRead } = await handle.read(buffer, length, CHUNK_BYTES - length, null));
  return buffer.subarray(0, length);
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
