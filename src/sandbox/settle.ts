/** What follows an execution: its log appears, settles, is gathered into a batch, and the batch is put on the chain. */
import type { Item } from './collection.ts';
import { feeOf } from './data/action-logs.ts';
import { catalogue } from './data/catalogue.ts';
import { at, iso } from './data/context.ts';
import { GHOSTS } from './data/objects.ts';
import { LOG_DAYS, REFUSALS } from './data/stories.ts';
import { addressOf } from './data/wallets.ts';
import { Draw, Ids, noise, sha256, ZERO_HASH } from './random.ts';
import type { World } from './world.ts';

/** Where the indices of logs and batches begin that were made since the start. */
export const LIVE = 0x2000_0000;
const INJECTED_OBJECTS = GHOSTS + 0x100_0000;

export interface Affected {
  readonly id: string;
  readonly template_id: string;
  readonly prev_state_root?: string;
  readonly next_state_root: string;
}

export interface Execution {
  readonly action: string;
  readonly alias?: string | undefined;
  readonly organization: string;
  readonly walletId: string;
  readonly signer: string;
  readonly params: readonly unknown[];
  readonly signature?: string | undefined;
  readonly affected: readonly Affected[];
  /** why it was refused, or will fail */
  readonly error?: string | undefined;
}

export interface Injection {
  readonly count: number;
  readonly spread: number;
  readonly tie: number;
  readonly status: 'pending' | 'completed' | 'failed' | 'mixed';
  readonly late: number;
  readonly settle?: number | undefined;
  readonly action?: string | undefined;
}

interface OpenBatch {
  readonly id: string;
  readonly created: number;
  readonly previous: string;
  readonly members: { readonly id: string; readonly hash: string }[];
}

export class Settlement {
  readonly #world: World;
  readonly #logIds: Ids;
  readonly #batchIds: Ids;
  #logs = 0;
  #batches = 0;
  #injected = 0;
  #open: OpenBatch | undefined;
  #lastBatchHash: string;
  #nextLog: 'completed' | 'failed' = 'completed';
  #nextBatch: 'completed' | 'failed' = 'completed';

  constructor(world: World) {
    this.#world = world;
    this.#logIds = new Ids(world.context.seed, 'act');
    this.#batchIds = new Ids(world.context.seed, 'bat');
    this.#lastBatchHash = world.logs.lastBatchHash;
  }

  /** How the next execution's log and the next batch will end. */
  decide(of: {
    readonly log?: 'completed' | 'failed' | undefined;
    readonly batch?: 'completed' | 'failed' | undefined;
  }): void {
    this.#nextLog = of.log ?? this.#nextLog;
    this.#nextBatch = of.batch ?? this.#nextBatch;
  }

  /** Whether the execution that is being done has been doomed to fail after its answer; asked once for each. */
  takeDoom(): boolean {
    const doomed = this.#nextLog === 'failed';
    this.#nextLog = 'completed';
    return doomed;
  }

  /** Returns the action's id at once; the log can be read later. */
  record(execution: Execution): string {
    const { clock, settings } = this.#world;
    const index = LIVE + this.#logs++;
    const created = clock.now();
    const id = this.#logIds.at(index);
    const log = this.#makeLog(index, created, execution, 'pending');
    clock.after(settings.delays.index, () => {
      this.#put(log, created, execution.organization);
      // The rest of the wait, so that a log is never settled before it can be seen.
      clock.after(Math.max(0, settings.delays.settle - settings.delays.index), () => {
        this.#settle(log, created, execution.organization, execution.error);
      });
    });
    return id;
  }

