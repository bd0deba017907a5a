/** What a run was expected to do, and where it did otherwise. Pure: compares data, knows no editor. */
import type { Node } from 'jsonc-parser';
import { isObject, own, parseJson } from '../platform/json.ts';
import {
  lineAndColumn,
  parseActionFile,
  printNode,
  propertyOf,
  stringAt,
  type ActionFile,
  type Problem,
} from './file.ts';
import { parsedText, type RunRecord } from './record.ts';
import { TestFileError } from './test-file-error.ts';
import { expectationProblems, nameOfStep, suiteProblems } from './test-shape.ts';

/** A neighbour `NAME.expect.json`, or `expect` of a suite's step. Every field is optional; what is not named is not looked at. */
export interface Expectation {
  /** an outcome (`completed`, `failed`, `refused`) or an HTTP status */
  readonly status?: unknown;
  /** in order; each names `action`, `error` or `output` */
  readonly steps?: unknown;
  /** fields of the action log */
  readonly log?: unknown;
  readonly batch?: unknown;
  /** by object id, or `*` for each affected one: fields after the action */
  readonly objects?: unknown;
}

export interface Mismatch {
  /** `objects.obj_1.custom.colour` */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/** Throws TestFileError for a text that is no expectation. */
export function parseExpectation(text: string): Expectation {
  const { file, root } = read(text, 'An expectation');
  demandNone(text, expectationProblems(root));
  return expectationOf(file.text, root);
}

/** Fields by name, numbers to the digit; of a node without problems. */
function expectationOf(text: string, node: Node | undefined): Expectation {
  const value = node === undefined ? undefined : parseJson(printNode(text, node));
  return isObject(value) ? value : {};
}

/** JSON with comments; throws TestFileError for anything else. */
function read(text: string, what: string): { readonly file: ActionFile; readonly root: Node } {
  const file = parseActionFile(text);
  // Size, depth and syntax are those of every file; `action` is only the action files' own rule.
  const problems = file.problems
    .filter(({ code }) => code !== 'noAction')
    .map((problem) => (problem.code === 'notAnObject' ? { ...problem, message: `${what} is a JSON object` } : problem));
  demandNone(text, problems);
  if (file.root === undefined) throw new Error('The file is empty');
  return { file, root: file.root };
}

function demandNone(text: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new TestFileError(problems.map(({ message, offset }) => ({ message, ...lineAndColumn(text, offset) })));
}

/** Throws TestFileError for regular expressions in the text that cannot be run. */
export async function demandPatterns(text: string): Promise<void> {
  if (!text.includes('$match')) return;
  const { patternProblems } = await import('./pattern.ts');
  demandNone(text, patternProblems(parseActionFile(text).root));
}

/** Empty: as expected. Matching is by part: an object has the named fields, a list the same length and order. */
export async function mismatchesOf(run: RunRecord, expectation: Expectation): Promise<readonly Mismatch[]> {
  const found: Mismatch[] = [];
  const usesPatterns = JSON.stringify(expectation).includes('"$match"');
  const matches: Matches = usesPatterns ? (await import('./pattern.ts')).matchesPattern : () => false;
  const compare = (actual: unknown, expected: unknown, path: string): void => {
    compareParts(actual, expected, path, found, matches);
  };
  const { status, steps, log, batch, objects } = expectation;
  if (status === undefined) {
    if (run.outcome !== 'completed') found.push(outcomeMismatch(run, 'completed'));
  } else if (typeof status === 'number') {
    if (run.status !== status)
      found.push({ path: 'status', expected: String(status), actual: String(run.status ?? 'no answer') });
  } else if (run.outcome !== status)
    found.push(outcomeMismatch(run, typeof status === 'string' ? status : shown(status)));
  if (steps !== undefined) compare(run.steps.map(stepOf), steps, 'steps');
  if (log !== undefined) compare(parsed(run.log), log, 'log');
  if (batch !== undefined) compare(parsed(run.batch), batch, 'batch');
  if (isObject(objects)) {
    for (const [id, fields] of Object.entries(objects)) {
      const chosen = id === '*' ? run.affected : run.affected.filter((object) => object.id === id);
      if (chosen.length === 0)
        found.push({
          path: `objects.${id}`,
          expected: 'an affected object',
          actual: run.affected.map((object) => object.id).join(', ') || 'none',
        });
      for (const object of chosen)
        compare(fields === null ? (object.after ?? null) : parsed(object.after), fields, `objects.${object.id}`);
    }
  }
  return found;
}

function outcomeMismatch(run: RunRecord, expected: string): Mismatch {
  return { path: 'status', expected, actual: `${run.outcome ?? run.phase}: ${run.reason ?? ''}` };
}

function stepOf(step: RunRecord['steps'][number]): unknown {
  return {
    action: step.action,
    ...(step.error !== undefined && { error: step.error }),
    ...(step.output !== undefined && { output: parsed(step.output) }),
  };
}

function parsed(text: string | undefined): unknown {
  return parsedText(text, text);
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value, null, 2);
}

