/** Parses faces of the platform and of files: variants, config and assets. */
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import * as z from 'zod/mini';
import { face as faceSchema } from '../../platform/resources/faces.ts';
import { isObject } from '../../platform/json/json.ts';
import { createView } from '../../platform/schema.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';

export interface FaceAsset {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly url: string;
}

/** A representation of a face. */
export interface Variant {
  /** unique within the face */
  readonly key: string;
  readonly label: string;
  readonly content?: string;
  readonly url?: string;
  readonly mediaType?: string;
  /** width divided by height */
  readonly aspect?: number;
}

export interface Face {
  readonly id?: string;
  readonly name: string;
  readonly variants: readonly Variant[];
  readonly assets: readonly FaceAsset[];
  readonly config?: unknown;
}

/** Views of newer deployments; not in the contract. */
const viewSchema = z.looseObject({
  variant: z.optional(z.string()),
  media_type: z.optional(z.string()),
  content: z.optional(z.string()),
  url: z.optional(z.string()),
  aspect_ratio: z.optional(z.string()),
});
const MAX_VIEWS = 60;

/** Parses a face of the platform or a file; wrong fields are skipped. `name` is for faces without one. */
export function parseFace(raw: unknown, name: string): Face {
  const parsed = createView(faceSchema, raw);
  const variants: Variant[] = [];
  // Deployments store the aspect ratio of the content in the config.
  const ratio = parsed?.config?.['aspect_ratio'];
  const configAspect = parseAspectRatio(typeof ratio === 'string' ? ratio : undefined);
  const aspectField = configAspect === undefined ? {} : { aspect: configAspect };
  if (parsed?.content !== undefined && parsed.content.trim() !== '')
    variants.push({ key: 'content', label: l10n.t('Content'), content: parsed.content, ...aspectField });
  if (parsed?.url !== undefined && parsed.url.trim() !== '')
    variants.push({ key: 'url', label: l10n.t('Page'), url: parsed.url, ...aspectField });
  const views: readonly unknown[] = isObject(raw) && Array.isArray(raw['views']) ? raw['views'] : [];
  for (const [index, entry] of views.slice(0, MAX_VIEWS).entries()) {
    const fields = createView(viewSchema, entry);
    if (fields === undefined) continue;
    const aspect = parseAspectRatio(fields.aspect_ratio);
    variants.push({
      key: `${VIEW_KEY}${String(index)}`,
      label: toPlainText(fields.variant ?? '', 40) || l10n.t('View {0}', formatNumber(index + 1)),
      ...(fields.content !== undefined && { content: fields.content }),
      ...(fields.url !== undefined && { url: fields.url }),
      ...(fields.media_type !== undefined && { mediaType: fields.media_type }),
      ...(aspect !== undefined && { aspect }),
    });
  }
  return {
    ...(parsed?.id !== undefined && { id: parsed.id }),
    name: toPlainText(parsed?.name ?? '', 80) || name,
    variants,
    assets: parseAssets(parsed?.assets),
    ...(parsed?.config !== undefined && { config: parsed.config }),
  };
}

/** Parses a list of assets, at most 100. */
export function parseAssets(
  list: readonly Partial<Record<keyof FaceAsset, string | undefined>>[] | undefined,
): readonly FaceAsset[] {
  return (list ?? []).slice(0, 100).map(({ id, name, type, url }) => ({
    id: toPlainText(id ?? '', 80),
    name: toPlainText(name ?? '', 80),
    type: toPlainText(type ?? '', 80),
    url: url ?? '',
  }));
}

/** Parses `16/10`, `4:3` or `1.5`; `undefined` outside of 0.05 to 20. */
function parseAspectRatio(text: string | undefined): number | undefined {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(?:[/:x]\s*(\d+(?:\.\d+)?))?\s*$/i.exec(text ?? '');
  const ratio = Number(found?.[1] ?? NaN) / Number(found?.[2] ?? 1);
  return ratio >= 0.05 && ratio <= 20 ? ratio : undefined;
}

/** How the keys of views begin. */
const VIEW_KEY = 'view-';

/** Finds the variant that corresponds to one of another face: the view of the same name, else that of the same key. */
export function findSameVariant(
  { variants }: Face,
  { key, label }: Pick<VariantText, 'key' | 'label'>,
): Face['variants'][number] | undefined {
  // Labels that are no names of views are in the display language.
  if (!key.startsWith(VIEW_KEY)) return variants.find((variant) => variant.key === key);
  return variants.find((variant) => variant.key.startsWith(VIEW_KEY) && variant.label === label);
}

/** The variant key that selects all variants at once. */
export const ALL_VARIANTS = 'all';

export interface VariantText {
  readonly key: string;
  /** label of the variant */
  readonly label: string;
  readonly content: string;
}

/** Returns the content of the variant with that key, or of the first variant with content. Throws if there is none. */
export function getVariantText(face: Face | undefined, key?: string): VariantText {
  for (const { key: variantKey, label, content = '' } of face?.variants ?? [])
    if ((key === undefined || variantKey === key) && content.trim() !== '') return { key: variantKey, label, content };
  throw new Error(key === ALL_VARIANTS ? l10n.t('Select a single variant first') : l10n.t('The face has no content'));
}
