/** The actions of the thirty days before the epoch. Those of one object form a chain that ends in its current state. */
import * as z from 'zod/mini';
import { SeededRandom } from '../generation/random.ts';
import { catalogue } from './template-catalogue.ts';
import { pickCyclic, DAY, HOUR, MINUTE, type GenerationContext } from '../generation/generated-source.ts';
import { DELETED_OBJECTS_START } from './objects.ts';
import { getTemplateIndex } from './templates.ts';
import { readWorld } from '../static-files.ts';
import { WALLET_COUNT } from './wallets.ts';

/** The plan from which one action log is generated. */
export interface LogPlan {
  readonly when: number;
  readonly action: string;
  readonly template: number;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly wallet: number;
  /** index of the object, if any */
  readonly object?: number;
  /** the object's nonce afterwards; absent if nothing changed; 0: a mint */
  readonly nonce?: number;
  readonly error?: string;
}

interface ObjectHistory {
  readonly nonce: number;
  readonly changed: number;
}

/** Largest number of objects with a history. */
const MAX_HISTORIES = 400;
const BURNT_COUNT = 24;
/** Logs of the last minutes, of which those of the last minute are pending. */
const RECENT_COUNT = 14;
const PENDING_COUNT = 4;
/** Failures of the last hour. */
const RECENT_FAILURE_COUNT = 5;
export const LOG_DAYS = 30;

export const REFUSALS = readWorld('refusals', z.array(z.string()));

interface ObjectHistoryOptions {
  readonly context: GenerationContext;
  readonly objects: number;
  readonly logs: number;
  readonly createdAt: (object: number) => number;
  readonly located: (object: number) => boolean;
}

export interface ObjectHistories {
  /** in order of time */
  readonly plans: readonly LogPlan[];
  get(object: number): ObjectHistory | undefined;
}

/** Plans `logs` action logs for `objects` objects. */
export function createObjectHistories({
  context,
  objects,
  logs,
  createdAt,
  located,
}: ObjectHistoryOptions): ObjectHistories {
  const { seed, epoch } = context;
  const draw = new SeededRandom(seed, 'stories');
  const first = epoch - LOG_DAYS * DAY + HOUR;
  const last = epoch - 12 * MINUTE;
  const historyCount = Math.min(objects, MAX_HISTORIES);
  const failures = Math.floor(logs / 10);
  const each =
    historyCount === 0 ? 0 : Math.max(1, Math.floor((logs - failures - RECENT_COUNT - BURNT_COUNT * 3) / historyCount));
  const plans: LogPlan[] = [];
  const states = new Map<number, ObjectHistory>();
  const moment = (from: number, to: number): number => from + Math.floor((draw.next() / 0x1_0000_0000) * (to - from));
  const moments = (count: number, from: number, to: number): number[] =>
    Array.from({ length: count }, () => moment(from, to)).sort((a, b) => a - b);

  for (let index = 0; index < historyCount; index++) {
    const object = Math.floor(((index + 0.5) * objects) / historyCount);
    const template = getTemplateIndex(object);
    const actions = actionsAfterMint(template);
    const dropped = located(object) && pickCyclic(catalogue, template).actions.some(({ name }) => name === 'drop');
    const created = createdAt(object);
    const minted = created >= first;
    let nonce = minted ? 0 : 1 + draw.int(3);
    if (minted)
      plans.push({
        when: created,
        action: 'mint',
        template,
        status: 'completed',
        wallet: draw.int(WALLET_COUNT),
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
      const action = final ? 'drop' : pickCyclic(actions, draw.next());
      plans.push({
        when,
        action,
        template,
        status: 'completed',
        wallet: draw.int(WALLET_COUNT),
        object,
        nonce,
      });
    });
    states.set(object, { nonce, changed });
  }

  for (let burnt = 0; burnt < BURNT_COUNT; burnt++) {
    const object = DELETED_OBJECTS_START + burnt;
    const template = pickCyclic([0, 4, 8] as const, burnt);
    const wallet = draw.int(WALLET_COUNT);
    moments(3, first, last).forEach((when, nonce) => {
      const action = pickCyclic(['mint', 'transfer', 'burn'] as const, nonce);
      plans.push({ when, action, template, status: 'completed', wallet, object, nonce });
    });
  }

  const anyObject = (): { template: number; object?: number } => {
    if (objects === 0) return { template: draw.int(catalogue.length) };
    const object = draw.int(objects);
    return { template: getTemplateIndex(object), object };
  };
  for (let missing = Math.max(failures, logs - RECENT_COUNT - plans.length); missing > 0; missing--) {
    const { template, object } = anyObject();
    const action = draw.chance(0.4) ? 'mint' : pickCyclic(actionsAfterMint(template), draw.next());
    plans.push({
      when: missing > RECENT_FAILURE_COUNT ? moment(first, last) : moment(epoch - 50 * MINUTE, last),
      action,
      template,
      status: 'failed',
      wallet: draw.int(WALLET_COUNT),
      error: pickCyclic(REFUSALS, draw.next()),
      ...(action !== 'mint' && object !== undefined && { object }),
    });
  }
  const withHistory = [...states.keys()];
  for (let recent = 0; recent < RECENT_COUNT; recent++) {
    const isPending = recent < PENDING_COUNT;
    // Those of one object are a chain: the further actions follow its last one.
    const object = withHistory.length === 0 ? undefined : withHistory.splice(draw.int(withHistory.length), 1)[0];
    const template = object === undefined ? draw.int(catalogue.length) : getTemplateIndex(object);
    const action = pickCyclic(actionsAfterMint(template), draw.next());
    const when = isPending ? moment(epoch - MINUTE, epoch) : moment(epoch - 11 * MINUTE, epoch - MINUTE);
    const wallet = draw.int(WALLET_COUNT);
    const nonce = object === undefined || isPending ? undefined : (states.get(object)?.nonce ?? 0) + 1;
    if (object !== undefined && nonce !== undefined) states.set(object, { nonce, changed: when });
    plans.push({
      when,
      action,
      template,
      status: isPending ? 'pending' : 'completed',
      wallet,
      ...(object !== undefined && { object }),
      ...(nonce !== undefined && { nonce }),
    });
  }
  plans.sort((a, b) => a.when - b.when);
  return { plans, get: (object) => states.get(object) };
}

function actionsAfterMint(template: number): readonly [string, ...string[]] {
  const plain = ['transfer', 'update', 'redeem', 'connect', 'remote', 'bridgeNFT'];
  const [one, ...more] = pickCyclic(catalogue, template)
    .actions.map(({ name }) => name)
    .filter((name) => plain.includes(name));
  return one === undefined ? ['transfer'] : [one, ...more];
}
