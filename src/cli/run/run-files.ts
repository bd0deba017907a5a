import path from 'node:path';
import { systemClock } from '../../model/clock.ts';
import { checkActionFile } from '../../actions/file/check-action-file.ts';
import { formatEffect } from '../../actions/file/action-kinds.ts';
import { findRefusedFields } from '../../actions/file/refused-fields.ts';
import { defaultFollowLimits, SEARCH_DURATION } from '../../actions/follow/snapshot.ts';
import { executeRun, startRun, type ConfirmedRun } from '../../actions/run/pipeline.ts';
import type { PreparedRun } from '../../actions/run/prepare.ts';
import { redactText } from '../../actions/run/redact-variables.ts';
import { createRunPlatform } from '../../actions/run/run-platform.ts';
import { findMismatches } from '../../actions/testing/expectation.ts';
import { formatMismatch, formatTestResult } from '../../actions/testing/format-test-result.ts';
import { getSourceLocation, getTestLocation, type TestCase } from '../../actions/testing/test-cases.ts';
import { collectLogIds, formatLine, getRunResult, type RunRecord } from '../../model/runs/run-record.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { formatIdentity } from '../../model/text/heading.ts';
import { collectCases } from './collect-cases.ts';
import type { RunContext } from './context.ts';
import { createCommandLineVariables, getSignerCommand } from './command-line-variables.ts';
import { findMissingPermission } from './execute-permission.ts';
import { formatMissingCredential, formatProof, formatWait, getNextStep, getReportProperties } from './format-run.ts';
import type { TestResult } from './junit.ts';
import type { Connection } from '../connection/open-connection.ts';
import { formatSentence } from '../output/sanitize.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Runs the actions of files in order. Resolves with their results. Rejects with UsageError, before anything is sent, if a
 * file cannot be run.
 */
export async function runFiles(context: RunContext): Promise<readonly TestResult[]> {
  const { options, connection, cwd, signal } = context;
  const { secrets } = connection;
  const print = (line: string): void => context.print(redactText(line, secrets));
  const note = (line: string): void => context.printError(redactText(line, secrets));
  const redacting: RunContext = { ...context, print };
  const prepared = await collectCases(options, cwd, note);
  const identities = new Set(prepared.map((run) => openIdentity(run, context)));
  if (identities.has(connection) && Object.keys(connection.credential).length === 0)
    note(formatMissingCredential(connection));
  const runner = new FileRunner(redacting, secrets);
  for (const { client, credential, identity } of identities) {
    const denied = await findMissingPermission(client, credential, signal);
    const prefix = identity === undefined ? '' : `${identity}: `;
    if (denied !== undefined) note(`warning: ${prefix}${formatSentence(denied)}`);
  }
  const results: TestResult[] = [];
  let failedName: string | undefined;
  for (const one of prepared) {
    const { name, path: file } = one.source;
    if (failedName !== undefined || signal.aborted) {
      const skipped = signal.aborted ? 'canceled' : `not sent, because ${failedName ?? ''} failed`;
      results.push({ name, path: path.relative(cwd, file), duration: 0, failures: [], skipped });
      print(`skip  ${name}: ${skipped}`);
      continue;
    }
    const result = await runner.run(one);
    results.push(result);
    if (result.failures.length > 0 && !options.keepGoing) failedName = name;
  }
  return results;
}

/** The connection as the identity that a case names. Throws UsageError. */
function openIdentity({ source }: PreparedRun<TestCase>, { connection, cwd }: RunContext): Connection {
  if (source.as === undefined) return connection;
  try {
    return connection.withIdentity(source.as);
  } catch (error) {
    const { path: file, line, column } = getTestLocation(source);
    const relative = path.relative(cwd, file);
    const location = `${relative}:${String(line)}:${String(column)}`;
    throw new UsageError([{ location, path: relative, message: formatLine(getErrorMessage(error), 300) }]);
  }
}

/** Runs actions one after the other: later ones may use the results of earlier ones. */
class FileRunner {
  readonly #context: RunContext;
  /** values to redact; grows as variables are read */
  readonly #secrets: string[];
  readonly #runs: RunRecord[] = [];
  readonly #results = new Map<string, unknown>();

