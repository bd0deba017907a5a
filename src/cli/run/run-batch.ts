/** `run FILE --data DATA`: one action over the rows of a data file. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { createBatchPlatform } from '../../actions/bulk/batch-platform.ts';
import type { Batch, BatchData, BatchOptions, BatchTotals, RowFinding } from '../../actions/bulk/batch.ts';
import { openDataFile, setTypes } from '../../actions/bulk/data/open-data.ts';
import { readJournal } from '../../actions/bulk/journal/read-journal.ts';
import { createBatch, resumeBatch, runAgain } from '../../actions/bulk/open-batch.ts';
import { formatResults } from '../../actions/bulk/results.ts';
import { findOnlyLogs } from '../../actions/bulk/settle.ts';
import { validateBatch } from '../../actions/bulk/validate-batch.ts';
import { LiveData } from '../../actions/language/live-data.ts';
import { defaultFollowLimits, SEARCH_DURATION } from '../../actions/follow/snapshot.ts';
import type { PreparedRun } from '../../actions/run/prepare.ts';
import { redactText } from '../../actions/run/redact-variables.ts';
import type { TestCase } from '../../actions/testing/test-cases.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { getRealPath } from '../../model/files/real-path.ts';
import { replaceFile, requireReplaceable } from '../../model/files/write-file.ts';
import { createToolSession } from '../connection/tool-session.ts';
import type { Output } from '../output/output.ts';
import { formatSentence } from '../output/sanitize.ts';
import { UsageError } from '../usage-error.ts';
import type { BatchSettings } from './batch-options.ts';
import { formatCounts, printProgress } from './batch-progress.ts';
import { collectCases } from './collect-cases.ts';
import { createCommandLineVariables, getSignerCommand } from './command-line-variables.ts';
import type { RunContext } from './context.ts';
import { findMissingPermission } from './execute-permission.ts';
import { formatMissingCredential } from './format-run.ts';

/** Findings that are printed. */
const MAX_FINDINGS = 50;

interface BatchContext extends RunContext {
  readonly output: Pick<Output, 'isTerminal' | 'width' | 'write'>;
}

/**
 * Runs an action file once for each row. Resolves with 0 if every row is completed, else with 1. Rejects with UsageError,
 * before anything is sent, for data, a journal or a command line that makes no sense.
 */
export async function runBatch(context: BatchContext, settings: BatchSettings): Promise<number> {
  const { signal } = context;
  const print = (line: string): void => context.print(redactText(line, context.connection.secrets));
  const note = (line: string): void => context.printError(redactText(line, context.connection.secrets));
  const run = await prepareAction(context);
  const connection = getConnection(context.connection, run.source);
  const redacting = { ...context, connection, print };
  const data = await openData(redacting, settings);
  await requireResultsFile(redacting, settings);
  await validate(redacting, run, data);
  if (Object.keys(connection.credential).length === 0) note(formatMissingCredential(connection));
  const denied = await findMissingPermission(connection.client, connection.credential, signal);
  if (denied !== undefined) note(`warning: ${formatSentence(denied)}`);
  const batch = await openBatch(redacting, settings, run, data);
  if (settings.settles) {
    const onlyLogs = findOnlyLogs(await batch.readResults([...batch.rowNumbers]));
    await batch.settle(onlyLogs);
    print(`${formatNumber(onlyLogs.size, 'unknown row')} settled by the action log`);
  }
  const totals = await follow(redacting, batch);
  const isReported = await writeResults(redacting, settings, batch, data);
  printEnd(print, settings, totals);
  return isReported && totals.counts.completed === totals.rowCount ? 0 : 1;
}

