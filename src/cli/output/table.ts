/** Tables: aligned columns for people, tab-separated values for programs. */
import { formatCsvCell } from '../../model/export/export-writer.ts';
import { formatLabelled, type Labels } from '../../model/text/labels.ts';
import { toSingleLine } from '../../platform/text/plain-text.ts';
import type { Output, Style } from './output.ts';
import { sanitizeTerminalLine } from './sanitize.ts';

export interface Column<T> {
  readonly label: string;
  /** the value for programs; untrusted */
  readonly getValue: (record: T) => string | undefined;
  /** the JSON value for CSV, if it is not always a text */
  readonly getCell?: (record: T) => unknown;
  /** the text for people, if it differs; untrusted */
  readonly getText?: (record: T) => string | undefined;
  readonly getStyle?: (record: T) => Style | undefined;
  /** cut if the terminal is too narrow */
  readonly shrinks?: boolean;
  /** numbers are aligned at their end */
  readonly isNumber?: boolean;
}

const GAP = '  ';
const MIN_WIDTH = 12;
const MAX_CELL = 400;

/** Formats rows for a terminal; the first rows decide the widths, and columns that are empty there are left out. */
export class TableFormatter<T> {
  readonly #columns: readonly Column<T>[];
  readonly #output: Output;
  readonly #labels: Pick<Labels, 'get'> | undefined;
  #widths: readonly (readonly [Column<T>, number])[] | undefined;

  /** `labels`: shown beside cells that are such a value. */
  constructor(columns: readonly Column<T>[], output: Output, labels?: Pick<Labels, 'get'>) {
    this.#columns = columns;
    this.#output = output;
    this.#labels = labels;
  }

  /** The lines of the records; before the first ones a line with the labels. */
  format(records: readonly T[]): string {
    if (records.length === 0) return '';
    const header = this.#widths === undefined;
    const widths = (this.#widths ??= this.#measure(records));
    const formatRow = (getCell: (column: Column<T>) => readonly [string, Style | undefined]): string =>
      widths
        .map(([column, width]) => {
          const [text, style] = getCell(column);
          const cell = column.shrinks === true ? cutToWidth(text, width) : text;
          const padding = ' '.repeat(Math.max(0, width - getTextWidth(cell)));
          const styled = style === undefined ? cell : this.#output.style(style, cell);
          return column.isNumber === true ? padding + styled : styled + padding;
        })
        .join(GAP)
        .trimEnd();
    const rows = records.map((record) =>
      formatRow((column) => [this.#getText(column, record), column.getStyle?.(record)]),
    );
    return [...(header ? [formatRow(({ label }) => [label.toUpperCase(), 'bold'])] : []), ...rows]
      .map((line) => `${line}\n`)
      .join('');
  }

  #measure(records: readonly T[]): readonly (readonly [Column<T>, number])[] {
    const widths = this.#columns.flatMap((column) => {
      const getWidth = (record: T): number => getTextWidth(this.#getText(column, record));
      const widest = records.reduce((width, record) => Math.max(width, getWidth(record)), 0);
      return widest === 0 ? [] : [[column, Math.max(widest, column.label.length)] as [Column<T>, number]];
    });
    let excess = widths.reduce((sum, [, width]) => sum + width, GAP.length * (widths.length - 1)) - this.#output.width;
    while (excess > 0) {
      const [widest] = widths
        .filter(([column, width]) => column.shrinks === true && width > MIN_WIDTH)
        .sort(([, a], [, b]) => b - a);
      if (widest === undefined) break;
      widest[1]--;
      excess--;
    }
    return widths;
  }

  #getText(column: Column<T>, record: T): string {
    const text = column.getText?.(record) ?? column.getValue(record) ?? '';
    const labelled = formatLabelled(text.slice(0, MAX_CELL), this.#labels?.get(text)?.text);
    return sanitizeTerminalLine(toSingleLine(labelled));
  }
}

/** One line a record, tab-separated, without a header. */
export function formatTabSeparated<T>(columns: readonly Column<T>[], records: readonly T[]): string {
  return records
    .map(
      (record) =>
        `${columns.map(({ getValue }) => sanitizeTerminalLine(toSingleLine(getValue(record) ?? ''))).join('\t')}\n`,
    )
    .join('');
}

/** RFC 4180 rows; formulas are escaped. */
export function formatCsvRows<T>(columns: readonly Column<T>[], records: readonly T[]): string {
  return records
    .map(
      (record) => `${columns.map(({ getValue, getCell = getValue }) => formatCsvCell(getCell(record))).join(',')}\r\n`,
    )
    .join('');
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
// East Asian wide and full-width characters, and emoji.
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)/u;

/** The columns that a terminal uses for a text. */
export function getTextWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

function cutToWidth(text: string, max: number): string {
  if (getTextWidth(text) <= max) return text;
  let cut = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += WIDE.test(segment) ? 2 : 1;
    if (width > max) break;
    cut += segment;
  }
  return `${cut}…`;
}
