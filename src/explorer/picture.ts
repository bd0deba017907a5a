/** Pure: a small picture of the connection's own origin as a data: URI, by one plain request: no credential, no redirect. */
import http from 'node:http';
import https from 'node:https';
import { isObject } from '../platform/json.ts';

export const LARGEST_PICTURE = 64 * 1024;
const TIMEOUT = 5000;

/** The address of what pictures a resource, where the connection itself serves it and it may be a small raster image. */
export function pictureUrl(raw: unknown, baseUrl: string): string | undefined {
  const image =
    at(raw, 'metadata', 'image') ?? at(raw, 'object', 'metadata', 'image') ?? (isStored(raw) ? raw : undefined);
  if (!isObject(image) || typeof image['url'] !== 'string' || image['url'].length > 2048) return undefined;
  const { url, type, size, is_public: isPublic } = image;
  if (isPublic === false || (typeof size === 'number' && size > LARGEST_PICTURE)) return undefined;
  if (typeof type === 'string' && !/^image\/(png|jpe?g|gif|webp)$/i.test(type)) return undefined;
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

/** `undefined` for whatever is not plainly a small raster image. Never throws. */
export function fetchPicture(url: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const none = (): void => {
      resolve(undefined);
    };
    const request = (url.startsWith('https:') ? https : http).get(
      url,
      {
        headers: { accept: 'image/png, image/jpeg, image/gif, image/webp', 'accept-encoding': 'identity' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        if (answer.statusCode !== 200) answer.destroy();
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > LARGEST_PICTURE) answer.destroy();
          else chunks.push(chunk);
        });
        answer.on('end', () => {
          // The end may come after all, with what had arrived by then.
          resolve(size > LARGEST_PICTURE ? undefined : dataUri(Buffer.concat(chunks)));
        });
        answer.on('error', none);
        answer.on('close', none);
      },
    );
    request.on('error', none);
  });
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
