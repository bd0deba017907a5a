/** Answers that a fault puts in the place of the right one, or makes out of it. */
import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../platform/json.ts';
import type { ErrorShape, Fault } from './faults.ts';
import type { Answer } from './http.ts';

/** What a fault may need to know of the request. */
export interface Met {
  /** path and query as they were sent */
  readonly target: string;
  readonly credential: string;
  readonly cursor: string | null;
  readonly listKey: string | undefined;
  readonly schema: z.core.SomeType | undefined;
}

const CODES: Readonly<Record<number, readonly [code: string, message: string]>> = {
  401: ['unauthenticated', 'the credential is not valid'],
  403: ['forbidden', 'missing permission: objects (read)'],
  404: ['not_found', 'not found'],
  409: ['conflict', 'the resource was changed by somebody else'],
  422: ['unprocessable', 'the request was understood and refused'],
  429: ['rate_limited', 'too many requests'],
  500: ['internal', 'an unexpected error occurred'],
  503: ['unavailable', 'the service is being restarted'],
  504: ['timeout', 'the upstream service did not answer in time'],
};

const STATUS: Partial<Record<Fault['fault'], number>> = {
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  unprocessable: 422,
  rateLimited: 429,
  serverError: 500,
  unavailable: 503,
  gatewayTimeout: 504,
};

