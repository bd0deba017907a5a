/** Validates suites and expectations: unknown and repeated keys, types and values. */
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { createActionFile, getProperty, getSpan, type Problem } from '../file/action-file.ts';
import { suggest } from '../file/suggest.ts';
import { runOutcomes } from '../../model/runs/run-outcome.ts';
import { formatList } from '../../platform/text/localization.ts';

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

/** The problems of a suite, including its requests and expectations, in the order of the text. `also`: keys that it may have. */
export function findSuiteProblems(text: string, root: Node, also: readonly string[] = []): readonly Problem[] {
  const problems = new ProblemList();
  const members = problems.readMembers(root, l10n.t('A suite must be a JSON object'), [...SUITE, ...also], ['$schema']);
  if (members === undefined) return problems.getSorted();
  problems.requireType(members.get('name'), 'string', l10n.t('{0} of a suite must be a string', '`name`'));
  const steps = members.get('steps');
  if (steps === undefined) problems.add(root, l10n.t('A suite must have a list of {0}', '`steps`'));
  else if (steps.type !== 'array') problems.add(steps, l10n.t('{0} of a suite must be a list', '`steps`'));
  else if (steps.children === undefined || steps.children.length === 0)
    problems.add(steps, l10n.t('The suite has no steps'));
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
   * The values of an object by name; reports unknown and repeated keys. `undefined`, with the problem `notAnObject`, for
   * any other type.
   */
  readMembers(
    node: Node,
    notAnObject: string,
    names: readonly string[],
    also: readonly string[] = [],
  ): ReadonlyMap<string, Node> | undefined {
    if (node.type !== 'object') {
      this.add(node, notAnObject);
      return undefined;
    }
    const found = new Map<string, Node>();
    for (const { children: [key, value] = [] } of node.children ?? []) {
      if (key === undefined || value === undefined) continue;
      const name = String(key.value);
      const shown = `\`${toPlainText(name, 60)}\``;
      if (found.has(name)) this.add(key, l10n.t('Duplicate property {0}', shown));
      else if (!names.includes(name) && !also.includes(name)) {
        const suggestion = suggest(name, names);
        this.add(
          key,
          suggestion === undefined
            ? l10n.t('Property {0} is not allowed. Allowed properties: {1}', shown, formatList(names, 'unit'))
            : l10n.t('Property {0} is not allowed. Did you mean {1}?', shown, `\`${suggestion}\``),
        );
      }
      found.set(name, value);
      if (this.isFull) break;
    }
    this.requireType(found.get('$schema'), 'string', l10n.t('{0} must be a string', '`$schema`'));
    return found;
  }

  requireType(node: Node | undefined, type: Node['type'], message: string): void {
    if (node !== undefined && node.type !== type) this.add(node, message);
  }
}

function checkStep(text: string, step: Node, index: number, names: Set<string>, problems: ProblemList): void {
  const members = problems.readMembers(step, l10n.t('A step of a suite must be a JSON object'), STEP);
  if (members === undefined) return;
  for (const key of ['name', 'as', 'file'] as const) {
    const node = members.get(key);
    if (node !== undefined && (typeof node.value !== 'string' || node.value === ''))
      problems.add(node, l10n.t('{0} of a step must be a non-empty string', `\`${key}\``));
  }
  const name = getStepName(step, index);
  if (names.has(name))
    problems.addProblem({
      code: 'sameName',
      message: l10n.t('{0} is the name of two steps. Names must be unique for {1}', toPlainText(name, 60), '${run:…}'),
      ...getSpan(members.get('name') ?? members.get('file') ?? step),
    });
  names.add(name);
  const [file, request, expect] = [members.get('file'), members.get('request'), members.get('expect')];
  if ((file === undefined) === (request === undefined))
    problems.add(
      file === undefined ? step : (request ?? step),
      l10n.t('A step must have either {0} or {1}', '`file`', '`request`'),
    );
  if (request !== undefined)
    for (const problem of createActionFile(text, request).problems) problems.addProblem(problem);
  if (expect !== undefined) checkExpectation(expect, problems);
}

/** `fileKeys`: keys that only the expectation of a file has. */
function checkExpectation(root: Node, problems: ProblemList, fileKeys: readonly string[] = []): void {
  const members = problems.readMembers(
    root,
    l10n.t('An expectation must be a JSON object'),
    [...EXPECTATION, ...fileKeys],
    ['$schema'],
  );
  if (members === undefined) return;
  const as = members.get('as');
  if (as !== undefined && fileKeys.includes('as') && (typeof as.value !== 'string' || as.value === ''))
    problems.add(as, l10n.t('{0} of an expectation must be a non-empty string', '`as`'));
  const status = members.get('status');
  if (status !== undefined) checkStatus(status, problems);
  const steps = members.get('steps');
  if (steps !== undefined && !isMatcher(steps)) {
    problems.requireType(
      steps,
      'array',
      l10n.t('{0} of an expectation must be a list, in the order of the response', '`steps`'),
    );
    for (const step of steps.type === 'array' ? (steps.children ?? []) : [])
      if (!isMatcher(step))
        problems.readMembers(step, l10n.t('A step of an expectation must be a JSON object'), EXPECTED_STEP);
  }
  for (const name of ['log', 'batch']) {
    problems.requireType(
      members.get(name),
      'object',
      l10n.t('{0} of an expectation must be an object with its fields', `\`${name}\``),
    );
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
      problems.add(node, l10n.t('{0} must be an HTTP status from 100 to 599 or an outcome', '`status`'));
    return;
  }
  if (runOutcomes.some((outcome) => outcome === node.value)) return;
  const suggestion = typeof node.value === 'string' ? suggest(node.value, runOutcomes) : undefined;
  const outcomes = formatList(runOutcomes, 'unit');
  problems.add(
    node,
    suggestion === undefined
      ? l10n.t('{0} must be an HTTP status or one of {1}', '`status`', outcomes)
      : l10n.t('{0} must be an HTTP status or one of {1}. Did you mean {2}?', '`status`', outcomes, suggestion),
  );
}

function checkObjects(node: Node, problems: ProblemList): void {
  if (node.type !== 'object') {
    problems.add(
      node,
      l10n.t('{0} of an expectation must be an object whose keys are object IDs or {1}', '`objects`', '`*`'),
    );
    return;
  }
  for (const { children: [, value] = [] } of node.children ?? [])
    if (value !== undefined && value.type !== 'null')
      problems.requireType(
        value,
        'object',
        l10n.t('The value of an object ID must be an object with its fields, or null if the object no longer exists'),
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
        problems.add(
          key,
          l10n.t('Unknown matcher {0}. Did you mean {1}?', `\`${toPlainText(name, 60)}\``, `\`${suggestion}\``),
        );
    }
  }
  for (const child of node.children ?? []) checkValues(child, problems);
}

function checkMatcher(node: Node, key: Node, name: string, problems: ProblemList): void {
  if (node.children?.length !== 1) {
    problems.add(key, l10n.t('{0} must be the only property of its object', `\`${name}\``));
    return;
  }
  const value = getProperty(node, name);
  if (name === '$match') problems.requireType(value, 'string', l10n.t('{0} must be a regular expression', '`$match`'));
  else if (name === '$exists') problems.requireType(value, 'boolean', l10n.t('{0} must be true or false', '`$exists`'));
  else if (value !== undefined && value.value !== true) problems.add(value, l10n.t('{0} must be true', '`$any`'));
}
