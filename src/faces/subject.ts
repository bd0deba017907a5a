/** Whose data a face is shown with: an object, or a template's defaults (pure). */
import { isObject } from '../platform/json.ts';
import { smartObject } from '../platform/resources/objects.ts';
import { viewOf } from '../platform/schema.ts';
import { plainText } from '../platform/plain-text.ts';
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
  readonly name: string;
  readonly description?: string;
  /** name and value */
  readonly rows: readonly (readonly [string, string])[];
  /** address, to be fetched as any asset */
  readonly image?: string;
  /** why there is a card and nothing more */
  readonly note: string;
  /** what Open in Browser opens */
  readonly url?: string;
}

/** Cut, and without those that are absent. */
export function cardRows(
  fields: Readonly<Record<string, string | number | bigint | undefined>>,
): readonly (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const text = plainText(String(value ?? ''), 300);
    return text === '' ? [] : [[name, text] as const];
  });
}

export function subjectOf(raw: unknown, id: string): Subject {
  const view = viewOf(smartObject, raw);
  const { metadata } = view ?? {};
  const image = metadata?.image;
  const name = plainText(metadata?.name ?? '', 80);
  const edition = metadata?.edition;
  return {
    id,
    label: name === '' ? id : edition === undefined ? name : `${name} #${String(edition)}`,
    data: raw,
    ...(view?.template_id !== undefined && { templateId: view.template_id }),
    assets: [...assetsOf(view?.assets), ...assetsOf(image === undefined ? [] : [image])],
    card: {
      name: name === '' ? 'Unnamed object' : name,
      ...(metadata?.description !== undefined && { description: plainText(metadata.description, 1000) }),
      rows: cardRows({ Category: metadata?.category, Edition: edition, Owner: view?.owner }),
      note: 'Nothing to render: a card made from the object’s metadata.',
      ...(image?.url !== undefined && { image: image.url }),
    },
  };
}

/** A template's own `object` stands in for an object: what a new one would begin with. */
export function templateSubject(raw: unknown, id: string): Subject {
  const object = isObject(raw) && isObject(raw['object']) ? raw['object'] : {};
  const subject = subjectOf({ ...object, template_id: id }, id);
  return { ...subject, label: `${subject.label} (template)` };
}
