/** The functions that a Go template may call. `and` and `or`, which do not evaluate all they are given, are not run here. */
import { sprint, sprintf, sprintln } from './format.ts';
import {
  compareText,
  entryOf,
  fromData,
  isList,
  isMap,
  isTrue,
  refuse,
  typeName,
  type Budget,
  type Value,
} from './values.ts';

interface GoFunction {
  readonly least: number;
  readonly most: number;
  readonly run: (args: readonly Value[], budget: Budget) => Value;
}

const functions: Readonly<Record<string, GoFunction>> = {
  // Run by the evaluator; here for their names and counts.
  and: { least: 1, most: Infinity, run: ([first]) => first },
  or: { least: 1, most: Infinity, run: ([first]) => first },
  not: { least: 1, most: 1, run: ([value]) => !isTrue(value) },
  len: { least: 1, most: 1, run: ([value]) => lengthOf(value) },
  index: { least: 1, most: Infinity, run: ([item, ...keys]) => indexed(item, keys) },
  slice: { least: 1, most: Infinity, run: ([item, ...bounds]) => sliced(item, bounds) },
  print: { least: 0, most: Infinity, run: sprint },
  println: { least: 0, most: Infinity, run: sprintln },
  printf: {
    least: 1,
    most: Infinity,
    run: ([format, ...args], budget) => {
      if (typeof format !== 'string') throw refuse(`wrong type for value; expected string; got ${typeName(format)}`);
      return sprintf(format, args, budget);
    },
  },
  html: { least: 0, most: Infinity, run: (args, budget) => plainHtml(printable(args, budget)) },
  js: { least: 0, most: Infinity, run: (args, budget) => plainJs(printable(args, budget)) },
  urlquery: { least: 0, most: Infinity, run: (args, budget) => queryEscape(printable(args, budget)) },
  call: {
    least: 1,
    most: Infinity,
    run: ([value]) => {
      throw refuse(`error calling call: non-function of type ${typeName(value)}`);
    },
  },
  eq: { least: 1, most: Infinity, run: equals },
  ne: { least: 2, most: 2, run: (args) => !equals(args) },
  lt: { least: 2, most: 2, run: ([a, b]) => order(a, b) < 0 },
  le: { least: 2, most: 2, run: ([a, b]) => order(a, b) <= 0 },
  gt: { least: 2, most: 2, run: ([a, b]) => order(a, b) > 0 },
  ge: { least: 2, most: 2, run: ([a, b]) => order(a, b) >= 0 },
};

export function isFunctionName(name: string): boolean {
  return Object.hasOwn(functions, name);
}

/** Throws TemplateProblem of phase `execute`. */
export function checkCount(name: string, count: number): void {
  const { least = 0, most = Infinity } = functions[name] ?? {};
  if (count >= least && count <= most) return;
  const want = most === Infinity ? `at least ${least}` : String(least);
  throw refuse(`wrong number of args for ${name}: want ${want} got ${count}`);
}

export function callFunction(name: string, args: readonly Value[], budget: Budget): Value {
  const found = functions[name];
  if (found === undefined) throw refuse(`function "${name}" not defined`);
  return found.run(args, budget);
}

/** What the escaping functions work on: a lone string as it stands, anything else printed. */
export function joined(args: readonly Value[], budget: Budget): string {
  const [first] = args;
  const text = args.length === 1 && typeof first === 'string' ? first : sprint(args, budget);
  budget.spend(text.length);
  return text;
}

/** What `html`, `js` and `urlquery` of a template itself work on: there a missing value has words. */
function printable(args: readonly Value[], budget: Budget): string {
  return joined(
    args.map((value) => value ?? '<no value>'),
    budget,
  );
}

function lengthOf(value: Value): bigint {
  if (typeof value === 'string') return BigInt(new TextEncoder().encode(value).length);
  if (isList(value)) return BigInt(value.length);
  if (isMap(value)) return BigInt(Object.keys(value).length);
  throw refuse(
    `error calling len: len of ${value === undefined || value === null ? 'nil pointer' : `type ${typeName(value)}`}`,
  );
}

