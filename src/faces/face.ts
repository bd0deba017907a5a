/** A face as this room sees it: its variants, config and assets, read tolerantly from the platform's or a file's JSON (pure). */
import * as z from 'zod/mini';
import { face as faceSchema } from '../platform/resources/faces.ts';
import { isObject } from '../platform/json.ts';
import { viewOf } from '../platform/schema.ts';
import { plainText } from '../platform/plain-text.ts';

export interface FaceAsset {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly url: string;
}

/** One way to show a face. */
export interface Variant {
  /** unique within the face */
  readonly key: string;
  readonly label: string;
  readonly content?: string;
  readonly url?: string;
  readonly mediaType?: string;
  /** width by height */
  readonly aspect?: number;
}

export interface Face {
  readonly id?: string;
  readonly name: string;
  readonly variants: readonly Variant[];
  readonly assets: readonly FaceAsset[];
  readonly config?: unknown;
}

/** Newer deployments add views; the contract does not know them. */
const view = z.looseObject({
  variant: z.optional(z.string()),
  media_type: z.optional(z.string()),
  content: z.optional(z.string()),
  url: z.optional(z.string()),
  aspect_ratio: z.optional(z.string()),
});
const MOST_VIEWS = 60;

/** `raw` may be anything; `name` is for a face without one. */
export function faceOf(raw: unknown, name: string): Face {
  const read = viewOf(faceSchema, raw);
  const variants: Variant[] = [];
  // Deployments keep the shape of the plain content in the config.
  const ratio = read?.config?.['aspect_ratio'];
  const own = aspectOf(typeof ratio === 'string' ? ratio : undefined);
  const shape = own === undefined ? {} : { aspect: own };
  if (read?.content !== undefined && read.content.trim() !== '')
    variants.push({ key: 'content', label: 'Content', content: read.content, ...shape });
  if (read?.url !== undefined && read.url.trim() !== '')
    variants.push({ key: 'url', label: 'Page', url: read.url, ...shape });
  const views: readonly unknown[] = isObject(raw) && Array.isArray(raw['views']) ? raw['views'] : [];
  for (const [index, entry] of views.slice(0, MOST_VIEWS).entries()) {
    const fields = viewOf(view, entry);
    if (fields === undefined) continue;
    const aspect = aspectOf(fields.aspect_ratio);
    variants.push({
      key: `view-${String(index)}`,
      label: plainText(fields.variant ?? '', 40) || `View ${String(index + 1)}`,
      ...(fields.content !== undefined && { content: fields.content }),
      ...(fields.url !== undefined && { url: fields.url }),
      ...(fields.media_type !== undefined && { mediaType: fields.media_type }),
      ...(aspect !== undefined && { aspect }),
    });
  }
  return {
    ...(read?.id !== undefined && { id: read.id }),
    name: plainText(read?.name ?? '', 80) || name,
    variants,
    assets: assetsOf(read?.assets),
    ...(read?.config !== undefined && { config: read.config }),
  };
}

export function assetsOf(
  list:
    | readonly {
        readonly id?: string | undefined;
        readonly name?: string | undefined;
        readonly type?: string | undefined;
        readonly url?: string | undefined;
      }[]
    | undefined,
): readonly FaceAsset[] {
  return (list ?? []).slice(0, 100).map(({ id, name, type, url }) => ({
    id: plainText(id ?? '', 80),
    name: plainText(name ?? '', 80),
    type: plainText(type ?? '', 80),
    url: url ?? '',
  }));
}

/** `16/10`, `4:3`, `1.5` → a number that a layout can bear. */
export function aspectOf(text: string | undefined): number | undefined {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(?:[/:x]\s*(\d+(?:\.\d+)?))?\s*$/i.exec(text ?? '');
  const ratio = Number(found?.[1] ?? NaN) / Number(found?.[2] ?? 1);
  return ratio >= 0.05 && ratio <= 20 ? ratio : undefined;
}
