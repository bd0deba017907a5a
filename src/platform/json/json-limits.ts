/** Limits on the JSON of a response. */

/** Levels of arrays and objects. */
export const MAX_JSON_DEPTH = 100;
/** Array items and properties of one response: each takes tens of bytes of heap, however short its text. */
export const MAX_JSON_VALUES = 1_000_000;

/** Replaces values below `MAX_JSON_DEPTH`. */
export const TOO_DEEP = `[not shown: nested deeper than ${String(MAX_JSON_DEPTH)} levels]`;

const COMMA = 0x2c;
const BACKSLASH = 0x5c;
// Brackets and braces differ in one bit.
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Replaces every array and object below `MAX_JSON_DEPTH` with the string `TOO_DEEP`. Returns `undefined` if there are
 * more than `MAX_JSON_VALUES` values. Does not check that the text is JSON.
 */
export function limitJson(text: string): string | undefined {
  const parts: string[] = [];
  let depth = 0;
  let values = 0;
  let from = 0;
  for (let start = 0; start < text.length;) {
    const quote = text.indexOf('"', start);
    const end = quote < 0 ? text.length : quote;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === COMMA) {
        values++;
      } else if ((code | 0x20) === OPEN) {
        values++;
        if (++depth === MAX_JSON_DEPTH + 1) {
          parts.push(text.slice(from, at));
          from = at;
        }
      } else if ((code | 0x20) === CLOSE && depth-- === MAX_JSON_DEPTH + 1) {
        parts.push(JSON.stringify(TOO_DEEP));
        from = at + 1;
      }
    }
    if (values > MAX_JSON_VALUES) return undefined;
    start = quote < 0 ? end : findStringEnd(text, quote) + 1;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

/** True for a parsed value with more levels of arrays and objects than `MAX_JSON_DEPTH`. Cheaper than scanning the text. */
export function isTooDeep(value: unknown, levels = MAX_JSON_DEPTH): boolean {
  return hasEntries(value) && (levels === 0 || hasDeepEntry(value, levels - 1));
}

/** Whether an entry has more levels than `levels`. Every value of a page is visited: `for…in` with `[name]` is the fastest. */
function hasDeepEntry(value: Readonly<Record<string, unknown>>, levels: number): boolean {
  if (Array.isArray(value)) return value.some((entry) => isTooDeep(entry, levels));
  for (const name in value) {
    const entry = value[name];
    if (hasEntries(entry) && (levels === 0 || hasDeepEntry(entry, levels - 1))) return true;
  }
  return false;
}

/** True for an array or object. */
function hasEntries(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The index of the closing quote, or the text's length. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
