/** Reads the claims of an access token, unverified. */
import { isObject } from '../../platform/json/json.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { tryParseJson } from '../../platform/json/parse-json.ts';
import type { Identity } from '../../model/session/session.ts';

/** As seconds in the year 5138, as milliseconds in 1973. */
const FIRST_MILLISECONDS = 1e11;
/** Milliseconds since the epoch. */
const MAX_DATE = 8.64e15;

/** Three base64url parts, the shape of a JWT. */
function isJwt(text: string): boolean {
  return /^[\w-]{4,}\.[\w-]{2,}\.[\w-]*$/.test(text);
}

/** Returns `undefined` for a token that is not a JWT, which may still be valid. */
export function readIdentity(token: string | undefined): Identity | undefined {
  if (token === undefined || !isJwt(token)) return undefined;
  const claims = tryParseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  if (!isObject(claims)) return undefined;
  const subject = sanitizeClaim(claims['sub']);
  const organization = sanitizeClaim(claims['org_id']);
  const fqdn = sanitizeClaim(claims['fqdn']);
  const exp = claims['exp'];
  // Seconds since the epoch; some servers write milliseconds. Beyond the range of Date counts as never.
  const time = typeof exp === 'number' && exp > 0 ? exp * (exp < FIRST_MILLISECONDS ? 1000 : 1) : Infinity;
  const expires = time <= MAX_DATE ? time : undefined;
  return {
    ...(subject !== undefined && { subject }),
    ...(organization !== undefined && { organization }),
    ...(fqdn !== undefined && { fqdn }),
    ...(expires !== undefined && { expires }),
    systemScoped: fqdn === 'system',
  };
}

/** A claim as safe plain text. */
function sanitizeClaim(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const text = toPlainText(claim, 200);
  return text === '' ? undefined : text;
}