/** `run FILE --data DATA --check`: checks the rows. Resolves with 0, or with 1 for errors and warnings; rejects with UsageError. */
export async function checkBatch(
  context: Omit<RunContext, 'connection' | 'stopWaiting'> & { readonly connection?: RunContext['connection'] },
  settings: BatchSettings,
): Promise<number> {
  const { connection, signal, print } = context;
  const run = await prepareAction(context);
  const data = await openData(context, settings);
  const session = connection === undefined ? undefined : createToolSession(connection, signal);
  await session?.loadPermissions(signal);
  const live = session === undefined || session.signedOutReason !== undefined ? undefined : new LiveData(session);
  const { findings, errorCount, warningCount, effects } = await validateBatch({
    action: { name: run.source.name, file: run.file },
    data,
    signal,
    ...(live !== undefined && { live: live.preflight }),
    ...(connection !== undefined && { labels: connection.labels }),
  });
  for (const { effect, rowCount } of effects) print(`${String(rowCount)} × ${effect}`);
  printFindings(print, data, findings);
  print(
    `${formatNumber(data.rows.length, 'row')}, ${formatNumber(errorCount, 'error')}, ${formatNumber(warningCount, 'warning')}; nothing was sent`,
  );
  return errorCount + warningCount === 0 ? 0 : 1;
}

async function prepareAction({ options, cwd }: Pick<RunContext, 'options' | 'cwd'>): Promise<PreparedRun<TestCase>> {
  const [run, ...others] = await collectCases(options, cwd);
  if (run === undefined || others.length > 0)
    throw new UsageError('--data runs one action file, not a suite or several files; nothing was sent');
  return run;
}

/** The connection as the identity that the expectation of the action file names. Throws UsageError. */
function getConnection(connection: RunContext['connection'], { as }: TestCase): RunContext['connection'] {
  if (as === undefined) return connection;
  try {
    return connection.withIdentity(as);
  } catch (error) {
    throw new UsageError(`${getErrorMessage(error)}; nothing was sent`);
  }
}

/** Opens the file of `--data`, with the types of `--column-type`, else of the journal that is read. Rejects with UsageError. */
export async function openData(
  { cwd, signal }: Pick<RunContext, 'cwd' | 'signal'>,
  { data: name, types, resumes, journal, again }: Pick<BatchSettings, 'data' | 'types'> & Partial<BatchSettings>,
): Promise<BatchData> {
  const file = path.resolve(cwd, name);
  const data = await asUsageError(
    openDataFile({ path: await fs.realpath(file).catch(() => file), name: path.basename(name), signal }),
  );
  const unknown = Object.keys(types ?? {}).find((column) => !data.columns.includes(column));
  if (unknown !== undefined)
    throw new UsageError(`--column-type: ${data.name} has no column ${formatLine(unknown)}; nothing was sent`);
  const former = resumes === true ? journal : again;
  if (types !== undefined || former === undefined) return setTypes(data, types);
  const { header } = await asUsageError(readJournal(path.resolve(cwd, former)));
  return setTypes(data, header.types);
}

/** What cannot be opened was not sent. Rejects with UsageError. */
async function asUsageError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new UsageError(`${getErrorMessage(error).replace(/\.$/, '')}; nothing was sent`);
  }
}

/** Rejects with UsageError if the results cannot be written, or would replace another file of the command. */
async function requireResultsFile(
  { cwd, options }: Pick<RunContext, 'cwd' | 'options'>,
  { results, data, journal, again }: BatchSettings,
): Promise<void> {
  if (results === undefined) return;
  const file = path.resolve(cwd, results);
  const others = { data: [data], journal: [journal], 'journal of --again': again === undefined ? [] : [again] };
  for (const [what, names] of Object.entries({ ...others, 'action file': options.files }))
    for (const name of names)
      if ((await getRealPath(path.resolve(cwd, name))) === (await getRealPath(file)))
        throw new UsageError(`--results would replace the ${what}; nothing was sent`);
  await requireReplaceable(file).catch((error: unknown) => {
    throw new UsageError(`The results ${results} cannot be written: ${getErrorMessage(error)}; nothing was sent`);
  });
}

/** Prints what is wrong with the rows. Rejects with UsageError for errors. */
async function validate({ print, signal }: RunContext, run: PreparedRun<TestCase>, data: BatchData): Promise<void> {
  const { findings, errorCount } = await asUsageError(
    validateBatch({ action: { name: run.source.name, file: run.file }, data, signal }),
  );
  printFindings(print, data, findings);
  if (errorCount > 0) throw new UsageError(`${data.name} has ${formatNumber(errorCount, 'error')}; nothing was sent`);
}

