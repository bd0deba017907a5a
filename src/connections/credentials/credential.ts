/** Stored credentials: validated when typed, bound to a destination, validated again when read. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { isLoopback } from '../../platform/http/proxy.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import { walletCredentials } from '../../platform/target.ts';
import { tryParseJson } from '../../platform/json/parse-json.ts';
import { ENVIRONMENTS, type Profile } from '../../model/session/session.ts';

const secretSchema = z.string().check(z.minLength(1), z.maxLength(16_384), z.regex(/^[\x21-\x7e]+$/));

/** Where and how a credential may be sent. A change requires the user's consent. */
const bindingSchema = z.strictObject({
  name: z.string(),
  origin: z.string(),
  basePath: z.string(),
  tokenHeader: z.string(),
  tokenPrefix: z.string(),
  apiKeyHeader: z.string(),
  refreshPath: z.nullable(z.string()),
  wallets: z._default(z.enum(walletCredentials), 'none'),
  /** absent in entries of version 0.1: lowering from production is then a change */
  environment: z._default(z.nullable(z.enum(ENVIRONMENTS)), 'production'),
});
export type Binding = Readonly<z.output<typeof bindingSchema>>;

const storedSchema = z.strictObject({
  version: z.literal(1),
  binding: bindingSchema,
  credential: z.strictObject({
    apiKey: z.optional(secretSchema),
    accessToken: z.optional(secretSchema),
    refreshToken: z.optional(secretSchema),
  }),
  /** milliseconds since the epoch */
  stored: z.number(),
});

export interface StoredCredential {
  readonly binding: Binding;
  readonly credential: Credential;
  readonly stored: number;
}

/** The binding of a profile's credential. */
export function getBinding(profile: Profile): Binding {
  const url = new URL(profile.baseUrl);
  const { tokenHeader, tokenPrefix, apiKeyHeader } = profile.credentialHeaderNames;
  return {
    name: profile.name,
    origin: url.origin,
    basePath: url.pathname.replace(/(?<!\/)\/+$/, ''),
    tokenHeader: tokenHeader.toLowerCase(),
    tokenPrefix,
    apiKeyHeader: apiKeyHeader.toLowerCase(),
    refreshPath: profile.refreshPath ?? null,
    wallets: profile.wallets ?? 'none',
    environment: profile.environment ?? null,
  };
}

function formatBindingPart(part: keyof Binding): string {
  const labels: Readonly<Record<keyof Binding, string>> = {
    name: l10n.t('name'),
    origin: l10n.t('server'),
    basePath: l10n.t('base path'),
    tokenHeader: l10n.t('token header'),
    tokenPrefix: l10n.t('token prefix'),
    apiKeyHeader: l10n.t('API key header'),
    refreshPath: l10n.t('refresh path'),
    wallets: 'auth.wallets',
    environment: l10n.t('environment'),
  };
  return labels[part];
}

/**
 * Names what changed; empty when the credential may be used. An environment counts as changed if it confirms less
 * than the one that the credential was given for.
 */
export function findBindingChanges(stored: Binding, now: Binding): readonly string[] {
  const parts: (keyof Binding)[] = [
    'name',
    'origin',
    'basePath',
    'tokenHeader',
    'tokenPrefix',
    'apiKeyHeader',
    'refreshPath',
    'wallets',
  ];
  const changed = parts.filter((part) => stored[part] !== now[part]);
  if (getStrictness(now) < getStrictness(stored)) changed.push('environment');
  return changed.map(formatBindingPart);
}

/** True for the same server, whatever the authentication settings and environment. */
export function isSameAddress(one: Binding, other: Binding): boolean {
  return one.name === other.name && one.origin === other.origin && one.basePath === other.basePath;
}

/** Without an environment, only loopback connections skip confirmations. */
function getStrictness({ environment, origin }: Binding): number {
  if (environment !== null) return ENVIRONMENTS.indexOf(environment);
  return isLoopback(new URL(origin).hostname) ? 0 : ENVIRONMENTS.indexOf('production') - 0.5;
}

/** Formats the entry of the secret store. */
export function serializeCredential({ binding, credential, stored }: StoredCredential): string {
  return JSON.stringify({ version: 1, binding, credential: compactCredential(credential), stored });
}

/** Returns `undefined` for invalid entries. */
export function parseCredential(json: string): StoredCredential | undefined {
  const result = z.safeParse(storedSchema, tryParseJson(json));
  if (!result.success) return undefined;
  const { binding, credential, stored } = result.data;
  return { binding, credential: compactCredential(credential), stored };
}

/** Removes absent and empty parts. */
export function compactCredential(credential: {
  readonly [Part in keyof Credential]?: Credential[Part] | undefined;
}): Credential {
  const { apiKey, accessToken, refreshToken } = credential;
  return {
    ...(apiKey !== undefined && { apiKey }),
    ...(accessToken !== undefined && { accessToken }),
    ...(refreshToken !== undefined && { refreshToken }),
  };
}

/** A credential and the one that it was exchanged for. */
export interface Renewal {
  readonly previous: Credential;
  readonly credential: Credential;
}

/** True if all parts are the same. */
export function isSameCredential(one: Credential | undefined, other: Credential | undefined): boolean {
  return JSON.stringify(one && compactCredential(one)) === JSON.stringify(other && compactCredential(other));
}

/** The kinds of credential that are present. */
export function getCredentialKinds(credential: Credential | undefined): ReadonlySet<keyof Credential> {
  const parts: (keyof Credential)[] = ['apiKey', 'accessToken', 'refreshToken'];
  return new Set(parts.filter((part) => credential?.[part] !== undefined));
}

/**
 * Validates a typed secret: a sentence that does not repeat it, or `undefined` when valid. `request`: the sentence for an
 * empty one.
 */
export function validateSecret(request: string, typed: string, prefix = 'Bearer '): string | undefined {
  const secret = typed.trim();
  if (secret === '') return request;
  if (/[\r\n\u2028\u2029]/.test(secret)) return l10n.t('Enter a single line');
  if (/^bearer\b/i.test(secret) || (prefix.trim() !== '' && secret.startsWith(prefix)))
    return l10n.t('Remove “{0}”, which is added automatically', /^bearer\b/i.test(secret) ? 'Bearer' : prefix.trim());
  if (/^[\w-]+\s*:\s/.test(secret)) return l10n.t('Remove the name of the header and enter only its value');
  if (/\s/.test(secret)) return l10n.t('Remove the spaces');
  if (!/^[\x21-\x7e]+$/.test(secret)) return l10n.t('Remove the characters that are not allowed in headers');
  if (secret.length > 16_384) return l10n.t('The value is too long');
  return undefined;
}