  #makeLog(index: number, created: number, execution: Execution, status: string): Item {
    const { context } = this.#world;
    const draw = new Draw(context.seed, 'log', index);
    const { action, alias, params, affected } = execution;
    return {
      id: this.#logIds.at(index),
      wallet_id: execution.walletId,
      action_name: action,
      ...(alias !== undefined && { action_alias: alias }),
      params,
      params_hash: `0x${sha256(JSON.stringify(params))}`,
      signer: execution.signer,
      signature: execution.signature ?? `0x${draw.hex(128)}`,
      hash: ZERO_HASH,
      ...(affected.length > 0 && { affected_objects: affected }),
      state_root: `0x${draw.hex(64)}`,
      status,
      fee: feeOf(context.seed, index),
      version: 2,
      when_modified: iso(created),
      when_created: iso(created),
    };
  }

  #put(log: Item, created: number, organization: string): void {
    this.#world.collection('action-logs').put(String(log['id']), log, created, organization);
  }

  #settle(log: Item, created: number, organization: string, error: string | undefined): void {
    const now = this.#world.clock.now();
    const id = String(log['id']);
    if (error !== undefined) {
      const { hash: _hash, ...rest } = log;
      const why = this.#world.settings.logErrors ? { error } : {};
      this.#put({ ...rest, status: 'failed', ...why, when_modified: iso(now) }, created, organization);
      return;
    }
    const hash = `0x${sha256(`log/${id}`)}`;
    const batch = this.#openBatch();
    batch.members.push({ id, hash });
    this.#putBatch(batch, 'pending');
    this.#put(
      { ...log, batch_id: batch.id, hash, status: 'completed', when_modified: iso(now) },
      created,
      organization,
    );
  }

  #openBatch(): OpenBatch {
    if (this.#open !== undefined) return this.#open;
    const { clock, settings } = this.#world;
    const id = this.#batchIds.at(LIVE + this.#batches++);
    const batch: OpenBatch = { id, created: clock.now(), previous: this.#lastBatchHash, members: [] };
    const outcome = this.#nextBatch;
    this.#nextBatch = 'completed';
    this.#open = batch;
    this.#lastBatchHash = `0x${sha256(`batch/${id}`)}`;
    clock.after(settings.delays.batch, () => {
      this.#open = undefined;
      this.#putBatch(batch, 'processing');
      clock.after(settings.delays.batch, () => {
        this.#putBatch(batch, outcome);
      });
    });
    return batch;
  }

  #putBatch(batch: OpenBatch, status: 'pending' | 'processing' | 'completed' | 'failed'): void {
    const { context, clock } = this.#world;
    const { seed } = context;
    const now = iso(clock.now());
    const done = status === 'completed';
    const draw = new Draw(seed, batch.id);
    const signatures = (done ? ['validator', 'validator', 'zkproof'] : ['validator']).map((type, place) => ({
      id: `sig_${draw.hex(16)}`,
      type,
      signer: addressOf(seed, 'validator', place),
      signature: `0x${draw.hex(128)}`,
      state_root: `0x${draw.hex(64)}`,
      ...(type === 'zkproof' && { tx_hash: `0x${sha256(`tx/${batch.id}`)}` }),
      when_created: now,
    }));
    const item: Item = {
      id: batch.id,
      hash: done ? `0x${sha256(`batch/${batch.id}`)}` : ZERO_HASH,
      prev_hash: batch.previous,
      sender: addressOf(seed, 'sequencer', 0),
      l1_tx_hash: done ? `0x${sha256(`tx/${batch.id}`)}` : ZERO_HASH,
      l1_block_num: done ? 61_400_000 + this.#batches * 431 : 0,
      commitment: done ? `0x${sha256(`commitment/${batch.id}`)}` : ZERO_HASH,
      affected_actions: [...batch.members],
      actions_count: batch.members.length,
      version: 2,
      ...(status !== 'pending' && { signatures }),
      status,
      ...(status === 'failed' && { error: 'commitment rejected by the settlement contract' }),
      ...(done && { when_completed: now }),
      when_modified: now,
      when_created: iso(batch.created),
    };
    this.#world.collection('batches').put(batch.id, item, batch.created);
  }

  /** Logs out of nowhere, to try a viewer with; their objects do not exist. */
  inject(of: Injection): string[] {
    const { context, clock, organizations } = this.#world;
    const now = clock.now();
    const oldest = context.epoch - LOG_DAYS * 86_400_000;
    return Array.from({ length: of.count }, () => {
      const index = LIVE + this.#logs++;
      const number = this.#injected++;
      const chance = (label: string, below: number): number =>
        noise(context.seed, `inject ${label}`, number) % (below + 1);
      const raw = Math.max(oldest, now - (of.spread === 0 ? 0 : chance('time', of.spread)));
      const created = Math.floor(raw / of.tie) * of.tie;
      const template = number % catalogue.length;
      const organization = at(organizations, at(catalogue, template).organization).id;
      const wallet = this.#world.account(number);
      const action = of.action ?? at(at(catalogue, template).actions, number).name;
      const fails = of.status === 'failed' || (of.status === 'mixed' && number % 5 === 4);
      const error = fails ? at(REFUSALS, number) : undefined;
      const log = this.#makeLog(
        index,
        created,
        {
          action,
          organization,
          walletId: wallet.id,
          signer: wallet.address,
          params: [{ number }],
          affected: [
            {
              id: this.#world.objects.idAt(INJECTED_OBJECTS + number),
              template_id: this.#world.templates.source.idAt(template),
              next_state_root: `0x${sha256(`injected/${number}`)}`,
            },
          ],
        },
        'pending',
      );
      const show = (): void => {
        this.#put(log, created, organization);
        const waits =
          of.status === 'pending' || (of.status === 'mixed' && (of.settle !== undefined || number % 3 === 0));
        if (!waits) this.#settle(log, created, organization, error);
        else if (of.settle !== undefined) {
          clock.after(chance('settle', of.settle), () => {
            this.#settle(log, created, organization, error);
          });
        }
      };
      if (of.late === 0) show();
      else clock.after(chance('late', of.late), show);
      return String(log['id']);
    });
  }
}
