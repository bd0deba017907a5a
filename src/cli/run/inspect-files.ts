/** `run --dry-run` and `run --check`: what files would do, and whether they can be run. Sends reads only. */
import path from 'node:path';
import type { Finding } from '../../actions/file/findings.ts';
import { checkActionFile } from '../../actions/file/check-action-file.ts';
import { isScenarioPath } from '../../actions/file/file-names.ts';
import { getDistinctVariables, type RunResults, type Variable } from '../../actions/file/variables.ts';
import { preflight } from '../../actions/file/preflight.ts';
import { LiveData } from '../../actions/language/live-data.ts';
import { formatPreview } from '../../actions/preview/format-preview.ts';
import { composePreview, createPreview, toJsonPreview, type Preview } from '../../actions/preview/preview.ts';
import type { PreparedRun } from '../../actions/run/prepare.ts';
import { redactText } from '../../actions/run/redact-variables.ts';
import { getSourceLocation, type TestCase } from '../../actions/testing/test-cases.ts';
import type { VariableSource } from '../../actions/variables/variable-source.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { hasConnection, openConnection, type Connection, type ConnectionInput } from '../connection/open-connection.ts';
import { createToolSession } from '../connection/tool-session.ts';
import { formatSentence, sanitizeJson } from '../output/sanitize.ts';
import { UsageError } from '../usage-error.ts';
import { readChosenRows } from '../../actions/bulk/rows/row-variables.ts';
import type { BatchSettings } from './batch-options.ts';
import { openData } from './run-batch.ts';
import { collectCases } from './collect-cases.ts';
import { createCommandLineVariables, getSignerCommand } from './command-line-variables.ts';
import type { RunContext } from './context.ts';
import type { TestResult } from './junit.ts';
import type { RunValues } from './options.ts';

type InspectionContext = ConnectionInput & Pick<RunContext, 'options' | 'signal' | 'print'>;

interface InspectionOptions {
  readonly writeReport?: (results: readonly TestResult[]) => Promise<boolean>;
  /** the file of the data, and the numbers of its rows: `1,5-7` */
  readonly rows?: Pick<BatchSettings, 'data' | 'types'> & { readonly numbers: string };
}

/**
 * Prints what the files would send, or checks them. Resolves with 0, or with 1 if a check finds something, a request
 * cannot be composed or the report cannot be written. `writeReport`: writes the results of a check. `rows`: the rows of
 * a data file that previews are for. Rejects with UsageError for a wrong command line or file.
 */
export async function inspectFiles(
  context: InspectionContext,
  values: RunValues & ConnectionValues,
  { writeReport, rows }: InspectionOptions = {},
): Promise<number> {
  const { options, cwd, print, printError } = context;
  if (values.dryRun === true && values.check === true)
    throw new UsageError('--dry-run and --check cannot be used together; nothing was sent');
  if (values.format !== undefined && values.dryRun !== true)
    throw new UsageError('--format requires --dry-run; nothing was sent');
  if (writeReport !== undefined && values.dryRun === true)
    throw new UsageError('--junit requires a run or --check; nothing was sent');
  const connection = hasConnection(values, context) ? await openConnection(values, context) : undefined;
  try {
    const collected = await collectCases(options, cwd, printError);
    for (const name of options.files.filter(isScenarioPath)) {
      const { openScenario } = await import('./scenario.ts');
      await (await openScenario([name], { timeout: values.timeout }, context))?.close();
    }
    const rowRuns = rows === undefined ? [] : await prepareRows(context, collected, rows);
    const prepared = rows === undefined ? collected : rowRuns.map(({ run }) => run);
    const inspector = await createInspector(context, connection, prepared);
    for (const { run, read } of rowRuns) inspector.rows.set(run, read);
    if (values.dryRun === true) return await inspector.printPreviews(prepared, values.format === 'json');
    const results = await inspector.check(prepared);
    const isReported = writeReport === undefined || (await writeReport(results));
    const failed = results.filter(({ failures }) => failures.length > 0).length;
    print(`${String(results.length - failed)} without problems, ${String(failed)} with problems; nothing was sent`);
    return failed === 0 && isReported ? 0 : 1;
  } finally {
    await connection?.close();
  }
}

