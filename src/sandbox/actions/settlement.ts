/** The events after an execution: its log is listed, settles and joins a batch, and the batch completes. */
import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { isObject } from '../../platform/json/json.ts';
import type { Item } from '../generation/collection.ts';
import { generateFee } from '../data/action-logs.ts';
import { createBatch, getBatchHash, type BatchFields } from '../data/batches.ts';
import { catalogue } from '../data/template-catalogue.ts';
import { pickCyclic, formatIso, MINUTE } from '../generation/generated-source.ts';
import { DELETED_OBJECTS_START } from '../data/objects.ts';
import { LOG_DAYS, REFUSALS } from '../data/object-histories.ts';
import { SeededRandom, IdGenerator, seededNumber, sha256, ZERO_HASH } from '../generation/random.ts';
import type { World } from '../world.ts';

/** First index of objects, logs and batches created since the start. */
export const LIVE_INDEX_START = 0x2000_0000;
/** A sandbox that starts again gives its actions new ids: clients remember those of before. */
const MAX_LOG_START = 0x2000_0000;
/** Milliseconds between the generated logs that settle after the start. */
const SETTLE_INTERVAL = 10_000;
const INJECTED_OBJECTS = DELETED_OBJECTS_START + 0x100_0000;

export interface AffectedObject {
  readonly id: string;
  readonly template_id: string;
  readonly prev_state_root?: string;
  readonly next_state_root: string;
}

export interface Execution {
  /** milliseconds since 1970 */
  readonly when: number;
  readonly action: string;
  readonly alias?: string | undefined;
  readonly organization: string;
  readonly walletId: string;
  readonly signer: string;
  readonly params: readonly unknown[];
  readonly signature?: string | undefined;
  readonly affected: readonly AffectedObject[];
  /** reason of a refusal or failure */
  readonly error?: string | undefined;
}

export const injectionSchema = z.object({
  count: z.int().check(z.gte(1), z.lte(100_000)),
  /** milliseconds before now over which the logs are spread */
  spread: z._default(z.int().check(z.gte(0)), 0),
  /** milliseconds; dates are rounded down to a multiple, so that many are equal */
  tie: z._default(z.int().check(z.gte(1)), 1),
  status: z._default(z.enum(['pending', 'completed', 'failed', 'mixed']), 'completed'),
  /** each log is listed after a random delay of up to that many milliseconds */
  late: z._default(z.int().check(z.gte(0)), 0),
  /** pending logs settle after a random delay of up to that many milliseconds; default: never */
  settle: z.optional(z.int().check(z.gte(0))),
  action: z.optional(z.string()),
});

interface OpenBatch {
  readonly id: string;
  readonly created: number;
  readonly previousHash: string;
  readonly members: { readonly id: string; readonly hash: string }[];
}

/** Records executions and settles their logs and batches over time. */
export class Settlement {
  /** index of the first log since the start */
  readonly firstLog: number;
  readonly #world: World;
  readonly #logIds: IdGenerator;
  readonly #batchIds: IdGenerator;
  #nextLogIndex: number;
  #batches = 0;
  #injected = 0;
  #open: OpenBatch | undefined;
  #lastBatchHash: string;
  #nextLog: 'completed' | 'failed' = 'completed';
  #nextBatch: 'completed' | 'failed' = 'completed';

  constructor(world: World) {
    this.#world = world;
    const { clock, replay } = world.settings;
    this.firstLog = replay?.firstLog ?? LIVE_INDEX_START + (clock === 'manual' ? 0 : randomInt(MAX_LOG_START));
    this.#nextLogIndex = this.firstLog;
    this.#logIds = new IdGenerator(world.context.seed, 'act');
    this.#batchIds = new IdGenerator(world.context.seed, 'bat');
    this.#lastBatchHash = world.logs.lastBatchHash;
    const recent = { from: world.context.epoch - MINUTE, to: Infinity };
    const pending = [...world.collection('action-logs').walk('asc', recent)].filter(
      (entry) => entry.item()['status'] === 'pending',
    );
    pending.forEach((entry, index) =>
      world.clock.after((index + 1) * SETTLE_INTERVAL, () =>
        this.#settle(this.#applyGenerated(entry.item()), entry.created, entry.organization ?? '', undefined),
      ),
    );
  }

