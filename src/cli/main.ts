#!/usr/bin/env node
/** The command-line runner of action files: reads the command line, runs, reports, and ends with an exit code. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { junitOf, type Result } from './junit.ts';
import { junitPathOf, readOptions, UsageError, USAGE } from './options.ts';
import { runFiles } from './runner.ts';
import { sentence, terminalLine } from './terminal.ts';

/** Milliseconds for the answer of a request that was sent, after the system asked this program to end. */
const GRACE = 2000;

const print = (line: string): void => {
  process.stdout.write(`${terminalLine(line)}\n`);
};
const printError = (line: string): void => {
  process.stderr.write(`${terminalLine(line)}\n`);
};

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const junit = junitPathOf(args);
  try {
    // Elsewhere digits of long numbers would be lost without a word. The types know only newer ones.
    if (!('rawJSON' in JSON)) throw new UsageError(`Node 22 or newer is needed; this is ${process.version}`);
    const options = readOptions(args, process.env);
    if (options === undefined) {
      process.stdout.write(`${USAGE}\n`);
      return 0;
    }
    if (junit !== undefined) await demandWritable(junit);
    const { cancel, stopWaiting } = endOnSignals();
    const results = await runFiles({
      options,
      environment: process.env,
      cwd: process.cwd(),
      signal: cancel,
      stopWaiting,
      print,
    });
    const isReported = junit === undefined || (await report(junit, `Smart Object actions on ${options.name}`, results));
    const bad = results.filter(({ failures, skipped }) => failures.length > 0 || skipped !== undefined).length;
    print(`${String(results.length - bad)} as expected, ${String(bad)} not`);
    return bad === 0 && isReported ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    for (const { place, message } of error.problems)
      printError(`${place === undefined ? '' : `${place}: `}error: ${sentence(message)}`);
    if (junit !== undefined && !error.isAboutReport) await report(junit, 'Smart Object actions', error.results);
    return 2;
  }
}

/** Throws UsageError for a report that could not be written: after sending it would be too late. */
async function demandWritable(junit: string): Promise<void> {
  const file = path.resolve(junit);
  try {
    const stat = await fs.stat(file).catch(() => undefined);
    if (stat?.isDirectory() === true) throw new Error('it is a folder');
    await fs.access(stat === undefined ? path.dirname(file) : file, fs.constants.W_OK);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const why = isMissing ? 'its folder does not exist' : wordsOf(error);
    throw new UsageError(`The report ${junit} cannot be written, as ${why}; nothing was sent`, { isAboutReport: true });
  }
}

async function report(junit: string, name: string, results: readonly Result[]): Promise<boolean> {
  try {
    await fs.writeFile(path.resolve(junit), junitOf(name, results));
    return true;
  } catch (error) {
    printError(`error: ${sentence(`The report ${junit} could not be written: ${wordsOf(error)}`)}`);
    return false;
  }
}

/**
 * The first Ctrl-C sends nothing more, and waits for the answer of what was sent; a second one, or the system's own
 * request to end after a moment, stops waiting for it too. The report is written in each case.
 */
function endOnSignals(): { readonly cancel: AbortSignal; readonly stopWaiting: AbortSignal } {
  const cancel = new AbortController();
  const stopWaiting = new AbortController();
  let count = 0;
  const end = (signal: NodeJS.Signals): void => {
    count++;
    // Whoever presses it a third time wants out, whatever becomes of the report.
    if (count > 2) process.exit(130);
    cancel.abort();
    if (count > 1) stopWaiting.abort();
    else if (signal === 'SIGINT') printError('Cancelled: nothing more is sent. Press Ctrl-C again to stop waiting.');
    else
      setTimeout(() => {
        stopWaiting.abort();
      }, GRACE).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  return { cancel: cancel.signal, stopWaiting: stopWaiting.signal };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}

try {
  process.exitCode = await main();
} catch (error) {
  // Not 2: something may have been sent.
  printError(`error: ${sentence(wordsOf(error))}`);
  process.exitCode = 1;
}
