import { createHash, hash } from 'node:crypto';
import path from 'node:path';
import { Readable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { isObject } from '../../../platform/json/json.ts';
import { formatList, formatNumber, pluralize } from '../../../platform/text/localization.ts';
import { toPlainText } from '../../../platform/text/plain-text.ts';
import type { BatchData, DataRow, RowFinding } from '../batch.ts';
import { MAX_ROWS } from '../rows/row-numbers.ts';
import { ColumnGuesser, type ColumnTypes } from './column-types.ts';
import { readCsv } from './csv.ts';
import { splitArray, splitLines } from './json-lines.ts';
import { decodeText, readBytes, type DataFile } from './read-text.ts';

export const dataFileExtensions = ['csv', 'tsv', 'ndjson', 'jsonl', 'json'] as const;

const MAX_COLUMNS = 1000;
const MAX_FINDINGS = 100;

interface DataFileOptions extends DataFile {
  readonly signal?: AbortSignal;
  /** default: 1,000,000 */
  readonly maxRows?: number;
}

/** A row before its number is known. */
type Cells = readonly unknown[];

/** Collects what reading all rows finds out. */
interface Shape {
  readonly columns: string[];
  /** indexes of the columns, by name; a CSV file has no others than those of its header */
  readonly indexes: Map<string, number>;
  readonly findings: RowFinding[];
}

/**
 * Opens a data file (CSV, NDJSON or a JSON array of objects, by its extension). Rejects with Error, for users, if it is not
 * such a file, too large, or not UTF-8.
 */
export async function openDataFile({ signal, maxRows, ...file }: DataFileOptions): Promise<BatchData> {
  const content = createHash('sha256');
  const data = await readData(decodeText(readBytes(file, signal, content), file.name), file, maxRows);
  return { ...data, digest: content.digest('hex') };
}

/** The columns of a data file, as far as its first row shows them. Rejects with Error, for users, as `openDataFile` does. */
export async function readColumns(file: DataFile): Promise<readonly string[]> {
  const shape = createShape();
  const rows = parseCells(decodeText(readBytes(file), file.name), file, shape);
  try {
    await rows.next();
    await rows.return(undefined);
  } catch (error) {
    // The header may come before what cannot be read.
    if (shape.columns.length === 0) throw error;
  }
  return shape.columns;
}

/**
 * The rows of a text, by the extension of its name: see `openDataFile`, which rejects in the same cases. To resume it
 * later, store what `formatRows` returns as a `.ndjson` file and open that, which has the same digest.
 */
export async function readDataText(name: string, text: string): Promise<BatchData> {
  const data = await readData(Readable.from([text]), { path: name, name });
  const cells = data.rows.map((row) => row.cells);
  return { ...data, digest: hash('sha256', formatRows(data.columns, cells)) };
}

async function readData(
  text: AsyncIterable<string>,
  file: DataFile,
  maxRows = MAX_ROWS,
): Promise<Omit<BatchData, 'digest'>> {
  const { name } = file;
  const shape = createShape();
  const { columns, findings } = shape;
  const rows: DataRow[] = [];
  const guessers: ColumnGuesser[] = [];
  for await (const cells of parseCells(text, file, shape)) {
    if (rows.length === maxRows)
      throw new Error(l10n.t('{0} has more than {1} rows. Split it into several files', name, formatNumber(maxRows)));
    rows.push({ number: rows.length + 1, cells });
    // Types are guessed row by row, so that a long file keeps the editor responsive.
    for (const [index, cell] of cells.entries()) (guessers[index] ??= new ColumnGuesser()).add(cell);
  }
  if (rows.length === 0) findings.push({ severity: 'error', message: l10n.t('{0} has no rows', name) });
  const guesses = columns.map((_column, index) => (guessers[index] ?? new ColumnGuesser()).result);
  return { name, columns, guesses, rows, findings };
}

/** Returns the data with the types that the user chose; absent: none. */
export function setTypes({ types: _former, ...data }: BatchData, types: ColumnTypes | undefined): BatchData {
  return { ...data, ...(types !== undefined && { types }) };
}

/** Rows as NDJSON, one object a line. */
export function formatRows(columns: readonly string[], rows: readonly Cells[]): string {
  return rows
    .map((cells) => `${JSON.stringify(Object.fromEntries(columns.map((name, index) => [name, cells[index]])))}\n`)
    .join('');
}

function createShape(): Shape {
  return { columns: [], indexes: new Map(), findings: [] };
}

function parseCells(text: AsyncIterable<string>, file: DataFile, shape: Shape): AsyncGenerator<Cells> {
  const { name } = file;
  switch (path.extname(file.path).toLowerCase()) {
    case '.csv':
    case '.tsv':
      return readCsvCells(text, name, shape);
    case '.ndjson':
    case '.jsonl':
      return readJsonCells(splitLines(text, name), name, shape);
    case '.json':
      return readJsonCells(splitArray(text, name), name, shape);
    default:
      throw new Error(
        l10n.t(
          '{0} is not a data file. Supported extensions: {1}',
          name,
          formatList(
            dataFileExtensions.map((one) => `.${one}`),
            'unit',
          ),
        ),
      );
  }
}

async function* readCsvCells(text: AsyncIterable<string>, name: string, shape: Shape): AsyncGenerator<Cells> {
  let header: readonly string[] | undefined;
  let row = 0;
  for await (const record of readCsv(text, name)) {
    if (header === undefined) {
      header = record;
      if (shape.columns.length === 0) readHeader(header, shape, name);
      continue;
    }
    row++;
    if (record.length !== header.length)
      addFinding(shape, {
        row,
        severity: 'warning',
        message: pluralize(
          record.length,
          l10n.t('The row has {0} cell, but the header has {1}|The row has {0} cells, but the header has {1}'),
          formatNumber(header.length),
        ),
      });
    // A copy has no room for more cells, which takes less than half of the memory.
    yield record.slice(0, header.length);
  }
}

function readHeader(header: readonly string[], shape: Shape, name: string): void {
  if (header.length > MAX_COLUMNS)
    throw new Error(l10n.t('{0} has more than {1} columns', name, formatNumber(MAX_COLUMNS)));
  for (const [index, text] of header.entries()) {
    const column = text.trim();
    const isRepeated = shape.indexes.has(column);
    const label = toPlainText(column, 60);
    if (column === '')
      addFinding(shape, { severity: 'warning', message: l10n.t('Column {0} has no name in the header', index + 1) });
    else if (isRepeated)
      addFinding(shape, {
        column,
        severity: 'error',
        message: l10n.t('Two columns are named {0}. Rename one of them', label),
      });
    const unique = column === '' || isRepeated ? getFreeName(column, index, shape) : column;
    shape.indexes.set(unique, index);
    shape.columns.push(unique);
  }
}

/** A name that no column has, for one without a name of its own. */
function getFreeName(column: string, index: number, { indexes }: Shape): string {
  let name = column === '' ? `column ${String(index + 1)}` : `${column} (${String(index + 1)})`;
  while (indexes.has(name)) name += "'";
  return name;
}

async function* readJsonCells(
  elements: AsyncIterable<{ readonly text: string; readonly line: number }>,
  name: string,
  { columns, indexes }: Shape,
): AsyncGenerator<Cells> {
  for await (const { text, line } of elements) {
    const value = parseRow(text);
    if (!isObject(value)) throw new Error(l10n.t('{0}, line {1}: expected a JSON object', name, line));
    const cells: unknown[] = [];
    for (const [column, cell] of Object.entries(value)) {
      let index = indexes.get(column);
      if (index === undefined) {
        if (columns.length >= MAX_COLUMNS)
          throw new Error(l10n.t('{0} has more than {1} columns', name, formatNumber(MAX_COLUMNS)));
        index = columns.push(column) - 1;
        indexes.set(column, index);
      }
      // Without holes, which no text replaces: the page of the batch would refuse the row.
      while (cells.length < index) cells.push(undefined);
      cells[index] = cell;
    }
    yield cells;
  }
}

/** As `JSON.parse`, with numbers to the digit; `undefined` if the text is not JSON. */
function parseRow(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, { source }) =>
      typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
    );
  } catch {
    return undefined;
  }
}

function addFinding({ findings }: Shape, finding: RowFinding): void {
  if (findings.length < MAX_FINDINGS) findings.push(finding);
}
