/** Parses JSON without rounding numbers, and masks secrets. */
import { isTooDeep, limitJson } from './json-limits.ts';
import { maskSecrets, mayContainSecret, NO_SECRETS, type Secrets } from './secrets.ts';

// A number of 16 characters or more, probably outside of a string. Half of the cost of reading a page beside `JSON.parse`:
// a class of more characters before the number takes three times as long.
const ROUNDED = /[:[,][ \n\r\t]*-?\d[\d.eE+-]{15}/;

/**
 * Parses a response. Numbers that a double would round become `RawNumber`, secrets are masked, and values that are
 * nested too deeply are replaced (see `limitJson`). Throws SyntaxError as `JSON.parse` does.
 */
export function parseJson(source: string, secrets: Secrets = NO_SECRETS): unknown {
  const rounded = ROUNDED.test(source);
  let text = source;
  let value: unknown = rounded ? undefined : JSON.parse(source);
  if (rounded || isTooDeep(value)) {
    // `JSON.parse` with a reviver recurses, so the depth must be limited first.
    text = limitJson(source) ?? '';
    value = rounded ? JSON.parse(text, keepDigits) : JSON.parse(text);
  }
  return mayContainSecret(text, secrets) ? maskSecrets(value, secrets) : value;
}

/** As `parseJson`, for the text of a response or a request; `undefined` if it is not JSON. */
export function tryParseMaskedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** As `JSON.parse`, with nothing masked: credentials stay usable. `undefined` if the text is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keepDigits(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value;
  return isExact(value, context.source) ? value : JSON.rawJSON(context.source);
}

function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isInteger(value) && /^-?\d+$/.test(source)) return Number.isSafeInteger(value);
  return String(value) === source || source.length < 16;
}
