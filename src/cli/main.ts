#!/usr/bin/env node
/** The command-line runner of action files: reads the command line, runs, reports, and ends with an exit code. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { junitOf } from './junit.ts';
import { readOptions, UsageError, USAGE } from './options.ts';
import { runFiles } from './runner.ts';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function main(): Promise<number> {
  // Elsewhere digits of long numbers would be lost without a word. The types know only newer ones.
  if (!('rawJSON' in JSON)) throw new Error(`Node 22 or newer is needed; this is ${process.version}`);
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === undefined) {
    print(USAGE);
    return 0;
  }
  const cancel = new AbortController();
  // Ends the following; what was sent cannot be taken back.
  process.once('SIGINT', () => {
    cancel.abort();
  });
  const results = await runFiles({
    options,
    environment: process.env,
    cwd: process.cwd(),
    signal: cancel.signal,
    print,
  });
  let code = 0;
  if (options.junit !== undefined) {
    try {
      await fs.writeFile(path.resolve(options.junit), junitOf(`Smart Object actions on ${options.name}`, results));
    } catch (error) {
      process.stderr.write(`The report could not be written: ${wordsOf(error)}\n`);
      code = 1;
    }
  }
  const bad = results.filter(({ failures, skipped }) => failures.length > 0 || skipped !== undefined).length;
  print(`${String(results.length - bad)} as expected, ${String(bad)} not`);
  return bad === 0 ? code : 1;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}

try {
  process.exitCode = await main();
} catch (error) {
  const words = wordsOf(error);
  process.stderr.write(error instanceof UsageError ? `${words}\n--help shows how\n` : `${words}\n`);
  process.exitCode = 2;
}
