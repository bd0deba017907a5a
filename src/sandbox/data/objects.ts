/** Smart objects, each generated from its index on demand. */
import * as z from 'zod/mini';
import { SeededRandom, IdGenerator, seededNumber, sha256, ZERO_ADDRESS } from '../generation/random.ts';
import type { Item, Source } from '../generation/collection.ts';
import { catalogue } from './template-catalogue.ts';
import { pickCyclic, DAY, formatIso, type GenerationContext } from '../generation/generated-source.ts';
import { geoHash } from '../generation/geo-hash.ts';
import { readWorld } from '../static-files.ts';
import { createObjectContent } from './object-content.ts';
import type { Organization } from './organizations.ts';
import { getEdition, getTemplateIndex } from './templates.ts';
import type { Account } from './wallets.ts';

/** Places of dropped objects: latitude and longitude. */
const PLACES = readWorld('places', z.array(z.tuple([z.number(), z.number()])));

/** Days before the epoch over which creations are spread. */
const DAYS = 45;
/** Period of the owners, coprime to that of the templates. */
const OWNERS = 61;
/** First index of burnt objects, which exist only in logs. */
export const DELETED_OBJECTS_START = 0x4000_0000;

interface ObjectOptions {
  readonly context: GenerationContext;
  readonly organizations: readonly [Organization, ...Organization[]];
  readonly size: number;
  readonly account: (index: number) => Account;
  readonly templateId: (index: number) => string;
  readonly reference: (index: number) => Item;
  /** the raster picture of a template */
  readonly picture: (template: number) => Item;
  readonly assetPath: (index: number) => string;
  /** Nonce and last change of an object that has logs. */
  getHistory(index: number): { readonly nonce: number; readonly changed: number } | undefined;
}

export interface Objects {
  readonly source: Source;
  idAt(index: number): string;
  getOwner(index: number): string;
  getLocation(index: number): { readonly latitude: number; readonly longitude: number } | undefined;
  /** The state root after `nonce` changes. */
  rootAt(index: number, nonce: number): string;
}

/** The source of objects. */
export function createObjects(options: ObjectOptions): Objects {
  const { context, organizations, size } = options;
  const { seed, epoch } = context;
  const ids = new IdGenerator(seed, 'obj');
  const step = Math.max(1, Math.floor((DAYS * DAY) / (size + 1)));
  const createdAt = (index: number): number =>
    epoch - (size - index) * step - (step > 1 ? seededNumber(seed, 'created', index) % step : 0);
  const changedAt = (index: number): number =>
    options.getHistory(index)?.changed ??
    Math.min(epoch, createdAt(index) + (seededNumber(seed, 'changed', index) % (3 * DAY)));
  const ownerIndex = (index: number): number => seededNumber(seed, 'owner', index % OWNERS) % 25;
  const getOwner = (index: number): string => {
    const owner = ownerIndex(index);
    return owner === 24 ? ZERO_ADDRESS : options.account(owner).address;
  };
  const getLocation = (index: number) => {
    if (index % 11 !== 4) return undefined;
    const [latitude, longitude] = pickCyclic(PLACES, index % 12);
    const shift = (label: string): number => ((seededNumber(seed, label, index) % 2000) - 1000) / 1e5;
    return {
      latitude: Number((latitude + shift('latitude')).toFixed(6)),
      longitude: Number((longitude + shift('longitude')).toFixed(6)),
    };
  };
  const getNonce = (index: number): number =>
    options.getHistory(index)?.nonce ?? seededNumber(seed, 'nonce', index) % 5;
  const getVersion = (index: number): number => 1 + Math.floor(getNonce(index) / 2);
  const getPlace = (index: number) => {
    const place = getLocation(index);
    return place && { ...place, geo_hash: geoHash(place.latitude, place.longitude) };
  };
  const rootAt = (index: number, nonce: number): string => `0x${sha256(`${seed}/${ids.at(index)}/${nonce}`)}`;
  const image = (index: number, template: number): Item | undefined => {
    const kind = index % 13;
    if (kind === 12) return undefined;
    if (kind === 7) return { id: `img_${index}`, url: options.assetPath(template), name: 'relative.svg' };
    if (kind === 3) {
      const { colour } = pickCyclic(catalogue, template);
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="${colour}"/></svg>`;
      const url = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
      return { id: `img_${index}`, type: 'image/svg+xml', url };
    }
    // Rows show raster pictures only, and not the poster.
    return index % 4 === 0 ? options.reference(template) : options.picture(template);
  };
  const organization = (index: number): string =>
    pickCyclic(organizations, pickCyclic(catalogue, getTemplateIndex(index)).organization).id;

  const make = (index: number): Item => {
    const template = getTemplateIndex(index);
    const plan = pickCyclic(catalogue, template);
    const draw = new SeededRandom(seed, 'object', index);
    const edition = getEdition(index);
    const content = createObjectContent(plan.slug, draw, edition);
    const custom = index % 17 === 16 ? undefined : content.custom;
    const picture = image(index, template);
    const place = getPlace(index);
    const id = ids.at(index);
    return {
      id,
      org_id: organization(index),
      ...(index % 4 !== 3 && {
        chain: {
          contract_address: `0x${new SeededRandom(seed, 'contract', template).hex(40)}`,
          network: 'polygon-amoy',
          chain_id: 80002,
        },
      }),
      ...(custom !== undefined && { custom, custom_hash: sha256(JSON.stringify(custom)) }),
      metadata: {
        ...(index % 29 !== 28 && { name: content.title === undefined ? plan.name : `${plan.name} · ${content.title}` }),
        ...(index % 5 !== 4 && { description: plan.description }),
        category: plan.category,
        ...(picture !== undefined && { image: picture }),
        ...(index % 6 !== 5 && { edition }),
      },
      ...(index % 3 === 0 && { assets: [options.reference(template), options.reference(12 + (index % 36))] }),
      owner: getOwner(index),
      template_id: options.templateId(template),
      ...(place !== undefined && { location: place }),
      nonce: getNonce(index),
      version: getVersion(index),
      state_root: rootAt(index, getNonce(index)),
      ...(index % 2 === 0 && { integrity_root: `0x${sha256(`integrity/${id}`)}` }),
      when_created: formatIso(createdAt(index)),
      when_modified: formatIso(changedAt(index)),
    };
  };

  const source: Source = {
    size,
    indexOf: (id) => (id.startsWith('obj_') ? ids.indexOf(id) : undefined),
    createdAt,
    create: make,
    getOrganization: organization,
    columns: {
      when_created: createdAt,
      when_modified: changedAt,
      owner: getOwner,
      org_id: organization,
      template_id: (index) => options.templateId(getTemplateIndex(index)),
      location: getPlace,
      nonce: getNonce,
      version: getVersion,
    },
  };
  return {
    source,
    idAt: (index) => ids.at(index),
    getOwner,
    getLocation,
    rootAt,
  };
}
