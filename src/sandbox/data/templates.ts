/** Templates, generated from the catalogue, and those of another platform. */
import * as z from 'zod/mini';
import { isObject } from '../../platform/json/json.ts';
import { SeededRandom } from '../generation/random.ts';
import type { Item } from '../generation/collection.ts';
import { actionPlan, catalogue, type TemplatePlan } from './template-catalogue.ts';
import {
  pickCyclic,
  DAY,
  formatIso,
  createGeneratedSource,
  type GenerationContext,
} from '../generation/generated-source.ts';
import { createObjectContent } from './object-content.ts';
import type { Organization } from './organizations.ts';

/** The template of an object repeats with this period, so that it can be computed from the object's index. */
const PERIOD = 64;

const slots: readonly [number, ...number[]] = [0, ...makeSlots().slice(1)];
const ranks: readonly number[] = slots.map(
  (slot, place) => slots.slice(0, place).filter((other) => other === slot).length,
);

function makeSlots(): number[] {
  const wanted = catalogue.flatMap((plan, index) => Array.from({ length: plan.weight }, () => index));
  if (wanted.length !== PERIOD) throw new Error(`weights add up to ${wanted.length}, not to ${PERIOD}`);
  const order = wanted.map((slot, place) => ({ slot, key: new SeededRandom(7, 'slots', place).next() }));
  order.sort((a, b) => a.key - b.key);
  const shuffled = order.map(({ slot }) => slot);
  // The first object uses the first template, so that even a sandbox with one object has a good face.
  const first = shuffled.indexOf(0);
  [shuffled[0], shuffled[first]] = [0, shuffled[0] ?? 0];
  return shuffled;
}

/** The index of the template of an object. */
export function getTemplateIndex(objectIndex: number): number {
  return pickCyclic(slots, objectIndex % PERIOD);
}

/** The edition of an object, counted from 1 within its template. */
export function getEdition(objectIndex: number): number {
  const plan = pickCyclic(catalogue, getTemplateIndex(objectIndex));
  return Math.floor(objectIndex / PERIOD) * plan.weight + (ranks[objectIndex % PERIOD] ?? 0) + 1;
}

/** Number of objects of the template with an index below `size`. */
export function countObjectsBelow(template: number, size: number): number {
  const inFullPeriods = Math.floor(size / PERIOD) * pickCyclic(catalogue, template).weight;
  return inFullPeriods + slots.slice(0, size % PERIOD).filter((slot) => slot === template).length;
}

interface Supply {
  readonly max: number;
  readonly minted: number;
  readonly start?: number;
  readonly end?: number;
  readonly whitelist?: readonly string[];
}

/** The supply of a template after `generated` generated and `minted` live objects. */
function createSupply(
  plan: TemplatePlan,
  generated: number,
  minted: number,
  context: GenerationContext,
  addresses: (index: number) => string,
): Supply | undefined {
  if (plan.factory === undefined) return undefined;
  const { supply, startDays, endDays, whitelist } = plan.factory;
  const ample = Math.max(500, Math.ceil((generated * 1.6) / 250) * 250);
  const max = supply === 'open' ? 0 : supply === 'ample' ? ample : generated + (supply === 'tight' ? 3 : 0);
  return {
    max,
    minted: generated + minted,
    ...(startDays !== undefined && { start: context.epoch + startDays * DAY }),
    ...(endDays !== undefined && { end: context.epoch + endDays * DAY }),
    ...(whitelist !== undefined && { whitelist: whitelist.map(addresses) }),
  };
}

export interface Templates {
  readonly source: ReturnType<typeof createGeneratedSource>;
  findPlan(id: string): { readonly index: number; readonly plan: TemplatePlan } | undefined;
  getSupply(index: number): Supply | undefined;
  idAt(index: number): string;
  /** Lets actions use a template of another platform, which is not in the catalogue. */
  addImported(id: string, item: Item): void;
}

interface TemplateOptions {
  readonly context: GenerationContext;
  readonly organizations: readonly [Organization, ...Organization[]];
  readonly objects: number;
  /** Number of live mints of a template. */
  minted(index: number): number;
  readonly address: (index: number) => string;
  faceId(index: number): string;
  /** A reference to the picture of a template. */
  picture(index: number): Item;
}

