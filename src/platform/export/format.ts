/** Pure: how exported items stand in a file: one JSON a line, a JSON array, or CSV. Written page by page. */
import type { ResourceRow } from '../resource.ts';
import { cellOf, columnsOf, OTHER, otherOf } from './columns.ts';

export const formats = ['ndjson', 'json', 'csv'] as const;
export type Format = (typeof formats)[number];

export function isFormat(value: unknown): value is Format {
  return formats.some((format) => format === value);
}

export interface Writer {
  /** before the first item */
  readonly head: string;
  /** `already`: items written before these */
  rows(items: readonly unknown[], already: number): string;
  /** after the last of `count` items */
  tail(count: number): string;
}

export function writerOf(format: Format, row: ResourceRow): Writer {
  switch (format) {
    case 'ndjson':
      return { head: '', rows: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''), tail: () => '' };
    case 'json':
      return {
        head: '[',
        rows: (items, already) =>
          items.map((item, index) => `${already + index === 0 ? '\n' : ',\n'}${JSON.stringify(item)}`).join(''),
        tail: (count) => (count === 0 ? ']\n' : '\n]\n'),
      };
    case 'csv':
      return csvWriter(row);
  }
}

/** RFC 4180: CRLF, quotes doubled; UTF-8 without a byte order mark. */
function csvWriter(row: ResourceRow): Writer {
  const columns = columnsOf(row);
  const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
  return {
    head: line([...columns.map(({ name }) => csvCell(name)), OTHER]),
    rows: (items) =>
      items
        .map((raw) =>
          line([...columns.map((column) => csvCell(cellOf(raw, column))), otherCell(otherOf(raw, columns))]),
        )
        .join(''),
    tail: () => '',
  };
}

function otherCell(other: unknown): string {
  return other === undefined ? '' : quoted(JSON.stringify(other));
}

// What a spreadsheet takes for the beginning of a formula, in half and full width.
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A text that a spreadsheet would run as a formula gets an apostrophe before it, as spreadsheets themselves mark text. */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/**
 * A cell. Absent and null are empty, an empty text is `""`. No text is a formula: the data may be hostile, and a file is
 * opened with a double click. Numbers stay as they are, to the digit.
 */
export function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return quoted(harmless(value));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (JSON.isRawJSON(value)) return value.rawJSON;
  return quoted(JSON.stringify(value));
}

function quoted(text: string): string {
  return text !== '' && !/[",\r\n]|^\s|\s$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
}
