/** Names of action files, suites and expectations. */

/** Glob patterns. */
export const ACTION_FILES = '**/*.action.json';
export const ACTION_FILES_AND_SUITES = '**/*.{action,actions}.json';
/** What Run takes: those, and scenarios. */
export const RUNNABLE_FILES = '**/*.{action,actions,scenario}.json';
export const ACTION_AND_TEST_FILES = '**/*.{action,actions,expect,scenario}.json';
/** Suites, also those with a sandbox of their own. */
export const SUITES = '**/*.{actions,scenario}.json';
export const EXCLUDED_FILES = '**/node_modules/**';

/** Files that one command, task or suite may run, or one search may return. */
export const MAX_FILES = 500;

/** Name of a run, as `${run:NAME…}` uses it: `mint.action.json` → `mint`. */
export function getActionName(path: string): string {
  const base = path.split(/[\\/]/).at(-1) ?? path;
  return base.replace(/(?:\.action)?\.jsonc?$/i, '') || base;
}

/** Path of the expectation of an action file: `a/mint.action.json` → `a/mint.expect.json`. */
export function getExpectationPath(path: string): string {
  return path.replace(/(?:\.action)?\.jsonc?$/i, '.expect.json');
}

/** True for the path of a suite, also of a scenario. */
export function isSuitePath(path: string): boolean {
  return /\.actions\.jsonc?$/i.test(path) || isScenarioPath(path);
}

/** True for the path of a scenario: a suite with a sandbox of its own. */
export function isScenarioPath(path: string): boolean {
  return /\.scenario\.jsonc?$/i.test(path);
}

/** True for the path of a suite or of an expectation. */
export function isTestPath(path: string): boolean {
  return isSuitePath(path) || path.endsWith('.expect.json');
}
