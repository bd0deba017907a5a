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

/**
 * Runs the tests. Pending ones count as failed. Prints each test that passed only on a retry, with its first error.
 * @param bailFiles after a failed test, the rest of its file does not run
 */
export function runAndCount(mocha: Mocha, bailFiles = false): Promise<FileCounts> {
  return new Promise((resolve) => {
    const again: string[] = [];
    const failed: string[] = [];
    const passedByFile = new Map<string, number>();
    const failedFiles = new Set<string>();
    const runner = mocha.run(() => {
      for (const line of again) console.log(line);
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      resolve({
        passed: passes,
        failed: failures + pending,
        failures: failed,
        failedFiles: new Map([...failedFiles].map((file) => [file, passedByFile.get(file) ?? 0])),
      });
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
