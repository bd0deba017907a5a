/** Reads what an access token says of itself, unverified: who, where, until when (pure). */
import { isObject } from '../platform/json.ts';
import { plainText } from '../platform/plain-text.ts';
import type { Identity } from './types.ts';

/** Three base64url parts: what a JWT looks like, whoever made it. */
function looksLikeJwt(text: string): boolean {
  return /^[\w-]{4,}\.[\w-]{2,}\.[\w-]*$/.test(text);
}

/** `undefined` for a token that is no JWT: it may be valid all the same, it only says nothing. */
export function identityOf(token: string | undefined): Identity | undefined {
  if (token === undefined || !looksLikeJwt(token)) return undefined;
  let claims: unknown;
  try {
    claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isObject(claims)) return undefined;
  const subject = words(claims['sub']);
  const organization = words(claims['org_id']);
  const fqdn = words(claims['fqdn']);
  const exp = claims['exp'];
  // Seconds since the epoch; further away than a Date can tell is as good as never.
  const expires = typeof exp === 'number' && exp > 0 && exp < 8.64e12 ? exp * 1000 : undefined;
  return {
    ...(subject !== undefined && { subject }),
    ...(organization !== undefined && { organization }),
    ...(fqdn !== undefined && { fqdn }),
    ...(expires !== undefined && { expires }),
    systemScoped: fqdn === 'system',
  };
}

/** A claim as text that can be shown: whoever made the token chose it. */
function words(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const text = plainText(claim, 200);
  return text === '' ? undefined : text;
}
