import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import { hasWorkspaceLabel, NO_LABELS, type Labels } from '../../model/text/labels.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { getProperty, getString, parseActionFile, type ActionFile } from '../file/action-file.ts';
import { formatEffect, getIdFields, quote } from '../file/action-kinds.ts';
import { checkActionFile } from '../file/check-action-file.ts';
import { formatTypeConflict, type TypeConflict } from '../file/field-types.ts';
import type { Finding } from '../file/findings.ts';
import { preflight, type LiveLookup } from '../file/preflight.ts';
import { suggest } from '../file/suggest.ts';
import { getDistinctVariables, splitVariables, substitute, type Variable } from '../file/variables.ts';
import type { VariableSource } from '../variables/variable-source.ts';
import { COLUMN_TYPE_LABELS } from '../../webviews/protocol/bulk.ts';
import type { BatchOptions, DataRow, RowFinding } from './batch.ts';
import { limitReads, type LimitedLookup } from './limited-lookup.ts';
import { RowVariables } from './rows/row-variables.ts';

const MAX_FINDINGS = 1000;
/** Effects that are told apart; beyond it, that of the action file stands for all rows. */
const MAX_EFFECTS = 5;
/** Rows that are checked at once if live data is read, and rows after which others may work. */
const MAX_CONCURRENT = 6;
const ROWS_IN_TURN = 100;

/** What a check reads, and whom it tells how far it is. */
export interface ValidationOptions extends Pick<BatchOptions, 'action' | 'data'> {
  /** variables besides `row`; absent: they are left as they stand */
  readonly variables?: BatchOptions['variables'];
  /** checks ids and templates too: each id is read once, at most 500 */
  readonly live?: LiveLookup;
  /** labels of addresses and ids, which the effects show */
  readonly labels?: Pick<Labels, 'get'>;
  /** the name of an object or template that is known, which the effects end with: anyone may have written it */
  readonly getName?: (id: string) => string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: (checkedRows: number) => void;
}

export interface Validation {
  /** errors first, in the order of the rows, at most 1000 */
  readonly findings: readonly RowFinding[];
  /** all of them, also those that `findings` leaves out */
  readonly errorCount: number;
  readonly warningCount: number;
  /** rows with errors or warnings; true: an error */
  readonly rowProblems: ReadonlyMap<number, boolean>;
  /** true if an error is about the data or the action as a whole, so that no row can be sent */
  readonly isBlocked: boolean;
  /** what the rows do, with their number: `Mints 1 object from tpl_1`, 300 */
  readonly effects: readonly { readonly effect: string; readonly rowCount: number }[];
  /** the effects of the rows with errors or warnings, if they are counted in `effects` */
  readonly problemEffects: ReadonlyMap<number, string>;
}

/**
 * Checks the rows before anything is sent: missing columns, empty values, rows that compose the same action, and what the
 * check of an action file finds in each. Rejects with Error if `signal` is aborted.
 */
