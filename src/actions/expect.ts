/** What a run was expected to do, and where it did otherwise. Pure: compares data, knows no editor. */
import { parseTree, type ParseError } from 'jsonc-parser';
import { isObject, own, parseJson } from '../platform/json.ts';
import { bodyOf, parseActionFile, printNode } from './file.ts';
import { parsedText, type RunRecord } from './record.ts';

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

const FIELDS = ['status', 'steps', 'log', 'batch', 'objects', '$schema'];

/** Throws, in words, for a text that is no expectation. */
export function parseExpectation(text: string): Expectation {
  return checkedExpectation(parseLoose(text));
}

export function checkedExpectation(value: unknown): Expectation {
  if (!isObject(value)) throw new Error('An expectation is a JSON object');
  const unknown = Object.keys(value).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined)
    throw new Error(`An expectation has no \`${unknown.slice(0, 60)}\`; it has ${FIELDS.slice(0, 5).join(', ')}`);
  return value;
}

/** JSON with comments as a value, numbers to the digit. Throws in words. */
export function parseLoose(text: string): unknown {
  const errors: ParseError[] = [];
  // The action parser has the guards against size and depth; `action` is only its own rule.
  const file = parseActionFile(text);
  const problem = file.problems.find(({ code }) => code !== 'noAction');
  if (problem !== undefined) throw new Error(problem.message);
  const root = file.root ?? parseTree(text, errors, { allowTrailingComma: true });
  if (root === undefined) throw new Error('The file is empty');
  return parseJson(printNode(file.text, root));
}

/** Empty: as expected. Matching is by part: an object has the named fields, a list the same length and order. */
export function mismatchesOf(run: RunRecord, expectation: Expectation): readonly Mismatch[] {
  const found: Mismatch[] = [];
  const { status, steps, log, batch, objects } = expectation;
  if (status === undefined) {
    if (run.outcome !== 'completed') found.push(outcomeMismatch(run, 'completed'));
  } else if (typeof status === 'number') {
    if (run.status !== status)
      found.push({ path: 'status', expected: String(status), actual: String(run.status ?? 'no answer') });
  } else if (run.outcome !== status)
    found.push(outcomeMismatch(run, typeof status === 'string' ? status : shown(status)));
  if (steps !== undefined) compare(run.steps.map(stepOf), steps, 'steps', found);
  if (log !== undefined) compare(parsed(run.log), log, 'log', found);
  if (batch !== undefined) compare(parsed(run.batch), batch, 'batch', found);
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
        compare(fields === null ? (object.after ?? null) : parsed(object.after), fields, `objects.${object.id}`, found);
    }
  }
  return found.slice(0, 100);
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

/** `{"$match": "regex"}`, `{"$exists": true}` and `{"$any": true}` stand for values that differ from run to run. */
function compare(actual: unknown, expected: unknown, path: string, found: Mismatch[]): void {
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
    for (const [name, value] of Object.entries(expected)) compare(own(actual, name), value, `${path}.${name}`, found);
    return;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) fail();
    else
      expected.forEach((value: unknown, index) => {
        compare(actual[index], value, `${path}[${String(index)}]`, found);
      });
    return;
  }
  if (JSON.stringify(actual) !== JSON.stringify(expected)) fail();
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text.slice(0, 10_000));
  } catch {
    return false;
  }
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
  /** the text of an action of its own */
  readonly text?: string;
  readonly expect: Expectation;
  /** where it stands in the suite's text */
  readonly offset: number;
}

/** A suite `NAME.actions.json`: `{"steps": [{"name", "file" | "request", "expect"}]}`. Throws in words. */
export function parseSuite(text: string): readonly SuiteStep[] {
  const file = parseActionFile(text);
  const value = parseLoose(text);
  const list = isObject(value) ? value['steps'] : undefined;
  if (!Array.isArray(list)) throw new Error('A suite is an object with a list of `steps`');
  const nodes =
    file.root?.children?.find((property) => property.children?.[0]?.value === 'steps')?.children?.[1]?.children ?? [];
  const names = new Set<string>();
  return list.map((step: unknown, index): SuiteStep => {
    const node = nodes[index];
    if (!isObject(step) || node === undefined) throw new Error(`Step ${String(index + 1)} is not an object`);
    const { name, file: path, request, expect } = step;
    const label =
      typeof name === 'string' && name !== '' ? name : typeof path === 'string' ? path : `step ${String(index + 1)}`;
    if (names.has(label)) throw new Error(`Two steps are named ${label}; \${run:…} could not tell them apart`);
    names.add(label);
    const requestNode = node.children?.find((property) => property.children?.[0]?.value === 'request')?.children?.[1];
    const own = requestNode === undefined ? undefined : printNode(file.text, requestNode);
    if ((typeof path === 'string') === (isObject(request) && own !== undefined))
      throw new Error(`${label}: a step has either a \`file\` or a \`request\``);
    if (own !== undefined) bodyOf(parseActionFile(own));
    return {
      name: label,
      ...(typeof path === 'string' ? { file: path } : own !== undefined && { text: own }),
      expect: expect === undefined ? {} : checkedExpectation(expect),
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
