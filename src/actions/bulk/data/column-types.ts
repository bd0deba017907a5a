/** The types of columns: what their cells look like, and what a cell of each type is sent as. */
import { MessageError, stored, type Message } from '../../../platform/text/message.ts';
import { formatLine } from '../../../model/runs/run-record.ts';
import { COLUMN_TYPES, type ColumnType } from '../../../model/runs/column-types.ts';

/** As in JSON. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** More digits are an id: many programs cannot read them as a number. */
const MAX_DIGITS = 15;
const BOOLEAN = /^(?:true|false)$/i;
/** ISO 8601: a day, with or without a time and its zone. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Types that were chosen, by column. */
export type ColumnTypes = Readonly<Record<string, ColumnType>>;

/** What a column is. */
export interface ColumnGuess {
  /** the type of its cells in the data: that of a CSV file is text */
  readonly type: ColumnType;
  /** the type that its cells could have, whatever they are in the data */
  readonly guess: ColumnType;
}

/** Guesses the type of a column from its cells, one after the other. Empty cells do not count. */
export class ColumnGuesser {
  #possible: readonly ColumnType[] = COLUMN_TYPES.filter((type) => type !== 'text');
  #hasValue = false;
  #hasText = false;

  add(cell: unknown): void {
    if (cell === undefined || cell === null || cell === '') return;
    this.#hasValue = true;
    this.#hasText ||= typeof cell === 'string';
    if (this.#possible.length > 0) this.#possible = this.#possible.filter((type) => looksLike(cell, type));
  }

  get result(): ColumnGuess {
    const guess = (this.#hasValue ? this.#possible[0] : undefined) ?? 'text';
    return { type: this.#hasText ? 'text' : guess, guess };
  }
}

/** Stricter than `convertCell`: a number with an exponent or many digits is rather an id. */
function looksLike(cell: unknown, type: ColumnType): boolean {
  if (typeof cell !== 'string') return isOfType(cell, type);
  return type === 'number'
    ? isNumber(cell) && !/e/i.test(cell) && cell.replace(/\D/g, '').length <= MAX_DIGITS
    : isOfType(cell, type);
}

function isOfType(cell: unknown, type: ColumnType): boolean {
  const text = typeof cell === 'string' ? cell : undefined;
  switch (type) {
    case 'text':
      return true;
    case 'number':
      return text === undefined ? typeof cell === 'number' || JSON.isRawJSON(cell) : isNumber(text);
    case 'boolean':
      return text === undefined ? typeof cell === 'boolean' : BOOLEAN.test(text);
    case 'date':
      return isDate(text ?? '');
  }
}

function isDate(text: string): boolean {
  const day = DATE.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) return false;
  // A day that the month does not have is one of the next month.
  return new Date(day).toISOString().startsWith(day);
}

/** True for a number as JSON writes it. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** A cell as a number to the digit, if it is a text that JSON accepts as one; else the cell. */
export function toNumber(cell: unknown): unknown {
  return typeof cell === 'string' && isNumber(cell) ? JSON.rawJSON(cell) : cell;
}

/**
 * The JSON value that a cell is sent as: the digits of a number, and a date, as they are written. Throws Error, for users,
 * if it is not of the type.
 */
export function convertCell(cell: unknown, type: ColumnType, column: string): unknown {
  if (cell === null) return cell;
  if (!isOfType(cell, type))
    throw new MessageError(describeProblem(typeof cell === 'string' ? cell : JSON.stringify(cell), type, column));
  if (type === 'number') return toNumber(cell);
  if (type === 'boolean') return typeof cell === 'string' ? cell.toLowerCase() === 'true' : cell;
  return type === 'text' && isScalar(cell) ? JSON.stringify(cell) : cell;
}

/** True for what a text column of another source than CSV turns into text. */
function isScalar(cell: unknown): boolean {
  return typeof cell === 'number' || typeof cell === 'boolean' || JSON.isRawJSON(cell);
}

function describeProblem(cell: string, type: ColumnType, column: string): Message {
  const [name, value] = [formatLine(column, 60), formatLine(cell, 60)];
  if (value === '') return stored('The value of {0} is empty', name);
  if (type === 'number') return stored('The value of {0} is not a number: {1}', name, value);
  if (type === 'boolean') return stored('The value of {0} is neither true nor false: {1}', name, value);
  return stored('The value of {0} is not a date such as 2026-03-31: {1}', name, value);
}