const gatewayPage = (title: string): string =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><center><h1>${title}</h1></center><hr><center>gateway</center></body></html>\n`;

/** One of the forms that error bodies are known to take. */
export function shaped(status: number, shape: ErrorShape, message?: string): Answer {
  const [code, words] = CODES[status] ?? ['error', 'something went wrong'];
  const text = message ?? words;
  switch (shape) {
    case 'code':
      return { status, json: { code, message: text, details: {} } };
    case 'nested':
      return { status, json: { error: { code, message: text, details: {} }, x_request_id: 'req_nested' } };
    case 'success':
      return { status, json: { success: false, error: text } };
    case 'text':
      return { status, json: { error: text } };
    case 'plain':
      return { status, type: 'text/plain; charset=utf-8', bytes: text };
    case 'html':
      return { status, type: 'text/html; charset=utf-8', bytes: gatewayPage(`${status} ${text}`) };
    case 'none':
      return { status, type: 'text/plain', bytes: '' };
  }
}

/** The answer of a fault of the group `status`. */
export function replacement(fault: Fault, met: Met): Answer {
  switch (fault.fault) {
    case 'htmlBadGateway':
      return { status: 502, type: 'text/html', bytes: gatewayPage('502 Bad Gateway') };
    case 'htmlOk':
      return { status: 200, type: 'text/html; charset=utf-8', bytes: gatewayPage('Welcome') };
    case 'emptyServerError':
      return { status: 500, type: 'text/plain', bytes: '' };
    case 'echoCredential':
      return shaped(500, fault.shape, `could not verify ${met.credential}`);
    case 'redirect': {
      const join = met.target.includes('?') ? '&' : '?';
      const location = fault.location ?? `${met.target}${join}redirected=1`;
      return { status: fault.status, type: 'text/plain', bytes: '', headers: { location } };
    }
    default: {
      const status = STATUS[fault.fault] ?? 500;
      const answer = shaped(status, fault.shape, fault.message);
      return { ...answer, headers: retryAfter(fault, status) };
    }
  }
}

function retryAfter(fault: Fault, status: number): Record<string, string> {
  const { retryAfter: wait } = fault;
  const limits: Record<string, string> =
    status === 429 ? { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' } : {};
  if (wait === undefined || wait === 'none') return limits;
  // A date counts whole seconds: two more, so that it is still to come when it is read.
  return { ...limits, 'retry-after': wait === 'date' ? new Date(Date.now() + 2000).toUTCString() : String(wait) };
}

/** The JSON that a fault of the group `json` makes of a good one. */
export function spoil(fault: Fault, json: unknown, met: Met): unknown {
  if (!isObject(json)) return json;
  const { listKey } = met;
  const list = listKey === undefined ? undefined : json[listKey];
  const items: readonly unknown[] | undefined = Array.isArray(list) ? list : undefined;
  const withItems = (changed: readonly unknown[]): JsonObject => ({ ...json, [listKey ?? 'items']: changed });
  /** the change, in each item of a list or in the whole of another answer */
  const each = (change: (item: JsonObject) => JsonObject): JsonObject =>
    items === undefined ? change(json) : withItems(items.map((item) => (isObject(item) ? change(item) : item)));
  switch (fault.fault) {
    case 'missingField':
      return each((item) =>
        setAt(
          item,
          pathOf(fault, () => requiredField(met.schema, item)),
          undefined,
        ),
      );
    case 'wrongType':
      return each((item) => {
        const path = pathOf(fault, () => requiredField(met.schema, item));
        return setAt(
          item,
          path,
          'value' in fault ? fault.value : typeof getAt(item, path) === 'object' ? 42 : { unexpected: [true] },
        );
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
      return each((item) => {
        const path = pathOf(fault, () => enumField(met.schema, item));
        return path.length === 0 ? item : setAt(item, path, fault.value ?? 'quantum');
      });
    case 'unknownField':
      return each((item) =>
        setAt(
          item,
          pathOf(fault, () => ['future_field']),
          fault.value ?? { nested: [1, null, 'new'] },
        ),
      );
    case 'badItem':
      return items === undefined ? json : withItems([...items.slice(0, 1), 'not an item', null, ...items.slice(1)]);
    case 'repeatedCursor':
      return { ...json, next: met.cursor ?? 'cmVwZWF0ZWQ' };
    case 'emptyCursor':
      return { ...json, next: '' };
    case 'hugePage':
      return items === undefined ? json : withItems(manyOf(items, fault.size ?? 10_000));
    case 'hugeField': {
      const text = 'A'.repeat(fault.size ?? 100_000);
      return each((item) =>
        setAt(
          item,
          pathOf(fault, () => ['metadata', 'image', 'url']),
          `data:image/png;base64,${text}`,
        ),
      );
    }
    case 'bigInteger':
      return each((item) =>
        setAt(
          item,
          pathOf(fault, () => integerField(item)),
          JSON.rawJSON('9007199254740993123'),
        ),
      );
    case 'failedStep':
      return { ...json, steps: [{ action: 'mint', error: fault.message ?? 'execution reverted' }] };
    case 'nullSteps':
      return { ...json, steps: null };
    default:
      return json;
  }
}

type Path = readonly string[];

function pathOf(fault: Fault, choose: () => Path): Path {
  return fault.field === undefined ? choose() : fault.field.split('.');
}

function getAt(item: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, step) => (isObject(part) ? part[step] : undefined), item);
}

/** A copy with one field changed, or without it where `value` is undefined. */
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

function shapeOf(schema: z.core.SomeType | undefined): [string, z.core.SomeType][] {
  return schema instanceof z.ZodMiniObject ? Object.entries(schema.shape) : [];
}

/** A required field other than the id, so that the item can still be told. */
function requiredField(schema: z.core.SomeType | undefined, item: JsonObject): Path {
  const fields = shapeOf(schema).filter(([, inner]) => !(inner instanceof z.ZodMiniOptional));
  const name = fields.map(([field]) => field).find((field) => field !== 'id') ?? Object.keys(item).at(-1);
  return name === undefined ? [] : [name];
}

function enumField(schema: z.core.SomeType | undefined, item: JsonObject): Path {
  const fields = shapeOf(schema);
  const direct = fields.find(([, inner]) => inner instanceof z.ZodMiniEnum);
  if (direct !== undefined) return [direct[0]];
  for (const [field, inner] of fields) {
    const deeper = isObject(item[field]) ? enumField(inner, item[field]) : [];
    if (deeper.length > 0) return [field, ...deeper];
  }
  return [];
}

function integerField(item: JsonObject): Path {
  const name = Object.entries(item).find(([, value]) => typeof value === 'number')?.[0];
  return [name ?? 'version'];
}

function manyOf(items: readonly unknown[], count: number): unknown[] {
  const seeds = items.length === 0 ? [{ id: 'huge' }] : items;
  return Array.from({ length: count }, (_, index) => {
    const item = seeds[index % seeds.length];
    return isObject(item) && index >= seeds.length ? { ...item, id: `${String(item['id'])}_${index}` } : item;
  });
}
