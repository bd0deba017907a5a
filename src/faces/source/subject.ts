/** The data that a face is shown with: an object, or the defaults of a template. */
import * as l10n from '@vscode/l10n';
import { isObject } from '../../platform/json/json.ts';
import { objects, smartObject } from '../../platform/resources/objects.ts';
import { createView } from '../../platform/schema.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { parseAssets, type Face, type FaceAsset } from './face.ts';

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
  /** address of an image */
  readonly image?: string;
  /** why the card is shown */
  readonly note: string;
  /** the address for Open in Browser */
  readonly url?: string;
}

export interface LoadedPreview {
  readonly face: Face;
  /** the data of the source itself: the object or template */
  readonly subjects: readonly Subject[];
}

/** Formats fields for a card: truncated, without empty ones. */
export function createCardRows(
  fields: readonly (readonly [name: string, value: string | number | bigint | undefined])[],
): readonly (readonly [string, string])[] {
  return fields.flatMap(([name, value]) => {
    const text = toPlainText(String(value ?? ''), 300);
    return text === '' ? [] : [[name, text] as const];
  });
}

/** Parses the JSON of an object; wrong fields are skipped. */
export function parseObjectSubject(raw: unknown, id: string): Subject {
  const view = createView(smartObject, raw);
  const { metadata } = view ?? {};
  const image = metadata?.image;
  const name = toPlainText(metadata?.name ?? '', 80);
  const edition = metadata?.edition;
  return {
    id,
    label: toPlainText(objects.summary(raw).title, 100) || id,
    data: raw,
    ...(view?.template_id !== undefined && { templateId: view.template_id }),
    assets: [...parseAssets(view?.assets), ...parseAssets(image === undefined ? [] : [image])],
    card: {
      name: name === '' ? l10n.t('Unnamed object') : name,
      ...(metadata?.description !== undefined && { description: toPlainText(metadata.description, 1000) }),
      rows: createCardRows([
        [l10n.t('Category'), metadata?.category],
        [l10n.t('Edition'), edition],
        [l10n.t('Owner'), view?.owner],
      ]),
      note: l10n.t('The object has no face with content. Its metadata is shown instead.'),
      ...(image?.url !== undefined && { image: image.url }),
    },
  };
}

/** Parses the `object` of a template as the data of a new object. */
export function parseTemplateSubject(raw: unknown, id: string): Subject {
  const object = isObject(raw) && isObject(raw['object']) ? raw['object'] : {};
  const subject = parseObjectSubject({ ...object, template_id: id }, id);
  return { ...subject, label: l10n.t('{0} (template)', subject.label) };
}
