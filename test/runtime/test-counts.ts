/** Runs mocha and counts the results. */
import type Mocha from 'mocha';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** title and error of each test that failed */
  readonly failures: readonly string[];
}

/** What `runAndCount` also tells about the files of the run. */
export interface FileCounts extends TestCounts {
  /** absolute paths of files with a failed test, each with the number of its tests that passed; a hook of no file has `''` */
  readonly failedFiles: ReadonlyMap<string, number>;
}

/** Suites that take longer are listed after a run, in milliseconds. */
const SLOW_SUITE = 5000;

/**
 * Runs the tests. Pending ones count as failed. Prints each test that passed only on a retry, with its first error, and
 * the seconds of the slowest suites.
 * @param bailFiles after a failed test, the rest of its file does not run
 */
export function runAndCount(mocha: Mocha, bailFiles = false): Promise<FileCounts> {
  return new Promise((resolve) => {
    const again: string[] = [];
    const failed: string[] = [];
    const passedByFile = new Map<string, number>();
    const failedFiles = new Set<string>();
    const suites = new Map<Mocha.Suite, { readonly start: number; total: number; tests: number }>();
    const runner = mocha.run(() => {
      for (const line of again) console.log(line);
      const slow = [...suites].filter(([, { total }]) => total > SLOW_SUITE).sort(([, a], [, b]) => b.total - a.total);
      if (slow.length > 0) console.log('  Slowest suites:');
      for (const [{ title }, { total, tests }] of slow)
        console.log(`    ${formatSeconds(total)}, ${formatSeconds(total - tests)} of it in hooks: ${title}`);
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      resolve({
        passed: passes,
        failed: failures + pending,
        failures: failed,
        failedFiles: new Map([...failedFiles].map((file) => [file, passedByFile.get(file) ?? 0])),
      });
    });
    runner.on('suite', (suite: Mocha.Suite) => {
      if (suite.parent?.root === true) suites.set(suite, { start: Date.now(), total: 0, tests: 0 });
    });
    runner.on('suite end', (suite: Mocha.Suite) => {
      const times = suites.get(suite);
      if (times === undefined) return;
      times.total = Date.now() - times.start;
      suite.eachTest(({ duration = 0 }) => (times.tests += duration));
    });
    runner.on('pass', ({ file = '' }: Mocha.Test) => {
      passedByFile.set(file, (passedByFile.get(file) ?? 0) + 1);
    });
    runner.on('fail', (test: Mocha.Runnable, error: Error) => {
      failed.push(`${test.fullTitle()}\n  ${error.stack ?? error.message}`);
      failedFiles.add(test.file ?? '');
      for (let suite = test.parent; bailFiles && suite?.root === false; suite = suite.parent) suite.bail(true);
    });
    runner.on('retry', (test: Mocha.Test, error: Error) => {
      again.push(`Tried again: ${test.fullTitle()}\n  ${error.stack ?? error.message}`);
    });
  });
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
