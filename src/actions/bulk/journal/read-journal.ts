import fs from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../../platform/text/localization.ts';
import { formatLine } from '../../../model/runs/run-record.ts';
import { parseRowNumbers } from '../rows/row-numbers.ts';
import { RowTable } from '../rows/row-table.ts';
import { SignatureIndex } from '../rows/signature-index.ts';
import {
  checkChain,
  isWithoutChecksums,
  JOURNAL_START,
  parseHeader,
  parseLine,
  readChecksum,
  toResult,
  type BatchHeader,
  type JournalEnd,
  type JournalRow,
  type RowResult,
  type Successor,
} from './journal-format.ts';

/** Bytes of one line: the header of a batch that runs many rows again is the longest. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

export interface Journal {
  readonly header: BatchHeader;
  readonly table: RowTable;
  /** rows that are neither unsent nor decided: being sent, unknown, accepted, or with an open ledger batch */
  readonly openRows: ReadonlyMap<number, JournalRow>;
  /** ids of the actions of all rows */
  readonly knownActions: Set<string>;
  readonly signatures: SignatureIndex;
  /** batches that send refused and failed rows again */
  readonly successors: readonly Successor[];
  /** what follows in the file was never flushed */
  readonly end: JournalEnd;
}

/** Reads a journal. A line that was cut off at the end is left out. Rejects with Error, for users, if it is no journal. */
export async function readJournal(file: string): Promise<Journal> {
  const name = formatLine(path.basename(file));
  let header: BatchHeader | undefined;
  let table: RowTable | undefined;
  let damagedLine: number | undefined;
  let end = JOURNAL_START;
  let lineNumber = 0;
  const openRows = new Map<number, JournalRow>();
  const successors: Successor[] = [];
  const knownActions = new Set<string>();
  const signatures = new SignatureIndex();
  for await (const { text, offset, length } of readLines(file, name)) {
    lineNumber++;
    if (table === undefined) {
      header = parseHeader(text);
      if (header === undefined) break;
      table = createTable(header, name);
      if (isWithoutChecksums(text)) end = { size: 0, lines: 0 };
    }
    const chain = end.chain === undefined ? undefined : checkChain(text, end.chain);
    const isInOrder = chain !== undefined || end.chain === undefined;
    if (lineNumber === 1 && !isInOrder) throw createDamageError(name, lineNumber);
    if (lineNumber > 1) {
      const row = parseLine(text);
      const isValid = row !== undefined && ('successor' in row || table.getState(row.row) !== undefined);
      // A system that stops can damage all lines since the last flush, but none before.
      if (isValid && (damagedLine !== undefined || !isInOrder))
        throw createDamageError(name, damagedLine ?? lineNumber);
      if (!isValid) {
        damagedLine ??= lineNumber;
        continue;
      }
      if ('successor' in row) successors.push(row.successor);
      else {
        table.setState(row.row, row.state);
        table.setPlace(row.row, { offset, length });
        // The row turned out not to be of its action.
        if (row.actionId === undefined) knownActions.delete(openRows.get(row.row)?.actionId ?? '');
        else knownActions.add(row.actionId);
        if (row.signature !== undefined) signatures.add(row.signature, row.row);
        if (isOpen(row)) openRows.set(row.row, row);
        else openRows.delete(row.row);
      }
    }
    end = { size: offset + length, lines: lineNumber, ...(chain !== undefined && { chain }) };
  }
  if (header === undefined || table === undefined) throw new Error(l10n.t('{0} is not a batch journal', name));
  return { header, table, openRows, knownActions, signatures, successors, end };
}

function createDamageError(name: string, line: number): Error {
  return new Error(l10n.t('{0} is damaged at line {1}, so it can’t be resumed', name, line));
}

/** The checksum at the end of a line, by its number from 1. Rejects with Error, for users, if the journal cannot be read. */
export async function readChain(file: string, lineNumber: number): Promise<string | undefined> {
  let number = 0;
  for await (const { text } of readLines(file, formatLine(path.basename(file))))
    if (++number === lineNumber) return readChecksum(text);
  return undefined;
}

function isOpen({
  state,
  ledgerBatch,
  ledgerBatchStatus,
}: Pick<RowResult, 'state' | 'ledgerBatch' | 'ledgerBatchStatus'>): boolean {
  if (state === 'completed') return ledgerBatch !== undefined && ledgerBatchStatus === undefined;
  return state === 'sending' || state === 'unknown' || state === 'accepted';
}

/** The rows of a batch, all of them unsent. Throws Error, for users, if the header makes no sense. */
export function createTable({ rows, data: { rowCount } }: BatchHeader, name: string): RowTable {
  try {
    return new RowTable(rowCount, rows === undefined ? undefined : parseRowNumbers(rows, rowCount));
  } catch {
    throw new Error(l10n.t('{0} is not a batch journal', name));
  }
}

interface Line {
  readonly text: string;
  /** in bytes; the length with the line end */
  readonly offset: number;
  readonly length: number;
}

/** Whole lines of a file. */
async function* readLines(file: string, name: string): AsyncGenerator<Line> {
  const handle = await fs.open(file, 'r').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new Error(
      isMissing ? l10n.t('The journal {0} does not exist', name) : l10n.t('The journal {0} could not be read', name),
      { cause: error },
    );
  });
  try {
    if (!(await handle.stat()).isFile()) throw new Error(l10n.t('{0} is not a batch journal', name));
    let rest = Buffer.alloc(0);
    let offset = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      const bytes = Buffer.concat([rest, Buffer.from(chunk as Uint8Array)]);
      let from = 0;
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
        const length = at + 1 - from;
        yield { text: bytes.toString('utf8', from, at), offset, length };
        offset += length;
        from = at + 1;
      }
      rest = bytes.subarray(from);
      if (rest.length > MAX_LINE_BYTES) throw new Error(l10n.t('{0} is not a batch journal', name));
    }
  } finally {
    await handle.close();
  }
}

/** The results of rows, in the given order; `notSent` for one without a line. Rejects with Error if they cannot be read. */
export async function readResults(
  file: string,
  table: RowTable,
  rows: readonly number[],
): Promise<readonly RowResult[]> {
  const handle = await fs.open(file, 'r');
  try {
    const results: RowResult[] = [];
    for (const row of rows) {
      const place = table.getPlace(row);
      if (place === undefined) {
        results.push({ row, state: 'notSent' });
        continue;
      }
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(place.length), 0, place.length, place.offset);
      const line = parseLine(buffer.toString('utf8', 0, bytesRead));
      if (line === undefined || 'successor' in line)
        throw new Error(l10n.t('The result of row {0} could not be read', formatNumber(row)));
      results.push(toResult(line));
    }
    return results;
  } finally {
    await handle.close();
  }
}
