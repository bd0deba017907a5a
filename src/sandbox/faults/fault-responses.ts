/** Responses that faults create or change. */
import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { getShape } from '../../platform/schema.ts';
import type { Fault } from './faults.ts';
import type { RouteResponse } from '../http/responses.ts';

/** The request as far as faults depend on it. */
export interface FaultContext {
  /** path and query as sent */
  readonly target: string;
  readonly credential: string;
  readonly cursor: string | null;
  readonly listKey: string | undefined;
  readonly schema: z.core.SomeType | undefined;
}

type ErrorFields = readonly [status: number, code: string, message: string];

const SERVER_ERROR: ErrorFields = [500, 'internal', 'an unexpected error occurred'];
/** Other faults have `SERVER_ERROR`. */
const ERRORS: Partial<Record<Fault['fault'], ErrorFields>> = {
  unauthorized: [401, 'unauthenticated', 'the credential is not valid'],
  forbidden: [403, 'forbidden', 'missing permission: objects (read)'],
  notFound: [404, 'not_found', 'not found'],
  conflict: [409, 'conflict', 'the resource was changed by somebody else'],
  unprocessable: [422, 'unprocessable', 'the request was understood and refused'],
  rateLimited: [429, 'rate_limited', 'too many requests'],
  unavailable: [503, 'unavailable', 'the service is being restarted'],
  gatewayTimeout: [504, 'timeout', 'the upstream service did not answer in time'],
};

