/** Validates suites and expectations: unknown and repeated keys, types and values. */
import type { Node } from 'jsonc-parser';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { createActionFile, getProperty, getSpan, type Problem } from '../file/action-file.ts';
import { suggest } from '../file/suggest.ts';
import { runOutcomes } from '../../model/run-record.ts';

/** Problems that are reported of one file. */
const MAX_PROBLEMS = 100;

const EXPECTATION = ['status', 'steps', 'log', 'batch', 'objects'];
const SUITE = ['name', 'steps'];
const STEP = ['name', 'as', 'file', 'request', 'expect'];
const EXPECTED_STEP = ['action', 'error', 'output'];
const MATCHERS = ['$match', '$exists', '$any'];

/** The problems of an expectation, in the order of the text. */
export function findExpectationProblems(root: Node): readonly Problem[] {
  const problems = new ProblemList();
  checkExpectation(root, problems, ['as']);
  return problems.getSorted();
}

/** The problems of a suite, including its requests and expectations, in the order of the text. */
export function findSuiteProblems(text: string, root: Node): readonly Problem[] {
  const problems = new ProblemList();
  const members = problems.readMembers(root, 'A suite', SUITE, ['$schema']);
  if (members === undefined) return problems.getSorted();
  problems.requireType(members.get('name'), 'string', '`name` of a suite is a string');
  const steps = members.get('steps');
  if (steps === undefined) problems.add(root, 'A suite has a list of `steps`');
  else if (steps.type !== 'array') problems.add(steps, '`steps` of a suite is a list');
  else if (steps.children === undefined || steps.children.length === 0) problems.add(steps, 'The suite has no steps');
  const names = new Set<string>();
  for (const [index, step] of (steps?.children ?? []).entries()) {
    if (problems.isFull) break;
    checkStep(text, step, index, names, problems);
  }
  return problems.getSorted();
}

/** The name of a step: its own, else its file, else its number. */
export function getStepName(step: Node, index: number): string {
  for (const key of ['name', 'file']) {
    const value: unknown = getProperty(step, key)?.value;
    if (typeof value === 'string' && value !== '') return value;
  }
  return `step ${String(index + 1)}`;
}

class ProblemList {
  readonly list: Problem[] = [];

  getSorted(): readonly Problem[] {
    return this.list.toSorted((a, b) => a.offset - b.offset);
  }

  get isFull(): boolean {
    return this.list.length >= MAX_PROBLEMS;
  }

  add(node: Node, message: string): void {
    this.addProblem({ code: 'shape', message, ...getSpan(node) });
  }

  addProblem(problem: Problem): void {
    if (!this.isFull) this.list.push(problem);
  }

  /**
   * The values of an object by name; reports unknown and repeated keys. `undefined`, with a problem, for any other
   * type.
   */
  readMembers(
    node: Node,
    subject: string,
    names: readonly string[],
    also: readonly string[] = [],
  ): ReadonlyMap<string, Node> | undefined {
    if (node.type !== 'object') {
      this.add(node, `${subject} is a JSON object`);
      return undefined;
    }
    const found = new Map<string, Node>();
    for (const { children: [key, value] = [] } of node.children ?? []) {
      if (key === undefined || value === undefined) continue;
      const name = String(key.value);
      if (found.has(name)) this.add(key, `\`${toPlainText(name, 60)}\` is given twice`);
      else if (!names.includes(name) && !also.includes(name)) {
        const suggestion = suggest(name, names);
        const help = suggestion === undefined ? `: it has ${names.join(', ')}` : `. Did you mean \`${suggestion}\`?`;
        this.add(key, `${subject} has no \`${toPlainText(name, 60)}\`${help}`);
      }
      found.set(name, value);
      if (this.isFull) break;
    }
    this.requireType(found.get('$schema'), 'string', '`$schema` is a string');
    return found;
  }

  requireType(node: Node | undefined, type: Node['type'], message: string): void {
    if (node !== undefined && node.type !== type) this.add(node, message);
  }
}

function checkStep(text: string, step: Node, index: number, names: Set<string>, problems: ProblemList): void {
  const members = problems.readMembers(step, 'A step of a suite', STEP);
  if (members === undefined) return;
  for (const key of ['name', 'as', 'file'] as const) {
    const node = members.get(key);
    if (node !== undefined && (typeof node.value !== 'string' || node.value === ''))
      problems.add(node, `\`${key}\` of a step is a string that is not empty`);
  }
  const name = getStepName(step, index);
  if (names.has(name))
    problems.addProblem({
      code: 'sameName',
      message: `Two steps are named ${toPlainText(name, 60)}: \${run:…} could not tell them apart`,
      ...getSpan(members.get('name') ?? members.get('file') ?? step),
    });
  names.add(name);
  const [file, request, expect] = [members.get('file'), members.get('request'), members.get('expect')];
  if ((file === undefined) === (request === undefined))
    problems.add(file === undefined ? step : (request ?? step), 'A step has either a `file` or a `request`');
  if (request !== undefined)
    for (const problem of createActionFile(text, request).problems) problems.addProblem(problem);
  if (expect !== undefined) checkExpectation(expect, problems);
}

