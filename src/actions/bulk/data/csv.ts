import { pipeline, Readable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { CsvError, parse } from 'csv-parse';

/** Characters of one record. */
const MAX_RECORD_LENGTH = 1024 * 1024;
const DELIMITERS = [',', ';', '\t'] as const;

/**
 * The records of a CSV text, the header first. The delimiter is the most frequent one of the first line. Iterating rejects
 * with Error, for users, that names the line of a record that cannot be read.
 */
export async function* readCsv(text: AsyncIterable<string>, name: string): AsyncGenerator<readonly string[]> {
  const source = text[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done === true) return;
  const parser = parse({
    delimiter: detectDelimiter(first.value),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_LENGTH,
  });
  pipeline(Readable.from(prepend(first.value, source)), parser, () => undefined);
  try {
    for await (const record of parser) if (isRecord(record)) yield record;
  } catch (error) {
    throw error instanceof CsvError ? describeError(error, name) : error;
  }
}

async function* prepend(first: string, source: AsyncIterator<string>): AsyncGenerator<string> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => source };
}

/** Quoted parts do not count. */
function detectDelimiter(text: string): string {
  const line = /^[^\r\n]*/.exec(text.replace(/"(?:[^"]|"")*"/g, ''))?.[0] ?? '';
  const count = (delimiter: string): number => line.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}

function isRecord(record: unknown): record is readonly string[] {
  return Array.isArray(record);
}

function describeError({ code, lines }: CsvError & { readonly lines?: unknown }, name: string): Error {
  const place = typeof lines === 'number' ? l10n.t('{0}, line {1}', name, lines) : name;
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new Error(l10n.t('{0}: a quoted cell has no closing quote', place));
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new Error(l10n.t('{0}: a row is longer than 1 MB. A closing quote may be missing', place));
  return new Error(l10n.t('{0}: quotes in a cell must be doubled, and the whole cell quoted', place));
}
