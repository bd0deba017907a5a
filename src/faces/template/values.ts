/** Values as Go's templates see JSON: truth, type names, order, bounds on work. */
import { TemplateProblem } from './nodes.ts';

/**
 * `undefined`: no value (a missing key) · `null`: nil · number: float64 · bigint: int · string · boolean · array · record of
 * a JSON object. Anything else in the data counts as nil.
 */
export type Value = unknown;

export interface Budget {
  /** Throws once all work that a template may cost has been done. */
  spend(units: number): void;
}

export type GoObject = Readonly<Record<string, unknown>>;

export function isList(value: Value): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isMap(value: Value): value is GoObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of what the data holds: numbers that were kept to the digit are float64 like all the others. */
export function fromData(value: unknown): Value {
  if (typeof value === 'object' && value !== null && 'rawJSON' in value && JSON.isRawJSON(value))
    return Number(value.rawJSON);
  if (typeof value === 'bigint') return Number(value);
  return value === undefined || typeof value === 'function' || typeof value === 'symbol' ? null : value;
}

/** Own properties only; `undefined` where there is none. */
export function entryOf(map: GoObject, key: string): Value {
  return Object.hasOwn(map, key) && map[key] !== undefined ? fromData(map[key]) : undefined;
}

export function keysOf(map: GoObject): readonly string[] {
  return Object.keys(map).sort(compareText);
}

export function isTrue(value: Value): boolean {
  if (isList(value)) return value.length > 0;
  if (isMap(value)) return Object.keys(value).length > 0;
  // Unlike in JavaScript, NaN is true.
  return typeof value === 'number' ? value !== 0 : Boolean(value);
}

export function typeName(value: Value): string {
  if (value === undefined || value === null) return 'nil';
  if (isList(value)) return '[]interface {}';
  if (isMap(value)) return 'map[string]interface {}';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** By bytes of UTF-8, which is by code points and not by UTF-16 units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (Number.isNaN(x) || Number.isNaN(y)) return a.length - b.length;
  // Surrogates stand for what is above all else.
  const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
  return rank(x) - rank(y);
}

export function refuse(message: string): TemplateProblem {
  return new TemplateProblem('execute', message);
}