/** The action once for each chosen row, with the cells of that row. Rejects with UsageError. */
async function prepareRows(
  context: InspectionContext,
  collected: readonly PreparedRun<TestCase>[],
  { numbers, ...settings }: NonNullable<InspectionOptions['rows']>,
): Promise<readonly { readonly run: PreparedRun<TestCase>; readonly read: VariableSource['row'] }[]> {
  const [action, ...others] = collected;
  if (action === undefined || others.length > 0)
    throw new UsageError('--data runs one action file, not a suite or several files; nothing was sent');
  const data = await openData(context, settings);
  const runs: { readonly run: PreparedRun<TestCase>; readonly read: VariableSource['row'] }[] = [];
  try {
    for (const { number, row } of readChosenRows(action.file, data, numbers)) {
      const source = { ...action.source, name: `${action.source.name}, row ${String(number)}` };
      runs.push({ run: { ...action, source }, read: row });
    }
  } catch (error) {
    throw new UsageError(`--rows: ${getErrorMessage(error)}: the data has ${String(data.rows.length)} rows`);
  }
  return runs;
}

async function createInspector(
  context: InspectionContext,
  connection: Connection | undefined,
  prepared: readonly PreparedRun<TestCase>[],
): Promise<Inspector> {
  const targets = new Map<string | undefined, Target>();
  if (connection === undefined) return new Inspector(context, targets, []);
  for (const identity of new Set(prepared.map(({ source }) => source.as))) {
    const { note, ...found } = findIdentity(connection, identity);
    const session = createToolSession(found, context.signal);
    await session.loadPermissions(context.signal);
    targets.set(identity, { session, live: new LiveData(session, connection.labels), note });
  }
  return new Inspector(context, targets, connection.secrets);
}

/** The connection as an identity; signed out, with the reason, if the environment has no credential for it. */
function findIdentity(
  connection: Connection,
  identity: string | undefined,
): Pick<Connection, 'profile' | 'client' | 'credential' | 'identity'> & { readonly note?: string } {
  if (identity === undefined) return connection;
  try {
    return connection.withIdentity(identity);
  } catch (error) {
    return { ...connection, identity, credential: {}, note: getErrorMessage(error) };
  }
}

interface Target extends NonNullable<Parameters<typeof createPreview>[1]['target']> {
  /** why there is no credential, a sentence without the full stop */
  readonly note: string | undefined;
}

class Inspector {
  readonly #context: InspectionContext;
  /** by identity; empty without a connection */
  readonly #targets: ReadonlyMap<string | undefined, Target>;
  /** reads the cells of the row that a run is for */
  readonly rows = new Map<PreparedRun<TestCase>, VariableSource['row']>();
  /** values to redact; grows as variables are read */
  readonly #secrets: string[];

  constructor(context: InspectionContext, targets: ReadonlyMap<string | undefined, Target>, secrets: string[]) {
    this.#context = context;
    this.#targets = targets;
    this.#secrets = secrets;
  }

