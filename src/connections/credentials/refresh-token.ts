/**
 * Exchanges a refresh token for an access token at the connection's `refreshPath`; outside the contract, so off by
 * default.
 */
import * as l10n from '@vscode/l10n';
import { PlatformError } from '../../platform/errors.ts';
import { isObject } from '../../platform/json/json.ts';
import { isHtml, readServerMessage } from '../../platform/requests/server-message.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import type { Timeouts, Transport } from '../../platform/http/transport.ts';
import { tryParseJson } from '../../platform/json/parse-json.ts';
import { validateSecret } from './credential.ts';
import type { Profile } from '../../model/session/session.ts';
import { stored } from '../../platform/text/message.ts';

interface RefreshOptions {
  readonly transport: Transport;
  readonly profile: Profile & { readonly refreshPath: string };
  readonly credential: Credential & { readonly refreshToken: string };
  readonly timeouts: Timeouts;
  readonly secrets: readonly string[];
  /** called before the first byte is written; throwing cancels the request */
  readonly onSent?: () => void;
}

interface RefreshedCredential {
  readonly credential: Credential;
  /** milliseconds by which the platform's clock is ahead, from the `Date` header */
  readonly clockAhead: number;
}

/**
 * Sends one POST without a body, with the refresh token as bearer token; never repeated. The old refresh token is
 * reused if the response has none. Rejects with PlatformError, `unauthenticated` when the refresh token is refused.
 */
export async function refreshAccessToken({
  transport,
  profile,
  credential,
  timeouts,
  secrets,
  onSent,
}: RefreshOptions): Promise<RefreshedCredential> {
  const { tokenHeader, tokenPrefix } = profile.credentialHeaderNames;
  const response = await transport.send({
    method: 'POST',
    url: new URL(profile.baseUrl + profile.refreshPath),
    headers: { accept: 'application/json', [tokenHeader]: tokenPrefix + credential.refreshToken },
    timeouts,
    redirect: 'error',
    credentialHeaders: [tokenHeader.toLowerCase()],
    maxBytes: 1024 * 1024,
    ...(onSent !== undefined && { onSent }),
  });
  if (response.status < 200 || response.status >= 300) {
    const { message } = readServerMessage(response.text, secrets);
    const refused =
      response.status >= 400 && response.status < 500 && response.status !== 408 && response.status !== 429;
    throw new PlatformError(
      refused ? 'unauthenticated' : 'server',
      l10n.t('The platform did not renew the access token (HTTP {0})', response.status),
      { status: response.status, ...(message !== undefined && { serverMessage: message }) },
    );
  }
  const found = readTokens(response.text);
  if (found === undefined) {
    // Only the title of a web page: any other text may contain a token.
    const { message } = isHtml(response.text) ? readServerMessage(response.text, secrets) : {};
    throw new PlatformError('contract', stored('The response from auth.refreshPath contains no access token'), {
      status: response.status,
      ...(message !== undefined && { serverMessage: message }),
    });
  }
  const date = Date.parse(response.headers['date'] ?? '');
  return { credential: { ...credential, ...found }, clockAhead: Number.isFinite(date) ? date - Date.now() : 0 };
}

function readTokens(text: string): Pick<Credential, 'accessToken' | 'refreshToken'> | undefined {
  const value = tryParseJson(text);
  const holder = isObject(value) && value['access_token'] === undefined ? value['data'] : value;
  if (!isObject(holder)) return undefined;
  const accessToken = readSecret(holder['access_token']);
  const refreshToken = readSecret(holder['refresh_token']);
  if (accessToken === undefined) return undefined;
  return { accessToken, ...(refreshToken !== undefined && { refreshToken }) };
}

function readSecret(value: unknown): string | undefined {
  return typeof value === 'string' && validateSecret('', value) === undefined ? value : undefined;
}
