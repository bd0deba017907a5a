/** Removes secrets from words and addresses before a person, a log or an error sees them. */
import { MASK, maskText } from './json.ts';

// Three base64url parts, the first two starting as JSON objects do: a JWT, whoever's it is.
const JWT = /\beyJ[\w-]{5,}\.eyJ[\w-]{5,}\.[\w-]*/g;
const PRESENTED = /\b(bearer|basic|token|x-api-key|api[-_ ]?key)(["']?\s*[:=]\s*["']?|\s+)([\w.~+/=-]{12,})/gi;

/** Plain text without stored secrets (exactly), tokens (by shape) and presented credentials (by the words before). */
export function redactText(text: string, secrets: readonly string[]): string {
  return maskText(text, secrets)
    .replace(JWT, MASK)
    .replace(PRESENTED, (_all, word: string, gap: string) => `${word}${gap}${MASK}`);
}

/** The address without userinfo, and with the named query values masked. */
export function redactUrl(url: URL, secretQuery: readonly string[], secrets: readonly string[]): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  for (const name of secretQuery) if (shown.searchParams.has(name)) shown.searchParams.set(name, MASK);
  return maskText(decodeMask(shown.href), secrets);
}

function decodeMask(href: string): string {
  return href.replaceAll(encodeURIComponent(MASK), MASK);
}
