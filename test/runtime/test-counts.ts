/** Runs mocha and counts the results. */
import type Mocha from 'mocha';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** Runs the tests. Pending ones count as failed. Prints each test that passed only on a retry, with its first error. */
export function runAndCount(mocha: Mocha): Promise<TestCounts> {
  return new Promise((resolve) => {
    const again: string[] = [];
    const runner = mocha.run(() => {
      for (const line of again) console.log(line);
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      resolve({ passed: passes, failed: failures + pending });
    });
    runner.on('retry', (test: Mocha.Test, error: Error) => {
      again.push(`Tried again: ${test.fullTitle()}\n  ${error.stack ?? error.message}`);
    });
  });
}
