/** The templates: what each allows, how many there may be, and what its objects carry in `custom`. */
import { Draw } from '../random.ts';
import type { Item } from '../collection.ts';
import { catalogue, type TemplatePlan } from './catalogue.ts';
import { at, DAY, iso, table, type Context } from './context.ts';
import type { Organization } from './organizations.ts';

/** Which template the objects of 64 neighbouring indices belong to: enough to tell an object's by arithmetic. */
export const PERIOD = 64;

const slots: readonly [number, ...number[]] = [0, ...makeSlots().slice(1)];
const ranks: readonly number[] = slots.map(
  (slot, place) => slots.slice(0, place).filter((other) => other === slot).length,
);

function makeSlots(): number[] {
  const wanted = catalogue.flatMap((plan, index) => Array.from({ length: plan.weight }, () => index));
  if (wanted.length !== PERIOD) throw new Error(`weights add up to ${wanted.length}, not to ${PERIOD}`);
  const order = wanted.map((slot, place) => ({ slot, key: new Draw(7, 'slots', place).next() }));
  order.sort((a, b) => a.key - b.key);
  const shuffled = order.map(({ slot }) => slot);
  // The first object is of the first template, so that the smallest sandbox shows the best face.
  const first = shuffled.indexOf(0);
  [shuffled[0], shuffled[first]] = [0, shuffled[0] ?? 0];
  return shuffled;
}

export function templateOf(objectIndex: number): number {
  return at(slots, objectIndex % PERIOD);
}

/** Counted from 1 within its template. */
export function editionOf(objectIndex: number): number {
  const plan = at(catalogue, templateOf(objectIndex));
  return Math.floor(objectIndex / PERIOD) * plan.weight + (ranks[objectIndex % PERIOD] ?? 0) + 1;
}

/** How many objects with an index below `size` belong to the template. */
export function countBelow(template: number, size: number): number {
  const whole = Math.floor(size / PERIOD) * at(catalogue, template).weight;
  return whole + slots.slice(0, size % PERIOD).filter((slot) => slot === template).length;
}

export interface Supply {
  readonly max: number;
  readonly minted: number;
  readonly start?: number;
  readonly end?: number;
  readonly whitelist?: readonly string[];
}

/** What the factory allows, given how many objects were generated and minted since. */
function supplyOf(
  plan: TemplatePlan,
  generated: number,
  minted: number,
  context: Context,
  addresses: (index: number) => string,
): Supply | undefined {
  if (plan.factory === undefined) return undefined;
  const { supply, startDays, endDays, whitelist } = plan.factory;
  const roomy = Math.max(500, Math.ceil((generated * 1.6) / 250) * 250);
  const max = supply === 'open' ? 0 : supply === 'roomy' ? roomy : generated + (supply === 'tight' ? 3 : 0);
  return {
    max,
    minted: generated + minted,
    ...(startDays !== undefined && { start: context.epoch + startDays * DAY }),
    ...(endDays !== undefined && { end: context.epoch + endDays * DAY }),
    ...(whitelist !== undefined && { whitelist: whitelist.map(addresses) }),
  };
}

export interface Templates {
  readonly source: ReturnType<typeof table>;
  planOf(id: string): { readonly index: number; readonly plan: TemplatePlan } | undefined;
  supplyOf(index: number): Supply | undefined;
}

export interface TemplateNeeds {
  readonly context: Context;
  readonly organizations: readonly [Organization, ...Organization[]];
  readonly objects: number;
  /** how many were minted since the start */
  minted(index: number): number;
  readonly address: (index: number) => string;
  faceId(index: number): string;
  /** a reference to the picture of a template */
  picture(index: number): Item;
}

export function makeTemplates(needs: TemplateNeeds): Templates {
  const { context, organizations } = needs;
  const supply = (index: number): Supply | undefined =>
    supplyOf(at(catalogue, index), countBelow(index, needs.objects), needs.minted(index), context, needs.address);
  const source = table(context, {
    prefix: 'tpl',
    size: catalogue.length,
    days: 140,
    organizationOf: (index) => at(organizations, at(catalogue, index).organization).id,
    make: ({ index, id, created, draw }) => {
      const plan = at(catalogue, index);
      const allowed = supply(index);
      // What a mint fills in where its own data says nothing, so that a new object's face has something to show.
      const blueprint = index === 5 ? undefined : plan.custom(draw, 0);
      return {
        id,
        name: plan.name,
        fqdn: `${plan.slug}.${at(organizations, plan.organization).fqdn}`,
        object: {
          metadata: {
            name: plan.name,
            description: plan.description,
            category: plan.category,
            ...(index !== 5 && { image: needs.picture(index) }),
          },
          ...(blueprint !== undefined && { custom: { ...blueprint, ...plan.defaults } }),
          ...(index % 3 === 0 && { assets: [needs.picture(index), needs.picture(index + 1)] }),
        },
        ...(allowed !== undefined && {
          factory: {
            max_supply: allowed.max,
            minted_count: allowed.minted,
            ...(allowed.start !== undefined && { start_time: iso(allowed.start) }),
            ...(allowed.end !== undefined && { end_time: iso(allowed.end) }),
            ...(allowed.whitelist !== undefined && { whitelist: allowed.whitelist }),
          },
        }),
        ...(plan.publicFields !== undefined && { public_access: { custom: plan.publicFields } }),
        actions: plan.actions,
        ...(plan.face !== undefined && { face_id: needs.faceId(plan.face) }),
        when_created: iso(created),
        when_modified: iso(Math.min(context.epoch, created + draw.int(9) * DAY)),
      };
    },
  });
  return {
    source,
    supplyOf: supply,
    planOf(id) {
      const index = source.indexOf(id);
      return index === undefined || index >= catalogue.length ? undefined : { index, plan: at(catalogue, index) };
    },
  };
}

/** The public shape: no `fqdn`, no `public_access`, no `object.assets`. */
export function publicTemplate(item: Item): Item {
  const { fqdn: _fqdn, public_access: _access, object, ...rest } = item;
  if (typeof object !== 'object' || object === null) return rest;
  const { assets: _assets, ...shown } = object as Item;
  return { id: rest['id'], name: rest['name'], object: shown, ...rest };
}
