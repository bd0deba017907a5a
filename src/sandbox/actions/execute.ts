/** `POST /ebus/execute`: parses the action, checks the rules, and changes objects. */
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import type { Item } from '../generation/collection.ts';
import { requirePermission, type Principal } from '../auth/principal.ts';
import { pickCyclic, formatIso } from '../generation/generated-source.ts';
import { geoHash } from '../generation/geo-hash.ts';
import { badRequest } from '../http/errors.ts';
import { ok, type RouteResponse, type RouteRequest } from '../http/responses.ts';
import { parseAction, type Action } from './action.ts';
import { sha256 } from '../generation/random.ts';
import type { RecordedExecution } from '../options.ts';
import type { RequestRecorder } from '../request-recorder.ts';
import { requirePrincipal } from '../http/routes.ts';
import { LIVE_INDEX_START, type AffectedObject, type Settlement } from './settlement.ts';
import { findRefusal } from './rules.ts';
import type { World } from '../world.ts';

type Signer = Pick<Principal, 'walletId' | 'address'>;

/** Executes actions. */
export class Executor {
  readonly #world: World;
  readonly #settlement: Settlement;
  readonly #recorder: RequestRecorder;
  #mintedCount = 0;

  constructor(world: World, settlement: Settlement, recorder: RequestRecorder) {
    this.#world = world;
    this.#settlement = settlement;
    this.#recorder = recorder;
  }

  /** Executes the action of a request. Throws HttpError 400 and 403; refusals by a rule are in the response. */
  execute(call: RouteRequest): RouteResponse {
    const principal = requirePrincipal(call);
    const { body } = call;
    if (!isObject(body)) throw badRequest('the body must be a JSON object with an "action"');
    const { signature } = body;
    if (signature !== undefined && typeof signature !== 'string') throw badRequest('signature: a string');
    const action = parseAction(this.#world, body['action']);
    const organization = pickCyclic(this.#world.organizations, action.template.plan.organization).id;
    requirePermission(principal, 'ebus.actions', 'create', organization);
    this.#recorder.countExecute();
    return ok(this.#run(action, principal, body, findRefusal(this.#world, action, principal)));
  }

  /** Repeats executions, each at its time, and then catches up with the system's clock, or stays paused at a time. */
  replay(executions: readonly RecordedExecution[], pausedAt?: number): void {
    const { clock } = this.#world;
    for (const { when, walletId, address, body, refused } of executions) {
      clock.advance(Math.max(0, when - clock.now()));
      this.#run(parseAction(this.#world, body['action']), { walletId, address }, body, refused);
    }
    if (pausedAt === undefined) clock.catchUp();
    else clock.advance(Math.max(0, pausedAt - clock.now()));
  }

  #run(action: Action, principal: Signer, body: JsonObject, refused: string | undefined): JsonObject {
    const { signature } = body;
    const { walletId, address } = principal;
    const when = this.#world.clock.now();
    this.#world.settings.onExecute({ when, walletId, address, body, refused });
    const organization = pickCyclic(this.#world.organizations, action.template.plan.organization).id;
    const isForcedFailure = refused === undefined && this.#settlement.consumeForcedFailure();
    const affected = refused === undefined && !isForcedFailure ? this.#apply(action, principal, when) : [];
    const alias = action.template.plan.actions.find(({ name }) => name === action.kind)?.alias;
    const id = this.#settlement.record({
      when,
      action: action.kind,
      ...(alias !== undefined && { alias }),
      organization,
      walletId: principal.walletId,
      signer: principal.address,
      params: [action.fields],
      ...(typeof signature === 'string' && { signature }),
      affected,
      error: refused ?? (isForcedFailure ? 'execution reverted' : undefined),
    });
    const step =
      refused === undefined
        ? {
            action: action.kind,
            output: { ids: isForcedFailure ? this.#getExpectedIds(action) : affected.map((object) => object.id) },
          }
        : { action: action.kind, error: refused };
    return { action_id: id, steps: [step] };
  }

  #apply(action: Action, principal: Signer, when: number): AffectedObject[] {
    if (action.object === undefined) return this.#mint(action, principal, when);
    const { object } = action;
    const before = object.item();
    const templateId = String(before['template_id']);
    const base = { id: String(before['id']), template_id: templateId, prev_state_root: String(before['state_root']) };
    const objects = this.#world.collection('objects');
    if (action.kind === 'burn') {
      objects.remove(base.id);
      return [{ ...base, next_state_root: `0x${sha256(`burnt/${base.id}`)}` }];
    }
    const after = this.#withStateRoot({
      ...applyChange(action, before, principal),
      nonce: Number(before['nonce']) + 1,
      version: Number(before['version']) + 1,
      when_modified: formatIso(when),
    });
    objects.put(base.id, after, object.created, String(after['org_id']));
    return [{ ...base, next_state_root: String(after['state_root']) }];
  }

  #getExpectedIds(action: Action): string[] {
    if (action.object !== undefined) return [String(action.fields['id'])];
    return Array.from({ length: Number(action.fields['num'] ?? 1) }, () =>
      this.#world.objects.idAt(LIVE_INDEX_START + this.#mintedCount++),
    );
  }

  #mint({ fields, template }: Action, principal: Signer, when: number): AffectedObject[] {
    const world = this.#world;
    const blueprint = world.collection('templates').get(String(fields['template_id'])) ?? {};
    const pattern = isObject(blueprint['object']) ? blueprint['object'] : {};
    const data = isObject(fields['data']) ? fields['data'] : {};
    const custom = { ...toObject(pattern['custom']), ...toObject(data['custom']) };
    const organization = pickCyclic(world.organizations, template.plan.organization);
    return Array.from({ length: Number(fields['num'] ?? 1) }, () => {
      const id = world.objects.idAt(LIVE_INDEX_START + this.#mintedCount++);
      const edition = (world.templates.getSupply(template.index)?.minted ?? world.minted[template.index] ?? 0) + 1;
      const object = this.#withStateRoot({
        id,
        org_id: organization.id,
        ...(Object.keys(custom).length > 0 && { custom, custom_hash: sha256(JSON.stringify(custom)) }),
        metadata: { ...toObject(pattern['metadata']), edition, ...toObject(data['metadata']) },
        owner: typeof fields['to'] === 'string' ? fields['to'] : principal.address,
        template_id: fields['template_id'],
        nonce: 0,
        version: 1,
        state_root: '',
        when_created: formatIso(when),
        when_modified: formatIso(when),
      });
      world.collection('objects').put(id, object, when, organization.id);
      world.minted[template.index] = (world.minted[template.index] ?? 0) + 1;
      world.mints.push({ when, template: template.index, signer: principal.address });
      return { id, template_id: String(fields['template_id']), next_state_root: String(object['state_root']) };
    });
  }

  /** Adds the state root, computed from all other fields without the sandbox's own address. */
  #withStateRoot(object: Item): Item {
    const { state_root: _old, ...state } = object;
    const text = JSON.stringify(state).replaceAll(this.#world.context.url(''), '');
    return { ...object, state_root: `0x${sha256(text)}` };
  }
}

