/** Mutation tests, started by test/runtime/mutate.ts. */
import process from 'node:process';

const folders = (process.env['MUTATE'] ?? '').split(' ').filter((folder) => folder !== '');
const tests = folders.map((folder) => `"${folder.replace(/^src/, 'test/unit')}/**/*.test.ts"`).join(' ');

export default {
  mutate: folders.map((folder) => `${folder}/**/*.ts`),
  testRunner: 'command',
  commandRunner: { command: `node test/runtime/mocha-suite.ts ${tests} --bail` },
  disableTypeChecks: false,
  // Texts are no behaviour.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: ['/dist', '/.cache', '/test-results', '/media'],
  tempDirName: '.cache/stryker',
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false },
  jsonReporter: { fileName: 'test-results/mutation.json' },
  thresholds: { high: 90, low: 85, break: 85 },
  concurrency: 2,
};
