/** Why the platform would not do an action, in words: access, supply, time window, whitelist, ownership, state. */
import { isObject } from '../platform/json.ts';
import type { Principal } from './credentials.ts';
import type { ActionPlan } from './data/catalogue.ts';
import { at, iso } from './data/context.ts';
import type { Action } from './execute.ts';
import type { World } from './world.ts';

/** What every wallet holds of each token; no wallet holds what is not here. */
const BALANCE: Readonly<Record<string, bigint>> = { TRAIL: 1000n, POINTS: 5000n, ALP: 1_000_000n };

/** Undefined where nothing stands against it. */
export function refusal(world: World, action: Action, who: Principal): string | undefined {
  const { kind, template } = action;
  const listed = template.plan.actions.find(({ name }) => name === kind);
  if (listed === undefined) return `the template ${template.plan.name} does not list the action ${kind}`;
  return (
    accessRefusal(world, action, listed, who) ??
    (action.object === undefined ? factoryRefusal(world, action) : objectRefusal(world, action, listed, who))
  );
}

function accessRefusal(world: World, action: Action, listed: ActionPlan, who: Principal): string | undefined {
  const { index, plan } = action.template;
  const { type, tokens } = listed.access ?? { type: 'public' };
  if (type === 'private') {
    const issuer = who.may('templates', 'update', at(world.organizations, plan.organization).id);
    return issuer ? undefined : `access denied: ${action.kind} is private to the issuer`;
  }
  if (type === 'whitelist') {
    const { to } = action.fields;
    const wallet = action.kind === 'mint' && typeof to === 'string' ? to : who.address;
    const list = world.templates.supplyOf(index)?.whitelist ?? [];
    return list.includes(wallet) ? undefined : `the wallet ${wallet} is not on the whitelist`;
  }
  for (const [token, amount] of Object.entries(type === 'token' ? (tokens ?? {}) : {})) {
    const needed = BigInt(JSON.isRawJSON(amount) ? amount.rawJSON : String(amount));
    const held = BALANCE[token] ?? 0n;
    if (held < needed) return `insufficient token balance: ${needed} ${token} needed, ${held} held`;
  }
  return undefined;
}

function factoryRefusal(world: World, { fields, template }: Action): string | undefined {
  const supply = world.templates.supplyOf(template.index);
  if (supply === undefined) return undefined;
  const now = world.clock.now();
  if (supply.start !== undefined && now < supply.start)
    return `outside the time window: issuing starts at ${iso(supply.start)}`;
  if (supply.end !== undefined && now > supply.end)
    return `outside the time window: issuing ended at ${iso(supply.end)}`;
  const wanted = Number(fields['num'] ?? 1);
  if (supply.max > 0 && supply.minted + wanted > supply.max)
    return `supply exhausted: ${supply.minted} of ${supply.max} are minted`;
  return undefined;
}

function objectRefusal(world: World, action: Action, listed: ActionPlan, who: Principal): string | undefined {
  const object = action.object?.item() ?? {};
  const organization = at(world.organizations, action.template.plan.organization).id;
  if (action.kind === 'pickup') return isObject(object['location']) ? undefined : 'the object has not been dropped';
  if (object['owner'] !== who.address && !who.may('objects', 'update', organization))
    return 'the caller does not own the object';
  const custom = isObject(object['custom']) ? object['custom'] : {};
  if (action.kind === 'redeem' && listed.config?.['once'] === true && custom['redeemed'] === true)
    return 'the object has been redeemed already';
  return undefined;
}
