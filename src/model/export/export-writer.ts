/** Writers of export files: NDJSON, a JSON array, or CSV, page by page. */
import type { ResourceDefinition } from '../../platform/resource.ts';
import { getCell, getColumns, OTHER_COLUMN, getOtherFields } from './columns.ts';

export const exportFormats = ['ndjson', 'json', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

interface ExportWriter {
  /** before the first item */
  readonly head: string;
  /** `already`: number of items written before */
  rows(items: readonly unknown[], writtenCount: number): string;
  /** after the last of `count` items */
  tail(count: number): string;
}

/** Creates the writer of a format; its methods return text to append. */
export function createExportWriter(format: ExportFormat, definition: ResourceDefinition): ExportWriter {
  return format === 'csv' ? createCsvWriter(definition) : createJsonWriter(format);
}

/** Creates the writer of items as JSON. */
export function createJsonWriter(format: 'json' | 'ndjson'): ExportWriter {
  if (format === 'ndjson')
    return { head: '', rows: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''), tail: () => '' };
  return {
    head: '[',
    rows: (items, writtenCount) =>
      items.map((item, index) => `${writtenCount + index === 0 ? '\n' : ',\n'}${JSON.stringify(item)}`).join(''),
    tail: (count) => (count === 0 ? ']\n' : '\n]\n'),
  };
}

/** RFC 4180: CRLF, doubled quotes; UTF-8 without a byte order mark. */
function createCsvWriter(definition: ResourceDefinition): ExportWriter {
  const columns = getColumns(definition);
  const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
  return {
    head: line([...columns.map(({ name }) => formatCsvCell(name)), OTHER_COLUMN]),
    rows: (items) =>
      items
        .map((raw) =>
          line([
            ...columns.map((column) => formatCsvCell(getCell(raw, column))),
            formatOtherCell(getOtherFields(raw, columns)),
          ]),
        )
        .join(''),
    tail: () => '',
  };
}

function formatOtherCell(other: unknown): string {
  return other === undefined ? '' : formatJsonCell(other);
}

// Characters that start a formula in spreadsheets, half and full width. A negative decimal is none.
const FORMULA = /^(?!-\d+(?:\.\d+)?$)[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

// Programs for some languages separate cells by semicolons, whatever the quotes of a comma-separated cell say.
const INNER_FORMULA = /([;\t\r\n]"*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Puts an apostrophe before each text that a spreadsheet would evaluate, even if it separates cells by semicolons. */
export function escapeFormula(text: string): string {
  const escaped = text.replace(INNER_FORMULA, "$1'");
  return FORMULA.test(text) ? `'${escaped}` : escaped;
}

/**
 * Formats a cell. Absent and null are empty, an empty string is `""`. Formulas are escaped, since data is untrusted.
 * Numbers keep all digits.
 */
export function formatCsvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return quoteCell(escapeFormula(value));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (JSON.isRawJSON(value)) return value.rawJSON;
  return formatJsonCell(value);
}

/** The JSON of a value, with formulas after a semicolon as escapes: its value stays the same. */
function formatJsonCell(value: unknown): string {
  const json = JSON.stringify(value);
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return quoteCell(json.replace(/(?<=;)[=+\-@\uff1d\uff0b\uff0d\uff20]/g, escape));
}

function quoteCell(text: string): string {
  return text !== '' && !/[",\r\n]|^\s|\s$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
}
