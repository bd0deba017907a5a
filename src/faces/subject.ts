/** Whose data a face is shown with: an object, or a template's defaults (pure). */
import { isObject } from '../platform/json.ts';
import { smartObject } from '../platform/resources/objects.ts';
import { viewOf } from '../platform/schema.ts';
import { plain } from '../ui/plain.ts';
import { assetsOf, type FaceAsset } from './face.ts';

export interface Subject {
  readonly id: string;
  readonly label: string;
  /** the object's JSON, for placeholders */
  readonly data: unknown;
  readonly templateId?: string;
  readonly assets: readonly FaceAsset[];
  readonly card: Card;
}

export interface Card {
  readonly name?: string;
  readonly description?: string;
  readonly category?: string;
  readonly edition?: string;
  readonly owner?: string;
  /** address, to be fetched as any asset */
  readonly image?: string;
}

export function subjectOf(raw: unknown, id: string): Subject {
  const view = viewOf(smartObject, raw);
  const { metadata } = view ?? {};
  const image = metadata?.image;
  const name = plain(metadata?.name ?? '', 80);
  const edition = metadata?.edition;
  return {
    id,
    label: name === '' ? id : edition === undefined ? name : `${name} #${String(edition)}`,
    data: raw,
    ...(view?.template_id !== undefined && { templateId: view.template_id }),
    assets: [...assetsOf(view?.assets), ...assetsOf(image === undefined ? [] : [image])],
    card: {
      ...(name !== '' && { name }),
      ...(metadata?.description !== undefined && { description: plain(metadata.description, 1000) }),
      ...(metadata?.category !== undefined && { category: plain(metadata.category, 80) }),
      ...(edition !== undefined && { edition: String(edition) }),
      ...(view?.owner !== undefined && { owner: plain(view.owner, 120) }),
      ...(image?.url !== undefined && { image: image.url }),
    },
  };
}

/** A template's own `object` stands in for an object: what a new one would begin with. */
export function templateSubject(raw: unknown, id: string): Subject {
  const object = isObject(raw) && isObject(raw['object']) ? raw['object'] : {};
  const subject = subjectOf({ ...object, template_id: id }, id);
  return { ...subject, label: `${subject.card.name ?? id} (template)` };
}