/** The source of templates, and access to their plans and supply. */
export function createTemplates(options: TemplateOptions): Templates {
  const { context, organizations } = options;
  const supply = (index: number): Supply | undefined =>
    createSupply(
      pickCyclic(catalogue, index),
      countObjectsBelow(index, options.objects),
      options.minted(index),
      context,
      options.address,
    );
  const source = createGeneratedSource(context, {
    prefix: 'tpl',
    size: catalogue.length,
    days: 140,
    getOrganization: (index) => pickCyclic(organizations, pickCyclic(catalogue, index).organization).id,
    make: ({ index, id, created, draw }) => {
      const plan = pickCyclic(catalogue, index);
      const allowed = supply(index);
      // Defaults of minted objects, so that their faces are complete even if a mint has no custom data.
      const blueprint = index === 5 ? undefined : createObjectContent(plan.slug, draw, 0).custom;
      return {
        id,
        name: plan.name,
        fqdn: `${plan.slug}.${pickCyclic(organizations, plan.organization).fqdn}`,
        object: {
          metadata: {
            name: plan.name,
            description: plan.description,
            category: plan.category,
            ...(index !== 5 && { image: options.picture(index) }),
          },
          ...(blueprint !== undefined && { custom: { ...blueprint, ...plan.defaults } }),
          ...(index % 3 === 0 && { assets: [options.picture(index), options.picture(index + 1)] }),
        },
        ...(allowed !== undefined && {
          factory: {
            max_supply: allowed.max,
            minted_count: allowed.minted,
            ...(allowed.start !== undefined && { start_time: formatIso(allowed.start) }),
            ...(allowed.end !== undefined && { end_time: formatIso(allowed.end) }),
            ...(allowed.whitelist !== undefined && { whitelist: allowed.whitelist }),
          },
        }),
        ...(plan.publicFields !== undefined && { public_access: { custom: plan.publicFields } }),
        actions: plan.actions,
        ...(plan.face !== undefined && { face_id: options.faceId(plan.face) }),
        when_created: formatIso(created),
        when_modified: formatIso(Math.min(context.epoch, created + draw.int(9) * DAY)),
      };
    },
  });
  /** their indices follow those of the catalogue */
  const imported: { readonly id: string; item: Item }[] = [];
  const findCatalogued = (id: string): number | undefined => {
    const index = source.indexOf(id);
    return index === undefined || index >= catalogue.length ? undefined : index;
  };
  return {
    source,
    getSupply(index) {
      const item = imported[index - catalogue.length]?.item;
      return item === undefined ? supply(index) : createImportedSupply(item, options.minted(index));
    },
    idAt: (index) => imported[index - catalogue.length]?.id ?? source.idAt(index),
    addImported(id, item) {
      const known = imported.find((each) => each.id === id);
      if (known !== undefined) known.item = item;
      else if (findCatalogued(id) === undefined) imported.push({ id, item });
    },
    findPlan(id) {
      const place = imported.findIndex((each) => each.id === id);
      const item = imported[place]?.item;
      if (item !== undefined) return { index: catalogue.length + place, plan: createImportedPlan(item) };
      const index = findCatalogued(id);
      return index === undefined ? undefined : { index, plan: pickCyclic(catalogue, index) };
    },
  };
}

/** What the rules need of a template of another platform: its actions belong to the first organization. */
function createImportedPlan({ name, actions }: Item): TemplatePlan {
  const plans = Array.isArray(actions) ? actions.flatMap((action) => z.safeParse(actionPlan, action).data ?? []) : [];
  return {
    name: String(name),
    slug: '',
    category: '',
    description: '',
    colour: '',
    organization: 0,
    weight: 0,
    actions: plans,
  };
}

function createImportedSupply({ factory }: Item, minted: number): Supply | undefined {
  if (!isObject(factory)) return undefined;
  const { max_supply: max, minted_count: count, start_time: start, end_time: end, whitelist } = factory;
  return {
    max: Number(max ?? 0),
    minted: Number(count ?? 0) + minted,
    ...(typeof start === 'string' && { start: Date.parse(start) }),
    ...(typeof end === 'string' && { end: Date.parse(end) }),
    ...(Array.isArray(whitelist) && { whitelist: whitelist.map(String) }),
  };
}

/** The public shape: without `fqdn`, `public_access` and `object.assets`. */
export function toPublicTemplate(item: Item): Item {
  const { fqdn: _fqdn, public_access: _access, object, ...rest } = item;
  if (typeof object !== 'object' || object === null) return rest;
  const { assets: _assets, ...publicObject } = object as Item;
  return { id: rest['id'], name: rest['name'], object: publicObject, ...rest };
}
