/** Smart objects, each made from its index: a million of them cost no more memory than one. */
import { Draw, Ids, noise, sha256, ZERO_ADDRESS } from '../random.ts';
import type { Item, Source } from '../collection.ts';
import { catalogue } from './catalogue.ts';
import { at, DAY, iso, type Context } from './context.ts';
import { geoHash, PLACES } from './geo.ts';
import type { Organization } from './organizations.ts';
import { editionOf, PERIOD, templateOf } from './templates.ts';
import type { Account } from './wallets.ts';

/** Objects were created over so many days before the epoch. */
const DAYS = 45;
/** Owners repeat with this period, which shares no factor with that of the templates. */
const OWNERS = 61;
/** Where the indices of burnt objects start: their ids exist in logs, they do not. */
export const GHOSTS = 0x4000_0000;

export interface ObjectNeeds {
  readonly context: Context;
  readonly organizations: readonly [Organization, ...Organization[]];
  readonly size: number;
  readonly account: (index: number) => Account;
  readonly templateId: (index: number) => string;
  readonly reference: (index: number) => Item;
  readonly assetPath: (index: number) => string;
  /** of an object whose story the logs tell: nonce, and when it last changed */
  story(index: number): { readonly nonce: number; readonly changed: number } | undefined;
}

export interface Objects {
  readonly source: Source;
  idAt(index: number): string;
  ownerOf(index: number): string;
  located(index: number): { readonly latitude: number; readonly longitude: number } | undefined;
  /** the state root after so many changes */
  rootAt(index: number, nonce: number): string;
  customOf(template: number, draw: Draw, edition: number): Item | undefined;
}

