/** Removes secrets from text and URLs before they are displayed, logged or thrown. */
import { MASK, maskText } from '../json/secrets.ts';

// Dotted words. The lookbehind avoids quadratic time: without it, matching restarts at each hyphen.
const DOTTED_WORD = /(?<![\w-])[\w-]+\.[\w-]+\.[\w.-]*/g;
// What follows a space may be prose: `Token organization mismatch`.
const CREDENTIAL =
  /\b(bearer|basic|token|x-api-key|api[-_ ]?key)(["']?\s*[:=]\s*["']?|\s+(?![a-z]{12,20}(?!\.*[\w~+/=-])))([\w.~+/=-]{12,})/gi;

/** Masks stored secrets (exact matches), JSON web tokens (by shape) and credentials (by the preceding word). */
export function redactText(text: string, secrets: readonly string[]): string {
  return maskText(text, secrets)
    .replace(DOTTED_WORD, maskTokens)
    .replace(CREDENTIAL, (_all, word: string, gap: string) => `${word}${gap}${MASK}`);
}

/** Masks each run of three base64url parts whose first two start like JSON objects: a JSON web token. */
function maskTokens(dotted: string): string {
  const parts = dotted.split('.');
  const output: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    const header = /\beyJ[\w-]{5,}$/.exec(part);
    const isToken = header !== null && /^eyJ[\w-]{5}/.test(parts[at + 1] ?? '') && at + 2 < parts.length;
    output.push(isToken ? part.slice(0, header.index) + MASK : part);
    if (isToken) at += 2;
  }
  return output.join('.');
}

/** The URL without userinfo, with the named query values and stored secrets masked, also as a URL escapes them. */
export function redactUrl(url: URL, secretQuery: readonly string[], secrets: readonly string[]): string {
  const redacted = new URL(url);
  redacted.username = '';
  redacted.password = '';
  for (const name of secretQuery) if (redacted.searchParams.has(name)) redacted.searchParams.set(name, MASK);
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    formatQueryValue(secret),
  ]);
  return maskText(redacted.href.replaceAll(encodeURIComponent(MASK), MASK), forms);
}

/** As `URLSearchParams` writes it, which differs from a part of a path. */
function formatQueryValue(value: string): string {
  return new URLSearchParams({ '': value }).toString().slice(1);
}
