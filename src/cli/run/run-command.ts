/** `run FILES…`: runs action files, reports, and decides the exit code. */
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { replaceFile, requireReplaceable } from '../../model/files/write-file.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { hasConnection, openConnection, type ConnectionInput } from '../connection/open-connection.ts';
import type { Output } from '../output/output.ts';
import { formatSentence } from '../output/sanitize.ts';
import { UsageError } from '../usage-error.ts';
import { formatJunitReport, type TestResult } from './junit.ts';
import { readBatchSettings, type BatchSettings, type BatchValues } from './batch-options.ts';
import { readRunOptions, type RunValues } from './options.ts';
import { requireProductionPermission } from './require-permission.ts';
import { runFiles } from './run-files.ts';
import type { RunContext } from './context.ts';

export interface RunEnvironment extends ConnectionInput, Pick<RunContext, 'signal' | 'stopWaiting' | 'print'> {
  readonly output: Pick<Output, 'isTerminal' | 'width' | 'write'>;
}

/**
 * Runs files in order, or inspects them with `--dry-run` and `--check`. Resolves with 0 if all passed, else with 1.
 * Rejects with UsageError, before anything is sent, for a wrong command line or file.
 */
export async function runCommand(
  context: RunEnvironment,
  files: readonly string[],
  values: RunValues & BatchValues & ConnectionValues,
): Promise<number> {
  const { junit } = values;
  if (junit !== undefined && isJsonFile(junit))
    throw new UsageError(`--junit writes an XML report, but ${junit} is a JSON file; nothing was sent`, {
      isAboutReport: true,
    });
  const options = await readInput(context, files, values);
  const batch = readBatchSettings(values);
  if (batch !== undefined && values.dryRun !== true) return runData({ ...context, options }, batch, values);
  if (values.dryRun === true || values.check === true) {
    const { inspectFiles } = await import('./inspect-files.ts');
    return inspectFiles({ ...context, options }, values, {
      ...(junit !== undefined && {
        writeReport: (results) => writeReport(junit, context, 'Smart Object action checks', results),
      }),
      ...(batch !== undefined && { rows: { ...batch, numbers: values.rows ?? '1' } }),
    });
  }
  if (values.format !== undefined) throw new UsageError('--format requires --dry-run; nothing was sent');
  const { openScenario } = await import('./scenario.ts');
  const scenario = await openScenario(files, values, context);
  try {
    return await runOn({ ...context, ...scenario, options }, scenario?.values ?? values, junit);
  } finally {
    await scenario?.close();
  }
}

async function runOn(
  context: RunEnvironment & Pick<RunContext, 'options'>,
  values: RunValues & ConnectionValues,
  junit: string | undefined,
): Promise<number> {
  const connection = await openConnection(values, context);
  try {
    const { name } = connection.profile;
    requireProductionPermission(connection.profile, values.allowProduction);
    if (junit !== undefined) await requireWritableReport(junit, context.cwd);
    const results = await runFiles({ ...context, connection });
    const isReported =
      junit === undefined || (await writeReport(junit, context, `Smart Object actions on ${name}`, results));
    const failed = results.filter(({ failures }) => failures.length > 0).length;
    const skipped = results.filter((result) => result.skipped !== undefined).length;
    const passed = results.length - failed - skipped;
    const skippedText = skipped === 0 ? '' : `, ${String(skipped)} skipped`;
    context.print(`${String(passed)} passed, ${String(failed)} failed${skippedText}`);
    return failed + skipped === 0 && isReported ? 0 : 1;
  } finally {
    await connection.close();
  }
}

/** The options, with standard input if it is one of the files. Rejects with UsageError. */
async function readInput(
  { stdin }: RunEnvironment,
  files: readonly string[],
  values: RunValues & ConnectionValues,
): Promise<RunContext['options']> {
  const options = readRunOptions(files, values);
  if (!files.includes('-')) return options;
  if (values.apiKeyStdin === true || values.accessTokenStdin === true)
    throw new UsageError('Standard input can contain a credential or an action, not both; nothing was sent');
  return { ...options, stdin: await readText(stdin) };
}

/** Runs or checks an action file over rows of data. Rejects with UsageError. */
async function runData(
  context: RunEnvironment & Pick<RunContext, 'options'>,
  batch: BatchSettings,
  values: RunValues & ConnectionValues,
): Promise<number> {
  const { checkBatch, runBatch } = await import('./run-batch.ts');
  if (values.check === true && !hasConnection(values, context)) return checkBatch(context, batch);
  const connection = await openConnection(values, context, batch.pacing.concurrency);
  try {
    if (values.check === true) return await checkBatch({ ...context, connection }, batch);
    requireProductionPermission(connection.profile, values.allowProduction);
    return await runBatch({ ...context, connection }, batch);
  } finally {
    await connection.close();
  }
}

/** A report is XML: the name of a JSON file is that of an action file, which would be lost. */
function isJsonFile(file: string): boolean {
  return /\.jsonc?$/i.test(file);
}

/** Rejects with UsageError if the report cannot be written, before anything is sent. */
async function requireWritableReport(junit: string, cwd: string): Promise<void> {
  await requireReplaceable(path.resolve(cwd, junit)).catch((error: unknown) => {
    const why = getErrorMessage(error);
    throw new UsageError(`The report ${junit} cannot be written: ${why}; nothing was sent`, { isAboutReport: true });
  });
}

/** Writes the report of a command line or file that made no sense, if it names one. Never rejects. */
export async function reportUsageError(
  error: UsageError,
  junit: string,
  context: Pick<RunEnvironment, 'cwd' | 'print'>,
): Promise<void> {
  if (junit === '' || isJsonFile(junit) || error.isAboutReport) return;
  const results = error.problems.map(({ location, path = 'command line', message }) => ({
    name: location ?? 'command line',
    path,
    duration: 0,
    failures: [],
    error: message,
  }));
  await writeReport(junit, context, 'Smart Object actions', results);
}

async function writeReport(
  junit: string,
  { cwd, print }: Pick<RunEnvironment, 'cwd' | 'print'>,
  name: string,
  results: readonly TestResult[],
): Promise<boolean> {
  try {
    await replaceFile(path.resolve(cwd, junit), formatJunitReport(name, results));
    return true;
  } catch (error) {
    print(`error: ${formatSentence(`The report ${junit} could not be written: ${getErrorMessage(error)}`)}`);
    return false;
  }
}