export function makeObjects(needs: ObjectNeeds): Objects {
  const { context, organizations, size } = needs;
  const { seed, epoch } = context;
  const ids = new Ids(seed, 'obj');
  const step = Math.max(1, Math.floor((DAYS * DAY) / (size + 1)));
  const createdAt = (index: number): number =>
    epoch - (size - index) * step - (step > 1 ? noise(seed, 'created', index) % step : 0);
  const changedAt = (index: number): number =>
    needs.story(index)?.changed ?? Math.min(epoch, createdAt(index) + (noise(seed, 'changed', index) % (3 * DAY)));
  const ownerIndex = (index: number): number => noise(seed, 'owner', index % OWNERS) % 25;
  const ownerOf = (index: number): string => {
    const owner = ownerIndex(index);
    return owner === 24 ? ZERO_ADDRESS : needs.account(owner).address;
  };
  const located = (index: number) => {
    if (index % 11 !== 4) return undefined;
    const [latitude, longitude] = at(PLACES, index % 12);
    const shift = (label: string): number => ((noise(seed, label, index) % 2000) - 1000) / 1e5;
    return {
      latitude: Number((latitude + shift('latitude')).toFixed(6)),
      longitude: Number((longitude + shift('longitude')).toFixed(6)),
    };
  };
  const nonceOf = (index: number): number => needs.story(index)?.nonce ?? noise(seed, 'nonce', index) % 5;
  const rootAt = (index: number, nonce: number): string => `0x${sha256(`${seed}/${ids.at(index)}/${nonce}`)}`;
  const image = (index: number, template: number): Item | undefined => {
    const kind = index % 13;
    if (kind === 12) return undefined;
    if (kind === 7) return { id: `img_${index}`, url: needs.assetPath(template), name: 'relative.svg' };
    if (kind === 3) {
      const [from] = at(catalogue, template).colours;
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="${from}"/></svg>`;
      const url = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
      return { id: `img_${index}`, type: 'image/svg+xml', url };
    }
    return needs.reference(template);
  };
  const organization = (index: number): string => at(organizations, at(catalogue, templateOf(index)).organization).id;

  const make = (index: number): Item => {
    const template = templateOf(index);
    const plan = at(catalogue, template);
    const draw = new Draw(seed, 'object', index);
    const edition = editionOf(index);
    const custom = index % 17 === 16 ? undefined : plan.custom(draw, edition);
    const title = plan.title?.(draw, edition);
    const picture = image(index, template);
    const place = located(index);
    const id = ids.at(index);
    return {
      id,
      org_id: organization(index),
      ...(index % 4 !== 3 && {
        chain: {
          contract_address: `0x${new Draw(seed, 'contract', template).hex(40)}`,
          network: 'polygon-amoy',
          chain_id: 80002,
        },
      }),
      ...(custom !== undefined && { custom, custom_hash: sha256(JSON.stringify(custom)) }),
      metadata: {
        ...(index % 29 !== 28 && { name: title === undefined ? plan.name : `${plan.name} · ${title}` }),
        ...(index % 5 !== 4 && { description: plan.description }),
        category: plan.category,
        ...(picture !== undefined && { image: picture }),
        ...(index % 6 !== 5 && { edition }),
      },
      ...(index % 3 === 0 && { assets: [needs.reference(template), needs.reference(12 + (index % 36))] }),
      owner: ownerOf(index),
      template_id: needs.templateId(template),
      ...(place !== undefined && { location: { ...place, geo_hash: geoHash(place.latitude, place.longitude) } }),
      nonce: nonceOf(index),
      version: 1 + Math.floor(nonceOf(index) / 2),
      state_root: rootAt(index, nonceOf(index)),
      ...(index % 2 === 0 && { integrity_root: `0x${sha256(`integrity/${id}`)}` }),
      when_created: iso(createdAt(index)),
      when_modified: iso(changedAt(index)),
    };
  };

  const slotTest = (holds: (template: number) => boolean): ((index: number) => boolean) => {
    const wanted = Array.from({ length: PERIOD }, (_, slot) => holds(templateOf(slot)));
    return (index) => wanted[index % PERIOD] === true;
  };
  const source: Source = {
    size,
    indexOf: (id) => (id.startsWith('obj_') ? ids.indexOf(id) : undefined),
    createdAt,
    make,
    organizationOf: organization,
    test(parameter, value) {
      switch (parameter) {
        case 'org_id':
          return slotTest((template) => at(organizations, at(catalogue, template).organization).id === value);
        case 'template_id':
          return slotTest((template) => needs.templateId(template) === value);
        case 'fqdn':
          return slotTest((template) => fqdnMatches(template, value, organizations));
        case 'owner': {
          const wanted = Array.from({ length: OWNERS }, (_, place) => ownerOf(place) === value);
          return (index) => wanted[index % OWNERS] === true;
        }
        case 'dropped':
          return (index) => (located(index) !== undefined) === (value === 'true');
        case 'geo_hash':
          return (index) => {
            const place = located(index);
            return place !== undefined && geoHash(place.latitude, place.longitude).startsWith(value);
          };
        default:
          return undefined;
      }
    },
    column(field) {
      if (field === 'when_created') return createdAt;
      if (field === 'when_modified') return changedAt;
      if (field === 'owner') return ownerOf;
      if (field === 'org_id') return organization;
      if (field === 'template_id') return (index) => needs.templateId(templateOf(index));
      if (field === 'nonce') return nonceOf;
      if (field === 'version') return (index) => 1 + Math.floor(nonceOf(index) / 2);
      return undefined;
    },
  };
  return {
    source,
    idAt: (index) => ids.at(index),
    ownerOf,
    located,
    rootAt,
    customOf: (template, draw, edition) => at(catalogue, template).custom(draw, edition),
  };
}

/** A template's own name or its organization's, or any name above it. */
export function fqdnMatches(
  template: number,
  value: string,
  organizations: readonly [Organization, ...Organization[]],
): boolean {
  const plan = at(catalogue, template);
  const name = `${plan.slug}.${at(organizations, plan.organization).fqdn}`;
  return name === value || name.endsWith(`.${value}`);
}
