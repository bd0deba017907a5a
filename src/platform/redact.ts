/** Removes secrets from words and addresses before a person, a log or an error sees them. */
import { MASK, maskText } from './json.ts';

// Words with dots between. Begins at whole words only: a match that is tried anew at each hyphen takes quadratic time.
const DOTTED = /(?<![\w-])[\w-]+\.[\w-]+\.[\w.-]*/g;
const PRESENTED = /\b(bearer|basic|token|x-api-key|api[-_ ]?key)(["']?\s*[:=]\s*["']?|\s+)([\w.~+/=-]{12,})/gi;

/** Plain text without stored secrets (exactly), tokens (by shape) and presented credentials (by the words before). */
export function redactText(text: string, secrets: readonly string[]): string {
  return maskText(text, secrets)
    .replace(DOTTED, maskTokens)
    .replace(PRESENTED, (_all, word: string, gap: string) => `${word}${gap}${MASK}`);
}

/** Masks each three base64url parts of which the first two start as JSON objects do: a JWT, whoever's it is. */
function maskTokens(dotted: string): string {
  const parts = dotted.split('.');
  const shown: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    const header = /\beyJ[\w-]{5,}$/.exec(part);
    const isToken = header !== null && /^eyJ[\w-]{5}/.test(parts[at + 1] ?? '') && at + 2 < parts.length;
    shown.push(isToken ? part.slice(0, header.index) + MASK : part);
    if (isToken) at += 2;
  }
  return shown.join('.');
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
