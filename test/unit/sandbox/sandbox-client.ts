/** Helpers of the sandbox's tests: start a sandbox for a suite and send requests to it. */
import assert from 'node:assert/strict';
import { isObject, type JsonObject } from '../../../src/platform/json/json.ts';
import type { SandboxOptions } from '../../../src/sandbox/options.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** parsed without rounding; undefined if it is not JSON */
  readonly json: unknown;
  /** the parsed body, which must be an object */
  readonly body: JsonObject;
}

export type SendRequest = (path: string, options?: SendRequestOptions) => Promise<Reply>;

interface SendRequestOptions {
  readonly method?: string;
  /** sent as JSON */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** default: the administrator's; null: none */
  readonly key?: string | null;
  readonly token?: string;
}

export function createSendRequest(sandbox: () => Sandbox): SendRequest {
  return async (path, { method, body, headers, key, token } = {}) => {
    const response = await fetch(sandbox().baseUrl + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: {
        ...(key === null || (key === undefined && token !== undefined) ? {} : { 'x-api-key': key ?? sandbox().apiKey }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    let json: unknown;
    try {
      json = JSON.parse(text, keepDigits);
    } catch {
      json = undefined;
    }
    return { status: response.status, headers: response.headers, text, json, body: isObject(json) ? json : {} };
  };
}

/** Parses like the client, but without masking. */
function keepDigits(_name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  const rounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '');
  return rounded && source !== undefined ? JSON.rawJSON(source) : value;
}

/** One sandbox for all tests of a suite. */
export function useSandbox(options: SandboxOptions = {}): {
  readonly sandbox: () => Sandbox;
  readonly ask: SendRequest;
} {
  let running: Sandbox | undefined;
  suiteSetup(async () => {
    running = await startSandbox({ clock: 'manual', ...options });
  });
  suiteTeardown(async () => {
    await running?.close();
  });
  const sandbox = (): Sandbox => {
    assert(running !== undefined, 'not started');
    return running;
  };
  return { sandbox, ask: createSendRequest(sandbox) };
}

export function toJsonObjects(value: unknown): readonly JsonObject[] {
  assert(Array.isArray(value), 'a list');
  return value.map((item: unknown) => {
    assert(isObject(item), 'an object');
    return item;
  });
}

/** Every item of a list, page by page. */
export async function readAllPages(
  ask: SendRequest,
  path: string,
  key: string,
  limit = 100,
): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  let next = '';
  do {
    const join = path.includes('?') ? '&' : '?';
    const { status, body, text } = await ask(`${path}${join}limit=${limit}${next === '' ? '' : `&next=${next}`}`);
    assert.equal(status, 200, text);
    items.push(...toJsonObjects(body[key]));
    next = typeof body['next'] === 'string' ? body['next'] : '';
  } while (next !== '');
  return items;
}

export function getText(item: JsonObject, field: string): string {
  const value = item[field];
  assert(typeof value === 'string', `${field} is a string`);
  return value;
}

export function getIds(items: readonly JsonObject[]): readonly string[] {
  return items.map((item) => getText(item, 'id'));
}
