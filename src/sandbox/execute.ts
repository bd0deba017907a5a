/** `POST /ebus/execute`: reads the action, checks the platform's rules, and changes objects. */
import { isObject, type JsonObject } from '../platform/json.ts';
import { actionNames } from '../platform/resources/shapes.ts';
import type { Entry, Item } from './collection.ts';
import { demand, type Principal } from './credentials.ts';
import type { TemplatePlan } from './data/catalogue.ts';
import { at, iso } from './data/context.ts';
import { geoHash } from './data/geo.ts';
import { badRequest, ok, type Answer, type Call } from './http.ts';
import { sha256 } from './random.ts';
import type { Recorder } from './recorder.ts';
import { caller } from './routes.ts';
import { LIVE, type Affected, type Settlement } from './settle.ts';
import { refusal } from './rules.ts';
import type { World } from './world.ts';

type Kind = (typeof actionNames)[number];
const MOST = 100;

/** An action that has been understood: its kind, its own fields, and the template it is about. */
export interface Action {
  readonly kind: Kind;
  readonly fields: JsonObject;
  readonly template: { readonly index: number; readonly plan: TemplatePlan };
  /** the object it is about; mint has none */
  readonly object: Entry | undefined;
}

export class Executor {
  readonly #world: World;
  readonly #settlement: Settlement;
  readonly #recorder: Recorder;
  #made = 0;

  constructor(world: World, settlement: Settlement, recorder: Recorder) {
    this.#world = world;
    this.#settlement = settlement;
    this.#recorder = recorder;
  }

  execute(call: Call): Answer {
    const who = caller(call);
    const { body } = call;
    if (!isObject(body)) throw badRequest('the body must be a JSON object with an "action"');
    const { signature } = body;
    if (signature !== undefined && typeof signature !== 'string') throw badRequest('signature: a string');
    const action = this.#read(body['action']);
    const organization = at(this.#world.organizations, action.template.plan.organization).id;
    demand(who, 'ebus.actions', 'create', organization);
    this.#recorder.countExecute();

    const refused = refusal(this.#world, action, who);
    const doomed = refused === undefined && this.#settlement.takeDoom();
    const affected = refused === undefined && !doomed ? this.#apply(action, who) : [];
    const alias = action.template.plan.actions.find(({ name }) => name === action.kind)?.alias;
    const id = this.#settlement.record({
      action: action.kind,
      ...(alias !== undefined && { alias }),
      organization,
      walletId: who.walletId,
      signer: who.address,
      params: [action.fields],
      ...(signature !== undefined && { signature }),
      affected,
      error: refused ?? (doomed ? 'execution reverted' : undefined),
    });
    const step =
      refused === undefined
        ? {
            action: action.kind,
            output: { ids: doomed ? this.#promised(action) : affected.map((object) => object.id) },
          }
        : { action: action.kind, error: refused };
    return ok({ action_id: id, steps: [step] });
  }

  #read(action: unknown): Action {
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
    return kind === 'mint' ? this.#readMint(fields) : this.#readChange(kind, fields);
  }

