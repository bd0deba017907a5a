import { escapeHtml } from '../../webviews/html.ts';
import { formatFramePolicy } from '../policy/frame-policy.ts';
import type { Card } from '../source/subject.ts';

/** The card has its own background: that of the frame can be light or dark. */
const CARD_STYLE = `html,body{margin:0;min-height:100%}
body{font:14px/1.45 system-ui,sans-serif;padding:16px;display:grid;place-items:start center}
article{width:min(100%,340px);color:#1f2328;background:#fff;border:1px solid #d0d7de;border-radius:12px;overflow:hidden;box-shadow:0 4px 14px #1f232826}
img{display:block;width:100%;aspect-ratio:4/3;object-fit:cover}div{padding:14px 16px}
h1{font-size:18px;margin:0 0 4px;overflow-wrap:anywhere}p{margin:8px 0;overflow-wrap:anywhere}
dl{margin:8px 0 0;display:grid;grid-template-columns:auto 1fr;gap:2px 12px;font-size:12px}dt{color:#59636e}dd{margin:0;overflow-wrap:anywhere}`;

/** Creates the document of a card. `image` is a data: URL or an approved address. */
export function createCardDocument(card: Card, image: string | undefined, images: readonly string[]): string {
  const rows = card.rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  return [
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="${escapeHtml(formatFramePolicy({ images }))}">`,
    `<style>${CARD_STYLE}</style><article>`,
    image === undefined ? '' : `<img src="${escapeHtml(image)}" alt="">`,
    `<div><h1>${escapeHtml(card.name)}</h1>`,
    card.description === undefined ? '' : `<p>${escapeHtml(card.description)}</p>`,
    rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`,
    '</div></article>',
  ].join('');
}
