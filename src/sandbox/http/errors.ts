/** Errors of the sandbox's HTTP API. */
import type { JsonObject } from '../../platform/json/json.ts';

/** An error that is sent as `{code, message, details}`. */
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

/** An error of status 400. */
export function badRequest(message: string, details?: JsonObject): HttpError {
  return new HttpError(400, 'bad_request', message, details);
}

/** An error of status 404. */
export function notFound(message: string): HttpError {
  return new HttpError(404, 'not_found', message);
}

/** An error of status 403. */
export function forbidden(message: string, details?: JsonObject): HttpError {
  return new HttpError(403, 'forbidden', message, details);
}

/** An error of status 401. */
export function unauthenticated(message: string): HttpError {
  return new HttpError(401, 'unauthenticated', message);
}

/** The JSON body of an error. */
export function errorBody(error: HttpError): JsonObject {
  return { code: error.code, message: error.message, details: error.details ?? {} };
}
