import { hash } from 'node:crypto';
import { readActionName } from '../../platform/resources/action-log-fields.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { tryParseMaskedJson } from '../../platform/json/parse-json.ts';
import { contradict, parseTime, type NamedValue } from './compare-parameters.ts';

/**
 * How a log matches a request, best first: `signed` has the signature of the request · `equal` same kind and exactly
 * the same parameters · `params` contains every value of the request · `kind` same kind only.
 */
export const qualities = ['signed', 'equal', 'params', 'kind'] as const;
export type MatchQuality = (typeof qualities)[number];

/** The parts of a request that an action log repeats. */
export interface RequestFacts {
  readonly kind: string;
  /** every value of the fields of the action; `undefined` for a value with a variable that is no longer known */
  readonly values: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly signature: string | undefined;
  /** the signer that the request names */
  readonly signer?: string;
}

/**
 * Milliseconds by which the time of a log may be earlier than that of its request: clocks of a platform can differ. A log
 * from before the first limit does not match; one from before the second only perhaps.
 */
export const MAX_CLOCK_SKEW = 15 * 60_000;
const MAX_CERTAIN_SKEW = 5_000;
const MAX_VALUES = 5000;
const MAX_DEPTH = 200;

/** SHA-256 of a signature; `undefined` for one that is too short to prove anything. */
export function getSignatureDigest(signature: unknown): string | undefined {
  if (typeof signature !== 'string' || signature.length < 32) return undefined;
  return hash('sha256', signature);
}

/** Reads a request body (JSON, variables filled in or not); `undefined` if it names no kind of action. */
export function readRequestFacts(body: string): RequestFacts | undefined {
  const request = tryParseMaskedJson(body);
  if (!isObject(request)) return undefined;
  const { action, signature, signer } = request;
  const [kind, fields] = (isObject(action) ? Object.entries(action) : [])[0] ?? [];
  if (kind === undefined) return undefined;
  return {
    kind,
    values: collectValues(fields).map(({ name, value }) => ({ name, value: value.includes('${') ? undefined : value })),
    // A short signature, such as "0x" in a test, proves nothing.
    signature: typeof signature === 'string' && signature.length >= 32 ? signature : undefined,
    ...(typeof signer === 'string' && !signer.includes('${') && { signer }),
  };
}

/**
 * True if a log that the response names is certainly of another request: it has another kind, other parameters, another
 * signer, or is from long before the request. `since`: when it was sent, milliseconds by the clock of the platform.
 */
export function isOfAnotherRequest(log: JsonObject, request: RequestFacts, since: number): boolean {
  if (isFromLongBefore(log, since)) return true;
  const kinds = ['action_name', 'name', 'action_alias', 'alias'].map((field) => log[field]).filter(isText);
  if (kinds.length > 0 && !kinds.some((kind) => isSameKind(kind, request.kind))) return true;
  const { signature, signer } = log;
  const signatures = [signature, request.signature].map((text) => /^0x([\da-f]{32,})$/i.exec(String(text))?.[1]);
  // Behind the two numbers of a signature, the recovery id is written as 0 or 27.
  const [found, sent] = signatures.map((text) => text?.toLowerCase().slice(0, 128));
  if (signatures[0]?.length === signatures[1]?.length && found !== sent) return true;
  if (isText(signer) && request.signer !== undefined)
    if (contradict([{ name: 'signer', value: request.signer }], [{ name: 'signer', value: signer }])) return true;
  const known = request.values.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
  return contradict(known, collectValues(log['params']), collectValues(log['affected_objects']));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Platforms write `mint` as `Mint` or `actions.mint`, too. */
function isSameKind(one: string, other: string): boolean {
  const [a = '', b = ''] = [one, other].map((kind) => kind.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return a.includes(b) || b.includes(a);
}

/** Only a time with its zone is certain; a day, the year 1 and 1970 stand for a time that is not known. */
function isFromLongBefore(log: JsonObject, since: number): boolean {
  const created = readCreated(log);
  const hasZone = /\d:\d\d.*(?:[A-Z]{1,4}|[+-]\d\d(?::?\d\d)?)$/i.test(String(log['when_created']));
  return hasZone && created > 86_400_000 && created < since - MAX_CLOCK_SKEW;
}

/** Milliseconds since the epoch; NaN for none. */
function readCreated(log: JsonObject): number {
  return parseTime(String(log['when_created']));
}

/**
 * Matches a log; `undefined` if it cannot belong to the request. `since`: when it was sent, milliseconds by the clock
 * of the platform; `isSigned`: the log has its signature.
 */
export function matchActionLog(
  log: JsonObject,
  request: RequestFacts | undefined,
  since: number,
  isSigned: boolean,
): MatchQuality | undefined {
  const created = readCreated(log);
  // A log without a time is matched by its parameters alone.
  if (Number.isFinite(created) && created < since - MAX_CLOCK_SKEW) return undefined;
  const early = Number.isFinite(created) && created < since - MAX_CERTAIN_SKEW;
  if (!early && isSigned) return 'signed';
  if (request === undefined) return undefined;
  const name = readActionName(log);
  const named = name !== undefined;
  if (named && name !== request.kind) return undefined;
  const known = request.values.map(({ value }) => value).filter((value) => value !== undefined);
  if (known.length === 0) return named ? 'kind' : undefined;
  const params = collectValues(log['params']).map(({ value }) => value);
  const complete = known.length === request.values.length && known.length < MAX_VALUES;
  if (named && complete && !early && params.toSorted().join('\n') === known.toSorted().join('\n')) return 'equal';
  const logValues = new Set([...params, ...collectValues(log['affected_objects']).map(({ value }) => value)]);
  if (known.every((value) => logValues.has(value))) return 'params';
  return named ? 'kind' : undefined;
}

/** Collects strings, numbers and booleans as text, up to a limit. */
function collectValues(value: unknown, name = '', found: NamedValue[] = [], depth = 0): NamedValue[] {
  if (found.length >= MAX_VALUES || depth > MAX_DEPTH) return found;
  if (Array.isArray(value)) for (const entry of value) collectValues(entry, name, found, depth + 1);
  else if (isObject(value))
    for (const [key, entry] of Object.entries(value)) collectValues(entry, key, found, depth + 1);
  else if (JSON.isRawJSON(value)) found.push({ name, value: value.rawJSON });
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    found.push({ name, value: String(value) });
  return found;
}
