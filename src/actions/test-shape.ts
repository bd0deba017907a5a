/** What is wrong in the shape of suites and expectations: unknown and repeated keys, wrong types, words that mean nothing. */
import type { Node } from 'jsonc-parser';
import { plainText } from '../platform/plain-text.ts';
import { actionFileAt, propertyOf, spanOf, type Problem } from './file.ts';
import { nearest } from './nearest.ts';
import { outcomes } from './record.ts';

/** Problems that are reported of one file. */
const MAX_PROBLEMS = 100;

const EXPECTATION = ['status', 'steps', 'log', 'batch', 'objects'];
const SUITE = ['name', 'steps'];
const STEP = ['name', 'file', 'request', 'expect'];
const EXPECTED_STEP = ['action', 'error', 'output'];
const MATCHERS = ['$match', '$exists', '$any'];

/** The problems of an expectation, in the order of the text. */
export function expectationProblems(root: Node): readonly Problem[] {
  const problems = new Problems();
  checkExpectation(root, problems);
  return problems.inOrder();
}

/** The problems of a suite, its requests and expectations included, in the order of the text. */
export function suiteProblems(text: string, root: Node): readonly Problem[] {
  const problems = new Problems();
  const members = problems.members(root, 'A suite', SUITE, ['$schema']);
  if (members === undefined) return problems.inOrder();
  problems.demand(members.get('name'), 'string', '`name` of a suite is a string');
  const steps = members.get('steps');
  if (steps === undefined) problems.add(root, 'A suite has a list of `steps`');
  else if (steps.type !== 'array') problems.add(steps, '`steps` of a suite is a list');
  else if (steps.children === undefined || steps.children.length === 0) problems.add(steps, 'The suite has no steps');
  const names = new Set<string>();
  for (const [index, step] of (steps?.children ?? []).entries()) {
    if (problems.isFull) break;
    checkStep(text, step, index, names, problems);
  }
  return problems.inOrder();
}

/** What a step is called: its name, else its file, else its place in the suite. */
export function nameOfStep(step: Node, index: number): string {
  for (const key of ['name', 'file']) {
    const value: unknown = propertyOf(step, key)?.value;
    if (typeof value === 'string' && value !== '') return value;
  }
  return `step ${String(index + 1)}`;
}

class Problems {
  readonly list: Problem[] = [];

  inOrder(): readonly Problem[] {
    return this.list.toSorted((a, b) => a.offset - b.offset);
  }

  get isFull(): boolean {
    return this.list.length >= MAX_PROBLEMS;
  }

  add(node: Node, message: string): void {
    this.put({ code: 'shape', message, ...spanOf(node) });
  }

  put(problem: Problem): void {
    if (!this.isFull) this.list.push(problem);
  }

  /** The values of an object by name; reports unknown and repeated keys. `undefined`, and reported, for any other type. */
  members(
    node: Node,
    what: string,
    names: readonly string[],
    also: readonly string[] = [],
  ): ReadonlyMap<string, Node> | undefined {
    if (node.type !== 'object') {
      this.add(node, `${what} is a JSON object`);
      return undefined;
    }
    const found = new Map<string, Node>();
    for (const { children: [key, value] = [] } of node.children ?? []) {
      if (key === undefined || value === undefined) continue;
      const name = String(key.value);
      if (found.has(name)) this.add(key, `\`${plainText(name, 60)}\` is given twice`);
      else if (!names.includes(name) && !also.includes(name)) {
        const near = nearest(name, names);
        const help = near === undefined ? `: it has ${names.join(', ')}` : `. Did you mean \`${near}\`?`;
        this.add(key, `${what} has no \`${plainText(name, 60)}\`${help}`);
      }
      found.set(name, value);
      if (this.isFull) break;
    }
    this.demand(found.get('$schema'), 'string', '`$schema` is a string');
    return found;
  }

  demand(node: Node | undefined, type: Node['type'], message: string): void {
    if (node !== undefined && node.type !== type) this.add(node, message);
  }
}

