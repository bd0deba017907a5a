/** Pure: what a row of one kind says of itself when it is expanded, besides its ways to others. */
import { isObject } from '../platform/json.ts';
import { action } from './template-action.ts';
import { bytes, storedAsset } from '../platform/resources/assets.ts';
import { batch } from '../platform/resources/batches.ts';
import { face } from '../platform/resources/faces.ts';
import { smartObject } from '../platform/resources/objects.ts';
import { supply, template } from '../platform/resources/templates.ts';
import { viewOf } from '../platform/schema.ts';

export interface Fact {
  readonly type: 'fact';
  readonly label: string;
  readonly value: string;
  readonly icon: string;
  readonly url?: string;
}

const fact = (label: string, value: string | number | bigint | undefined, icon: string): readonly Fact[] =>
  value === undefined || value === '' ? [] : [{ type: 'fact', label, value: String(value), icon }];

/** Opened in the browser on a click, never loaded; http and https only. */
function link(label: string, url: string | undefined): readonly Fact[] {
  const usable = url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url);
  return usable ? [{ type: 'fact', label, value: url, icon: 'link-external', url }] : fact(label, url, 'link');
}

const byKind: Readonly<Record<string, (raw: unknown) => readonly Fact[]>> = {
  templates(raw) {
    const view = viewOf(template, raw);
    return [
      ...(view?.actions ?? []).map(action),
      ...fact('Supply', supply(view?.factory), 'package'),
      ...fact('Whitelist', view?.factory?.whitelist?.length, 'list-selection'),
    ];
  },
  objects(raw) {
    const view = viewOf(smartObject, raw);
    const { location, chain } = view ?? {};
    const place = [location?.latitude, location?.longitude].filter((part) => part !== undefined).join(', ');
    const geo = location?.geo_hash;
    return [
      ...fact('Location', geo === undefined ? place : `${place} (${geo})`, 'location'),
      ...fact(
        'Chain',
        [chain?.network, chain?.contract_address].filter((part) => part !== undefined).join(' · '),
        'link',
      ),
    ];
  },
  assets(raw) {
    const view = viewOf(storedAsset, raw);
    return [
      ...link('URL', view?.url),
      ...fact('Size', view?.size === undefined ? undefined : bytes(view.size), 'database'),
      ...fact('Public', view?.is_public === undefined ? undefined : view.is_public ? 'yes' : 'no', 'eye'),
    ];
  },
  faces: (raw) => link('URL', viewOf(face, raw)?.url),
  batches(raw) {
    const view = viewOf(batch, raw);
    return [
      ...fact('Error', view?.error, 'error'),
      ...fact('Actions', view?.actions_count, 'list-ordered'),
      ...fact('Signatures', view?.signatures?.length, 'verified'),
    ];
  },
};

/** Empty for a kind that has none. */
export function factsOf(kind: string, raw: unknown): readonly Fact[] {
  return [...(Object.hasOwn(byKind, kind) ? (byKind[kind]?.(raw) ?? []) : []), ...permissions(raw)];
}

/** Roles and API keys: one row a permission, `objects: read, create`. */
function permissions(raw: unknown): readonly Fact[] {
  const list = isObject(raw) ? raw['permissions'] : undefined;
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).flatMap((permission) => {
    const { resource, crud } = permission;
    if (typeof resource !== 'string') return [];
    const verbs = isObject(crud) ? Object.entries(crud).filter(([, allowed]) => allowed === true) : [];
    return fact(resource, verbs.map(([verb]) => verb).join(', ') || 'nothing', 'shield');
  });
}

export { actionNamed } from './template-action.ts';
