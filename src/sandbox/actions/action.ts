/** Parses the action of an execution. */
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { actionNames } from '../../platform/resources/shared-schemas.ts';
import type { TemplatePlan } from '../data/template-catalogue.ts';
import type { Entry } from '../generation/collection.ts';
import { badRequest } from '../http/errors.ts';
import type { World } from '../world.ts';

type ActionKind = (typeof actionNames)[number];
const MAX_MINTED = 100;

/** A parsed action. */
export interface Action {
  readonly kind: ActionKind;
  readonly fields: JsonObject;
  readonly template: { readonly index: number; readonly plan: TemplatePlan };
  /** the affected object; undefined for mint */
  readonly object: Entry | undefined;
}

/** Parses the `action` of a request body. Throws HttpError 400. */
export function parseAction(world: World, action: unknown): Action {
  if (!isObject(action))
    throw badRequest('action: an object with one key that names the kind, such as {"mint": {"template_id": "…"}}');
  const names = Object.keys(action);
  const [name] = names;
  if (name === undefined) throw badRequest(`action: empty; one of ${actionNames.join(', ')} is due`);
  if (names.length > 1) throw badRequest(`action: one kind at a time, not ${names.join(' and ')}`);
  const kind = actionNames.find((known) => known === name);
  if (kind === undefined) throw badRequest(`action: "${name}" is not known; one of ${actionNames.join(', ')}`);
  const fields = action[name];
  if (!isObject(fields)) throw badRequest(`${kind}: an object`);
  return kind === 'mint' ? parseMint(world, fields) : parseChange(world, kind, fields);
}

function parseMint(world: World, fields: JsonObject): Action {
  const id = fields['template_id'];
  if (typeof id !== 'string') throw badRequest('mint: template_id is required, the id of a template');
  const template = world.templates.findPlan(id);
  if (template === undefined) throw badRequest(`mint: unknown template ${id}`);
  const { num = 1, to, data } = fields;
  if (typeof num !== 'number' || !Number.isInteger(num) || num < 1 || num > MAX_MINTED)
    throw badRequest(`mint: num is a whole number from 1 to ${MAX_MINTED}`);
  if (to !== undefined && typeof to !== 'string') throw badRequest('mint: to is an address');
  if (data !== undefined && !isObject(data)) throw badRequest('mint: data is an object with metadata and custom');
  return { kind: 'mint', fields, template, object: undefined };
}

function parseChange(world: World, kind: ActionKind, fields: JsonObject): Action {
  const { id } = fields;
  if (typeof id !== 'string') {
    if ('object_id' in fields) throw badRequest(`${kind}: the field is "id", not "object_id"`);
    throw badRequest(`${kind}: id is required, the id of an object`);
  }
  const object = world.collection('objects').find(id);
  if (object === undefined) throw badRequest(`${kind}: unknown object ${id}`);
  const template = world.templates.findPlan(String(object.item()['template_id']));
  if (template === undefined) throw badRequest(`${kind}: the object's template is not known`);
  if (kind === 'transfer' && typeof fields['to'] !== 'string') throw badRequest('transfer: to is required, an address');
  if (kind === 'update' && !isObject(fields['data']))
    throw badRequest('update: data is required, an object with metadata and custom');
  if (kind === 'drop' && !(isWithin(fields['latitude'], 90) && isWithin(fields['longitude'], 180)))
    throw badRequest('drop: latitude and longitude are required, in degrees');
  if (
    kind === 'redeem' &&
    fields['template_id'] !== undefined &&
    !(typeof fields['template_id'] === 'string' && world.templates.findPlan(fields['template_id']) !== undefined)
  )
    throw badRequest('redeem: unknown template');
  return { kind, fields, template, object };
}

function isWithin(value: unknown, max: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= max;
}
