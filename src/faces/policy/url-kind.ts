import { isLoopback } from '../../platform/http/proxy.ts';

type UrlKind =
  | { readonly type: 'nothing' }
  | { readonly type: 'fragment' }
  | { readonly type: 'data'; readonly image: boolean }
  | { readonly type: 'script' }
  | { readonly type: 'relative' }
  | { readonly type: 'web'; readonly origin: string; readonly url: string }
  | { readonly type: 'other'; readonly scheme: string };

/** Classifies a URL of a face as browsers parse it, ignoring surrounding spaces and inner line breaks. */
export function classifyUrl(text: string): UrlKind {
  const cleaned = text.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+|[\0- ]+$/g, '');
  if (cleaned === '') return { type: 'nothing' };
  if (cleaned.startsWith('#')) return { type: 'fragment' };
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(cleaned)?.[1]?.toLowerCase();
  if (scheme === 'data') return { type: 'data', image: /^data:image\//i.test(cleaned) };
  if (scheme === 'javascript' || scheme === 'vbscript') return { type: 'script' };
  // `//host` has no scheme; that of the page itself cannot load anything.
  const full = scheme === undefined && /^[\\/]{2}/.test(cleaned) ? `https:${cleaned}` : cleaned;
  if (scheme === undefined && full === cleaned) return { type: 'relative' };
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return { type: 'other', scheme };
  if (!URL.canParse(full)) return { type: 'other', scheme: scheme ?? 'https' };
  const url = new URL(full);
  // Longer than any host name, or with characters that have a meaning in a policy.
  if (url.origin.length > 270 || !/^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(url.hostname))
    return { type: 'other', scheme: 'https' };
  return { type: 'web', origin: url.origin, url: url.href };
}

/** Whether an origin is plain http on another machine, whose responses others can read and change on the network. */
export function isInsecureRemoteOrigin(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !isLoopback(hostname);
}
