#!/usr/bin/env node
/** The command-line runner of action files: reads the command line, runs, reports, and ends with an exit code. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { getErrorMessage } from '../model/error-message.ts';
import { formatJunitReport, type TestResult } from './junit.ts';
import { getJunitPath, readOptions, UsageError, USAGE } from './options.ts';
import { runFiles } from './run-files.ts';
import { formatSentence, sanitizeTerminalLine } from './terminal.ts';

/** Milliseconds to wait for the response of a sent request after SIGTERM. */
const GRACE_PERIOD = 2000;

const print = (line: string): void => {
  process.stdout.write(`${sanitizeTerminalLine(line)}\n`);
};
const printError = (line: string): void => {
  process.stderr.write(`${sanitizeTerminalLine(line)}\n`);
};

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const junit = getJunitPath(args);
  try {
    // Older versions would lose digits of long numbers. The types only know newer ones.
    if (!('rawJSON' in JSON)) throw new UsageError(`Node 22 or newer is needed; this is ${process.version}`);
    const options = readOptions(args, process.env);
    if (options === undefined) {
      process.stdout.write(`${USAGE}\n`);
      return 0;
    }
    if (junit !== undefined) await requireWritableReport(junit);
    const { cancel, stopWaiting } = handleSignals();
    const results = await runFiles({
      options,
      environment: process.env,
      cwd: process.cwd(),
      signal: cancel,
      stopWaiting,
      print,
    });
    const isReported =
      junit === undefined || (await writeReport(junit, `Smart Object actions on ${options.name}`, results));
    const failed = results.filter(({ failures, skipped }) => failures.length > 0 || skipped !== undefined).length;
    print(`${String(results.length - failed)} as expected, ${String(failed)} not`);
    return failed === 0 && isReported ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    for (const { location, message } of error.problems)
      printError(`${location === undefined ? '' : `${location}: `}error: ${formatSentence(message)}`);
    if (junit !== undefined && !error.isAboutReport) await writeReport(junit, 'Smart Object actions', error.results);
    return 2;
  }
}

/** Rejects with UsageError if the report cannot be written, before anything is sent. */
async function requireWritableReport(junit: string): Promise<void> {
  const file = path.resolve(junit);
  try {
    const stat = await fs.stat(file).catch(() => undefined);
    if (stat?.isDirectory() === true) throw new Error('it is a folder');
    await fs.access(stat === undefined ? path.dirname(file) : file, fs.constants.W_OK);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const why = isMissing ? 'its folder does not exist' : getErrorMessage(error);
    throw new UsageError(`The report ${junit} cannot be written, as ${why}; nothing was sent`, { isAboutReport: true });
  }
}

async function writeReport(junit: string, name: string, results: readonly TestResult[]): Promise<boolean> {
  try {
    await fs.writeFile(path.resolve(junit), formatJunitReport(name, results));
    return true;
  } catch (error) {
    printError(`error: ${formatSentence(`The report ${junit} could not be written: ${getErrorMessage(error)}`)}`);
    return false;
  }
}

/**
 * The first Ctrl-C sends nothing more, and waits for the response of what was sent; a second one, or SIGTERM after a
 * moment, stops waiting too. The report is always written.
 */
function handleSignals(): { readonly cancel: AbortSignal; readonly stopWaiting: AbortSignal } {
  const cancel = new AbortController();
  const stopWaiting = new AbortController();
  let count = 0;
  const end = (signal: NodeJS.Signals): void => {
    count++;
    // A third Ctrl-C exits without the report.
    if (count > 2) process.exit(130);
    cancel.abort();
    if (count > 1) stopWaiting.abort();
    else if (signal === 'SIGINT') printError('Cancelled: nothing more is sent. Press Ctrl-C again to stop waiting.');
    else
      setTimeout(() => {
        stopWaiting.abort();
      }, GRACE_PERIOD).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  return { cancel: cancel.signal, stopWaiting: stopWaiting.signal };
}

try {
  process.exitCode = await main();
} catch (error) {
  // Not 2, since something may have been sent.
  printError(`error: ${formatSentence(getErrorMessage(error))}`);
  process.exitCode = 1;
}
