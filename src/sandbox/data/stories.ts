/** What happened in the thirty days before the start: a fixed number of actions, each object's in a chain that ends in its state. */
import { Draw } from '../random.ts';
import { catalogue } from './catalogue.ts';
import { at, DAY, HOUR, MINUTE, type Context } from './context.ts';
import { GHOSTS } from './objects.ts';
import { templateOf } from './templates.ts';
import { WALLETS } from './wallets.ts';

/** One action log to be, without the texts that can be made from it. */
export interface Plan {
  readonly when: number;
  readonly action: string;
  readonly template: number;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly wallet: number;
  /** index of the object; absent where none was reached */
  readonly object?: number;
  /** the object's nonce afterwards; absent where nothing changed; 0 is the mint */
  readonly nonce?: number;
  /** the object's location is this action's */
  readonly final?: boolean;
  readonly error?: string;
}

export interface Story {
  readonly nonce: number;
  readonly changed: number;
}

/** How many objects' lives are told at most. */
const STORIES = 400;
const BURNT = 24;
const PENDING = 14;
export const LOG_DAYS = 30;

export const REFUSALS = [
  'supply exhausted: the factory allows no more objects',
  'outside the time window of the factory',
  'the wallet is not on the whitelist',
  'insufficient token balance',
  'the object is not where the caller stands',
  'execution reverted: nonce too low',
  'the remote service did not answer within 10 s',
] as const;

export interface StoryNeeds {
  readonly context: Context;
  readonly objects: number;
  readonly logs: number;
  readonly createdAt: (object: number) => number;
  readonly located: (object: number) => boolean;
}

export interface Stories {
  /** in order of time */
  readonly plans: readonly Plan[];
  of(object: number): Story | undefined;
}

export function makeStories({ context, objects, logs, createdAt, located }: StoryNeeds): Stories {
  const { seed, epoch } = context;
  const draw = new Draw(seed, 'stories');
  const first = epoch - LOG_DAYS * DAY + HOUR;
  const last = epoch - 12 * MINUTE;
  const told = Math.min(objects, STORIES);
  const failures = Math.floor(logs / 10);
  const each = told === 0 ? 0 : Math.max(1, Math.floor((logs - failures - PENDING - BURNT * 3) / told));
  const plans: Plan[] = [];
  const states = new Map<number, Story>();
  const moment = (from: number, to: number): number => from + Math.floor((draw.next() / 0x1_0000_0000) * (to - from));
  const moments = (count: number, from: number, to: number): number[] =>
    Array.from({ length: count }, () => moment(from, to)).sort((a, b) => a - b);

  for (let told_ = 0; told_ < told; told_++) {
    const object = Math.floor(((told_ + 0.5) * objects) / told);
    const template = templateOf(object);
    const actions = actionsAfterMint(template);
    const dropped = located(object) && at(catalogue, template).actions.some(({ name }) => name === 'drop');
    const created = createdAt(object);
    const minted = created >= first;
    let nonce = minted ? 0 : 1 + draw.int(3);
    if (minted)
      plans.push({
        when: created,
        action: 'mint',
        template,
        status: 'completed',
        wallet: draw.int(WALLETS),
        object,
        nonce,
      });
    const count = Math.max(1, each - (minted ? 1 : 0) + draw.between(-2, 2));
    const from = Math.min(Math.max(created, first), last - 1);
    let changed = created;
    moments(count, from, last).forEach((when, place) => {
      const final = dropped && place === count - 1;
      nonce++;
      changed = when;
      const action = final ? 'drop' : at(actions, draw.next());
      plans.push({
        when,
        action,
        template,
        status: 'completed',
        wallet: draw.int(WALLETS),
        object,
        nonce,
        ...(final && { final }),
      });
    });
    states.set(object, { nonce, changed });
  }

  for (let burnt = 0; burnt < BURNT; burnt++) {
    const object = GHOSTS + burnt;
    const template = at([0, 4, 8] as const, burnt);
    const wallet = draw.int(WALLETS);
    moments(3, first, last).forEach((when, nonce) => {
      const action = at(['mint', 'transfer', 'burn'] as const, nonce);
      plans.push({ when, action, template, status: 'completed', wallet, object, nonce });
    });
  }

  const anyObject = (): { template: number; object?: number } => {
    if (objects === 0) return { template: draw.int(catalogue.length) };
    const object = draw.int(objects);
    return { template: templateOf(object), object };
  };
  for (let missing = Math.max(failures, logs - PENDING - plans.length); missing > 0; missing--) {
    const { template, object } = anyObject();
    const action = draw.chance(0.4) ? 'mint' : at(actionsAfterMint(template), draw.next());
    plans.push({
      when: moment(first, last),
      action,
      template,
      status: 'failed',
      wallet: draw.int(WALLETS),
      error: at(REFUSALS, draw.next()),
      ...(action !== 'mint' && object !== undefined && { object }),
    });
  }
  for (let waiting = 0; waiting < PENDING; waiting++) {
    const { template, object } = anyObject();
    const action = at(actionsAfterMint(template), draw.next());
    const when = moment(epoch - 11 * MINUTE, epoch);
    plans.push({
      when,
      action,
      template,
      status: 'pending',
      wallet: draw.int(WALLETS),
      ...(object !== undefined && { object }),
    });
  }
  plans.sort((a, b) => a.when - b.when);
  return { plans, of: (object) => states.get(object) };
}

function actionsAfterMint(template: number): readonly [string, ...string[]] {
  const plain = ['transfer', 'update', 'redeem', 'connect', 'remote', 'bridgeNFT'];
  const [one, ...more] = at(catalogue, template)
    .actions.map(({ name }) => name)
    .filter((name) => plain.includes(name));
  return one === undefined ? ['transfer'] : [one, ...more];
}
