/** Fetches a small picture from the connection's own origin as a data: URI, without credential or redirect. */
import { isObject } from '../platform/json/json.ts';
import { getUnauthenticated, type Send } from '../platform/http/unauthenticated-get.ts';

const MAX_PICTURE_BYTES = 64 * 1024;
const TIMEOUT_MS = 5000;

/** Returns the URL of a resource's picture as the server names it, if it may be a small raster image. */
export function getPictureUrl(raw: unknown): string | undefined {
  const image =
    getProperty(raw, 'metadata', 'image') ??
    getProperty(raw, 'object', 'metadata', 'image') ??
    (isStoredFile(raw) ? raw : undefined);
  if (!isObject(image) || typeof image['url'] !== 'string' || image['url'].length > 2048) return undefined;
  const { url, type, size, is_public: isPublic } = image;
  if (isPublic === false || (typeof size === 'number' && size > MAX_PICTURE_BYTES)) return undefined;
  return typeof type === 'string' && !/^image\/(png|jpe?g|gif|webp)$/i.test(type) ? undefined : url;
}

/** Resolves a picture URL; `undefined` unless it is on the connection's own origin. */
export function resolvePictureUrl(url: string, baseUrl: string): string | undefined {
  if (!URL.canParse(url, baseUrl)) return undefined;
  const resolved = new URL(url, `${baseUrl}/`);
  if (resolved.origin !== new URL(baseUrl).origin || !/^https?:$/.test(resolved.protocol)) return undefined;
  if (resolved.username !== '' || resolved.password !== '') return undefined;
  return resolved.href;
}

/** A stored file is its own picture. */
function isStoredFile(raw: unknown): boolean {
  return isObject(raw) && typeof raw['folder'] === 'string' && typeof raw['provider'] === 'string';
}

function getProperty(raw: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), raw);
}

/** Resolves with a data: URI, or `undefined` for anything but a small raster image. Never rejects. */
export async function fetchPicture(send: Send, url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const accept = 'image/png, image/jpeg, image/gif, image/webp';
    const options = { accept, timeout: TIMEOUT_MS, signal, maxBytes: MAX_PICTURE_BYTES };
    const { status, text } = await getUnauthenticated(send, new URL(url), options);
    return status === 200 ? createDataUri(Buffer.from(text, 'base64')) : undefined;
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

/** Detects the media type from the first bytes; the server's content type is not trusted. */
export function createDataUri(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 16);
  const type = SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0];
  return type === undefined ? undefined : `data:${type};base64,${bytes.toString('base64')}`;
}