const gatewayPage = (title: string): string =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><center><h1>${title}</h1></center><hr><center>gateway</center></body></html>\n`;

/** The error response of a fault, in one of the known shapes. */
function createErrorResponse({ fault, shape }: Fault, message?: string): RouteResponse {
  const [status, code, defaultMessage] = ERRORS[fault] ?? SERVER_ERROR;
  const text = message ?? defaultMessage;
  const shapes: Readonly<Record<Fault['shape'], RouteResponse>> = {
    code: { status, json: { code, message: text, details: {} } },
    nested: { status, json: { error: { code, message: text, details: {} }, x_request_id: 'req_nested' } },
    success: { status, json: { success: false, error: text } },
    text: { status, json: { error: text } },
    plain: { status, type: 'text/plain; charset=utf-8', bytes: text },
    html: { status, type: 'text/html; charset=utf-8', bytes: gatewayPage(`${status} ${text}`) },
    none: { status, type: 'text/plain', bytes: '' },
  };
  return shapes[shape];
}

/** The response of a fault of the group `status`. */
export function createFaultResponse(fault: Fault, context: FaultContext): RouteResponse {
  switch (fault.fault) {
    case 'htmlBadGateway':
      return { status: 502, type: 'text/html', bytes: gatewayPage('502 Bad Gateway') };
    case 'htmlOk':
      return { status: 200, type: 'text/html; charset=utf-8', bytes: gatewayPage('Welcome') };
    case 'emptyServerError':
      return { status: 500, type: 'text/plain', bytes: '' };
    case 'echoCredential':
      return createErrorResponse(fault, `could not verify ${context.credential}`);
    case 'redirect': {
      const join = context.target.includes('?') ? '&' : '?';
      const location = fault.location ?? `${context.target}${join}redirected=1`;
      return { status: fault.status, type: 'text/plain', bytes: '', headers: { location } };
    }
    default: {
      const response = createErrorResponse(fault, fault.message);
      return { ...response, headers: createRetryAfterHeaders(fault, response.status) };
    }
  }
}

function createRetryAfterHeaders(fault: Fault, status: number): Record<string, string> {
  const { retryAfter: value } = fault;
  const limits: Record<string, string> =
    status === 429 ? { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' } : {};
  if (value === undefined || value === 'none') return limits;
  // HTTP dates have whole seconds: two seconds ahead is still in the future when it is read.
  return { ...limits, 'retry-after': value === 'date' ? new Date(Date.now() + 2000).toUTCString() : String(value) };
}

/** The JSON of a response, changed by a fault of the group `json`. */
export function applyJsonFault(fault: Fault, json: unknown, context: FaultContext): unknown {
  if (!isObject(json)) return json;
  const { listKey } = context;
  const list = listKey === undefined ? undefined : json[listKey];
  const items: readonly unknown[] | undefined = Array.isArray(list) ? list : undefined;
  const withItems = (changed: readonly unknown[]): JsonObject => ({ ...json, [listKey ?? 'items']: changed });
  /** Changes each item of a list, or the response itself if it is not a list. */
  const each = (change: (item: JsonObject) => JsonObject): JsonObject =>
    items === undefined ? change(json) : withItems(items.map((item) => (isObject(item) ? change(item) : item)));
  const getPath = (item: JsonObject, find: (item: JsonObject) => Path): Path => fault.field?.split('.') ?? find(item);
  /** Sets a field of each, by default the one that `find` returns. */
  const setEach = (find: (item: JsonObject) => Path, value: unknown): JsonObject =>
    each((item) => setAt(item, getPath(item, find), value));
  const findRequired = (item: JsonObject): Path => findRequiredField(context.schema, item);
  switch (fault.fault) {
    case 'missingField':
      return setEach(findRequired, undefined);
    case 'wrongType':
      return each((item) => {
        const path = getPath(item, findRequired);
        const other = typeof getAt(item, path) === 'object' ? 42 : { unexpected: [true] };
        return setAt(item, path, 'value' in fault ? fault.value : other);
      });
    case 'nullList':
      return listKey === undefined ? json : { ...json, [listKey]: null };
    case 'otherListKey': {
      if (listKey === undefined) return json;
      const { [listKey]: moved, ...rest } = json;
      return { items: moved, ...rest };
    }
    case 'wrapped':
      return { success: true, data: json };
    case 'unknownEnum':
      return setEach((item) => findEnumField(context.schema, item), fault.value ?? 'quantum');
    case 'unknownField':
      return setEach(() => ['future_field'], fault.value ?? { nested: [1, null, 'new'] });
    case 'badItem':
      return items === undefined ? json : withItems([...items.slice(0, 1), 'not an item', null, ...items.slice(1)]);
    case 'repeatedCursor':
      return { ...json, next: context.cursor ?? 'cmVwZWF0ZWQ' };
    case 'emptyCursor':
      return { ...json, next: '' };
    case 'hugePage':
      return items === undefined ? json : withItems(repeatItems(items, fault.size ?? 10_000));
    case 'hugeField':
      return setEach(() => ['metadata', 'image', 'url'], `data:image/png;base64,${'A'.repeat(fault.size ?? 100_000)}`);
    case 'bigInteger':
      return setEach(findIntegerField, JSON.rawJSON('9007199254740993123'));
    case 'failedStep':
      return { ...json, steps: [{ action: 'mint', error: fault.message ?? 'execution reverted' }] };
    case 'nullSteps':
      return { ...json, steps: null };
    default:
      return json;
  }
}

type Path = readonly string[];

function getAt(item: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, step) => (isObject(part) ? part[step] : undefined), item);
}

/** A copy with one field changed, or removed if `value` is undefined. */
function setAt(item: JsonObject, path: Path, value: unknown): JsonObject {
  const [step, ...rest] = path;
  if (step === undefined) return item;
  if (rest.length > 0) {
    const inner = item[step];
    return { ...item, [step]: setAt(isObject(inner) ? inner : {}, rest, value) };
  }
  if (value !== undefined) return { ...item, [step]: value };
  const { [step]: _removed, ...others } = item;
  return others;
}

function listFields(schema: z.core.SomeType | undefined): [string, z.core.SomeType][] {
  return Object.entries((schema === undefined ? undefined : getShape(schema)) ?? {});
}

/** A required field other than the id, so that the item can still be identified. */
function findRequiredField(schema: z.core.SomeType | undefined, item: JsonObject): Path {
  const fields = listFields(schema).filter(([, inner]) => !(inner instanceof z.ZodMiniOptional));
  const name = fields.map(([field]) => field).find((field) => field !== 'id') ?? Object.keys(item).at(-1);
  return name === undefined ? [] : [name];
}

function findEnumField(schema: z.core.SomeType | undefined, item: JsonObject): Path {
  const fields = listFields(schema);
  const direct = fields.find(([, inner]) => inner instanceof z.ZodMiniEnum);
  if (direct !== undefined) return [direct[0]];
  for (const [field, inner] of fields) {
    const deeper = isObject(item[field]) ? findEnumField(inner, item[field]) : [];
    if (deeper.length > 0) return [field, ...deeper];
  }
  return [];
}

function findIntegerField(item: JsonObject): Path {
  const name = Object.entries(item).find(([, value]) => typeof value === 'number')?.[0];
  return [name ?? 'version'];
}

function repeatItems(items: readonly unknown[], count: number): unknown[] {
  const seeds = items.length === 0 ? [{ id: 'huge' }] : items;
  return Array.from({ length: count }, (_, index) => {
    const item = seeds[index % seeds.length];
    return isObject(item) && index >= seeds.length ? { ...item, id: `${String(item['id'])}_${index}` } : item;
  });
}
