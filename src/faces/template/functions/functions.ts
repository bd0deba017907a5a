/**
 * The functions of Go templates. The evaluator runs `and` and `or`, which evaluate only as many arguments as needed.
 */
import { sprint, sprintf, sprintln } from './format.ts';
import {
  compareText,
  countKeys,
  getEntry,
  toValue,
  isList,
  isMap,
  isTrue,
  createExecutionError,
  getTypeName,
  type Budget,
  type Value,
} from '../values.ts';

interface GoFunction {
  readonly minArgs: number;
  readonly maxArgs: number;
  readonly run: (args: readonly Value[], budget: Budget) => Value;
}

const functions: Readonly<Record<string, GoFunction>> = {
  // Run by the evaluator; listed for their names and argument counts.
  and: { minArgs: 1, maxArgs: Infinity, run: ([first]) => first },
  or: { minArgs: 1, maxArgs: Infinity, run: ([first]) => first },
  not: { minArgs: 1, maxArgs: 1, run: ([value], budget) => !isTrue(value, budget) },
  len: { minArgs: 1, maxArgs: 1, run: ([value], budget) => getLength(value, budget) },
  index: { minArgs: 1, maxArgs: Infinity, run: ([item, ...keys], budget) => getIndexed(item, keys, budget) },
  slice: { minArgs: 1, maxArgs: Infinity, run: ([item, ...bounds], budget) => sliceValue(item, bounds, budget) },
  print: { minArgs: 0, maxArgs: Infinity, run: sprint },
  println: { minArgs: 0, maxArgs: Infinity, run: sprintln },
  printf: {
    minArgs: 1,
    maxArgs: Infinity,
    run: ([format, ...args], budget) => {
      if (typeof format !== 'string')
        throw createExecutionError(`wrong type for value; expected string; got ${getTypeName(format)}`);
      return sprintf(format, args, budget);
    },
  },
  html: { minArgs: 0, maxArgs: Infinity, run: (args, budget) => escapeHtml(formatPrintable(args, budget)) },
  js: { minArgs: 0, maxArgs: Infinity, run: (args, budget) => escapeJs(formatPrintable(args, budget)) },
  urlquery: { minArgs: 0, maxArgs: Infinity, run: (args, budget) => escapeQuery(formatPrintable(args, budget)) },
  call: {
    minArgs: 1,
    maxArgs: Infinity,
    run: ([value]) => {
      throw createExecutionError(`error calling call: non-function of type ${getTypeName(value)}`);
    },
  },
  eq: { minArgs: 1, maxArgs: Infinity, run: equals },
  ne: { minArgs: 2, maxArgs: 2, run: (args, budget) => !equals(args, budget) },
  lt: { minArgs: 2, maxArgs: 2, run: ([a, b], budget) => order(a, b, budget) < 0 },
  le: { minArgs: 2, maxArgs: 2, run: ([a, b], budget) => order(a, b, budget) <= 0 },
  gt: { minArgs: 2, maxArgs: 2, run: ([a, b], budget) => order(a, b, budget) > 0 },
  ge: { minArgs: 2, maxArgs: 2, run: ([a, b], budget) => order(a, b, budget) >= 0 },
};

/** Whether a template function has this name. */
export function isFunctionName(name: string): boolean {
  return Object.hasOwn(functions, name);
}

/** Throws TemplateError of phase `execute` if a function does not accept that many arguments. */
export function checkArgumentCount(name: string, count: number): void {
  const { minArgs = 0, maxArgs = Infinity } = functions[name] ?? {};
  if (count >= minArgs && count <= maxArgs) return;
  const want = maxArgs === Infinity ? `at least ${minArgs}` : String(minArgs);
  throw createExecutionError(`wrong number of args for ${name}: want ${want} got ${count}`);
}

/** Calls a template function. Throws TemplateError of phase `execute` for an unknown name or wrong arguments. */
export function callFunction(name: string, args: readonly Value[], budget: Budget): Value {
  const found = functions[name];
  if (found === undefined) throw createExecutionError(`function "${name}" not defined`);
  return found.run(args, budget);
}

/** Converts the arguments of an escaper to text: a single string as is, anything else printed. */
export function joinArguments(args: readonly Value[], budget: Budget): string {
  const [first] = args;
  const text = args.length === 1 && typeof first === 'string' ? first : sprint(args, budget);
  budget.spend(text.length);
  return text;
}

/** Converts the arguments of the template's own `html`, `js` and `urlquery`, which print a text for missing values. */
function formatPrintable(args: readonly Value[], budget: Budget): string {
  return joinArguments(
    args.map((value) => value ?? '<no value>'),
    budget,
  );
}

function encodeText(text: string, budget: Budget): Uint8Array {
  budget.spend(text.length);
  return new TextEncoder().encode(text);
}

