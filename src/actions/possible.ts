/** Compares an action log with a request: by signature, or by kind, parameters and time. Pure. */
import { isObject, parseJson, type JsonObject } from '../platform/json.ts';

/**
 * How well a log fits a request, best first: `signed` it carries the request's own signature · `equal` same kind and the
 * same parameters, no more and no fewer · `params` every value of the request is in it · `kind` same kind only.
 */
export type Fit = 'signed' | 'equal' | 'params' | 'kind';

/** What of a request an action log repeats. */
export interface RequestFacts {
  readonly kind: string;
  /** every value of the action's fields; `undefined` where one of them is a variable whose value is not known any more */
  readonly values: readonly (string | undefined)[];
  readonly signature: string | undefined;
}

/** A log from so long before the request is another's; one from between the two limits may be: milliseconds. */
const CLOCK_SLACK = 60_000;
const CERTAIN_SLACK = 5_000;
const MAX_VALUES = 5000;
const MAX_DEPTH = 200;

/** Reads a request body (JSON text, variables filled in or not); `undefined` where it names no kind of action. */
export function requestFacts(body: string): RequestFacts | undefined {
  let request: unknown;
  try {
    request = parseJson(body);
  } catch {
    return undefined;
  }
  if (!isObject(request)) return undefined;
  const { action, signature } = request;
  const [kind, fields] = (isObject(action) ? Object.entries(action) : [])[0] ?? [];
  if (kind === undefined) return undefined;
  return {
    kind,
    values: leaves(fields).map((value) => (value.includes('${') ? undefined : value)),
    // A short one, such as a test's "0x", proves nothing.
    signature: typeof signature === 'string' && signature.length >= 32 ? signature : undefined,
  };
}

/** `undefined`: the log cannot be of this request. `since`: when it was sent, milliseconds by the platform's clock. */
export function looksLike(log: JsonObject, request: RequestFacts, since: number): Fit | undefined {
  const created = Date.parse(String(log['when_created']));
  // A log without a time is judged by its parameters alone.
  if (Number.isFinite(created) && created < since - CLOCK_SLACK) return undefined;
  const early = Number.isFinite(created) && created < since - CERTAIN_SLACK;
  if (!early && request.signature !== undefined && log['signature'] === request.signature) return 'signed';
  const name = log['action_name'] ?? log['name'];
  const named = typeof name === 'string';
  if (named && name !== request.kind) return undefined;
  const known = request.values.filter((value) => value !== undefined);
  if (known.length === 0) return named ? 'kind' : undefined;
  const params = leaves(log['params']);
  const complete = known.length === request.values.length && known.length < MAX_VALUES;
  if (named && complete && !early && params.toSorted().join('\n') === known.toSorted().join('\n')) return 'equal';
  const held = new Set([...params, ...leaves(log['affected_objects'])]);
  if (known.every((value) => held.has(value))) return 'params';
  return named ? 'kind' : undefined;
}

/** Every string, number and boolean inside, as text; bounded. */
function leaves(value: unknown, found: string[] = [], depth = 0): string[] {
  if (found.length >= MAX_VALUES || depth > MAX_DEPTH) return found;
  if (Array.isArray(value)) for (const entry of value) leaves(entry, found, depth + 1);
  else if (isObject(value)) for (const entry of Object.values(value)) leaves(entry, found, depth + 1);
  else if (JSON.isRawJSON(value)) found.push(value.rawJSON);
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    found.push(String(value));
  return found;
}
