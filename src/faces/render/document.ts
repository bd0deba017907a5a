/** Creates the document of a frame: the policy first, then the face. */
import { escapeHtml } from '../../webviews/html.ts';
import { disableConnections } from '../policy/disable-connections.ts';
import { formatFramePolicy, type FramePolicy } from '../policy/frame-policy.ts';
import { parseProlog } from '../source/prolog.ts';
import type { ImageLoad } from '../policy/scan-html.ts';

/** One line, so that the lines of the face keep their numbers. */
function formatHead(policy: FramePolicy): string {
  const metas = [
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(formatFramePolicy(policy))}">`,
    '<meta http-equiv="x-dns-prefetch-control" content="off">',
    '<meta name="referrer" content="no-referrer">',
  ];
  return metas.join('') + (policy.scripts === undefined ? '' : `<script>${policy.scripts.reporter}</script>`);
}

/** Styles links like links and shows their address on hover; removed frames leave a box. */
const MARKUP_STYLE = [
  '<style>:where(a[data-href]){color:-webkit-link;text-decoration:underline;cursor:pointer}',
  'a[data-href]:hover::after{content:attr(data-href)!important;position:fixed!important;inset:auto auto 0 0!important;',
  'z-index:2147483647!important;box-sizing:border-box;max-width:100%;padding:2px 6px!important;overflow:hidden;white-space:nowrap;',
  'text-overflow:ellipsis;font:12px/1.4 system-ui,sans-serif!important;color:#1f2328!important;background:#f6f8fa!important;',
  'border:1px solid #d0d7de!important;unicode-bidi:isolate;direction:ltr}',
  'x-iframe{display:inline-block;box-sizing:border-box;min-width:120px;min-height:40px;border:1px dashed #808080}</style>',
].join('');

/** Creates the document of an HTML document or fragment. Its own doctype comes first, since it selects the layout mode. */
export function createHtmlDocument(face: string, policy: FramePolicy): string {
  const doctype = parseProlog(face).doctype ?? '';
  return doctype.replace(/\s+/g, ' ') + formatHead(policy) + MARKUP_STYLE + disableConnections(face);
}

const SVG_STYLE =
  '<style>html,body{margin:0;height:100%}body{display:grid;place-items:center}svg{max-width:100%;max-height:100%}</style>';

/** Creates the document of an inline SVG that fits the frame. */
export function createSvgDocument(svg: string, policy: FramePolicy): string {
  // HTML has no XML declarations, and the doctype is replaced.
  const svgElement = svg.slice(parseProlog(svg).end);
  return `<!doctype html>${formatHead(policy)}${MARKUP_STYLE}${SVG_STYLE}${disableConnections(svgElement, true)}`;
}

/** Creates the document of one image. `source` is a data: URL or an approved address. */
export function createImageDocument(source: string, name: string, policy: FramePolicy): string {
  const style =
    '<style>html,body{margin:0;height:100%}body{display:grid;place-items:center}img{max-width:100%;max-height:100%}</style>';
  return `<!doctype html>${formatHead(policy)}${style}<img src="${escapeHtml(source)}" alt="${escapeHtml(name)}">`;
}

/** Creates the document of plain text. `escaped`: its special characters already are. */
export function createTextDocument(text: string, escaped: boolean, policy: FramePolicy): string {
  const style =
    '<style>html{color:#1f2328;background:#fff}body{margin:16px;font:13px/1.5 ui-monospace,Consolas,Menlo,monospace;white-space:pre-wrap;overflow-wrap:anywhere}</style>';
  return `<!doctype html>${formatHead(policy)}${style}${escaped ? disableConnections(text) : escapeHtml(text)}`;
}

/** Maximum number of characters that inlining adds: an asset can occur a thousand times. */
const MAX_INLINED_LENGTH = 24_000_000;

/** Replaces the addresses of images by their data: URLs. */
export function inlineImages(
  html: string,
  images: readonly ImageLoad[],
  getDataUrl: (url: string) => string | undefined,
): string {
  const parts: string[] = [];
  let at = 0;
  let added = 0;
  for (const load of [...images].sort((a, b) => a.start - b.start)) {
    const found = load.end > load.start && load.start >= at ? getDataUrl(load.url) : undefined;
    if (found === undefined || (added += found.length) > MAX_INLINED_LENGTH) continue;
    parts.push(html.slice(at, load.start), formatImageSource(found, load.syntax));
    at = load.end;
  }
  return parts.join('') + html.slice(at);
}

/** `data` contains no quotes, spaces or parentheses, so that it needs no quotes within an attribute. */
function formatImageSource(data: string, syntax: ImageLoad['syntax']): string {
  if (syntax === 'css') return `url("${data}")`;
  if (syntax === 'style') return `url(${data})`;
  return syntax === 'bare' ? data : `="${escapeHtml(data)}"`;
}
