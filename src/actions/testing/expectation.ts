import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { isObject, getOwn } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import {
  getLineAndColumn,
  parseActionFile,
  printNode,
  getProperty,
  getString,
  type ActionFile,
  type Problem,
} from '../file/action-file.ts';
import { parseStoredJson, type RunRecord } from '../../model/runs/run-record.ts';
import { TestFileError } from './test-file-error.ts';
import { findExpectationProblems, getStepName, findSuiteProblems } from './validate-test-file.ts';
import { formatList, formatPair } from '../../platform/text/localization.ts';

/**
 * The content of `NAME.expect.json`, or `expect` of a step. Every field is optional; only named fields are compared.
 */
export interface Expectation {
  /** name of the identity that runs the action */
  readonly as?: unknown;
  /** an outcome (`completed`, `failed`, `refused`) or an HTTP status */
  readonly status?: unknown;
  /** in order; each with `action`, `error` or `output` */
  readonly steps?: unknown;
  /** fields of the action log */
  readonly log?: unknown;
  readonly batch?: unknown;
  /** by object id, or `*` for each affected object: fields after the action */
  readonly objects?: unknown;
}

export interface Mismatch {
  /** `objects.obj_1.custom.colour` */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/** Parses an expectation. Throws TestFileError. */
export function parseExpectation(text: string): Expectation {
  const { file, root } = parseJsonObject(text, l10n.t('An expectation must be a JSON object'));
  throwIfProblems(text, findExpectationProblems(root));
  return readExpectation(file.text, root);
}

/** The fields of a node without problems, numbers to the digit. */
function readExpectation(text: string, node: Node | undefined): Expectation {
  const value = node === undefined ? undefined : parseJson(printNode(text, node));
  return isObject(value) ? value : {};
}

/** Parses JSON with comments; `notAnObject`: the message for any other value. Throws TestFileError. */
function parseJsonObject(text: string, notAnObject: string): { readonly file: ActionFile; readonly root: Node } {
  const file = parseActionFile(text);
  // The limits of action files apply; `action` is not required.
  const problems = file.problems
    .filter(({ code }) => code !== 'noAction')
    .map((problem) => (problem.code === 'notAnObject' ? { ...problem, message: notAnObject } : problem));
  throwIfProblems(text, problems);
  if (file.root === undefined) throw new Error(l10n.t('The file is empty'));
  return { file, root: file.root };
}

function throwIfProblems(text: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new TestFileError(problems.map(({ message, offset }) => ({ message, ...getLineAndColumn(text, offset) })));
}

/** Rejects with TestFileError for regular expressions in the text that cannot be run. */
export async function validatePatterns(text: string): Promise<void> {
  if (!text.includes('$match')) return;
  const { findPatternProblems: patternProblems } = await import('./pattern.ts');
  throwIfProblems(text, patternProblems(parseActionFile(text).root));
}

/**
 * Resolves with the differences between a run and an expectation. Compares only the named fields of objects; arrays must
 * have equal length and order. Never rejects.
 */
export async function findMismatches(run: RunRecord, expectation: Expectation): Promise<readonly Mismatch[]> {
  const found: Mismatch[] = [];
  const usesPatterns = JSON.stringify(expectation).includes('"$match"');
  const matches: Matches = usesPatterns ? (await import('./pattern.ts')).matchesPattern : () => false;
  const compare = (actual: unknown, expected: unknown, path: string): void =>
    compareParts(actual, expected, path, found, matches);
  const { status, steps, log, batch, objects } = expectation;
  if (status === undefined) {
    if (run.outcome !== 'completed') found.push(createOutcomeMismatch(run, 'completed'));
  } else if (typeof status === 'number') {
    if (run.status !== status)
      found.push({ path: 'status', expected: String(status), actual: String(run.status ?? l10n.t('no response')) });
  } else if (run.outcome !== status)
    found.push(createOutcomeMismatch(run, typeof status === 'string' ? status : formatValue(status)));
  if (steps !== undefined) compare(run.steps.map(toComparableStep), steps, 'steps');
  if (log !== undefined) compare(parseStoredText(run.log), log, 'log');
  if (batch !== undefined) compare(parseStoredText(run.batch), batch, 'batch');
  if (isObject(objects)) {
    for (const [id, fields] of Object.entries(objects)) {
      const chosen = id === '*' ? run.affected : run.affected.filter((object) => object.id === id);
      if (chosen.length === 0)
        found.push({
          path: `objects.${id}`,
          expected: l10n.t('an affected object'),
          actual:
            formatList(
              run.affected.map((object) => object.id),
              'unit',
            ) || l10n.t({ message: 'none', args: [], comment: 'No objects' }),
        });
      for (const object of chosen)
        compare(
          fields === null ? (object.after ?? null) : parseStoredText(object.after),
          fields,
          `objects.${object.id}`,
        );
    }
  }
  return found;
}

function createOutcomeMismatch(run: RunRecord, expected: string): Mismatch {
  return { path: 'status', expected, actual: formatPair(run.outcome ?? run.phase, run.reason ?? '') };
}

function toComparableStep(step: RunRecord['steps'][number]): unknown {
  return {
    action: step.action,
    ...(step.error !== undefined && { error: step.error }),
    ...(step.output !== undefined && { output: parseStoredText(step.output) }),
  };
}

function parseStoredText(text: string | undefined): unknown {
  return parseStoredJson(text, text);
}

function formatValue(value: unknown): string {
  return value === undefined ? l10n.t('nothing') : JSON.stringify(value, null, 2);
}

type Matches = (pattern: string, text: string) => boolean;

/** Mismatches that are reported of one run. */
const MAX_MISMATCHES = 100;

/** `{"$match": "regex"}`, `{"$exists": true}` and `{"$any": true}` match values that differ between runs. */
function compareParts(actual: unknown, expected: unknown, path: string, found: Mismatch[], matches: Matches): void {
  if (found.length >= MAX_MISMATCHES) return;
  const fail = (): void => {
    found.push({ path, expected: formatValue(expected), actual: formatValue(actual) });
  };
  if (isObject(expected)) {
    // An operator is the only property of its object.
    const [[name, value] = []] = Object.entries(expected);
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
    if (!isObject(actual)) {
      fail();
      return;
    }
    for (const [name, value] of Object.entries(expected))
      compareParts(getOwn(actual, name), value, `${path}.${name}`, found, matches);
    return;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) fail();
    else
      expected.forEach((value: unknown, index) =>
        compareParts(actual[index], value, `${path}[${String(index)}]`, found, matches),
      );
    return;
  }
  if (JSON.stringify(actual) !== JSON.stringify(expected)) fail();
}