function getLength(value: Value, budget: Budget): bigint {
  if (typeof value === 'string') return BigInt(encodeText(value, budget).length);
  if (isList(value)) return BigInt(value.length);
  if (isMap(value)) return BigInt(countKeys(value, budget));
  throw createExecutionError(
    `error calling len: len of ${value === undefined || value === null ? 'nil pointer' : `type ${getTypeName(value)}`}`,
  );
}

function getIndexed(item: Value, keys: readonly Value[], budget: Budget): Value {
  if (item === undefined || item === null) throw createExecutionError('error calling index: index of untyped nil');
  let at: Value = item;
  for (const key of keys) {
    if (isMap(at)) {
      if (typeof key !== 'string') {
        const what = key === undefined || key === null ? 'value is nil' : `value has type ${getTypeName(key)}`;
        throw createExecutionError(`error calling index: ${what}; should be string`);
      }
      at = getEntry(at, key) ?? null;
    } else if (isList(at)) {
      at = toValue(at[toIndex(key, at.length)]);
    } else if (typeof at === 'string') {
      const bytes = encodeText(at, budget);
      at = BigInt(bytes[toIndex(key, bytes.length)] ?? 0);
    } else {
      const what =
        at === undefined || at === null ? 'index of nil pointer' : `can't index item of type ${getTypeName(at)}`;
      throw createExecutionError(`error calling index: ${what}`);
    }
  }
  return at;
}

/** `past` allows the position after the last element, as in slices. */
function toIndex(key: Value, length: number, allowEnd = false): number {
  if (typeof key !== 'bigint') {
    const what = key === undefined || key === null ? 'nil' : `type ${getTypeName(key)}`;
    throw createExecutionError(`cannot index slice/array with ${what}`);
  }
  if (key < 0n || key > BigInt(length) || (!allowEnd && key === BigInt(length)))
    throw createExecutionError(`index out of range: ${key.toString()}`);
  return Number(key);
}

function sliceValue(item: Value, bounds: readonly Value[], budget: Budget): Value {
  if (item === undefined || item === null) throw createExecutionError('error calling slice: slice of untyped nil');
  if (bounds.length > 3) throw createExecutionError(`error calling slice: too many slice indexes: ${bounds.length}`);
  if (typeof item === 'string' && bounds.length === 3)
    throw createExecutionError('error calling slice: cannot 3-index slice a string');
  const sequence = typeof item === 'string' ? encodeText(item, budget) : item;
  if (!(sequence instanceof Uint8Array) && !isList(sequence))
    throw createExecutionError(`error calling slice: can't slice item of type ${getTypeName(item)}`);
  const [from = 0, to = sequence.length, max = sequence.length] = bounds.map((bound) =>
    toIndex(bound, sequence.length, true),
  );
  if (from > to || to > max) throw createExecutionError(`error calling slice: invalid slice index: ${from} > ${to}`);
  budget.spend(to - from);
  return sequence instanceof Uint8Array
    ? new TextDecoder().decode(sequence.subarray(from, to))
    : sequence.slice(from, to);
}

type Basic = 'bool' | 'int' | 'float' | 'string';

function basic(value: Value): Basic | undefined {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'float';
    case 'string':
      return 'string';
    default:
      return undefined;
  }
}

function equals([first, ...others]: readonly Value[], budget: Budget): boolean {
  if (others.length === 0) throw createExecutionError('error calling eq: missing argument for comparison');
  const none = (value: Value): boolean => value === undefined || value === null;
  return others.some((other) => {
    if (none(first) || none(other)) return none(first) && none(other);
    if (basic(first) !== basic(other))
      throw createExecutionError('error calling eq: incompatible types for comparison');
    if (basic(first) === undefined)
      throw createExecutionError(`error calling eq: uncomparable type ${getTypeName(first)}`);
    if (typeof first === 'string' && typeof other === 'string') spendComparison(first, other, budget);
    return first === other;
  });
}

function spendComparison(a: string, b: string, budget: Budget): void {
  budget.spend(Math.min(a.length, b.length));
}

function order(a: Value, b: Value, budget: Budget): number {
  const kind = basic(a);
  if (kind === undefined || basic(b) === undefined || kind === 'bool')
    throw createExecutionError('error in a comparison: invalid type for comparison');
  if (typeof a === 'string' && typeof b === 'string') {
    spendComparison(a, b, budget);
    return compareText(a, b);
  }
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : a === b ? 0 : NaN;
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  throw createExecutionError('error in a comparison: incompatible types for comparison');
}

const HTML: Readonly<Record<string, string>> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\0': '\ufffd',
};

function escapeHtml(text: string): string {
  return text.replace(/["'&<>\0]/g, (character) => HTML[character] ?? '');
}

const JS: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '"': '\\"' };

function escapeJs(text: string): string {
  return text.replace(/[\\'"<>&=]|(?!\x7f)[^\P{C}]|[^\P{Z} ]/gu, (character) => {
    const known = JS[character];
    if (known !== undefined) return known;
    // With more than four digits Go's output is not valid JavaScript; it is what Go prints.
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `\\u${hex}`;
  });
}

/** Escapes like net/url.QueryEscape. */
function escapeQuery(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
