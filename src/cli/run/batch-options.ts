/** The options of `run --data`. */
import type { Command } from 'commander';
import type { BatchPacing } from '../../actions/bulk/batch.ts';
import type { ColumnTypes } from '../../actions/bulk/data/column-types.ts';
import { COLUMN_TYPES } from '../../model/runs/column-types.ts';
import { createRepeatableOption, parseCount } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import type { RunValues } from './options.ts';

/** The options as the parser returns them. */
export interface BatchValues {
  readonly data?: string;
  readonly columnType?: readonly string[];
  readonly journal?: string;
  readonly resume?: true;
  readonly settle?: true;
  readonly again?: string;
  readonly concurrency?: string;
  readonly rate?: string;
  readonly results?: string;
  readonly rows?: string;
}

const MAX_CONCURRENCY = 50;
const MAX_RATE = 1000;
const DEFAULT_CONCURRENCY = 2;

/** What a batch is run with; files as they are named on the command line. */
export interface BatchSettings {
  readonly data: string;
  readonly types?: ColumnTypes;
  readonly journal: string;
  readonly resumes: boolean;
  /** settle unknown rows that have exactly one possible action log */
  readonly settles: boolean;
  /** the journal whose refused and failed rows are sent again */
  readonly again?: string;
  readonly results?: string;
  readonly pacing: BatchPacing;
}

/** Declares the options. */
export function addBatchOptions(command: Command): Command {
  return command
    .option('--data <file>', 'run an action file once for each row: CSV, NDJSON or a JSON array')
    .addOption(
      createRepeatableOption(
        '--column-type <column=type>',
        `with --data: what the values of a column are sent as: ${COLUMN_TYPES.join(', ')}`,
      ),
    )
    .option('--rows <numbers>', 'with --data and --dry-run: the rows to show, such as 1,5-7 (default: 1)')
    .option('--journal <file>', 'with --data: where the state of each row is kept (default: DATA.journal.jsonl)')
    .option('--resume', 'with --data: continue with the journal; no row is sent twice')
    .option('--settle', 'with --resume: settle unknown rows that have exactly one possible action log by it')
    .option('--again <journal>', 'with --data: send the refused and failed rows of that journal, with a new one')
    .option(
      '--concurrency <rows>',
      `with --data: maximum number of rows sent at once (default: ${String(DEFAULT_CONCURRENCY)})`,
    )
    .option('--rate <rows>', 'with --data: maximum number of rows sent per second')
    .option('--results <file>', 'with --data: write the rows with their results as CSV');
}

/** Reads the options; `undefined` without `--data`. Throws UsageError. */
export function readBatchSettings(values: BatchValues & RunValues): BatchSettings | undefined {
  const { data, columnType, journal, resume, settle, again, concurrency, rate, results, junit, rows, dryRun } = values;
  if (data === undefined) {
    const others = { 'column-type': columnType, journal, resume, settle, again, concurrency, rate, results, rows };
    const alone = Object.entries(others).find(([, value]) => value !== undefined);
    if (alone !== undefined) throw new UsageError(`--${alone[0]} requires --data; nothing was sent`);
    return undefined;
  }
  if (junit !== undefined) throw new UsageError('--junit and --data cannot be used together; nothing was sent');
  if (rows !== undefined && dryRun !== true) throw new UsageError('--rows requires --dry-run; nothing was sent');
  if (resume === true && again !== undefined)
    throw new UsageError('--resume and --again cannot be used together; nothing was sent');
  if (resume === true && columnType !== undefined)
    throw new UsageError('--resume sends the types of its journal, without --column-type; nothing was sent');
  if (settle === true && resume !== true) throw new UsageError('--settle requires --resume; nothing was sent');
  if (again !== undefined && journal === undefined)
    throw new UsageError('--again requires --journal, the name of the new journal; nothing was sent');
  if (results !== undefined && !/\.csv$/i.test(results))
    throw new UsageError('--results must be the name of a CSV file, ending in .csv; nothing was sent');
  return {
    data,
    ...(columnType !== undefined && { types: parseTypes(columnType) }),
    journal: journal ?? `${data}.journal.jsonl`,
    resumes: resume === true,
    settles: settle === true,
    ...(again !== undefined && { again }),
    ...(results !== undefined && { results }),
    pacing: {
      concurrency:
        concurrency === undefined ? DEFAULT_CONCURRENCY : parseCount('--concurrency', concurrency, 1, MAX_CONCURRENCY),
      ...(rate !== undefined && { rate: parseRate(rate) }),
    },
  };
}

/** The last one of a column counts. */
function parseTypes(texts: readonly string[]): ColumnTypes {
  const types = texts.map((text) => {
    const at = text.lastIndexOf('=');
    const type = COLUMN_TYPES.find((one) => one === text.slice(at + 1).toLowerCase());
    if (at > 0 && type !== undefined) return [text.slice(0, at), type] as const;
    throw new UsageError(`--column-type must be COLUMN=TYPE with one of ${COLUMN_TYPES.join(', ')}; nothing was sent`);
  });
  return Object.fromEntries(types);
}

function parseRate(text: string): number {
  const rate = Number(text);
  if (rate > 0 && rate <= MAX_RATE) return rate;
  throw new UsageError(`--rate must be a number of rows per second, at most ${String(MAX_RATE)}`);
}