function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The object after the action, without updated counters and state root. */
function applyChange({ kind, fields }: Action, before: Item, principal: Signer): Item {
  switch (kind) {
    case 'transfer':
      return { ...before, owner: fields['to'] };
    case 'update': {
      const data = toObject(fields['data']);
      const custom = { ...toObject(before['custom']), ...toObject(data['custom']) };
      const metadata = { ...toObject(before['metadata']), ...toObject(data['metadata']) };
      return { ...before, metadata, ...('custom' in data && { custom, custom_hash: sha256(JSON.stringify(custom)) }) };
    }
    case 'drop': {
      const latitude = Number(fields['latitude']);
      const longitude = Number(fields['longitude']);
      return { ...before, location: { latitude, longitude, geo_hash: geoHash(latitude, longitude) } };
    }
    case 'pickup': {
      const { location: _location, ...rest } = before;
      return { ...rest, owner: principal.address };
    }
    case 'redeem':
    case 'connect': {
      const custom = { ...toObject(before['custom']), [kind === 'redeem' ? 'redeemed' : 'connected']: true };
      return { ...before, custom, custom_hash: sha256(JSON.stringify(custom)) };
    }
    case 'bridgeNFT':
      return {
        ...before,
        chain: {
          ...toObject(before['chain']),
          contract_address: `0x${sha256('bridge').slice(0, 40)}`,
          network: 'polygon',
          chain_id: 137,
        },
      };
    default:
      return before;
  }
}
