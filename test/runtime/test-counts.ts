/** Runs mocha and counts the results. */
import type Mocha from 'mocha';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** title and error of each test that failed */
  readonly failures: readonly string[];
}

/** Runs the tests. Pending ones count as failed. Prints each test that passed only on a retry, with its first error. */
export function runAndCount(mocha: Mocha): Promise<TestCounts> {
  return new Promise((resolve) => {
    const again: string[] = [];
    const failed: string[] = [];
    const runner = mocha.run(() => {
      for (const line of again) console.log(line);
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      resolve({ passed: passes, failed: failures + pending, failures: failed });
    });
    runner.on('fail', (test: Mocha.Runnable, error: Error) => {
      failed.push(`${test.fullTitle()}\n  ${error.stack ?? error.message}`);
    });
    runner.on('retry', (test: Mocha.Test, error: Error) => {
      again.push(`Tried again: ${test.fullTitle()}\n  ${error.stack ?? error.message}`);
    });
  });
}