type Matches = (pattern: string, text: string) => boolean;

/** Differences that are reported of one run. */
const MAX_MISMATCHES = 100;

/** `{"$match": "regex"}`, `{"$exists": true}` and `{"$any": true}` stand for values that differ from run to run. */
function compareParts(actual: unknown, expected: unknown, path: string, found: Mismatch[], matches: Matches): void {
  if (found.length >= MAX_MISMATCHES) return;
  const fail = (): void => {
    found.push({ path, expected: shown(expected), actual: shown(actual) });
  };
  if (isObject(expected)) {
    const [only, more] = Object.entries(expected);
    if (only !== undefined && more === undefined) {
      const [name, value] = only;
      if (name === '$exists') {
        if ((actual !== undefined && actual !== null) !== value) fail();
        return;
      }
      if (name === '$any') {
        if (actual === undefined) fail();
        return;
      }
      if (name === '$match') {
        if (typeof actual !== 'string' || typeof value !== 'string' || !matches(value, actual)) fail();
        return;
      }
    }
    if (!isObject(actual)) {
      fail();
      return;
    }
    for (const [name, value] of Object.entries(expected))
      compareParts(own(actual, name), value, `${path}.${name}`, found, matches);
    return;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) fail();
    else
      expected.forEach((value: unknown, index) => {
        compareParts(actual[index], value, `${path}[${String(index)}]`, found, matches);
      });
    return;
  }
  if (JSON.stringify(actual) !== JSON.stringify(expected)) fail();
}

/** What was expected and what came, side by side, for a difference view: both cut to what was looked at. */
export function sides(mismatches: readonly Mismatch[]): { readonly expected: string; readonly actual: string } {
  // The message names the place; of one alone the values say the rest.
  const place = ({ path }: Mismatch): string => (mismatches.length === 1 ? '' : `${path}: `);
  const side = (of: 'expected' | 'actual'): string => mismatches.map((one) => place(one) + one[of]).join('\n');
  return { expected: `${side('expected')}\n`, actual: `${side('actual')}\n` };
}

/** One step of a suite: an action of its own, or a file beside the suite. */
export interface SuiteStep {
  readonly name: string;
  /** relative path of an action file */
  readonly file?: string;
  /** an action of its own, as it stands in the suite */
  readonly request?: { readonly text: string; readonly offset: number };
  readonly expect: Expectation;
  /** where it stands in the suite's text */
  readonly offset: number;
}

/** A suite `NAME.actions.json`: `{"steps": [{"name", "file" | "request", "expect"}]}`. Throws TestFileError. */
export function parseSuite(text: string): readonly SuiteStep[] {
  const { file, root } = read(text, 'A suite');
  demandNone(text, suiteProblems(file.text, root));
  return stepsOf(file.text, root);
}

function stepsOf(text: string, root: Node): readonly SuiteStep[] {
  return (propertyOf(root, 'steps')?.children ?? []).map((node, index): SuiteStep => {
    const request = propertyOf(node, 'request');
    const path = stringAt(node, 'file');
    return {
      name: nameOfStep(node, index),
      ...(path !== undefined && { file: path }),
      ...(request !== undefined && {
        request: { text: text.slice(request.offset, request.offset + request.length), offset: request.offset },
      }),
      expect: expectationOf(text, propertyOf(node, 'expect')),
      offset: node.offset,
    };
  });
}

/** `a/mint.action.json` → `a/mint.expect.json` */
export function expectationPath(path: string): string {
  return path.replace(/(?:\.action)?\.jsonc?$/i, '.expect.json');
}

export function isSuite(path: string): boolean {
  return /\.actions\.jsonc?$/i.test(path);
}
