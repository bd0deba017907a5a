import { isObject, type JsonObject } from '../../../platform/json/json.ts';
import { tryParseMaskedJson } from '../../../platform/json/parse-json.ts';

/**
 * How a log matches a request, best first: `signed` has the signature of the request · `equal` same kind and exactly
 * the same parameters · `params` contains every value of the request · `kind` same kind only.
 */
export type MatchQuality = 'signed' | 'equal' | 'params' | 'kind';

/** The parts of a request that an action log repeats. */
export interface RequestFacts {
  readonly kind: string;
  /** every value of the fields of the action; `undefined` for a value with a variable that is no longer known */
  readonly values: readonly (string | undefined)[];
  readonly signature: string | undefined;
}

/** Milliseconds. A log from before the first limit does not match; one from before the second only perhaps. */
const MAX_CLOCK_SKEW = 60_000;
const MAX_CERTAIN_SKEW = 5_000;
const MAX_VALUES = 5000;
const MAX_DEPTH = 200;

/** Reads a request body (JSON, variables filled in or not); `undefined` if it names no kind of action. */
export function readRequestFacts(body: string): RequestFacts | undefined {
  const request = tryParseMaskedJson(body);
  if (!isObject(request)) return undefined;
  const { action, signature } = request;
  const [kind, fields] = (isObject(action) ? Object.entries(action) : [])[0] ?? [];
  if (kind === undefined) return undefined;
  return {
    kind,
    values: collectLeafValues(fields).map((value) => (value.includes('${') ? undefined : value)),
    // A short signature, such as "0x" in a test, proves nothing.
    signature: typeof signature === 'string' && signature.length >= 32 ? signature : undefined,
  };
}

/**
 * Matches a log; `undefined` if it cannot belong to the request. `since`: when it was sent, milliseconds by the clock
 * of the platform.
 */
export function matchActionLog(log: JsonObject, request: RequestFacts, since: number): MatchQuality | undefined {
  const created = Date.parse(String(log['when_created']));
  // A log without a time is matched by its parameters alone.
  if (Number.isFinite(created) && created < since - MAX_CLOCK_SKEW) return undefined;
  const early = Number.isFinite(created) && created < since - MAX_CERTAIN_SKEW;
  if (!early && request.signature !== undefined && log['signature'] === request.signature) return 'signed';
  const name = log['action_name'] ?? log['name'];
  const named = typeof name === 'string';
  if (named && name !== request.kind) return undefined;
  const known = request.values.filter((value) => value !== undefined);
  if (known.length === 0) return named ? 'kind' : undefined;
  const params = collectLeafValues(log['params']);
  const complete = known.length === request.values.length && known.length < MAX_VALUES;
  if (named && complete && !early && params.toSorted().join('\n') === known.toSorted().join('\n')) return 'equal';
  const logValues = new Set([...params, ...collectLeafValues(log['affected_objects'])]);
  if (known.every((value) => logValues.has(value))) return 'params';
  return named ? 'kind' : undefined;
}

/** Collects strings, numbers and booleans as text, up to a limit. */
function collectLeafValues(value: unknown, found: string[] = [], depth = 0): string[] {
  if (found.length >= MAX_VALUES || depth > MAX_DEPTH) return found;
  if (Array.isArray(value)) for (const entry of value) collectLeafValues(entry, found, depth + 1);
  else if (isObject(value)) for (const entry of Object.values(value)) collectLeafValues(entry, found, depth + 1);
  else if (JSON.isRawJSON(value)) found.push(value.rawJSON);
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    found.push(String(value));
  return found;
}