  /** Prints the preview of each action. Resolves with 1 if one cannot be composed. */
  async printPreviews(prepared: readonly PreparedRun<TestCase>[], isJson: boolean): Promise<number> {
    const previews: Preview[] = [];
    let isComplete = true;
    for (const [index, run] of prepared.entries()) {
      try {
        const preview = await createPreview(run, this.#getOptions(run, prepared.slice(0, index)), this.#context.signal);
        previews.push(preview);
        if (!isJson) this.#print(`${index > 0 ? '\n' : ''}${formatPreview(preview)}`);
      } catch (error) {
        isComplete = false;
        this.#print(`error: ${run.source.name}: ${formatSentence(getErrorMessage(error))}`);
      }
    }
    if (isJson) this.#print(sanitizeJson(JSON.stringify(previews.map(toJsonPreview), null, 2)));
    return isComplete ? 0 : 1;
  }

  /** Checks each action, and prints what it finds. */
  async check(prepared: readonly PreparedRun<TestCase>[]): Promise<readonly TestResult[]> {
    const results: TestResult[] = [];
    for (const [index, run] of prepared.entries()) {
      const started = performance.now();
      const findings = await this.#findProblems(run, prepared.slice(0, index));
      const failures = findings.filter(isFailure).map(({ message }) => this.#redact(formatSentence(message)));
      this.#print(`${failures.length === 0 ? 'ok   ' : 'fail '} ${run.source.name}`);
      for (const finding of findings) this.#printFinding(run.source, finding);
      results.push({
        name: run.source.name,
        path: path.relative(this.#context.cwd, run.source.path),
        duration: performance.now() - started,
        failures,
      });
    }
    return results;
  }

  /** The findings of a file as it is written, and those that its variables lead to. */
  async #findProblems(
    run: PreparedRun<TestCase>,
    earlier: readonly PreparedRun<TestCase>[],
  ): Promise<readonly CheckFinding[]> {
    const { file } = run;
    const { signal } = this.#context;
    const target = this.#targets.get(run.source.as);
    const live = target?.live.preflight;
    const find = (checked: typeof file): Promise<readonly Finding[]> =>
      live === undefined || target?.session.signedOutReason !== undefined
        ? Promise.resolve(checkActionFile(checked, this.#secrets))
        : preflight(checked, live, signal, this.#secrets);
    const options = this.#getOptions(run, earlier);
    const note: readonly CheckFinding[] =
      target?.note === undefined ? [] : [{ severity: 'information', message: target.note, offset: 0 }];
    const own = [...note, ...(await find(file))];
    const variables = getDistinctVariables(file);
    const unset: CheckFinding[] = [];
    for (const variable of variables) {
      try {
        await options.variables[variable.kind](variable.name);
      } catch (error) {
        const message = getErrorMessage(error);
        const isLater = error instanceof LaterValueError;
        unset.push({ severity: getSeverity(variable, isLater), message, offset: getOffset(file.text, variable) });
      }
    }
    if (variables.length === 0) return own;
    try {
      const { request } = await composePreview(file, options, signal);
      const known = new Set(own.map(({ message }) => message));
      const further = (await find(request)).filter(
        ({ code, message }) => code !== 'placeholder' && !known.has(message),
      );
      return [...own, ...unset, ...further.map((finding) => ({ ...finding, offset: file.action?.offset ?? 0 }))];
    } catch (error) {
      return [...own, ...unset, { severity: 'error', message: getErrorMessage(error), offset: 0 }];
    }
  }

  #getOptions(prepared: PreparedRun<TestCase>, earlier: readonly PreparedRun<TestCase>[]) {
    const { source } = prepared;
    const row = this.rows.get(prepared);
    const { environment, cwd, options } = this.#context;
    const names = earlier.map((run) => run.source.name);
    const target = this.#targets.get(source.as);

    const context = { environment, cwd, options, print: () => undefined };
    const variables: VariableSource = {
      ...createCommandLineVariables(source.path, context, NO_RESULTS, this.#secrets),
      ...(row !== undefined && { row }),
      run: (name) => {
        const former = names.find(
          (known) => name === known || (/^[.[]/.test(name.slice(known.length)) && name.startsWith(known)),
        );
        if (former !== undefined) throw new LaterValueError(`\${run:${name}} is known once ${former} has run`);
        throw new Error(`\${run:${name}}: no earlier action has this name`);
      },
    };
    return {
      variables,
      getSigner: () => getSignerCommand(context),
      secrets: this.#secrets,
      ...(target !== undefined && { target }),
    };
  }

  #printFinding(source: TestCase, { severity, message, offset }: CheckFinding): void {
    const { path: file, line, column } = getSourceLocation(source, offset);
    const place = `${path.relative(this.#context.cwd, file)}:${String(line)}:${String(column)}`;
    const label = severity === 'information' ? 'note' : severity;
    this.#print(`${place}: ${label}: ${formatSentence(message)}`);
  }

  #print(text: string): void {
    for (const line of this.#redact(text).replace(/\n$/, '').split('\n')) this.#context.print(line);
  }

  #redact(text: string): string {
    return redactText(text, this.#secrets);
  }
}

type CheckFinding = Pick<Finding, 'severity' | 'message' | 'offset'> & { readonly code?: string };

/** The value of a variable comes from an action that is run before. */
class LaterValueError extends Error {
  override readonly name = 'LaterValueError';
}

const NO_RESULTS: RunResults = new Map();

/** What could not be checked is a failure too. */
function isFailure({ severity, code }: CheckFinding): boolean {
  return severity !== 'information' || code === 'notChecked';
}

/** Checks of pull requests have no secrets, and rows of data have their own values. */
function getSeverity({ kind }: Variable, isLater: boolean): Finding['severity'] {
  return isLater || kind === 'secret' || kind === 'row' ? 'information' : 'error';
}

function getOffset(text: string, variable: Variable): number {
  return Math.max(0, text.indexOf(variable.text));
}
