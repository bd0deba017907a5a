/** Runs a prepared mocha and counts what passed and failed. */
import type Mocha from 'mocha';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** A pending test counts as failed: nothing may be skipped. */
export function tally(mocha: Mocha): Promise<Tally> {
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      resolve({ passed: passes, failed: failures + pending });
    });
  });
}
