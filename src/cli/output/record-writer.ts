/** Writes the records of a command in the format that was chosen. */
import { createExportWriter, createJsonWriter, formatCsvCell } from '../../model/export/export-writer.ts';
import type { Labels } from '../../model/text/labels.ts';
import { toSingleLine } from '../../platform/text/plain-text.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { getAllAt } from '../../platform/json/field-values.ts';
import { UsageError } from '../usage-error.ts';
import type { RecordValues } from './format-options.ts';
import type { Output } from './output.ts';
import { sanitizeJson, sanitizeLines, sanitizeTerminalLine } from './sanitize.ts';
import { formatCsvRows, formatTabSeparated, TableFormatter, type Column } from './table.ts';

interface RecordWriterOptions<T> {
  readonly output: Output;
  readonly values: RecordValues;
  readonly columns: readonly Column<T>[];
  /** shown beside their values on a terminal */
  readonly labels?: Pick<Labels, 'get'>;
  /** the record for `json` and `ndjson` */
  readonly toJson: (record: T) => unknown;
  /** for `csv`: the kind whose fields are the columns */
  readonly definition?: ResourceDefinition;
  /** all that a record can have; absent: the platform decides it */
  readonly fields?: readonly string[];
}

/** Writes records as they come, so that memory stays constant. */
export class RecordWriter<T> {
  readonly #writePart: (text: string) => Promise<void>;
  readonly #format: {
    readonly head: string;
    rows(records: readonly T[], count: number): string;
    tail(count: number): string;
  };
  readonly #noteMissing: (records: readonly T[]) => void;
  #count = 0;
  #started = false;

  /** Throws UsageError if `--fields` names none, or one that no record can have. */
  constructor({ output, values, labels, ...options }: RecordWriterOptions<T>) {
    const { format, header } = values;
    const selected = values.fields === undefined ? undefined : selectFields(values.fields, options);
    const { columns, toJson, definition } = selected ?? options;
    // A field that no record can have was refused.
    const chosen = options.fields === undefined ? (selected?.columns ?? []) : [];
    this.#noteMissing = (records) => {
      for (const { label, getValue } of chosen)
        if (records.every((record) => getValue(record) === undefined)) output.note(`No record so far has ${label}`);
    };
    const isJson = format === 'json' || format === 'ndjson';
    this.#writePart = (text) =>
      output.write(isJson ? sanitizeJson(text) : format === 'csv' ? sanitizeLines(text) : text);
    const writer = isJson
      ? createJsonWriter(format)
      : definition === undefined
        ? undefined
        : createExportWriter('csv', definition);
    if (writer !== undefined && format !== 'table') {
      this.#format = { ...writer, rows: (records, count) => writer.rows(records.map(toJson), count) };
    } else if (format === 'csv') {
      const head = `${columns.map(({ label }) => formatCsvCell(label.toLowerCase())).join(',')}\r\n`;
      this.#format = { head, rows: (records) => formatCsvRows(columns, records), tail: () => '' };
    } else {
      const table = new TableFormatter(columns, output, labels);
      const rows = (records: readonly T[]): string =>
        output.isTerminal ? table.format(records) : formatTabSeparated(columns, records);
      const names = columns.map(({ label }) => sanitizeTerminalLine(toSingleLine(label)));
      const head = header !== true || output.isTerminal ? '' : `${names.join('\t').toLowerCase()}\n`;
      this.#format = { head, rows, tail: () => '' };
    }
  }

  /** The number of records written. */
  get count(): number {
    return this.#count;
  }

  /** Resolves when the records are written. Never rejects. */
  async write(records: readonly T[]): Promise<void> {
    if (this.#count === 0 && records.length > 0) this.#noteMissing(records);
    const text = this.#getHead() + this.#format.rows(records, this.#count);
    this.#count += records.length;
    if (text !== '') await this.#writePart(text);
  }

  /** Writes the end of the format. Never rejects. */
  async end(): Promise<void> {
    const text = this.#getHead() + this.#format.tail(this.#count);
    if (text !== '') await this.#writePart(text);
  }

  #getHead(): string {
    const head = this.#started ? '' : this.#format.head;
    this.#started = true;
    return head;
  }
}

/** The options for the fields at paths, in place of those of the record. Throws UsageError. */
function selectFields<T>(
  fields: string,
  { toJson, fields: names }: Pick<RecordWriterOptions<T>, 'toJson' | 'fields'>,
): Pick<RecordWriterOptions<T>, 'columns' | 'toJson'> & { readonly definition?: undefined } {
  const paths = fields.split(',').map((path) => path.trim());
  if (paths.includes('')) throw new UsageError('--fields must be paths such as id,metadata.name');
  if (names !== undefined)
    for (const path of paths)
      if (!names.includes(path.replace(/[.[].*/, '')))
        throw new UsageError(`--fields: there is no field ${path}; the fields are ${names.join(', ')}`);
  const read = (record: T, path: string): unknown => {
    const all = getAllAt(toJson(record), path);
    return path.includes('[]') ? all : all[0];
  };
  return {
    columns: paths.map((path) => ({
      label: path,
      getValue: (record) => {
        const value = read(record, path);
        return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
      },
      getCell: (record) => read(record, path),
      shrinks: true,
    })),
    toJson: (record) => Object.fromEntries(paths.map((path) => [path, read(record, path)])),
  };
}
