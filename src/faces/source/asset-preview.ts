import * as l10n from '@vscode/l10n';
import { isObject } from '../../platform/json/json.ts';
import { storedAsset } from '../../platform/resources/assets.ts';
import { createView } from '../../platform/schema.ts';
import { formatBytes } from '../../platform/text/localization.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { getContentKind } from './content-kind.ts';
import { createCardRows, type LoadedPreview } from './subject.ts';

/** Creates the preview of an asset: the image, or a card of its fields. `raw`: a stored or embedded asset; `baseUrl`: base of a relative address. */
export function createAssetPreview(raw: unknown, id: string, baseUrl: string): LoadedPreview {
  const view = createView(storedAsset, raw);
  const type = view?.type ?? '';
  const isPublic = view?.is_public;
  const address = view?.url?.trim() ?? '';
  const url = URL.canParse(address, baseUrl) && address !== '' ? new URL(address, baseUrl).href : address;
  const name = toPlainText(view?.name ?? '', 80) || id;
  const isImage = (type === '' || /^image\//i.test(type)) && getContentKind(url, type) === 'image';
  const assets = [{ id: toPlainText(id, 80), name, type: toPlainText(type, 80), url }];
  const variants = isImage ? [{ key: 'content', label: l10n.t('Image'), content: url, mediaType: type }] : [];
  const rows = createCardRows([
    [l10n.t('Type'), type],
    [l10n.t('Size'), view?.size === undefined ? undefined : formatBytes(view.size)],
    [l10n.t('Folder'), view?.folder],
    [l10n.t('Provider'), view?.provider],
    [l10n.t('Tag'), view?.tag],
    [l10n.t('Public'), isPublic === undefined ? undefined : isPublic ? l10n.t('yes') : l10n.t('no')],
    [l10n.t('Created'), view?.when_created],
    [l10n.t('Hash'), view?.hash],
    [l10n.t('Address'), url],
    [l10n.t('ID'), id],
  ]);
  const note = l10n.t('This asset is not an image. Its metadata is shown instead.');
  return {
    face: { name, variants, assets: [] },
    subjects: [{ id, label: name, data: undefined, assets, card: { name, rows, note, url } }],
  };
}

/** Finds an asset that another resource embeds, in a field or a list. */
export function findEmbeddedAsset(container: unknown, id: string, depth = 5): unknown {
  if (depth === 0 || typeof container !== 'object' || container === null) return undefined;
  if (isObject(container) && container['id'] === id && typeof container['url'] === 'string') return container;
  for (const child of Object.values(container)) {
    const found = findEmbeddedAsset(child, id, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
