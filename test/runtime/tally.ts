/** Runs a prepared mocha and counts what passed and failed. */
import type Mocha from 'mocha';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** A pending test counts as failed: nothing may be skipped. What passed only when tried again is told by name. */
export function tally(mocha: Mocha): Promise<Tally> {
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