function indexed(item: Value, keys: readonly Value[]): Value {
  if (item === undefined || item === null) throw refuse('error calling index: index of untyped nil');
  let at: Value = item;
  for (const key of keys) {
    if (isMap(at)) {
      if (typeof key !== 'string') {
        const what = key === undefined || key === null ? 'value is nil' : `value has type ${typeName(key)}`;
        throw refuse(`error calling index: ${what}; should be string`);
      }
      at = entryOf(at, key) ?? null;
    } else if (isList(at)) {
      at = fromData(at[position(key, at.length)]);
    } else if (typeof at === 'string') {
      const bytes = new TextEncoder().encode(at);
      at = BigInt(bytes[position(key, bytes.length)] ?? 0);
    } else {
      const what =
        at === undefined || at === null ? 'index of nil pointer' : `can't index item of type ${typeName(at)}`;
      throw refuse(`error calling index: ${what}`);
    }
  }
  return at;
}

/** `past`: the position behind the last is fine, as in slices. */
function position(key: Value, length: number, past = false): number {
  if (typeof key !== 'bigint') {
    const what = key === undefined || key === null ? 'nil' : `type ${typeName(key)}`;
    throw refuse(`cannot index slice/array with ${what}`);
  }
  if (key < 0n || key > BigInt(length) || (!past && key === BigInt(length)))
    throw refuse(`index out of range: ${key.toString()}`);
  return Number(key);
}

function sliced(item: Value, bounds: readonly Value[]): Value {
  if (item === undefined || item === null) throw refuse('error calling slice: slice of untyped nil');
  if (bounds.length > 3) throw refuse(`error calling slice: too many slice indexes: ${bounds.length}`);
  if (typeof item === 'string' && bounds.length === 3)
    throw refuse('error calling slice: cannot 3-index slice a string');
  const whole = typeof item === 'string' ? new TextEncoder().encode(item) : item;
  if (!(whole instanceof Uint8Array) && !isList(whole))
    throw refuse(`error calling slice: can't slice item of type ${typeName(item)}`);
  const [from = 0, to = whole.length, most = whole.length] = bounds.map((bound) => position(bound, whole.length, true));
  if (from > to || to > most) throw refuse(`error calling slice: invalid slice index: ${from} > ${to}`);
  return whole instanceof Uint8Array ? new TextDecoder().decode(whole.subarray(from, to)) : whole.slice(from, to);
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

function equals([first, ...others]: readonly Value[]): boolean {
  if (others.length === 0) throw refuse('error calling eq: missing argument for comparison');
  const none = (value: Value): boolean => value === undefined || value === null;
  return others.some((other) => {
    if (none(first) || none(other)) return none(first) && none(other);
    if (basic(first) !== basic(other)) throw refuse('error calling eq: incompatible types for comparison');
    if (basic(first) === undefined) throw refuse(`error calling eq: uncomparable type ${typeName(first)}`);
    return first === other;
  });
}

function order(a: Value, b: Value): number {
  const kind = basic(a);
  if (kind === undefined || basic(b) === undefined || kind === 'bool')
    throw refuse('error in a comparison: invalid type for comparison');
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : a === b ? 0 : NaN;
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  throw refuse('error in a comparison: incompatible types for comparison');
}

const HTML: Readonly<Record<string, string>> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\0': '\ufffd',
};

function plainHtml(text: string): string {
  return text.replace(/["'&<>\0]/g, (character) => HTML[character] ?? '');
}

const JS: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '"': '\\"' };

function plainJs(text: string): string {
  return text.replace(/[\\'"<>&=]|(?!\x7f)[^\P{C}]|[^\P{Z} ]/gu, (character) => {
    const known = JS[character];
    if (known !== undefined) return known;
    // Beyond four digits Go's own output is no JavaScript; it is what Go prints.
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `\\u${hex}`;
  });
}

/** As net/url.QueryEscape. */
export function queryEscape(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
