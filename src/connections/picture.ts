/** Pure: a small picture of the connection's own origin as a data: URI, by one plain request: no credential, no redirect. */
import { isObject } from '../platform/json.ts';
import { plainGet, type Send } from '../platform/plain-get.ts';

export const LARGEST_PICTURE = 64 * 1024;
const TIMEOUT = 5000;

/** What pictures a resource, as the server names it, where it may be a small raster image. */
export function pictureOf(raw: unknown): string | undefined {
  const image =
    at(raw, 'metadata', 'image') ?? at(raw, 'object', 'metadata', 'image') ?? (isStored(raw) ? raw : undefined);
  if (!isObject(image) || typeof image['url'] !== 'string' || image['url'].length > 2048) return undefined;
  const { url, type, size, is_public: isPublic } = image;
  if (isPublic === false || (typeof size === 'number' && size > LARGEST_PICTURE)) return undefined;
  return typeof type === 'string' && !/^image\/(png|jpe?g|gif|webp)$/i.test(type) ? undefined : url;
}

/** Its whole address, where the connection itself serves it; no other is ever asked for. */
export function pictureUrl(url: string, baseUrl: string): string | undefined {
  if (!URL.canParse(url, baseUrl)) return undefined;
  const resolved = new URL(url, `${baseUrl}/`);
  if (resolved.origin !== new URL(baseUrl).origin || !/^https?:$/.test(resolved.protocol)) return undefined;
  if (resolved.username !== '' || resolved.password !== '') return undefined;
  return resolved.href;
}

/** A stored file is its own picture. */
function isStored(raw: unknown): boolean {
  return isObject(raw) && typeof raw['folder'] === 'string' && typeof raw['provider'] === 'string';
}

function at(raw: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), raw);
}

/** `undefined` for whatever is not plainly a small raster image. Never rejects. */
export async function fetchPicture(send: Send, url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const accept = 'image/png, image/jpeg, image/gif, image/webp';
    const options = { accept, timeout: TIMEOUT, signal, most: LARGEST_PICTURE };
    const { status, text } = await plainGet(send, new URL(url), options);
    return status === 200 ? dataUri(Buffer.from(text, 'base64')) : undefined;
  } catch {
    return undefined;
  }
}

const SIGNATURES: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];

/** By its own first bytes, whatever the server calls it. */
export function dataUri(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 16);
  const type = SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0];
  return type === undefined ? undefined : `data:${type};base64,${bytes.toString('base64')}`;
}
