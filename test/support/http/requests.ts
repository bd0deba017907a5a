/** Requests for transport tests, with secrets in every part that a message might contain. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { PlatformError, type ErrorCode } from '../../../src/platform/errors.ts';
import type { Transport, TransportRequest } from '../../../src/platform/http/transport.ts';
import { PATIENT } from '../platform-client.ts';

/** Sent in a header, a query value and the userinfo; no error may contain it. */
export const CANARY = 'canary-5f1c9a';

/** A GET request with secrets. */
export function get(url: string, change: Partial<TransportRequest> = {}): TransportRequest {
  const address = new URL(url);
  address.searchParams.set('token', CANARY);
  address.username = 'me';
  address.password = CANARY;
  return {
    method: 'GET',
    url: address,
    headers: { 'x-api-key': CANARY, accept: 'application/json' },
    timeouts: PATIENT,
    redirect: 'follow',
    credentialHeaders: ['x-api-key'],
    maxBytes: 1_000_000,
    ...change,
  };
}

/** A POST request with secrets. */
export function post(url: string, change: Partial<TransportRequest> = {}): TransportRequest {
  return get(url, { method: 'POST', body: '{"action":{}}', redirect: 'error', ...change });
}

export interface Expected {
  readonly code: ErrorCode;
  readonly sent: boolean;
  readonly message: RegExp;
}

/** Asserts that a send fails as expected, without any secret in the error. */
export async function assertFails(
  transport: Transport,
  request: TransportRequest,
  expected: Expected,
): Promise<PlatformError> {
  const error = await transport.send(request).then(
    (answer) => assert.fail(`answered ${answer.status}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PlatformError, inspect(error));
  assert.match(error.message, expected.message);
  assert.equal(error.code, expected.code, error.message);
  assert.equal(error.detail.sent, expected.sent, error.message);
  assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), new RegExp(CANARY));
  return error;
}
