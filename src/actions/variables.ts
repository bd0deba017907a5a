/** Variables in string values: found after parsing, replaced as whole JSON strings, so that no value can inject. Pure: no editor. */
import type { Node } from 'jsonc-parser';
import { isObject } from '../platform/json.ts';
import { bodyOf, MAX_BODY, type ActionFile } from './file.ts';

export const variableKinds = ['input', 'env', 'secret', 'file', 'run'] as const;
export type VariableKind = (typeof variableKinds)[number];

export interface Variable {
  readonly kind: VariableKind;
  /** what follows the colon */
  readonly name: string;
  /** as it stands in the file: `${env:NAME}` */
  readonly text: string;
}

const PATTERN = /(\$?)\$\{([A-Za-z]{1,20}):([^{}\r\n]{1,300})\}/g;

/** A string value in pieces: texts and variables. `$${input:x}` stands for the text `${input:x}`. */
export function piecesOf(value: string): readonly (string | Variable)[] {
  const pieces: (string | Variable)[] = [];
  let end = 0;
  for (const match of value.matchAll(PATTERN)) {
    const [text, escape = '', kind = '', name = ''] = match;
    const known = variableKinds.find((candidate) => candidate === kind);
    if (known === undefined) continue;
    if (match.index > end) pieces.push(value.slice(end, match.index));
    end = match.index + text.length;
    if (escape === '') pieces.push({ kind: known, name: name.trim(), text });
    else pieces.push(text.slice(1));
  }
  if (end < value.length) pieces.push(value.slice(end));
  return pieces;
}

export interface Place {
  readonly node: Node;
  readonly variable: Variable;
}

/** Every variable in a string value of the file, in the order of the text; keys hold none. */
export function variablesOf(file: ActionFile): readonly Place[] {
  const places: Place[] = [];
  const walk = (node: Node): void => {
    if (node.type === 'string') {
      for (const piece of piecesOf(String(node.value)))
        if (typeof piece !== 'string') places.push({ node, variable: piece });
    } else if (node.type === 'property') {
      const value = node.children?.[1];
      if (value !== undefined) walk(value);
    } else {
      node.children?.forEach(walk);
    }
  };
  if (file.root !== undefined) walk(file.root);
  return places;
}

/** The variables without repeats. */
export function distinctVariables(file: ActionFile): readonly Variable[] {
  return [...new Map(variablesOf(file).map(({ variable }) => [variable.text, variable])).values()];
}

/** Values by the variable's own text. Of `run` variables any JSON value; of the others strings. */
export type Values = ReadonlyMap<string, unknown>;

/**
 * What stands for a string value in JSON. A value that is one `${run:…}` alone and no string keeps its JSON type; anything
 * else becomes part of a string. Throws for a variable without a value.
 */
function replacer(values: Values): (node: Node) => string | undefined {
  let budget = MAX_BODY;
  return (node) => {
    const pieces = piecesOf(String(node.value));
    if (pieces.every((piece) => typeof piece === 'string') && pieces.join('') === node.value) return undefined;
    const only = pieces.length === 1 ? pieces[0] : undefined;
    const json =
      typeof only === 'object' && only.kind === 'run' && typeof valueOf(only, values) !== 'string'
        ? JSON.stringify(valueOf(only, values))
        : JSON.stringify(pieces.map((piece) => (typeof piece === 'string' ? piece : textOf(piece, values))).join(''));
    budget -= json.length;
    if (budget < 0)
      throw new Error(`With its variables filled in, the request is larger than ${String(MAX_BODY >> 20)} MB`);
    return json;
  };
}

/** The body with each variable's value. */
export function substitute(file: ActionFile, values: Values): string {
  return bodyOf(file, { replace: replacer(values) });
}

function valueOf(variable: Variable, values: Values): unknown {
  const value = values.get(variable.text);
  if (value === undefined) throw new Error(`${variable.text} has no value`);
  return value;
}

function textOf(variable: Variable, values: Values): string {
  const value = valueOf(variable, values);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What `${run:NAME.path}` may reach: a run's answer, its log and its batch, by the run's name. */
export type RunResults = ReadonlyMap<string, unknown>;

/** `mint.steps[0].output.ids[0]` → the value there. Throws, naming what is missing. */
export function valueOfRun(expression: string, runs: RunResults): unknown {
  // The longest name wins: a file's name may itself hold a dot.
  const name = [...runs.keys()]
    .filter((known) => expression === known || /^[.[]/.test(expression.slice(known.length)))
    .filter((known) => expression.startsWith(known))
    .sort((a, b) => b.length - a.length)[0];
  if (name === undefined) {
    throw new Error(`\${run:${expression}}: no earlier run has this name. Run it first`);
  }
  const path = expression.slice(name.length).match(/[^.[\]]+/g) ?? [];
  let value = runs.get(name);
  for (const step of path) {
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(step) ? (value[Number(step)] as unknown) : undefined;
    else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    if (value === undefined) throw new Error(`\${run:${expression}}: the run of ${name} has no ${step} there`);
  }
  return value;
}
