/** Mutation tests, started by test/runtime/mutate.ts. */
import process from 'node:process';

export default {
  mutate: (process.env['MUTATE'] ?? '').split(' '),
  testRunner: 'mocha-in-process',
  plugins: ['./test/runtime/mutation-runner.ts'],
  coverageAnalysis: 'perTest',
  disableTypeChecks: false,
  // No such file: Stryker would load TypeScript to rewrite a tsconfig.json, which Node.js doesn't read.
  tsconfigFile: 'none',
  // Texts are no behaviour.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: ['/dist', '/.cache', '/test-results'],
  tempDirName: '.cache/stryker',
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false },
  jsonReporter: { fileName: 'test-results/mutation.json' },
  thresholds: { high: 90, low: 85, break: 85 },
  concurrency: 2,
};