  #readMint(fields: JsonObject): Action {
    const id = fields['template_id'];
    if (typeof id !== 'string') throw badRequest('mint: template_id is required, the id of a template');
    const template = this.#world.templates.planOf(id);
    if (template === undefined) throw badRequest(`mint: unknown template ${id}`);
    const { num = 1, to, data } = fields;
    if (typeof num !== 'number' || !Number.isInteger(num) || num < 1 || num > MOST)
      throw badRequest(`mint: num is a whole number from 1 to ${MOST}`);
    if (to !== undefined && typeof to !== 'string') throw badRequest('mint: to is an address');
    if (data !== undefined && !isObject(data)) throw badRequest('mint: data is an object with metadata and custom');
    return { kind: 'mint', fields, template, object: undefined };
  }

  #readChange(kind: Kind, fields: JsonObject): Action {
    const { id } = fields;
    if (typeof id !== 'string') {
      if ('object_id' in fields) throw badRequest(`${kind}: the field is "id", not "object_id"`);
      throw badRequest(`${kind}: id is required, the id of an object`);
    }
    const object = this.#world.collection('objects').find(id);
    if (object === undefined) throw badRequest(`${kind}: unknown object ${id}`);
    const template = this.#world.templates.planOf(String(object.item()['template_id']));
    if (template === undefined) throw badRequest(`${kind}: the object's template is not known`);
    if (kind === 'transfer' && typeof fields['to'] !== 'string')
      throw badRequest('transfer: to is required, an address');
    if (kind === 'update' && !isObject(fields['data']))
      throw badRequest('update: data is required, an object with metadata and custom');
    if (kind === 'drop' && !(within(fields['latitude'], 90) && within(fields['longitude'], 180)))
      throw badRequest('drop: latitude and longitude are required, in degrees');
    if (
      kind === 'redeem' &&
      fields['template_id'] !== undefined &&
      !(typeof fields['template_id'] === 'string' && this.#world.templates.planOf(fields['template_id']) !== undefined)
    )
      throw badRequest('redeem: unknown template');
    return { kind, fields, template, object };
  }

  #apply(action: Action, who: Principal): Affected[] {
    if (action.object === undefined) return this.#mint(action, who);
    const { object } = action;
    const before = object.item();
    const templateId = String(before['template_id']);
    const base = { id: String(before['id']), template_id: templateId, prev_state_root: String(before['state_root']) };
    const objects = this.#world.collection('objects');
    if (action.kind === 'burn') {
      objects.remove(base.id);
      return [{ ...base, next_state_root: `0x${sha256(`burnt/${base.id}`)}` }];
    }
    const after = this.#sealed({
      ...change(action, before, who),
      nonce: Number(before['nonce']) + 1,
      version: Number(before['version']) + 1,
      when_modified: iso(this.#world.clock.now()),
    });
    objects.put(base.id, after, object.created, String(after['org_id']));
    return [{ ...base, next_state_root: String(after['state_root']) }];
  }

  #promised(action: Action): string[] {
    if (action.object !== undefined) return [String(action.fields['id'])];
    return Array.from({ length: Number(action.fields['num'] ?? 1) }, () =>
      this.#world.objects.idAt(LIVE + this.#made++),
    );
  }

  #mint({ fields, template }: Action, who: Principal): Affected[] {
    const { world } = { world: this.#world };
    const now = world.clock.now();
    const blueprint = world.collection('templates').get(String(fields['template_id'])) ?? {};
    const pattern = isObject(blueprint['object']) ? blueprint['object'] : {};
    const data = isObject(fields['data']) ? fields['data'] : {};
    const custom = { ...objectOr(pattern['custom']), ...objectOr(data['custom']) };
    const organization = at(world.organizations, template.plan.organization);
    return Array.from({ length: Number(fields['num'] ?? 1) }, () => {
      const id = world.objects.idAt(LIVE + this.#made++);
      const edition = (world.templates.supplyOf(template.index)?.minted ?? world.minted[template.index] ?? 0) + 1;
      const object = this.#sealed({
        id,
        org_id: organization.id,
        ...(Object.keys(custom).length > 0 && { custom, custom_hash: sha256(JSON.stringify(custom)) }),
        metadata: { ...objectOr(pattern['metadata']), edition, ...objectOr(data['metadata']) },
        owner: typeof fields['to'] === 'string' ? fields['to'] : who.address,
        template_id: fields['template_id'],
        nonce: 0,
        version: 1,
        state_root: '',
        when_created: iso(now),
        when_modified: iso(now),
      });
      world.collection('objects').put(id, object, now, organization.id);
      world.minted[template.index] = (world.minted[template.index] ?? 0) + 1;
      const nickname = world.collection('wallets').get(who.walletId)?.['nickname'];
      world.mints.push({ when: now, template: template.index, nickname: typeof nickname === 'string' ? nickname : '' });
      return { id, template_id: String(fields['template_id']), next_state_root: String(object['state_root']) };
    });
  }

  /** With the state root that follows from all other fields. The server's own port is no part of an object's state. */
  #sealed(object: Item): Item {
    const { state_root: _old, ...state } = object;
    const text = JSON.stringify(state).replaceAll(this.#world.context.url(''), '');
    return { ...object, state_root: `0x${sha256(text)}` };
  }
}

function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function within(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most;
}

/** The object with what the action does to it, but for its counters and root. */
function change({ kind, fields }: Action, before: Item, who: Principal): Item {
  switch (kind) {
    case 'transfer':
      return { ...before, owner: fields['to'] };
    case 'update': {
      const data = objectOr(fields['data']);
      const custom = { ...objectOr(before['custom']), ...objectOr(data['custom']) };
      const metadata = { ...objectOr(before['metadata']), ...objectOr(data['metadata']) };
      return { ...before, metadata, ...('custom' in data && { custom, custom_hash: sha256(JSON.stringify(custom)) }) };
    }
    case 'drop': {
      const latitude = Number(fields['latitude']);
      const longitude = Number(fields['longitude']);
      return { ...before, location: { latitude, longitude, geo_hash: geoHash(latitude, longitude) } };
    }
    case 'pickup': {
      const { location: _location, ...rest } = before;
      return { ...rest, owner: who.address };
    }
    case 'redeem':
    case 'connect': {
      const custom = { ...objectOr(before['custom']), [kind === 'redeem' ? 'redeemed' : 'connected']: true };
      return { ...before, custom, custom_hash: sha256(JSON.stringify(custom)) };
    }
    case 'bridgeNFT':
      return {
        ...before,
        chain: {
          ...objectOr(before['chain']),
          contract_address: `0x${sha256('bridge').slice(0, 40)}`,
          network: 'polygon',
          chain_id: 137,
        },
      };
    default:
      return before;
  }
}