function checkStep(text: string, step: Node, index: number, names: Set<string>, problems: Problems): void {
  const members = problems.members(step, 'A step of a suite', STEP);
  if (members === undefined) return;
  for (const key of ['name', 'file'] as const) {
    const node = members.get(key);
    if (node !== undefined && (typeof node.value !== 'string' || node.value === ''))
      problems.add(node, `\`${key}\` of a step is a string that is not empty`);
  }
  const name = nameOfStep(step, index);
  if (names.has(name))
    problems.put({
      code: 'sameName',
      message: `Two steps are named ${plainText(name, 60)}: \${run:…} could not tell them apart`,
      ...spanOf(members.get('name') ?? members.get('file') ?? step),
    });
  names.add(name);
  const [file, request, expect] = [members.get('file'), members.get('request'), members.get('expect')];
  if ((file === undefined) === (request === undefined))
    problems.add(file === undefined ? step : (request ?? step), 'A step has either a `file` or a `request`');
  if (request !== undefined) for (const problem of actionFileAt(text, request).problems) problems.put(problem);
  if (expect !== undefined) checkExpectation(expect, problems);
}

function checkExpectation(root: Node, problems: Problems): void {
  const members = problems.members(root, 'An expectation', EXPECTATION, ['$schema']);
  if (members === undefined) return;
  const status = members.get('status');
  if (status !== undefined) checkStatus(status, problems);
  const steps = members.get('steps');
  if (steps !== undefined && !isMatcher(steps)) {
    problems.demand(steps, 'array', '`steps` of an expectation is a list, in the order of the answer');
    for (const step of steps.type === 'array' ? (steps.children ?? []) : [])
      if (!isMatcher(step)) problems.members(step, 'A step of an expectation', EXPECTED_STEP);
  }
  for (const name of ['log', 'batch']) {
    problems.demand(members.get(name), 'object', `\`${name}\` of an expectation is an object with its fields`);
  }
  const objects = members.get('objects');
  if (objects !== undefined) checkObjects(objects, problems);
  const fields = objects?.type === 'object' ? (objects.children ?? []) : [];
  for (const node of [steps, members.get('log'), members.get('batch'), ...fields])
    if (node !== undefined) checkValues(node, problems);
}

function checkStatus(node: Node, problems: Problems): void {
  if (node.type === 'number') {
    const value = Number(node.value);
    if (!Number.isInteger(value) || value < 100 || value > 599)
      problems.add(node, '`status` is an HTTP status from 100 to 599, or an outcome');
    return;
  }
  if (outcomes.some((outcome) => outcome === node.value)) return;
  const near = typeof node.value === 'string' ? nearest(node.value, outcomes) : undefined;
  const help = near === undefined ? '' : `. Did you mean ${near}?`;
  problems.add(node, `\`status\` is an HTTP status, or one of ${outcomes.join(', ')}${help}`);
}

function checkObjects(node: Node, problems: Problems): void {
  if (node.type !== 'object') {
    problems.add(
      node,
      '`objects` of an expectation is an object: an object ID, or `*`, with the fields after the action',
    );
    return;
  }
  for (const { children: [, value] = [] } of node.children ?? [])
    if (value !== undefined && value.type !== 'null')
      problems.demand(value, 'object', 'An object ID stands for an object with its fields, or null where it is gone');
}

function isMatcher(node: Node): boolean {
  return node.type === 'object' && MATCHERS.includes(String(node.children?.[0]?.children?.[0]?.value));
}

/** Matchers inside expected values: each stands alone in its object, and has its own type. */
function checkValues(node: Node, problems: Problems): void {
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
      const near = keys.length === 1 ? nearest(name, MATCHERS) : undefined;
      if (near !== undefined) problems.add(key, `There is no \`${plainText(name, 60)}\`. Did you mean \`${near}\`?`);
    }
  }
  for (const child of node.children ?? []) checkValues(child, problems);
}

function checkMatcher(node: Node, key: Node, name: string, problems: Problems): void {
  if (node.children?.length !== 1) {
    problems.add(key, `\`${name}\` stands alone in its object`);
    return;
  }
  const value = propertyOf(node, name);
  if (name === '$match') problems.demand(value, 'string', '`$match` is a regular expression');
  else if (name === '$exists') problems.demand(value, 'boolean', '`$exists` is true or false');
  else if (value !== undefined && value.value !== true) problems.add(value, '`$any` is true');
}