export async function validateBatch(options: ValidationOptions): Promise<Validation> {
  const { action, data, signal, onProgress } = options;
  const validator = new Validator(options);
  validator.checkColumns();
  const active = new Set<Promise<void>>();
  let count = 0;
  for (const row of data.rows) {
    signal.throwIfAborted();
    const checked = validator.checkRow(row).finally(() => {
      active.delete(checked);
    });
    active.add(checked);
    if (active.size >= MAX_CONCURRENT) await Promise.race(active);
    if (++count % ROWS_IN_TURN === 0) {
      onProgress?.(count);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }
  await Promise.all(active);
  signal.throwIfAborted();
  onProgress?.(count);
  return validator.createResult(formatNamedEffect(action.file, options), count);
}

class Validator {
  readonly #options: ValidationOptions;
  readonly #variables: RowVariables;
  readonly #columns: readonly Variable[];
  readonly #others: readonly Variable[];
  readonly #live: LimitedLookup | undefined;
  readonly #errors: RowFinding[] = [];
  readonly #warnings: RowFinding[] = [];
  /** true: an error */
  readonly #rowProblems = new Map<number, boolean>();
  #errorCount = 0;
  #warningCount = 0;
  #isBlocked = false;
  /** of the action file itself: they are not repeated for each row */
  readonly #ownFindings: ReadonlySet<string>;
  /** first row of each composed action, and of each object, by its hash */
  readonly #rows = new Map<number, number>();
  readonly #effects = new Map<string, number>();
  readonly #problemEffects = new Map<number, string>();
  /** columns and fields that have another type on the platform */
  readonly #conflicts = new Set<string>();

  constructor(options: ValidationOptions) {
    this.#options = options;
    const { action, data, variables, live } = options;
    const all = getDistinctVariables(action.file);
    this.#columns = all.filter(({ kind }) => kind === 'row');
    this.#others = all.filter(({ kind }) => kind !== 'row');
    this.#variables = new RowVariables(action.file, data, variables ?? keepVariables(this.#others));
    this.#live = live === undefined ? undefined : limitReads(live);
    const own = checkActionFile(action.file);
    this.#ownFindings = new Set(own.map(getKey));
    for (const { severity, message } of own) this.#add({ severity, message: formatMessage(message) });
    for (const finding of data.findings) this.#add(finding);
  }

  #add(finding: RowFinding): void {
    const isError = finding.severity === 'error';
    if (finding.row !== undefined && finding.severity !== 'information')
      this.#rowProblems.set(finding.row, isError || this.#rowProblems.get(finding.row) === true);
    if (isError) this.#errorCount++;
    else if (finding.severity === 'warning') this.#warningCount++;
    if (isError && finding.row === undefined) this.#isBlocked = true;
    const list = isError ? this.#errors : this.#warnings;
    if (list.length < MAX_FINDINGS) list.push(finding);
  }

  checkColumns(): void {
    const { columns, name } = this.#options.data;
    if (this.#columns.length === 0)
      this.#add({
        severity: 'warning',
        message: l10n.t(
          'The action file uses no column of the data, such as {0}, so all rows send the same request',
          '${row:name}',
        ),
      });
    for (const { name: column } of this.#columns) {
      if (columns.includes(column)) continue;
      const suggestion = suggest(column, columns);
      const [file, missing] = [formatLine(name, 60), formatLine(column, 60)];
      const message =
        suggestion === undefined
          ? l10n.t('{0} has no column {1}', file, missing)
          : l10n.t('{0} has no column {1}. Did you mean {2}?', file, missing, formatLine(suggestion, 60));
      this.#add({ column, severity: 'error', message: formatMessage(message) });
    }
  }

  /** Never rejects: what cannot be checked is a finding. */
  async checkRow(row: DataRow): Promise<void> {
    const { data } = this.#options;
    const used = this.#columns.filter(({ name }) => data.columns.includes(name));
    let isMissing = used.length < this.#columns.length;
    for (const { name: column } of used) {
      const cell = row.cells[data.columns.indexOf(column)];
      const at = { row: row.number, column };
      const label = formatLine(column, 60);
      if (cell === undefined) {
        isMissing = true;
        this.#add({ ...at, severity: 'error', message: l10n.t('{0} has no value', label) });
      } else if (!this.#isTyped(column) && (cell === null || (typeof cell === 'string' && cell.trim() === '')))
        this.#add({ ...at, severity: 'warning', message: l10n.t('The value of {0} is empty', label) });
    }
    if (isMissing) return;
    try {
      await this.#checkAction(row);
    } catch (error) {
      this.#add({ row: row.number, severity: 'error', message: formatMessage(getErrorMessage(error)) });
    }
  }

  /** An empty cell of a typed column cannot be sent at all. */
  #isTyped(column: string): boolean {
    const { types = {} } = this.#options.data;
    return Object.hasOwn(types, column) && types[column] !== 'text';
  }

  async #checkAction(row: DataRow): Promise<void> {
    const { action, signal } = this.#options;
    const source = this.#variables.forRow(row);
    const values = new Map<string, unknown>();
    for (const { kind, name, text } of [...this.#columns, ...this.#others]) values.set(text, await source[kind](name));
    const request = parseActionFile(substitute(action.file, values), 'request');
    if (!this.#checkDuplicate(row.number, request)) this.#checkObject(row.number, request);
    const live = this.#live;
    const findings =
      live === undefined || live.isExhausted ? checkActionFile(request) : await preflight(request, live, signal);
    // Afterwards, since what was read has a name.
    const effect = formatNamedEffect(request, this.#options);
    if (this.#effects.size <= MAX_EFFECTS) this.#effects.set(effect, (this.#effects.get(effect) ?? 0) + 1);
    for (const finding of findings)
      if (finding.conflict !== undefined) this.#addConflict(finding.conflict);
      else if (!this.#ownFindings.has(getKey(finding)))
        this.#add({ row: row.number, severity: finding.severity, message: formatMessage(finding.message) });
    if (this.#rowProblems.has(row.number)) this.#problemEffects.set(row.number, effect);
  }

  /** Reports once for all rows that a column, or a value of the action file, has another type than the platform. */
  #addConflict(conflict: TypeConflict): void {
    const node = conflict.path.reduce(getProperty, this.#options.action.file.entries[0]?.value);
    const [variable, ...others] = splitVariables(String(node?.value));
    const isColumn = typeof variable === 'object' && variable.kind === 'row' && others.length === 0;
    const name = isColumn ? variable.name : conflict.path.slice(1).join('.');
    if (this.#conflicts.has(name)) return;
    this.#conflicts.add(name);
    const message = formatTypeConflict(name, conflict);
    const advised = l10n.t('{0}. Change the type of the column to “{1}”', message, COLUMN_TYPE_LABELS[conflict.there]);
    this.#add({ severity: 'warning', message: formatMessage(isColumn ? advised : message) });
  }

  /** True if an earlier row sends the same request. */
  #checkDuplicate(row: number, { text }: ActionFile): boolean {
    const first = this.#getFirst(text, row);
    if (first === row) return false;
    const message = l10n.t('The row sends the same request as row {0}', formatNumber(first));
    this.#add({ row, severity: 'warning', message });
    return true;
  }

  /** Another action of the same object may depend on the one before, which may be sent later. */
  #checkObject(row: number, { entries }: ActionFile): void {
    const id = getString(entries[0]?.value, 'id') ?? '';
    const first = id === '' ? row : this.#getFirst(`id ${id}`, row);
    if (first === row) return;
    const message = l10n.t('The object is also that of row {0}', formatNumber(first));
    this.#add({ row, severity: 'warning', message });
  }

  /** The first row with a text. */
  #getFirst(text: string, row: number): number {
    const hash = createHash('sha256').update(text).digest().readUIntBE(0, 6);
    const first = this.#rows.get(hash) ?? row;
    this.#rows.set(hash, first);
    return first;
  }

  createResult(effect: string, rowCount: number): Validation {
    if (this.#live?.isExhausted === true)
      this.#add({
        severity: 'information',
        message: l10n.t('Not all IDs were checked against live data because there are too many'),
      });
    const effects = [...this.#effects].map(([one, count]) => ({ effect: one, rowCount: count }));
    const isCounted = effects.length <= MAX_EFFECTS;
    const problemEffects = [...this.#rowProblems.keys()].flatMap((row): readonly [number, string][] => {
      const one = isCounted ? this.#problemEffects.get(row) : effect;
      return one === undefined ? [] : [[row, one]];
    });
    return {
      findings: [...this.#errors.sort(compareRows), ...this.#warnings.sort(compareRows)].slice(0, MAX_FINDINGS),
      errorCount: this.#errorCount,
      warningCount: this.#warningCount,
      rowProblems: this.#rowProblems,
      isBlocked: this.#isBlocked,
      effects: isCounted ? effects : [{ effect, rowCount }],
      problemEffects: new Map(problemEffects),
    };
  }
}

/** The rows are checked several at once. */
function compareRows({ row: one = 0 }: RowFinding, { row: other = 0 }: RowFinding): number {
  return one - other;
}

function formatNamedEffect(file: ActionFile, { labels = NO_LABELS, getName }: Partial<ValidationOptions>): string {
  const effect = formatEffect(
    file,
    (id) => labels.get(id)?.text,
    (id) => hasWorkspaceLabel(labels, id),
  );
  const names = getIdFields(file).flatMap(({ ids, id }) => {
    const name = ids === 'wallets' || labels.get(id) !== undefined ? undefined : getName?.(id);
    return name === undefined ? [] : [quote(name)];
  });
  return [effect, ...new Set(names)].join(' · ');
}

/** Leaves variables as they stand in the file. */
function keepVariables(variables: readonly Variable[]): Omit<VariableSource, 'row'> {
  const keep = (name: string): Promise<string> =>
    Promise.resolve(variables.find((variable) => variable.name === name)?.text ?? '');
  return { input: keep, env: keep, secret: keep, file: keep, run: keep };
}

function getKey({ code, message }: Finding): string {
  return `${code}\n${message}`;
}

/** One sentence without the full stop. */
function formatMessage(message: string): string {
  return formatLine(message, 300).replace(/\.$/, '');
}
