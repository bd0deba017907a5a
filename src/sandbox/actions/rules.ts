/** The rules of the platform: access, supply, time window, whitelist, ownership, state. */
import { isObject } from '../../platform/json/json.ts';
import type { Principal } from '../auth/principal.ts';
import type { ActionPlan } from '../data/template-catalogue.ts';
import { pickCyclic, formatIso } from '../generation/generated-source.ts';
import type { Action } from './action.ts';
import type { World } from '../world.ts';

/** Token balances of every wallet. */
const TOKEN_BALANCES: Readonly<Record<string, bigint>> = { TRAIL: 1000n, POINTS: 5000n, ALP: 1_000_000n };

/** The reason why the platform refuses an action; undefined if it is allowed. */
export function findRefusal(world: World, action: Action, principal: Principal): string | undefined {
  const { kind, template } = action;
  const listed = template.plan.actions.find(({ name }) => name === kind);
  if (listed === undefined) return `the template ${template.plan.name} does not list the action ${kind}`;
  return (
    findAccessRefusal(world, action, listed, principal) ??
    (action.object === undefined
      ? findFactoryRefusal(world, action)
      : findObjectRefusal(world, action, listed, principal))
  );
}

function findAccessRefusal(world: World, action: Action, listed: ActionPlan, principal: Principal): string | undefined {
  const { index, plan } = action.template;
  const { type, tokens } = listed.access ?? { type: 'public' };
  if (type === 'private') {
    const issuer = principal.isAllowed('templates', 'update', pickCyclic(world.organizations, plan.organization).id);
    return issuer ? undefined : `access denied: ${action.kind} is private to the issuer`;
  }
  if (type === 'whitelist') {
    const { to } = action.fields;
    const wallet = action.kind === 'mint' && typeof to === 'string' ? to : principal.address;
    const list = world.templates.getSupply(index)?.whitelist ?? [];
    return list.includes(wallet) ? undefined : `the wallet ${wallet} is not on the whitelist`;
  }
  for (const [token, amount] of Object.entries(type === 'token' ? (tokens ?? {}) : {})) {
    const needed = BigInt(JSON.isRawJSON(amount) ? amount.rawJSON : String(amount));
    const balance = TOKEN_BALANCES[token] ?? 0n;
    if (balance < needed) return `insufficient token balance: ${needed} ${token} needed, ${balance} held`;
  }
  return undefined;
}

function findFactoryRefusal(world: World, { fields, template }: Action): string | undefined {
  const supply = world.templates.getSupply(template.index);
  if (supply === undefined) return undefined;
  const now = world.clock.now();
  if (supply.start !== undefined && now < supply.start)
    return `outside the time window: issuing starts at ${formatIso(supply.start)}`;
  if (supply.end !== undefined && now > supply.end)
    return `outside the time window: issuing ended at ${formatIso(supply.end)}`;
  const wanted = Number(fields['num'] ?? 1);
  if (supply.max > 0 && supply.minted + wanted > supply.max)
    return `supply exhausted: ${supply.minted} of ${supply.max} are minted`;
  return undefined;
}

function findObjectRefusal(world: World, action: Action, listed: ActionPlan, principal: Principal): string | undefined {
  const object = action.object?.item() ?? {};
  const organization = pickCyclic(world.organizations, action.template.plan.organization).id;
  if (action.kind === 'pickup') return isObject(object['location']) ? undefined : 'the object has not been dropped';
  if (object['owner'] !== principal.address && !principal.isAllowed('objects', 'update', organization))
    return 'the caller does not own the object';
  const custom = isObject(object['custom']) ? object['custom'] : {};
  if (action.kind === 'redeem' && listed.config?.['once'] === true && custom['redeemed'] === true)
    return 'the object has been redeemed already';
  return undefined;
}
