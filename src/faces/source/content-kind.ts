import { classifyUrl } from '../policy/url-kind.ts';
import { parseProlog } from './prolog.ts';

type FaceContentKind = 'html' | 'svg' | 'image' | 'page' | 'text' | 'unsupported' | 'nothing';

const IMAGE_FILE = /\.(png|jpe?g|gif|webp|avif|svg|bmp|ico)([?#]|$)/i;

/** Models, sounds, videos and archives: a frame would show nothing or download them. */
const UNSUPPORTED_FILE =
  /\.(glb|gltf|usdz?|usda|obj|stl|fbx|ply|3mf|mp[34]|m4[av]|webm|mov|og[gv]|wav|flac|pdf|zip|wasm|bin)(?:[?#]|$)/i;
const UNSUPPORTED_TYPE = /^(?:model|audio|video|font)\/|^application\/(?!xhtml\+xml$|json$|xml$)/;

/** Classifies the content of a face: by `mediaType` if it is known, else by the content. */
export function getContentKind(content: string | undefined, mediaType?: string): FaceContentKind {
  const text = content?.trim() ?? '';
  if (text === '') return 'nothing';
  const isSingleToken = !/\s/.test(text) || /^data:/i.test(text);
  const address = isSingleToken ? classifyUrl(text) : { type: 'relative' as const };
  if (address.type === 'data' && address.image) return 'image';
  const type = mediaType?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && UNSUPPORTED_TYPE.test(type)) return 'unsupported';
  if (address.type === 'web') {
    if (type?.startsWith('image/') === true || IMAGE_FILE.test(text)) return 'image';
    if (type === 'text/plain') return 'text';
    return type?.startsWith('text/') !== true && UNSUPPORTED_FILE.test(text) ? 'unsupported' : 'page';
  }
  if (type === 'image/svg+xml') return 'svg';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'text/plain') return 'text';
  const { end, doctype } = parseProlog(text);
  if (/^<svg[\s/>]/i.test(text.slice(end, end + 5))) return 'svg';
  const first = text.search(/<[a-z!/]/i);
  return doctype !== undefined || (first >= 0 && text.lastIndexOf('>') > first) ? 'html' : 'text';
}
