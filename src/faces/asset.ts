/** An asset as something to look at: the picture that it is, or a card of its fields (pure). */
import { isObject } from '../platform/json.ts';
import { bytes, storedAsset } from '../platform/resources/assets.ts';
import { viewOf } from '../platform/schema.ts';
import { plainText } from '../platform/plain-text.ts';
import { kindOfContent } from './content.ts';
import type { Loaded } from './load.ts';
import { cardRows } from './subject.ts';

/** `raw`: a stored asset, or one as another resource embeds it; `baseUrl`: what a relative address is relative to. */
export function assetPreview(raw: unknown, id: string, baseUrl: string): Loaded {
  const view = viewOf(storedAsset, raw);
  const type = view?.type ?? '';
  const isPublic = view?.is_public;
  const address = view?.url?.trim() ?? '';
  const url = URL.canParse(address, baseUrl) && address !== '' ? new URL(address, baseUrl).href : address;
  const name = plainText(view?.name ?? '', 80) || id;
  const picture = (type === '' || /^image\//i.test(type)) && kindOfContent(url, type) === 'image';
  const assets = [{ id: plainText(id, 80), name, type: plainText(type, 80), url }];
  const variants = picture ? [{ key: 'content', label: 'Picture', content: url, mediaType: type }] : [];
  const rows = cardRows({
    Type: type,
    Size: view?.size === undefined ? undefined : bytes(view.size),
    Folder: view?.folder,
    Provider: view?.provider,
    Tag: view?.tag,
    Public: isPublic === undefined ? undefined : isPublic ? 'yes' : 'no',
    Created: view?.when_created,
    Hash: view?.hash,
    Address: url,
    ID: id,
  });
  const note = 'Not an image: a card of what the platform says of this asset.';
  return {
    face: { name, variants, assets: [] },
    subjects: [{ id, label: name, data: undefined, assets, card: { name, rows, note, url } }],
  };
}

/** Where another resource embeds the asset: under a field of its own, or in a list. */
export function embeddedAsset(holder: unknown, id: string, depth = 5): unknown {
  if (depth === 0 || typeof holder !== 'object' || holder === null) return undefined;
  if (isObject(holder) && holder['id'] === id && typeof holder['url'] === 'string') return holder;
  for (const part of Object.values(holder)) {
    const found = embeddedAsset(part, id, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
