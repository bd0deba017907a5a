/** What is kept of a credential: checked when it is typed, bound to where it may be sent, checked again when read (pure). */
import * as z from 'zod/mini';
import { isLoopback } from '../platform/proxy.ts';
import { walletCredentials, type Credential } from '../platform/target.ts';
import { environments, type Profile } from './types.ts';

const text = z.string().check(z.minLength(1), z.maxLength(16_384), z.regex(/^[\x21-\x7e]+$/));

/** Where a credential may be sent, and how. A change in any of it asks the person first. */
const bindingSchema = z.strictObject({
  name: z.string(),
  origin: z.string(),
  basePath: z.string(),
  tokenHeader: z.string(),
  tokenPrefix: z.string(),
  apiKeyHeader: z.string(),
  refreshPath: z.nullable(z.string()),
  wallets: z._default(z.enum(walletCredentials), 'none'),
  /** version 0.1 stored none: then lowering from production asks */
  environment: z._default(z.nullable(z.enum(environments)), 'production'),
});
export type Binding = Readonly<z.output<typeof bindingSchema>>;

const storedSchema = z.strictObject({
  version: z.literal(1),
  binding: bindingSchema,
  credential: z.strictObject({
    apiKey: z.optional(text),
    accessToken: z.optional(text),
    refreshToken: z.optional(text),
  }),
  /** milliseconds since the epoch */
  stored: z.number(),
});

export interface StoredCredential {
  readonly binding: Binding;
  readonly credential: Credential;
  readonly stored: number;
}

export function bindingOf(profile: Profile): Binding {
  const url = new URL(profile.baseUrl);
  const { tokenHeader, tokenPrefix, apiKeyHeader } = profile.presentation;
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

const bindingWords: Readonly<Record<keyof Binding, string>> = {
  name: 'name',
  origin: 'server',
  basePath: 'base path',
  tokenHeader: 'token header',
  tokenPrefix: 'token prefix',
  apiKeyHeader: 'API key header',
  refreshPath: 'refresh path',
  wallets: 'auth.wallets',
  environment: 'environment',
};

/**
 * What differs, in words; empty when the credential may be used. An environment differs where it asks less before an
 * execution than the one that the credential was given for.
 */
export function bindingChanges(stored: Binding, now: Binding): readonly string[] {
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
  if (strictness(now) < strictness(stored)) changed.push('environment');
  return changed.map((part) => bindingWords[part]);
}

/** Whether it is the same server, though presented to in another way or called another environment. */
export function isSameAddress(one: Binding, other: Binding): boolean {
  return one.name === other.name && one.origin === other.origin && one.basePath === other.basePath;
}

/** Without a name, an environment outside this machine confirms each execution. */
function strictness({ environment, origin }: Binding): number {
  if (environment !== null) return environments.indexOf(environment);
  return isLoopback(new URL(origin).hostname) ? 0 : environments.indexOf('production') - 0.5;
}

export function writeStored({ binding, credential, stored }: StoredCredential): string {
  return JSON.stringify({ version: 1, binding, credential: onlyHeld(credential), stored });
}

/** `undefined` for what we did not write. */
export function readStored(json: string): StoredCredential | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const result = z.safeParse(storedSchema, value);
  if (!result.success) return undefined;
  const { binding, credential, stored } = result.data;
  return { binding, credential: onlyHeld(credential), stored };
}

/** Without the parts that are absent. */
export function onlyHeld(credential: {
  readonly [Part in keyof Credential]: Credential[Part] | undefined;
}): Credential {
  const { apiKey, accessToken, refreshToken } = credential;
  return {
    ...(apiKey !== undefined && { apiKey }),
    ...(accessToken !== undefined && { accessToken }),
    ...(refreshToken !== undefined && { refreshToken }),
  };
}

export function holdsOf(credential: Credential | undefined): ReadonlySet<keyof Credential> {
  const parts: (keyof Credential)[] = ['apiKey', 'accessToken', 'refreshToken'];
  return new Set(parts.filter((part) => credential?.[part] !== undefined));
}

/** The problem with a secret as typed or pasted, in a sentence that does not repeat it; `undefined` when it is fine. */
export function secretProblem(what: string, typed: string, prefix = 'Bearer '): string | undefined {
  const secret = typed.trim();
  if (secret === '') return `Enter the ${what}`;
  if (/[\r\n\u2028\u2029]/.test(secret)) return `The ${what} is one line; line breaks were pasted`;
  if (/^bearer\b/i.test(secret) || (prefix.trim() !== '' && secret.startsWith(prefix)))
    return `Leave out “${/^bearer\b/i.test(secret) ? 'Bearer' : prefix.trim()}”: it is added when the ${what} is sent`;
  if (/^[\w-]+\s*:\s/.test(secret)) return `Leave out the name of the header: enter the ${what} alone`;
  if (/\s/.test(secret)) return `The ${what} contains a space`;
  if (!/^[\x21-\x7e]+$/.test(secret)) return `The ${what} contains a character that no header can carry`;
  if (secret.length > 16_384) return `The ${what} is too long to be one`;
  return undefined;
}
