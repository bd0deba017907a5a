/**
 * Variables in string values. Found after parsing and replaced as whole JSON strings, so that no value can inject JSON.
 */
import type { Node } from 'jsonc-parser';
import { getOrAdd } from '../../platform/get-or-add.ts';
import { isObject } from '../../platform/json/json.ts';
import { MessageError, stored } from '../../platform/text/message.ts';
import { VARIABLE, variableKinds } from '../../model/text/variables.ts';
import { getRequestBody, MAX_BODY_LENGTH, type ActionFile } from './action-file.ts';

type VariableKind = (typeof variableKinds)[number];

export interface Variable {
  readonly kind: VariableKind;
  /** what follows the colon */
  readonly name: string;
  /** text in the file: `${env:NAME}` */
  readonly text: string;
}

/** Their values are JSON values. */
const typedKinds: ReadonlySet<VariableKind> = new Set(['row', 'run']);

/** Splits a string value into texts and variables. `$${input:x}` is the text `${input:x}`. */
export function splitVariables(value: string): readonly (string | Variable)[] {
  const pieces: (string | Variable)[] = [];
  let end = 0;
  for (const match of value.matchAll(VARIABLE)) {
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

interface VariablePlace {
  readonly node: Node;
  readonly variable: Variable;
}

/** Every variable in the string values of a file, in the order of the text. Keys have no variables. */
export function findVariables(file: ActionFile): readonly VariablePlace[] {
  const places: VariablePlace[] = [];
  const walk = (node: Node): void => {
    if (node.type === 'string') {
      for (const piece of splitVariables(String(node.value)))
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

const distinctVariables = new WeakMap<ActionFile, readonly Variable[]>();

/** The variables without repeats. Searched once for each file: a batch reads them for each row. */
export function getDistinctVariables(file: ActionFile): readonly Variable[] {
  return getOrAdd(distinctVariables, file, () => [
    ...new Map(findVariables(file).map(({ variable }) => [variable.text, variable])).values(),
  ]);
}

/** Values by the text of the variable: any JSON value for `row` and `run`, strings for the others. */
export type VariableValues = ReadonlyMap<string, unknown>;

/**
 * The JSON to print for a string value. A value that consists of one `${row:…}` or `${run:…}` keeps its JSON type;
 * anything else becomes a string. Throws for a variable without a value.
 */
function createReplacer(values: VariableValues): (node: Node) => string | undefined {
  let budget = MAX_BODY_LENGTH;
  return (node) => {
    const pieces = splitVariables(String(node.value));
    if (pieces.every((piece) => typeof piece === 'string') && pieces.join('') === node.value) return undefined;
    const only = pieces.length === 1 ? pieces[0] : undefined;
    const json =
      typeof only === 'object' && typedKinds.has(only.kind) && typeof getValue(only, values) !== 'string'
        ? JSON.stringify(getValue(only, values))
        : JSON.stringify(
            pieces.map((piece) => (typeof piece === 'string' ? piece : getValueText(piece, values))).join(''),
          );
    budget -= json.length;
    if (budget < 0)
      throw new MessageError(
        stored('With the values of its variables, the request is larger than {0} MB', MAX_BODY_LENGTH >> 20),
      );
    return json;
  };
}

/** The request body with all variables filled in. Throws for a variable without a value. */
export function substitute(file: ActionFile, values: VariableValues): string {
  return getRequestBody(file, { replace: createReplacer(values) });
}

function getValue(variable: Variable, values: VariableValues): unknown {
  const value = values.get(variable.text);
  if (value === undefined) throw new MessageError(stored('{0} has no value', variable.text));
  return value;
}

function getValueText(variable: Variable, values: VariableValues): string {
  const value = getValue(variable, values);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Results by the name of the run: response, log and batch. */
export type RunResults = ReadonlyMap<string, unknown>;

/** Returns the value at a path such as `mint.steps[0].output.ids[0]`. Throws, naming what is missing. */
export function getRunValue(expression: string, runs: RunResults): unknown {
  // The longest name matches first: a name can contain a dot.
  const name = [...runs.keys()]
    .filter((known) => expression === known || /^[.[]/.test(expression.slice(known.length)))
    .filter((known) => expression.startsWith(known))
    .sort((a, b) => b.length - a.length)[0];
  if (name === undefined) {
    throw new MessageError(stored('{0}: no earlier run has this name. Run it first', `\${run:${expression}}`));
  }
  const path = expression.slice(name.length).match(/[^.[\]]+/g) ?? [];
  let value = runs.get(name);
  for (const step of path) {
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(step) ? (value[Number(step)] as unknown) : undefined;
    else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    if (value === undefined)
      throw new MessageError(
        stored('{0}: “{1}” was not found in the result of {2}', `\${run:${expression}}`, step, name),
      );
  }
  return value;
}
