/** What cannot come true in suites and expectations: files that are not there, patterns that match nothing. Pure: hints. */
import { plainText } from '../platform/plain-text.ts';
import { checkFile, Findings, type Finding } from './check.ts';
import { isSuite } from './expect.ts';
import { actionFileAt, parseActionFile, propertyOf, spanOf } from './file.ts';
import { suiteProblems } from './test-shape.ts';

/** Whether a file is there, by its path relative to the one that is checked. */
export type Exists = (relative: string) => Promise<boolean>;

/** Files of a suite that are looked for. */
const MAX_FILES = 500;

/** Never throws; broken JSON, unknown keys and wrong types are the JSON schema's to report. */
export async function checkTests(
  path: string,
  text: string,
  exists: Exists,
  secrets: readonly string[] = [],
): Promise<readonly Finding[]> {
  const file = parseActionFile(text);
  const { root } = file;
  const tooLarge = file.problems.find(({ code }) => code === 'tooLarge');
  const findings = new Findings();
  if (tooLarge !== undefined) findings.add(tooLarge, tooLarge.code, 'error', tooLarge.message);
  if (root === undefined || file.problems.some(({ code }) => code !== 'noAction')) return findings.list;
  if (isSuite(path)) {
    const steps = propertyOf(root, 'steps')?.children ?? [];
    for (const problem of suiteProblems(file.text, root))
      if (problem.code === 'sameName') findings.add(problem, problem.code, 'error', problem.message);
    for (const step of steps) {
      const request = propertyOf(step, 'request');
      if (request?.type !== 'object' || findings.isFull) continue;
      for (const { code, severity, message, fixes, ...at } of checkFile(actionFileAt(file.text, request), secrets))
        findings.add(at, code, severity, message, fixes);
    }
    for (const step of steps.slice(0, MAX_FILES)) {
      const node = propertyOf(step, 'file');
      if (typeof node?.value !== 'string' || node.value === '' || findings.isFull) continue;
      if (!(await exists(node.value)))
        findings.add(
          spanOf(node),
          'noFile',
          'warning',
          `There is no file ${plainText(node.value, 200)} beside this suite`,
        );
    }
  } else {
    const name =
      path
        .split('/')
        .at(-1)
        ?.replace(/\.expect\.json$/, '') ?? '';
    if (!(await exists(`${name}.action.json`)) && !(await exists(`${name}.json`)))
      findings.add(
        { offset: root.offset, length: 1 },
        'noFile',
        'warning',
        `Nothing is run with this: there is no ${plainText(name, 200)}.action.json`,
      );
  }
  if (text.includes('$match')) {
    const { patternProblems } = await import('./pattern.ts');
    for (const problem of patternProblems(root)) findings.add(problem, 'pattern', 'warning', problem.message);
  }
  return findings.list;
}

/** Documents that `checkTests` is for. */
export function isTests(path: string): boolean {
  return isSuite(path) || path.endsWith('.expect.json');
}
