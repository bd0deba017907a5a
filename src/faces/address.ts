/** What an address in a face stands for: data, an origin of the network, or something that never loads (pure). */

import { isLoopback } from '../platform/proxy.ts';

export type Address =
  | { readonly type: 'nothing' }
  | { readonly type: 'fragment' }
  | { readonly type: 'data'; readonly image: boolean }
  | { readonly type: 'script' }
  | { readonly type: 'relative' }
  | { readonly type: 'web'; readonly origin: string; readonly url: string }
  | { readonly type: 'other'; readonly scheme: string };

/** As browsers read it: blanks around and line breaks within do not count. */
export function addressOf(text: string): Address {
  const cleaned = text.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+|[\0- ]+$/g, '');
  if (cleaned === '') return { type: 'nothing' };
  if (cleaned.startsWith('#')) return { type: 'fragment' };
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(cleaned)?.[1]?.toLowerCase();
  if (scheme === 'data') return { type: 'data', image: /^data:image\//i.test(cleaned) };
  if (scheme === 'javascript' || scheme === 'vbscript') return { type: 'script' };
  // Without a scheme two slashes name a host; the page's own scheme is not one that loads.
  const full = scheme === undefined && /^[\\/]{2}/.test(cleaned) ? `https:${cleaned}` : cleaned;
  if (scheme === undefined && full === cleaned) return { type: 'relative' };
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return { type: 'other', scheme };
  if (!URL.canParse(full)) return { type: 'other', scheme: scheme ?? 'https' };
  const url = new URL(full);
  // Longer than any name of a host can be.
  if (url.origin.length > 270) return { type: 'other', scheme: 'https' };
  return { type: 'web', origin: url.origin, url: url.href };
}

/** Over plain http to another machine: read and changed by anybody on the way, and by itself blocked in a page of the editor. */
export function isPlainHttp(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !isLoopback(hostname);
}
