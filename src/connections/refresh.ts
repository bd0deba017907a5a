/** Exchanges a refresh token for an access token at the path that a connection names; outside the contract, so off by default. */
import { PlatformError } from '../platform/errors.ts';
import { isObject } from '../platform/json.ts';
import { readServerMessage } from '../platform/server-message.ts';
import type { Credential } from '../platform/target.ts';
import type { Timeouts, Transport } from '../platform/transport.ts';
import { secretProblem } from './credential.ts';
import type { Profile } from './types.ts';

export interface RefreshOptions {
  readonly transport: Transport;
  readonly profile: Profile & { readonly refreshPath: string };
  readonly credential: Credential & { readonly refreshToken: string };
  readonly timeouts: Timeouts;
  readonly secrets: readonly string[];
  /** called right before the first byte is written; throwing takes the request back */
  readonly onSent?: () => void;
}

export interface Renewal {
  readonly credential: Credential;
  /** milliseconds that the platform's clock is ahead of ours, by the `Date` of its answer */
  readonly clockAhead: number;
}

/**
 * One POST without a body, the refresh token presented as an access token is; never repeated. An answer without a new
 * refresh token leaves the old one. Throws PlatformError, `unauthenticated` when the refresh token is refused.
 */
export async function refresh({
  transport,
  profile,
  credential,
  timeouts,
  secrets,
  onSent,
}: RefreshOptions): Promise<Renewal> {
  const { tokenHeader, tokenPrefix } = profile.presentation;
  const answer = await transport.send({
    method: 'POST',
    url: new URL(profile.baseUrl + profile.refreshPath),
    headers: { accept: 'application/json', [tokenHeader]: tokenPrefix + credential.refreshToken },
    timeouts,
    redirect: 'error',
    credentialHeaders: [tokenHeader.toLowerCase()],
    maxBytes: 1024 * 1024,
    ...(onSent !== undefined && { onSent }),
  });
  const operation = 'POST auth.refreshPath';
  if (answer.status < 200 || answer.status >= 300) {
    const { message } = readServerMessage(answer.text, secrets);
    const refused = answer.status >= 400 && answer.status < 500 && answer.status !== 408 && answer.status !== 429;
    throw new PlatformError(
      refused ? 'unauthenticated' : 'server',
      `The platform did not renew the access token (HTTP ${String(answer.status)})`,
      { status: answer.status, operation, ...(message !== undefined && { serverMessage: message }) },
    );
  }
  const found = tokensOf(answer.text);
  if (found === undefined) {
    throw new PlatformError('contract', 'The answer of auth.refreshPath holds no access token', {
      status: answer.status,
      operation,
    });
  }
  const date = Date.parse(answer.headers['date'] ?? '');
  return { credential: { ...credential, ...found }, clockAhead: Number.isFinite(date) ? date - Date.now() : 0 };
}

function tokensOf(text: string): Pick<Credential, 'accessToken' | 'refreshToken'> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const holder = isObject(value) && value['access_token'] === undefined ? value['data'] : value;
  if (!isObject(holder)) return undefined;
  const accessToken = secretOf(holder['access_token']);
  const refreshToken = secretOf(holder['refresh_token']);
  if (accessToken === undefined) return undefined;
  return { accessToken, ...(refreshToken !== undefined && { refreshToken }) };
}

function secretOf(value: unknown): string | undefined {
  return typeof value === 'string' && secretProblem('token', value) === undefined ? value : undefined;
}