  constructor(context: RunContext, secrets: string[]) {
    this.#context = context;
    this.#secrets = secrets;
  }

  /** Runs an action and prints its progress and result. Resolves with the result; never rejects for its outcome. */
  async run(prepared: PreparedRun<TestCase>): Promise<TestResult> {
    const { print, cwd, connection } = this.#context;
    const { source, file } = prepared;
    print(
      `run   ${formatIdentity(source.name, source.as)}: ${formatEffect(file, (id) => connection.labels.get(id)?.text)}`,
    );
    for (const { severity, message, offset } of checkActionFile(file, this.#secrets))
      if (severity === 'warning') this.#printWarning(source, offset, message);
    const run = await this.#execute(prepared);
    this.#runs.push(run);
    // A failed run replaces an older one too, so that an older result is not used instead.
    if (run.sentAt !== undefined) this.#results.set(source.name, getRunResult(run));
    const mismatches = await findMismatches(run, source.expect);
    const failures = mismatches.map((mismatch) => redactText(formatSentence(formatMismatch(mismatch)), this.#secrets));
    print(formatTestResult(source, run, mismatches));
    for (const line of formatProof(run)) print(line);
    const { path: testFile, line, column } = getTestLocation(source);
    for (const failure of failures)
      print(`${path.relative(cwd, testFile)}:${String(line)}:${String(column)}: error: ${failure}`);
    if (failures.length > 0) this.#printHelp(run, prepared);
    return {
      name: source.name,
      path: path.relative(cwd, source.path),
      duration: (run.ended ?? run.started) - run.started,
      failures,
      properties: getReportProperties(run, this.#secrets),
    };
  }

  async #execute(prepared: PreparedRun<TestCase>): Promise<RunRecord> {
    const { source, file } = prepared;
    const { options, print, signal, stopWaiting } = this.#context;
    const { client, identity, profile } = openIdentity(prepared, this.#context);
    const { name, baseUrl } = profile;
    // The options were refused unless they allow this connection.
    const confirmed: ConfirmedRun = {
      source,
      file,
      target: {
        connection: name,
        ...(identity !== undefined && { identity }),
        origin: new URL(baseUrl).origin,
      },
    };
    const compose = {
      variables: createCommandLineVariables(source.path, this.#context, this.#results, this.#secrets),
      getSigner: () => getSignerCommand(this.#context),
      secrets: this.#secrets,
    };
    let previousState = '';
    return executeRun(startRun(confirmed), compose, {
      platform: createRunPlatform(client),
      time: systemClock,
      signal,
      stopWaiting,
      knownLogs: () => collectLogIds(this.#runs),
      limits: {
        ...defaultFollowLimits,
        indexing: options.follow,
        log: options.follow,
        batch: options.batch ? options.follow : 0,
      },
      searchDuration: Math.min(SEARCH_DURATION, options.follow),
      report: (run) => {
        const state = formatWait(run, this.#context);
        if (run.phase !== 'ended' && run.phase !== 'preparing' && state !== previousState) print(`      ${state}`);
        previousState = state;
      },
    });
  }

  /** Prints what the platform refused, at its place, and what the user can do. */
  #printHelp(run: RunRecord, prepared: PreparedRun<TestCase>): void {
    const { source, file } = prepared;
    if (run.outcome === 'refused' || run.outcome === 'failed')
      for (const { message, offset } of findRefusedFields(file, run.reason ?? ''))
        this.#printWarning(source, offset, message);
    const next = getNextStep(run, { connection: openIdentity(prepared, this.#context) });
    if (next !== undefined) this.#context.print(`      next step: ${formatSentence(next)}`);
  }

  #printWarning(source: TestCase, offset: number, message: string): void {
    const { path: file, line, column } = getSourceLocation(source, offset);
    this.#context.print(
      `${path.relative(this.#context.cwd, file)}:${String(line)}:${String(column)}: warning: ${formatSentence(message)}`,
    );
  }
}
