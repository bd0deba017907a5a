/** The words between the server and its routes: a call, an answer, and an error with the contract's status. */
import type { JsonObject } from '../platform/json.ts';
import type { Principal } from './credentials.ts';

export interface Call {
  /** decoded path parameters */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** parsed; undefined where none was sent */
  readonly body: unknown;
  /** absent on routes that are open */
  readonly principal: Principal | undefined;
}

export type Answer =
  | { readonly status: number; readonly json: unknown; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly status: number;
      readonly type: string;
      readonly bytes: Buffer | string;
      readonly headers?: Readonly<Record<string, string>>;
    };

export function ok(json: unknown): Answer {
  return { status: 200, json };
}

/** Answered as `{code, message, details}`. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: JsonObject | undefined;
  constructor(status: number, code: string, message: string, details?: JsonObject) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export function badRequest(message: string, details?: JsonObject): HttpError {
  return new HttpError(400, 'bad_request', message, details);
}

export function notFound(message: string): HttpError {
  return new HttpError(404, 'not_found', message);
}

export function forbidden(message: string, details?: JsonObject): HttpError {
  return new HttpError(403, 'forbidden', message, details);
}

export function unauthenticated(message: string): HttpError {
  return new HttpError(401, 'unauthenticated', message);
}

export function errorBody(error: HttpError): JsonObject {
  return { code: error.code, message: error.message, details: error.details ?? {} };
}

/** Decodes each segment by itself, so that an escaped slash or dot stays within its segment. */
export function segmentsOf(path: string): readonly string[] {
  try {
    return path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
  } catch {
    throw badRequest('the path is not well escaped');
  }
}

/** The values of `/objects/{objectId}` in `segments`, or undefined where they do not fit. */
export function matchPath(pattern: string, segments: readonly string[]): Record<string, string> | undefined {
  const parts = pattern.split('/').filter((part) => part !== '');
  if (parts.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [place, part] of parts.entries()) {
    const segment = segments[place] ?? '';
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name !== undefined) params[name] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}
