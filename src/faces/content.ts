/** What kind of thing a face's content is: an HTML document or fragment, an SVG, the address of an image, plain text, or nothing that can be shown. */
import { addressOf } from './address.ts';
import { prologOf } from './prolog.ts';

export type ContentKind = 'html' | 'svg' | 'image' | 'page' | 'text' | 'unsupported' | 'nothing';

const PICTURE = /\.(png|jpe?g|gif|webp|avif|svg|bmp|ico)([?#]|$)/i;

/** Models, sounds, films and archives: a page that frames one shows nothing, or downloads it. */
const UNSUPPORTED_FILE =
  /\.(glb|gltf|usdz?|usda|obj|stl|fbx|ply|3mf|mp[34]|m4[av]|webm|mov|og[gv]|wav|flac|pdf|zip|wasm|bin)(?:[?#]|$)/i;
const UNSUPPORTED_TYPE = /^(?:model|audio|video|font)\/|^application\/(?!xhtml\+xml$|json$|xml$)/;

/** `mediaType` counts where it is known; else the content itself says. */
export function kindOfContent(content: string | undefined, mediaType?: string): ContentKind {
  const text = content?.trim() ?? '';
  if (text === '') return 'nothing';
  const alone = !/\s/.test(text) || /^data:/i.test(text);
  const address = alone ? addressOf(text) : { type: 'relative' as const };
  if (address.type === 'data' && address.image) return 'image';
  const type = mediaType?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && UNSUPPORTED_TYPE.test(type)) return 'unsupported';
  if (address.type === 'web') {
    if (type?.startsWith('image/') === true || PICTURE.test(text)) return 'image';
    if (type === 'text/plain') return 'text';
    return type?.startsWith('text/') !== true && UNSUPPORTED_FILE.test(text) ? 'unsupported' : 'page';
  }
  if (type === 'image/svg+xml') return 'svg';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'text/plain') return 'text';
  const { end, doctype } = prologOf(text);
  if (/^<svg[\s/>]/i.test(text.slice(end, end + 5))) return 'svg';
  const first = text.search(/<[a-z!/]/i);
  return doctype !== undefined || (first >= 0 && text.lastIndexOf('>') > first) ? 'html' : 'text';
}
