/** What an address in a face stands for: data, an origin of the network, or something that never loads (pure). */

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
  return { type: 'web', origin: url.origin, url: url.href };
}

/** A loopback address by its name: this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(name) || name === '::1';
}

/** True for addresses (not names) that only exist inside a machine or a network, or that stand for no host at all. */
export function isPrivateAddress(address: string): boolean {
  const text = address.replace(/^\[|\]$/g, '').toLowerCase();
  const mapped = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1];
  if (mapped !== undefined) return isPrivateAddress(mapped);
  if (text.includes(':')) {
    const hexMapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(text);
    if (hexMapped !== null) {
      const [high, low] = [Number.parseInt(hexMapped[1] ?? '', 16), Number.parseInt(hexMapped[2] ?? '', 16)];
      return isPrivateAddress([high >> 8, high & 255, low >> 8, low & 255].join('.'));
    }
    return /^(::1?$|f[cd]|fe[89a-f]|ff|64:ff9b:|100:|2001:db8:|2002:|2001:0{0,4}:)/.test(text);
  }
  const parts = text.split('.').map(Number);
  const [a = NaN, b = NaN, c = NaN] = parts;
  if (parts.length !== 4 || parts.some((part) => !Number.isInteger(part) || part < 0 || part > 255)) return true;
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
    (a === 203 && b === 0 && c === 113)
  );
}