/** Both sides for a diff view, with only the compared fields. */
export function formatDiffSides(mismatches: readonly Mismatch[]): {
  readonly expected: string;
  readonly actual: string;
} {
  // The message names the path; a single mismatch shows the values alone.
  const place = ({ path }: Mismatch): string => (mismatches.length === 1 ? '' : `${path}: `);
  const side = (of: 'expected' | 'actual'): string => mismatches.map((one) => place(one) + one[of]).join('\n');
  return { expected: `${side('expected')}\n`, actual: `${side('actual')}\n` };
}

/** One step of a suite: an inline action, or an action file. */
interface SuiteStep {
  readonly name: string;
  /** relative path of an action file */
  readonly file?: string;
  /** an inline action: its text and offset in the suite */
  readonly request?: { readonly text: string; readonly offset: number };
  /** name of the identity that runs it */
  readonly as?: string;
  readonly expect: Expectation;
  /** offset of the step in the suite */
  readonly offset: number;
  /** offset of what it expects, else of the step */
  readonly expectOffset: number;
}

/** Keys of a scenario, besides those of a suite. */
const SCENARIO_KEYS = ['sandbox', 'faults'] as const;

/**
 * Parses the steps of a suite `NAME.actions.json`: `{"steps": [{"name", "as", "file" | "request", "expect"}]}`, or of a
 * scenario. Throws TestFileError.
 */
export function parseSuite(text: string, isScenario = false): readonly SuiteStep[] {
  const { file, root } = parseJsonObject(text, l10n.t('A suite must be a JSON object'));
  throwIfProblems(text, findSuiteProblems(file.text, root, isScenario ? SCENARIO_KEYS : []));
  return readSteps(file.text, root);
}

/** The value of a scenario, with its sandbox and faults, which are not checked. Throws TestFileError. */
export function parseScenario(text: string): unknown {
  const { file, root } = parseJsonObject(text, l10n.t('A suite must be a JSON object'));
  return parseJson(printNode(file.text, root));
}

function readSteps(text: string, root: Node): readonly SuiteStep[] {
  return (getProperty(root, 'steps')?.children ?? []).map((node, index): SuiteStep => {
    const request = getProperty(node, 'request');
    const path = getString(node, 'file');
    const expect = getProperty(node, 'expect');
    const as = getString(node, 'as');
    return {
      name: getStepName(node, index),
      ...(path !== undefined && { file: path }),
      ...(request !== undefined && {
        request: { text: text.slice(request.offset, request.offset + request.length), offset: request.offset },
      }),
      ...(as !== undefined && { as }),
      expect: readExpectation(text, expect),
      offset: node.offset,
      expectOffset: (expect ?? node).offset,
    };
  });
}
