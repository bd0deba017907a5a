import { MessageError, stored } from '../../../platform/text/message.ts';
import { formatLine } from '../../../model/runs/run-record.ts';
import { getProperty, isSigned, type ActionFile } from '../../file/action-file.ts';
import { getActionKind } from '../../file/action-kinds.ts';
import { findVariables, getDistinctVariables } from '../../file/variables.ts';
import type { VariableSource } from '../../variables/variable-source.ts';
import type { ColumnType } from '../../../model/runs/column-types.ts';
import type { BatchData, DataRow } from '../batch.ts';
import { convertCell, isNumber, toNumber, type ColumnGuess } from '../data/column-types.ts';
import { parseRowNumbers } from './row-numbers.ts';

/** The variables of a batch: columns of the row, and the others, each of which is read once. */
export class RowVariables {
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #numberColumns: ReadonlySet<string>;
  readonly #types: ReadonlyMap<string, ColumnType>;
  readonly #shared: Omit<VariableSource, 'row'>;
  readonly #secretVariables: readonly { readonly kind: 'env' | 'secret'; readonly name: string }[];

  constructor(
    file: ActionFile,
    { columns, types = {} }: Pick<BatchData, 'columns' | 'types'>,
    others: Omit<VariableSource, 'row'>,
  ) {
    this.#types = new Map(Object.entries(types));
    this.#indexes = new Map(columns.map((column, index) => [column, index]));
    this.#numberColumns = findNumberColumns(file);
    this.#shared = shareValues(others);
    this.#secretVariables = getDistinctVariables(file).flatMap(({ kind, name }) =>
      kind === 'env' || kind === 'secret' ? [{ kind, name }] : [],
    );
  }

  /** The variables of a row. `row` throws Error for a column or a cell that does not exist, or is not of its type. */
  forRow({ number, cells }: DataRow): VariableSource {
    return { ...this.#shared, row: (column) => this.#getCell(column, number, cells) };
  }

  /** The values of environment variables and secrets that the file names, as far as there are any. Never rejects. */
  async readSecrets(): Promise<readonly string[]> {
    const values: string[] = [];
    for (const { kind, name } of this.#secretVariables)
      await this.#shared[kind](name).then(
        (value) => values.push(value),
        // Each row that needs it reports that there is none.
        () => undefined,
      );
    return values;
  }

  #getCell(column: string, row: number, cells: readonly unknown[]): unknown {
    const index = this.#indexes.get(column);
    if (index === undefined) throw new MessageError(stored('The data has no column {0}', formatLine(column, 60)));
    const cell = cells[index];
    if (cell === undefined) throw new MessageError(stored('Row {0} has no value for {1}', row, formatLine(column, 60)));
    const type = this.#types.get(column);
    if (type !== undefined) return convertCell(cell, type, column);
    // CSV knows only text.
    return this.#numberColumns.has(column) ? toNumber(cell) : cell;
  }
}

/** Columns that are only used as the whole value of a field that is a number, such as `num` of a mint. */
function findNumberColumns(file: ActionFile): ReadonlySet<string> {
  const numbers = new Set<string>();
  const others = new Set<string>();
  for (const { node, variable } of findVariables(file)) {
    if (variable.kind !== 'row') continue;
    const entry = file.entries.find(({ value }) => value !== undefined && value === node.parent?.parent);
    const field = getActionKind(entry?.kind ?? '')?.fields.find(
      ({ name }) => name === node.parent?.children?.[0]?.value,
    );
    const isNumeric = field !== undefined && isNumber(field.sample) && node.value === variable.text;
    (isNumeric ? numbers : others).add(variable.name);
  }
  return numbers.difference(others);
}

/** What the cells of each column are sent as, and what they look like. */
export function describeColumns(
  file: ActionFile,
  { columns, guesses, types = {} }: Pick<BatchData, 'columns' | 'guesses' | 'types'>,
): readonly ColumnGuess[] {
  const chosen = new Map(Object.entries(types));
  const numbers = findNumberColumns(file);
  return guesses.map(({ type, guess }, index) => {
    const column = columns[index] ?? '';
    return { type: chosen.get(column) ?? (numbers.has(column) ? 'number' : type), guess };
  });
}

/**
 * The cells of chosen rows, such as `1,5-7`, as the file reads them. Throws Error, for users, for numbers that the data
 * does not have.
 */
export function* readChosenRows(
  file: ActionFile,
  data: BatchData,
  numbers: string,
): Generator<{ readonly number: number; readonly row: VariableSource['row'] }> {
  const chosen = new Set(parseRowNumbers(numbers, data.rows.length));
  const none = (name: string): never => {
    throw new Error(name);
  };
  const variables = new RowVariables(file, data, {
    input: none,
    env: none,
    secret: none,
    file: none,
    run: none,
  });
  for (const row of data.rows) {
    if (!chosen.has(row.number)) continue;
    const cells = variables.forRow(row);
    yield { number: row.number, row: (column) => cells.row(column) };
  }
}

/** Reads each variable once, whatever it resolves or rejects with. */
function shareValues({ input, env, secret, file, run }: Omit<VariableSource, 'row'>): Omit<VariableSource, 'row'> {
  const share = <T>(read: (name: string) => T): ((name: string) => T) => {
    const values = new Map<string, T>();
    return (name) => {
      const value = values.get(name) ?? read(name);
      values.set(name, value);
      return value;
    };
  };
  return { input: share(input), env: share(env), secret: share(secret), file: share(file), run: share(run) };
}

/** True if the requests of the rows have signatures of their own: of the signer, or of the data. */
export function hasOwnSignatures(file: ActionFile): boolean {
  return !isSigned(file) || String(getProperty(file.root, 'signature')?.value).includes('${row:');
}
