/** JSON values, whose numbers may keep their source text. */

/** The result of `JSON.rawJSON`: a number that keeps its source text, also in `JSON.stringify`. */
interface RawNumber {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    rawJSON(source: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object; false for arrays and `RawNumber`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** An own property of a table, for names that a server chose; never an inherited one. */
export function getOwn<Value>(table: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A value as text: JSON for anything but strings, with all digits; empty for none. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
