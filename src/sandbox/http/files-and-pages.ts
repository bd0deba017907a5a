/** Serves stored files, and the pages of faces with a URL. */
import { requirePermission, type Principal } from '../auth/principal.ts';
import { getNamedFile } from '../data/assets.ts';
import { HttpError, unauthenticated } from './errors.ts';
import type { RouteResponse } from './responses.ts';
import type { World } from '../world.ts';

const fileNotFound = (): HttpError => new HttpError(404, 'not_found', 'no such file');

/** Serves `/files/{id}/{name}`. Files that are not public require a credential. */
export function serveFile(
  world: World,
  segments: readonly string[],
  principal: () => Principal | undefined,
): RouteResponse {
  const [, id = ''] = segments;
  const file = segments.length === 2 ? getNamedFile(id) : segments.length === 3 ? world.assets.file(id) : undefined;
  if (file === undefined) throw fileNotFound();
  if (!file.isPublic) {
    const reader = principal();
    if (reader === undefined) throw unauthenticated('this file is not public');
    requirePermission(reader, 'storage', 'read');
  }
  return {
    status: 200,
    type: file.type,
    bytes: file.bytes,
    headers: {
      'cache-control': file.isPublic ? 'public, max-age=300' : 'private, no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  };
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Serves `/pages/{name}?object_id=…` without a credential, since frames send none. */
export function servePage(world: World, segments: readonly string[], query: URLSearchParams): RouteResponse {
  const name = segments.length === 2 ? segments[1] : undefined;
  const object = world.collection('objects').get(query.get('object_id') ?? '');
  const metadata = object?.['metadata'];
  const title =
    typeof metadata === 'object' && metadata !== null && 'name' in metadata
      ? String(metadata.name)
      : 'No object chosen';
  if (name === 'hut-key') return renderPage(title, renderHutKey(title));
  if (name === 'map') return renderPage(title, renderMap(title));
  if (name === 'no-frame') return renderPage('Not in a frame', '<h1>This page refuses to be framed</h1>', "'none'");
  throw fileNotFound();
}

function renderPage(title: string, body: string, ancestors?: string): RouteResponse {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    bytes: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`,
    headers: {
      'content-security-policy': ancestors === undefined ? policy : `${policy}; frame-ancestors ${ancestors}`,
      ...(ancestors !== undefined && { 'x-frame-options': 'DENY' }),
      'cache-control': 'no-store',
    },
  };
}

const STYLE = `*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:20px;font:15px/1.45 system-ui,sans-serif;color:#1c1917;background:#fff7ed}
main{width:min(340px,100%);border-radius:24px;padding:26px;background:#fff;box-shadow:0 14px 36px #7c2d1226}h1{font-size:20px;margin:14px 0 4px}p{margin:0;color:#78716c}
.door{height:170px;border-radius:16px;background:linear-gradient(#7c2d12,#f97316);display:grid;place-items:center;color:#fff;font-size:15px;font-weight:600}
.state{display:inline-block;margin-top:14px;padding:6px 14px;border-radius:99px;background:#dcfce7;color:#166534;font-weight:600}`;

const renderHutKey = (title: string): string =>
  `<main><div class="door"><svg width="72" height="72" viewBox="0 0 24 24" fill="none" stroke="#fff" stroke-width="1.6"><rect x="5" y="10.5" width="14" height="10" rx="2"/><path d="M8 10.5V7a4 4 0 0 1 8 0v3.5"/><circle cx="12" cy="15.5" r="1.4" fill="#fff"/></svg></div><h1>${escape(title)}</h1><p>The door reports every 30 seconds.</p><span class="state">Online</span></main>`;

const renderMap = (title: string): string =>
  `<main><svg viewBox="0 0 300 190" width="100%" role="img" aria-label="Map"><rect width="300" height="190" rx="16" fill="#dcfce7"/><path d="M0 150 Q70 110 130 140 T300 110 V190 H0Z" fill="#7dd3fc"/><path d="M20 60 Q90 20 140 80 T280 50" fill="none" stroke="#b45309" stroke-width="4" stroke-dasharray="9 7"/><circle cx="140" cy="80" r="9" fill="#dc2626"/></svg><h1>${escape(title)}</h1><p>Last seen on the trail.</p></main>`;
