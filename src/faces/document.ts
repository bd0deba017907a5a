/** Wraps a face into the document of its frame: the strict policy first, then the face as it stands (pure). */
import { escapeHtml } from '../webviews/html.ts';
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

/** A document or fragment. Its own doctype goes first: it decides how the browser lays out. */
export function htmlDocument(face: string, policy: FramePolicy): string {
  const doctype = prologOf(face).doctype ?? '';
  return doctype.replace(/\s+/g, ' ') + head(policy) + disarm(face, policy);
}

const SVG_LOOK =
  '<style>html,body{margin:0;height:100%}body{display:grid;place-items:center}svg{max-width:100%;max-height:100%}</style>';

/** An SVG, drawn inline as large as fits. */
export function svgDocument(svg: string, policy: FramePolicy): string {
  // An XML declaration and doctype would be comments here at best.
  const bare = svg.slice(prologOf(svg).end);
  return `<!doctype html>${head(policy)}${SVG_LOOK}${disarm(bare, policy)}`;
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
    '<style>html{color:#1f2328;background:#fff}body{margin:16px;font:14px/1.5 system-ui,sans-serif;white-space:pre-wrap;overflow-wrap:anywhere}</style>';
  return `<!doctype html>${head(policy)}${look}${escaped ? disarm(text, policy) : escapeHtml(text)}`;
}

/**
 * No policy keeps a browser from opening connections ahead of time for `<link rel="preconnect">`. A link can do nothing else in
 * a face either, so every tag of that name gets another, of the same length, wherever it stands. Tag names know no escapes.
 * Where scripts run, frames too: a `srcdoc` within would run its own, with nothing closed.
 */
function disarm(face: string, { scripts }: FramePolicy): string {
  const tags = scripts === undefined ? /<link(?=[\s/>])/gi : /<(link|i?frame)(?=[\s/>])/gi;
  return face.replace(tags, (tag) => `${tag.slice(0, 2)}-${tag.slice(3)}`);
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