  /** Changes the object of a generated log that is pending, and returns the log with that change. */
  #applyGenerated(log: Item): Item {
    const { objects, clock } = this.#world;
    const params: unknown = Array.isArray(log['params']) ? log['params'][0] : undefined;
    const collection = this.#world.collection('objects');
    const object = isObject(params) ? collection.find(String(params['id'])) : undefined;
    if (object?.index === undefined) return log;
    const before = object.item();
    const id = String(before['id']);
    const nonce = Number(before['nonce']) + 1;
    const root = objects.rootAt(object.index, nonce);
    const changed = { ...before, nonce, state_root: root, when_modified: formatIso(clock.now()) };
    collection.put(id, changed, object.created, object.organization);
    const affected: AffectedObject = {
      id,
      template_id: String(before['template_id']),
      prev_state_root: String(before['state_root']),
      next_state_root: root,
    };
    return { ...log, affected_objects: [affected] };
  }

  /** Sets the outcome of the next execution's log and of the next batch. */
  setNextOutcome(outcome: {
    readonly log?: 'completed' | 'failed' | undefined;
    readonly batch?: 'completed' | 'failed' | undefined;
  }): void {
    this.#nextLog = outcome.log ?? this.#nextLog;
    this.#nextBatch = outcome.batch ?? this.#nextBatch;
  }

  /** Returns true if the current execution must fail after its response, and resets that. Call it once per execution. */
  consumeForcedFailure(): boolean {
    const isForcedFailure = this.#nextLog === 'failed';
    this.#nextLog = 'completed';
    return isForcedFailure;
  }

  /** Records an execution and returns its id. Its log is listed after the index delay. */
  record(execution: Execution): string {
    const { clock, settings } = this.#world;
    const index = this.#nextLogIndex++;
    const created = execution.when;
    const id = this.#logIds.at(index);
    const log = this.#createLog(index, created, execution, 'pending');
    clock.after(settings.indexDelay, () => {
      this.#put(log, created, execution.organization);
      // The remaining delay, so that a log never settles before it is listed.
      clock.after(Math.max(0, settings.settleDelay - settings.indexDelay), () =>
        this.#settle(log, created, execution.organization, execution.error),
      );
    });
    return id;
  }

  #createLog(index: number, created: number, execution: Execution, status: string): Item {
    const { context } = this.#world;
    const draw = new SeededRandom(context.seed, 'log', index);
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
      fee: generateFee(context.seed, index),
      version: 2,
      when_modified: formatIso(created),
      when_created: formatIso(created),
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
      this.#put({ ...rest, status: 'failed', ...why, when_modified: formatIso(now) }, created, organization);
      return;
    }
    const hash = `0x${sha256(`log/${id}`)}`;
    const batch = this.#openBatch();
    batch.members.push({ id, hash });
    this.#putBatch(batch, 'pending');
    this.#put(
      { ...log, batch_id: batch.id, hash, status: 'completed', when_modified: formatIso(now) },
      created,
      organization,
    );
  }

  #openBatch(): OpenBatch {
    if (this.#open !== undefined) return this.#open;
    const { clock, settings } = this.#world;
    const id = this.#batchIds.at(LIVE_INDEX_START + this.#batches++);
    const batch: OpenBatch = { id, created: clock.now(), previousHash: this.#lastBatchHash, members: [] };
    const outcome = this.#nextBatch;
    this.#nextBatch = 'completed';
    this.#open = batch;
    this.#lastBatchHash = getBatchHash(id);
    clock.after(settings.batchDelay, () => {
      this.#open = undefined;
      this.#putBatch(batch, 'processing');
      clock.after(settings.batchDelay, () => this.#putBatch(batch, outcome));
    });
    return batch;
  }

  #putBatch({ id, created, previousHash, members }: OpenBatch, status: BatchFields['status']): void {
    const { context, clock } = this.#world;
    const block = 61_400_000 + this.#batches * 431;
    const batch = { id, status, previousHash, block, members, created, modified: clock.now() };
    this.#world.collection('batches').put(id, createBatch(context.seed, batch), created);
  }

  /** Adds logs without an execution, for tests of viewers, and returns their ids. Their objects do not exist. */
  injectLogs(injection: z.output<typeof injectionSchema>): string[] {
    const { context, clock, organizations } = this.#world;
    const now = clock.now();
    const oldest = context.epoch - LOG_DAYS * 86_400_000;
    return Array.from({ length: injection.count }, () => {
      const index = this.#nextLogIndex++;
      const number = this.#injected++;
      const chance = (label: string, below: number): number =>
        seededNumber(context.seed, `inject ${label}`, number) % (below + 1);
      const raw = Math.max(oldest, now - (injection.spread === 0 ? 0 : chance('time', injection.spread)));
      const created = Math.floor(raw / injection.tie) * injection.tie;
      const template = number % catalogue.length;
      const organization = pickCyclic(organizations, pickCyclic(catalogue, template).organization).id;
      const wallet = this.#world.account(number);
      const action = injection.action ?? pickCyclic(pickCyclic(catalogue, template).actions, number).name;
      const fails = injection.status === 'failed' || (injection.status === 'mixed' && number % 5 === 4);
      const error = fails ? pickCyclic(REFUSALS, number) : undefined;
      const log = this.#createLog(
        index,
        created,
        {
          when: created,
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
          injection.status === 'pending' ||
          (injection.status === 'mixed' && (injection.settle !== undefined || number % 3 === 0));
        if (!waits) this.#settle(log, created, organization, error);
        else if (injection.settle !== undefined) {
          clock.after(chance('settle', injection.settle), () => this.#settle(log, created, organization, error));
        }
      };
      if (injection.late === 0) show();
      else clock.after(chance('late', injection.late), show);
      return String(log['id']);
    });
  }
}
