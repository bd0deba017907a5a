/** Runs the in-editor tests with mocha inside the extension host; bundled, and started by VS Code as `extensionTestsPath`. */
import { Console } from 'node:console';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import util from 'node:util';
import type Mocha from 'mocha';
import { shuffleBySeed } from '../support/seeded-random.ts';
import { runAndCount, type TestCounts } from './test-counts.ts';

/** The JSON value of the environment variable HARNESS. */
export interface HostRunRequest {
  readonly tests: readonly string[];
  /** file that the output of the tests is appended to */
  readonly output: string;
  /** file for the counts, written at the end */
  readonly result: string;
  readonly mocha: string;
  readonly grep?: string;
  /** seed of the order of the suites */
  readonly shuffle?: string;
  /** no time limits of tests */
  readonly debug: boolean;
  readonly color: boolean;
}

/** Called by VS Code. Rejects when a test file cannot be loaded. */
export async function run(): Promise<void> {
  const request = JSON.parse(process.env['HARNESS'] ?? '{}') as HostRunRequest;
  // Synchronous, so that nothing is lost when the extension host ends.
  const print = (text: string): void => {
    fs.appendFileSync(request.output, text);
  };
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      print(chunk.toString());
      done();
    },
  });
  // The host's console prints to the window's log and its methods are read-only.
  const host = globalThis.console;
  globalThis.console = new Console(sink);
  process.setSourceMapsEnabled(true);
  try {
    const counts = await runMocha(request, print);
    fs.writeFileSync(request.result, JSON.stringify(counts));
  } catch (error) {
    print(`\nThe test run broke: ${util.inspect(error)}\n`);
    throw error;
  } finally {
    globalThis.console = host;
  }
}

/** Loads and runs the modules one after another: the first one tests an extension that was not used before. */
async function runMocha(request: HostRunRequest, print: (text: string) => void): Promise<TestCounts> {
  // Not bundled, since mocha loads its reporters by path.
  const Runner = createRequire(request.mocha)(request.mocha) as typeof Mocha;
  Runner.reporters.Base.consoleLog = (...values: unknown[]) => {
    print(`${util.format(...values)}\n`);
  };
  const { color } = request;
  const total = { passed: 0, failed: 0, failures: [] as string[] };
  for (const file of request.tests) {
    // A busy VS Code may exceed a time limit, so a failed test is retried once and reported as such. The limit is longer
    // than that of `eventually`, whose error names what did not happen.
    const mocha = new Runner({ ui: 'tdd', color, timeout: 180_000, retries: 1, forbidPending: true, forbidOnly: true });
    if (request.grep !== undefined) mocha.grep(request.grep);
    mocha.addFile(file);
    await mocha.loadFilesAsync();
    mocha.suite.suites = shuffleBySeed(mocha.suite.suites, request.shuffle);
    if (request.debug) mocha.suite.eachTest((test) => test.timeout(0));
    const { passed, failed, failures } = await runAndCount(mocha);
    total.passed += passed;
    total.failed += failed;
    total.failures.push(...failures);
  }
  return total;
}
