/** JSON values as Go's templates see them: truth, type names, order, bounds on work. */
import { TemplateError } from './nodes.ts';

/**
 * `undefined`: no value (a missing key) · `null`: nil · number: float64 · bigint: int · string · boolean · array ·
 * record of a JSON object. Anything else in the data counts as nil.
 */
export type Value = unknown;

export interface Budget {
  /** Throws when the budget of a template is used up. */
  spend(units: number): void;
  /** Whether enough was spent since it last returned true that other work should get its turn. */
  isStepDone(): boolean;
}

/** Work that can pause at each `yield`. */
export type Steps<T> = Generator<undefined, T>;

type GoObject = Readonly<Record<string, unknown>>;

/** Whether the value is a list (`[]interface {}` in Go). */
export function isList(value: Value): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Whether the value is an object (`map[string]interface {}` in Go). */
export function isMap(value: Value): value is GoObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts values of the data: integers beyond 2^53 become float64 like all numbers. */
export function toValue(value: unknown): Value {
  if (typeof value === 'object' && value !== null && 'rawJSON' in value && JSON.isRawJSON(value))
    return Number(value.rawJSON);
  if (typeof value === 'bigint') return Number(value);
  return value === undefined || typeof value === 'function' || typeof value === 'symbol' ? null : value;
}

/** Returns an own property; `undefined` if there is none. */
export function getEntry(map: GoObject, key: string): Value {
  return Object.hasOwn(map, key) && map[key] !== undefined ? toValue(map[key]) : undefined;
}

/** Units of listing a key of a map. */
const KEY_COST = 5;

/** Returns the keys in the order in which Go's `range` visits them. */
export function getSortedKeys(map: GoObject, budget: Budget): readonly string[] {
  const keys = Object.keys(map);
  for (const key of keys) budget.spend(KEY_COST + key.length);
  return keys.sort(compareText);
}

/** Returns the number of keys. */
export function countKeys(map: GoObject, budget: Budget): number {
  const count = Object.keys(map).length;
  budget.spend(count * KEY_COST);
  return count;
}

/** Returns the truth of a value as Go's templates define it: zero and empty values are false. */
export function isTrue(value: Value, budget: Budget): boolean {
  if (isList(value)) return value.length > 0;
  if (isMap(value)) return countKeys(value, budget) > 0;
  // Unlike in JavaScript, NaN is true.
  return typeof value === 'number' ? value !== 0 : Boolean(value);
}

/** Returns the name that Go prints for the type of a value. */
export function getTypeName(value: Value): string {
  if (value === undefined || value === null) return 'nil';
  if (isList(value)) return '[]interface {}';
  if (isMap(value)) return 'map[string]interface {}';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** Compares by UTF-8 bytes, which is by code point and not by UTF-16 unit. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (Number.isNaN(x) || Number.isNaN(y)) return a.length - b.length;
  // Surrogates encode code points above all others.
  const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
  return rank(x) - rank(y);
}

/** Creates a TemplateError of phase `execute`. */
export function createExecutionError(message: string): TemplateError {
  return new TemplateError('execute', message);
}
