/**
 * The part of a generated client that is the same for all templates, as source text without dependencies. It follows the
 * rules of runs in the editor: an execution is sent once, only a status of `REFUSALS` proves that it was not executed, and
 * its action log and ledger batch decide its outcome.
 */
import { REFUSALS } from '../run/send.ts';
import { defaultFollowLimits } from '../follow/snapshot.ts';

const { indexing, log, batch, noBatch, initialInterval, maxInterval } = defaultFollowLimits;

export const CLIENT_RUNTIME = String.raw`type Json = Readonly<Record<string, unknown>>;

export interface ClientOptions {
  readonly baseUrl: string;
  /** Returns the headers with the credential, such as x-api-key. Called for each request. */
  readonly headers?: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Returns the signature of an action, if the platform requires one. */
  readonly sign?: (action: Json) => string | Promise<string>;
  /** milliseconds to wait for a response; default 30,000, and 120,000 for an execution */
  readonly timeout?: number;
  readonly executeTimeout?: number;
  readonly fetch?: typeof fetch;
}

export interface Execution {
  /** unfinished: accepted, and not decided in the time that it was followed */
  readonly outcome: 'completed' | 'failed' | 'unfinished';
  /** why it failed, as the platform says */
  readonly reason?: string;
  readonly actionId: string;
  /** the response, its action log and its ledger batch, as far as they were read */
  readonly response: Json;
  readonly log?: Json;
  readonly batch?: Json;
}

/** A request that failed. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly status: number | undefined;
  /** True for an execution that may have been executed: look for its action log before it is sent again. */
  readonly isOutcomeUnknown: boolean;

  constructor(message: string, status?: number, isOutcomeUnknown = false, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

export interface Asset {
  readonly id: string;
  readonly url: string;
  readonly name?: string;
  readonly type?: string;
}

export interface SmartObject<Custom> {
  readonly id: string;
  readonly org_id: string;
  readonly owner: string;
  readonly template_id: string;
  readonly metadata: {
    readonly name?: string;
    readonly description?: string;
    readonly category?: string;
    readonly image?: Asset;
    readonly edition?: number;
  };
  readonly custom?: Custom;
  readonly assets?: readonly Asset[];
  readonly location?: { readonly latitude: number; readonly longitude: number; readonly geo_hash: string };
  readonly nonce: number;
  readonly version: number;
  readonly when_created: string;
  readonly when_modified: string;
}

/** Data of an object that an action sets. */
export interface ObjectData<Custom> {
  readonly metadata?: Json;
  readonly custom?: Partial<Custom>;
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Integers that a number would round become bigint, if the engine tells their digits. */
const parse = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? BigInt(context?.source ?? '')
      : value,
  );
const toBody = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? toRaw(String(part)) : part));
const toRaw = (digits: string): unknown => {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
  if (rawJSON === undefined) throw new TypeError('This engine cannot write all digits of ' + digits);
  return rawJSON(digits);
};
const findExecution = (value: unknown, depth = 0): Json | undefined => {
  if (!isJson(value) || depth > 3) return undefined;
  if (toText(value['action_id'] ?? value['actionId']) !== '') return value;
  if (Array.isArray(value['steps']) && value['steps'].length > 0) return value;
  return Object.values(value)
    .map((part) => findExecution(part, depth + 1))
    .find((found) => found !== undefined);
};
const findReason = (value: unknown): string | undefined => {
  if (!isJson(value)) return toText(value) || undefined;
  const field = ['error', 'error_message', 'errors', 'message', 'reason'].find((name) => findReason(value[name]));
  return field === undefined ? undefined : findReason(value[field]);
};
/** True for a response that says that the request was refused, whatever its status. */
const reportsError = (value: unknown): boolean =>
  isJson(value) &&
  (value['success'] === false || isError(value['error']) || isError(value['errors']) || reportsError(value['data']));
const isError = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
/** A resource or list without the envelope of some deployments. */
const unwrap = (value: Json): Json =>
  value['id'] === undefined && isJson(value['data']) ? { ...value, ...value['data'] } : value;
/** The items of a list, which some deployments have under another key, or without one. Null is an empty list. */
const findItems = (page: unknown, key: string): readonly unknown[] => {
  const { [key]: items, ...others } = isJson(page) ? page : { [key]: page };
  if (Array.isArray(items)) return items;
  if (items === null) return [];
  if (items !== undefined || reportsError(others))
    throw new PlatformError('The response contains no list of ' + key);
  const [other, ...more] = Object.values(others).filter((value) => Array.isArray(value));
  return other !== undefined && more.length === 0 ? other : [];
};
const findFailure = (step: unknown): string | undefined => {
  const error = isJson(step) ? step['error'] : undefined;
  return error === undefined || error === null || error === '' || error === false
    ? undefined
    : (findReason(error) ?? toBody(error));
};
/** Milliseconds of a Retry-After header, in seconds or as a date. */
const readWait = (header: string | null | undefined): number => {
  const text = header ?? '';
  const wait = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return wait > 0 ? wait : 0;
};
const readStatus = (value: Json | undefined): string => toText(value?.['status']).trim().toLowerCase();

/** Statuses that prove that an execution was refused. */
const REFUSALS = new Set([${[...REFUSALS].join(', ')}]);
/** Statuses after which a request that only reads is repeated. */
const REPEATED = new Set([429, 500, 502, 503, 504]);
const MAX_ATTEMPTS = 3;
/** Errors of Node.js before a request was sent. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

export class Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** A request that is not redirected: another origin would get the credential. */
  async #createRequest(method: string, path: string, timeout: number, body?: string): Promise<Request> {
    const { baseUrl, headers } = this.#options;
    return new Request(baseUrl.replace(/\/+$/, '') + path, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(await headers?.()),
      },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
  }

  /** Reads JSON below the base URL. Rejects with PlatformError. */
  async get<T>(path: string): Promise<T> {
    const { timeout = 30_000, fetch: send = fetch } = this.#options;
    for (let attempt = 1; ; attempt++) {
      let response: Response | undefined;
      let text = '';
      try {
        response = await send(await this.#createRequest('GET', path, timeout));
        text = await response.text();
        if (response.ok) {
          const value = parse(text);
          if (isJson(value) && value['success'] === false) throw createStatusError(response.status, text);
          return (isJson(value) ? unwrap(value) : value) as T;
        }
      } catch (cause) {
        if (cause instanceof PlatformError) throw cause;
        if (cause instanceof SyntaxError) throw new PlatformError('The response is not JSON', response?.status);
        const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
        if (isTimeout || attempt >= MAX_ATTEMPTS) throw new PlatformError('The request failed: ' + path, undefined, false, cause);
      }
      if (response !== undefined && !response.ok && (attempt >= MAX_ATTEMPTS || !REPEATED.has(response.status)))
        throw createStatusError(response.status, text);
      const wait = readWait(response?.headers.get('retry-after'));
      await sleep(Math.min(60_000, wait + 300 * 2 ** attempt));
    }
  }

  /** Reads a list page by page, without items that are no objects; a cursor that repeats is its end. Rejects with PlatformError. */
  async *list<T>(path: string, key: string, query: Readonly<Record<string, string>>): AsyncGenerator<T, void> {
    const seen = new Set<string>();
    let next: string | undefined;
    do {
      const search = new URLSearchParams({ ...query, ...(next !== undefined && { next }) });
      const page: Json = await this.get<Json>(path + '?' + String(search));
      yield* findItems(page, key).filter(isJson) as T[];
      next = toText(page['next']);
      if (seen.has(next)) return;
      seen.add(next);
    } while (next !== '');
  }

  /**
   * Executes an action, sent once and never again, and follows it until its action log and ledger batch decide it.
   * Rejects with PlatformError if it was refused, and with one of isOutcomeUnknown if it may have been executed.
   */
  async execute(action: Json): Promise<Execution> {
    const { sign, executeTimeout = 120_000, fetch: send = fetch } = this.#options;
    const signature = await sign?.(action);
    const body = toBody({ action, ...(signature !== undefined && { signature }) });
    let status: number;
    let text: string;
    let isSent = false;
    try {
      const request = await this.#createRequest('POST', '/ebus/execute', executeTimeout, body);
      isSent = true;
      const response = await send(request);
      status = response.status;
      text = await response.text();
    } catch (cause) {
      const code = cause instanceof Error && isJson(cause.cause) ? toText(cause.cause['code']) : '';
      const isUnknown = isSent && !NOT_SENT.has(code);
      const message = isUnknown ? 'The response was lost: the action may have been executed' : 'The action was not sent';
      throw new PlatformError(message, undefined, isUnknown, cause);
    }
    if (status < 200 || status >= 300) throw createStatusError(status, text, !REFUSALS.has(status));
    let value: unknown;
    try {
      value = parse(text);
    } catch (cause) {
      throw new PlatformError('The response is not JSON: the action may have been executed', status, true, cause);
    }
    const response = findExecution(value);
    if (response === undefined) throw createStatusError(status, text, !reportsError(value));
    const actionId = toText(response['action_id'] ?? response['actionId']);
    const steps: readonly unknown[] = Array.isArray(response['steps']) ? response['steps'] : [];
    const reason = steps.map(findFailure).find(Boolean);
    if (reason !== undefined) return { outcome: 'failed', reason, actionId, response };
    return actionId === '' ? { outcome: 'unfinished', actionId, response } : this.#follow(actionId, response);
  }

  async #follow(actionId: string, response: Json): Promise<Execution> {
    let state: { readonly log?: Json; readonly batch?: Json } = {};
    let since = Date.now();
    const change = (next: typeof state): void => {
      if (readStatus(next.log) !== readStatus(state.log)) since = Date.now();
      state = next;
    };
    for (let wait = ${String(initialInterval)}; ; wait = Math.min(${String(maxInterval)}, wait * 1.6)) {
      const batchId = readStatus(state.log) === 'completed' ? toText(state.log?.['batch_id']) : '';
      // A look that failed says nothing about the action: the next one follows.
      if (batchId === '') {
        const log = await this.#findLog(actionId).catch(() => undefined);
        if (log !== undefined) change({ ...state, log });
      } else {
        const batch = await this.get<Json>('/batches/' + encodeURIComponent(batchId)).catch(() => undefined);
        if (isJson(batch)) change({ ...state, batch });
      }
      const end = (outcome: Execution['outcome'], from?: Json): Execution => {
        const reason = findReason(from);
        return { outcome, ...(reason !== undefined && { reason }), actionId, response, ...state };
      };
      const [logStatus, batchStatus] = [readStatus(state.log), readStatus(state.batch)];
      if (logStatus === 'failed') return end('failed', state.log);
      if (batchStatus === 'failed') return end('failed', state.batch);
      if (batchStatus === 'completed' || batchStatus === 'finalized') return end('completed');
      const waited = Date.now() - since;
      const isCompleted = logStatus === 'completed';
      if (isCompleted && toText(state.log?.['batch_id']) === '' && waited >= ${String(noBatch)}) return end('completed');
      if (isCompleted && waited >= ${String(batch)}) return end('completed');
      if (!isCompleted && waited >= (state.log === undefined ? ${String(indexing)} : ${String(log)})) return end('unfinished');
      await sleep(wait);
    }
  }

  /** The log of an execution. Deployments differ in which filter finds it, and may ignore one that they do not know. */
  async #findLog(actionId: string): Promise<Json | undefined> {
    for (const filter of ['action_id', 'id']) {
      const search = new URLSearchParams({ [filter]: actionId });
      const logs = await this.get<unknown>('/ebus/action-logs?' + String(search))
        .then((page) => findItems(page, 'action_logs'))
        .catch((error: unknown): readonly unknown[] => {
          if (filter === 'id') throw error;
          return [];
        });
      const own = logs
        .filter(isJson)
        .find((log) => [log['id'], log['action_id'], log['actionId']].map(toText).includes(actionId));
      if (own !== undefined) return own;
    }
    return undefined;
  }
}

function createStatusError(status: number, text: string, isOutcomeUnknown = false): PlatformError {
  let reason: string | undefined;
  try {
    reason = findReason(parse(text));
  } catch {
    reason = undefined;
  }
  const message = 'The platform responded with status ' + String(status);
  return new PlatformError(reason === undefined ? message : message + ': ' + reason, status, isOutcomeUnknown);
}
`;