function printFindings(print: RunContext['print'], { name }: BatchData, findings: readonly RowFinding[]): void {
  for (const { row, severity, message } of findings.slice(0, MAX_FINDINGS)) {
    const place = row === undefined ? name : `${name}, row ${String(row)}`;
    print(`${place}: ${severity === 'information' ? 'note' : severity}: ${formatSentence(message)}`);
  }
  if (findings.length > MAX_FINDINGS) print(`${String(findings.length - MAX_FINDINGS)} more findings are not shown.`);
}

function openBatch(
  context: BatchContext,
  { journal, resumes, again, pacing }: BatchSettings,
  { source, file }: PreparedRun<TestCase>,
  data: BatchData,
): Promise<Batch> {
  const { connection, options, cwd } = context;
  const { name, baseUrl, environment } = connection.profile;
  const batchOptions: BatchOptions = {
    journal: path.resolve(cwd, journal),
    action: { name: source.name, file },
    data,
    connection: {
      name,
      baseUrl,
      ...(environment !== undefined && { environment }),
      ...(source.as !== undefined && { identity: source.as }),
    },
    platform: createBatchPlatform(connection.client),
    variables: createCommandLineVariables(source.path, context, new Map(), connection.secrets),
    getSigner: () => getSignerCommand(context),
    secrets: connection.secrets,
    pacing,
    followsLedgerBatches: options.batch,
    limits: { ...defaultFollowLimits, indexing: options.follow, log: options.follow, batch: options.follow },
    searchDuration: Math.min(SEARCH_DURATION, options.follow),
  };
  const former = again === undefined ? undefined : path.resolve(cwd, again);
  if (former !== undefined) return asUsageError(runAgain({ ...batchOptions, formerJournal: former }));
  return asUsageError(resumes ? resumeBatch(batchOptions) : createBatch(batchOptions));
}

/** Runs a batch to its end, or until Ctrl-C. Resolves with its totals; never rejects. */
async function follow({ signal, stopWaiting, print, output }: BatchContext, batch: Batch): Promise<BatchTotals> {
  let hasStatus = false;
  const showStatus = (line: string): void => {
    hasStatus = true;
    void output.write(`\r${line.slice(0, output.width - 1)}\u001b[K`);
  };
  const clearStatus = (): void => {
    if (hasStatus) void output.write('\r\u001b[K');
    hasStatus = false;
  };
  const stopPrinting = printProgress(batch, {
    print: (line) => {
      clearStatus();
      print(line);
    },
    ...(output.isTerminal && { showStatus }),
  });
  const stop = (): void => void batch.stop();
  const close = (): void => void batch.close();
  signal.addEventListener('abort', stop, { once: true });
  stopWaiting.addEventListener('abort', close, { once: true });
  // Nobody is there to let a batch that paused itself go on.
  batch.listen(({ type }) => {
    if (type === 'totals' && batch.totals.status === 'paused') stop();
  });
  if (signal.aborted) stop();
  else batch.start();
  const totals = await batch.ended;
  stopPrinting();
  clearStatus();
  return totals;
}

/** Resolves with false if the results cannot be written. Never rejects. */
async function writeResults(
  { cwd, print }: RunContext,
  { results }: BatchSettings,
  batch: Batch,
  data: BatchData,
): Promise<boolean> {
  if (results === undefined) return true;
  try {
    await replaceFile(path.resolve(cwd, results), formatResults(batch, data));
    return true;
  } catch (error) {
    print(`error: ${formatSentence(`The results ${results} could not be written: ${getErrorMessage(error)}`)}`);
    return false;
  }
}

/** `1 row`, `2 rows`. */
function formatNumber(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function printEnd(print: RunContext['print'], { journal }: BatchSettings, totals: BatchTotals): void {
  const { counts, reason } = totals;
  if (reason !== undefined) print(`error: ${formatSentence(reason)}`);
  print(`${formatNumber(totals.rowCount, 'row')}: ${formatCounts(totals)}`);
  if (counts.notSent + counts.accepted > 0)
    print(`To continue, run the same command with --journal ${journal} --resume. No row is sent twice.`);
  if (counts.refused + counts.failed > 0)
    print(
      `To send the refused and failed rows again, use --again ${journal} instead of --resume, and a new --journal.`,
    );
  if (counts.unknown > 0)
    print(
      'Unknown rows may have been executed, and are never sent again: check the action logs. --resume --settle settles those with exactly one possible action log.',
    );
}
