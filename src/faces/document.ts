/** Wraps a face into the document of its frame: the strict policy first, then the face as it stands (pure). */
import { escapeHtml } from '../webviews/html.ts';
import { disarm } from './disarm.ts';
import { prologOf } from './prolog.ts';
import type { Load } from './scan.ts';

export interface FramePolicy {
  /** origins whose images a person has allowed */
  readonly images: readonly string[];
  /** of the reporter and the face; absent: no scripts */
  readonly scripts?: { readonly reporter: string };
}

/** What holds inside the frame, beside the sandbox and the page's own policy. */
export function framePolicy({ images, scripts }: FramePolicy): string {
  return [
    `default-src 'none'`,
    ...(scripts === undefined
      ? []
      : [`script-src 'unsafe-inline'`, `require-trusted-types-for 'script'`, 'trusted-types default']),
    `style-src 'unsafe-inline'`,
    `img-src ${['data:', ...images].join(' ')}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

/** All on the first line, so that the face's lines keep their numbers. */
function head(policy: FramePolicy): string {
  const metas = [
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(framePolicy(policy))}">`,
    '<meta http-equiv="x-dns-prefetch-control" content="off">',
    '<meta name="referrer" content="no-referrer">',
  ];
  return metas.join('') + (policy.scripts === undefined ? '' : `<script>${policy.scripts.reporter}</script>`);
}

/** Links look like links and show their address while the pointer is over them; a frame that was taken out leaves a box. */
const MARKUP_LOOK = [
  '<style>:where(a[data-href]){color:-webkit-link;text-decoration:underline;cursor:pointer}',
  'a[data-href]:hover::after{content:attr(data-href)!important;position:fixed!important;inset:auto auto 0 0!important;',
  'z-index:2147483647!important;box-sizing:border-box;max-width:100%;padding:2px 6px!important;overflow:hidden;white-space:nowrap;',
  'text-overflow:ellipsis;font:12px/1.4 system-ui,sans-serif!important;color:#1f2328!important;background:#f6f8fa!important;',
  'border:1px solid #d0d7de!important;unicode-bidi:isolate;direction:ltr}',
  'x-iframe{display:inline-block;box-sizing:border-box;min-width:120px;min-height:40px;border:1px dashed #808080}</style>',
].join('');

/** A document or fragment. Its own doctype goes first: it decides how the browser lays out. */
export function htmlDocument(face: string, policy: FramePolicy): string {
  const doctype = prologOf(face).doctype ?? '';
  return doctype.replace(/\s+/g, ' ') + head(policy) + MARKUP_LOOK + disarm(face);
}

const SVG_LOOK =
  '<style>html,body{margin:0;height:100%}body{display:grid;place-items:center}svg{max-width:100%;max-height:100%}</style>';

/** An SVG, drawn inline as large as fits. */
export function svgDocument(svg: string, policy: FramePolicy): string {
  // An XML declaration and doctype would be comments here at best.
  const bare = svg.slice(prologOf(svg).end);
  return `<!doctype html>${head(policy)}${MARKUP_LOOK}${SVG_LOOK}${disarm(bare, true)}`;
}

/** One picture; `source` is a data: URL or an allowed address. */
export function imageDocument(source: string, name: string, policy: FramePolicy): string {
  const look =
    '<style>html,body{margin:0;height:100%}body{display:grid;place-items:center}img{max-width:100%;max-height:100%}</style>';
  return `<!doctype html>${head(policy)}${look}<img src="${escapeHtml(source)}" alt="${escapeHtml(name)}">`;
}

/** Plain text, as it stands; `escaped`: its special characters already are. */
export function textDocument(text: string, escaped: boolean, policy: FramePolicy): string {
  const look =
    '<style>html{color:#1f2328;background:#fff}body{margin:16px;font:13px/1.5 ui-monospace,Consolas,Menlo,monospace;white-space:pre-wrap;overflow-wrap:anywhere}</style>';
  return `<!doctype html>${head(policy)}${look}${escaped ? disarm(text) : escapeHtml(text)}`;
}

/** Characters that inlining may add: the same asset may stand in a face a thousand times. */
const MOST_INLINED = 24_000_000;

/** Puts fetched images in the place of their addresses. */
export function inlineImages(html: string, images: readonly Load[], data: (url: string) => string | undefined): string {
  const parts: string[] = [];
  let at = 0;
  let added = 0;
  for (const load of [...images].sort((a, b) => a.start - b.start)) {
    const found = load.end > load.start && load.start >= at ? data(load.url) : undefined;
    if (found === undefined || (added += found.length) > MOST_INLINED) continue;
    parts.push(html.slice(at, load.start), written(found, load.as));
    at = load.end;
  }
  return parts.join('') + html.slice(at);
}

/** `data` knows no quotes, blanks or brackets: within an attribute it stands without quotes of its own. */
function written(data: string, as: Load['as']): string {
  if (as === 'css') return `url("${data}")`;
  if (as === 'style') return `url(${data})`;
  return as === 'bare' ? data : `="${escapeHtml(data)}"`;
}