/** `fileKeys`: keys that only the expectation of a file has. */
function checkExpectation(root: Node, problems: ProblemList, fileKeys: readonly string[] = []): void {
  const members = problems.readMembers(root, 'An expectation', [...EXPECTATION, ...fileKeys], ['$schema']);
  if (members === undefined) return;
  const as = members.get('as');
  if (as !== undefined && fileKeys.includes('as') && (typeof as.value !== 'string' || as.value === ''))
    problems.add(as, '`as` of an expectation is a string that is not empty');
  const status = members.get('status');
  if (status !== undefined) checkStatus(status, problems);
  const steps = members.get('steps');
  if (steps !== undefined && !isMatcher(steps)) {
    problems.requireType(steps, 'array', '`steps` of an expectation is a list, in the order of the answer');
    for (const step of steps.type === 'array' ? (steps.children ?? []) : [])
      if (!isMatcher(step)) problems.readMembers(step, 'A step of an expectation', EXPECTED_STEP);
  }
  for (const name of ['log', 'batch']) {
    problems.requireType(members.get(name), 'object', `\`${name}\` of an expectation is an object with its fields`);
  }
  const objects = members.get('objects');
  if (objects !== undefined) checkObjects(objects, problems);
  const fields = objects?.type === 'object' ? (objects.children ?? []) : [];
  for (const node of [steps, members.get('log'), members.get('batch'), ...fields])
    if (node !== undefined) checkValues(node, problems);
}

function checkStatus(node: Node, problems: ProblemList): void {
  if (node.type === 'number') {
    const value = Number(node.value);
    if (!Number.isInteger(value) || value < 100 || value > 599)
      problems.add(node, '`status` is an HTTP status from 100 to 599, or an outcome');
    return;
  }
  if (runOutcomes.some((outcome) => outcome === node.value)) return;
  const suggestion = typeof node.value === 'string' ? suggest(node.value, runOutcomes) : undefined;
  const help = suggestion === undefined ? '' : `. Did you mean ${suggestion}?`;
  problems.add(node, `\`status\` is an HTTP status, or one of ${runOutcomes.join(', ')}${help}`);
}

function checkObjects(node: Node, problems: ProblemList): void {
  if (node.type !== 'object') {
    problems.add(
      node,
      '`objects` of an expectation is an object: an object ID, or `*`, with the fields after the action',
    );
    return;
  }
  for (const { children: [, value] = [] } of node.children ?? [])
    if (value !== undefined && value.type !== 'null')
      problems.requireType(
        value,
        'object',
        'An object ID stands for an object with its fields, or null where it is gone',
      );
}

function isMatcher(node: Node): boolean {
  return node.type === 'object' && MATCHERS.includes(String(node.children?.[0]?.children?.[0]?.value));
}

/** Validates matchers: each is alone in its object and has a fixed type. */
function checkValues(node: Node, problems: ProblemList): void {
  if (problems.isFull) return;
  if (node.type === 'property') {
    const value = node.children?.[1];
    if (value !== undefined) checkValues(value, problems);
    return;
  }
  const keys = node.type === 'object' ? (node.children ?? []).map(({ children: [key] = [] }) => key) : [];
  for (const key of keys) {
    const name = String(key?.value);
    if (key === undefined || !name.startsWith('$')) continue;
    if (MATCHERS.includes(name)) checkMatcher(node, key, name, problems);
    else {
      const suggestion = keys.length === 1 ? suggest(name, MATCHERS) : undefined;
      if (suggestion !== undefined)
        problems.add(key, `There is no \`${toPlainText(name, 60)}\`. Did you mean \`${suggestion}\`?`);
    }
  }
  for (const child of node.children ?? []) checkValues(child, problems);
}

function checkMatcher(node: Node, key: Node, name: string, problems: ProblemList): void {
  if (node.children?.length !== 1) {
    problems.add(key, `\`${name}\` stands alone in its object`);
    return;
  }
  const value = getProperty(node, name);
  if (name === '$match') problems.requireType(value, 'string', '`$match` is a regular expression');
  else if (name === '$exists') problems.requireType(value, 'boolean', '`$exists` is true or false');
  else if (value !== undefined && value.value !== true) problems.add(value, '`$any` is true');
}
