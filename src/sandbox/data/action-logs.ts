/** Generated action logs, and the batches of the completed ones. */
import { IdGenerator, seededNumber, sha256, SeededRandom, ZERO_HASH } from '../generation/random.ts';
import type { Item, Source } from '../generation/collection.ts';
import { catalogue } from './template-catalogue.ts';
import { pickCyclic, formatIso, MINUTE, type GenerationContext } from '../generation/generated-source.ts';
import type { Objects } from './objects.ts';
import type { Organization } from './organizations.ts';
import { REFUSALS, type LogPlan, type ObjectHistories } from './object-histories.ts';
import { createBatch, getBatchHash, type BatchFields } from './batches.ts';
import type { Account } from './wallets.ts';

const BATCH_SIZE = 24;
/** So that few reads find the reasons of all failures. */
const REFUSED_BATCH_SIZE = 48;

interface LogOptions {
  readonly context: GenerationContext;
  readonly organizations: readonly [Organization, ...Organization[]];
  readonly histories: ObjectHistories;
  readonly objects: Objects;
  readonly account: (index: number) => Account;
  readonly templateId: (index: number) => string;
  /** failed logs have the field `error` */
  readonly errors: boolean;
}

export interface Logs {
  readonly source: Source;
  readonly batches: Source;
  /** hash of the last generated batch, for the first live one */
  readonly lastBatchHash: string;
}

/** The fee of an action: a decimal with 6 places, some with 18. */
export function generateFee(seed: number, index: number): string {
  if (index % 50 === 7) return `0.002${String(10 ** 14 + seededNumber(seed, 'fee', index)).padStart(15, '0')}`;
  return `0.00${String(1000 + (seededNumber(seed, 'fee', index) % 8999))}`;
}

/** The sources of action logs and batches. */
export function createLogs({
  context,
  organizations,
  histories,
  objects,
  account,
  templateId,
  errors,
}: LogOptions): Logs {
  const { seed, epoch } = context;
  const { plans } = histories;
  const ids = new IdGenerator(seed, 'act');
  const batchIds = new IdGenerator(seed, 'bat');
  const completed = plans.flatMap((plan, index) => (plan.status === 'completed' ? [index] : []));
  const batchIndices = new Int32Array(plans.length).fill(-1);
  completed.forEach((index, place) => (batchIndices[index] = Math.floor(place / BATCH_SIZE)));
  const batchCount = Math.ceil(completed.length / BATCH_SIZE);
  // Failed logs of one reason share batches, which name it; they follow the others.
  const refused = REFUSALS.flatMap((error) => {
    const failed = plans.flatMap((plan, index) => (plan.error === error ? [index] : []));
    const chunks = Array.from({ length: Math.ceil(failed.length / REFUSED_BATCH_SIZE) }, (_, chunk) =>
      failed.slice(chunk * REFUSED_BATCH_SIZE, (chunk + 1) * REFUSED_BATCH_SIZE),
    );
    return chunks.map((members) => ({ error, members }));
  });
  refused.forEach(({ members }, place) => {
    for (const index of members) batchIndices[index] = batchCount + place;
  });
  const planAt = (index: number): LogPlan | undefined => plans[index];
  const getHash = (index: number): string => `0x${sha256(`log/${ids.at(index)}`)}`;

  const getBatchId = (index: number): string | undefined => {
    const batch = batchIndices[index] ?? -1;
    return batch < 0 ? undefined : batchIds.at(batch);
  };

  const makeLog = (index: number): Item => {
    const plan = planAt(index);
    if (plan === undefined) return {};
    const id = ids.at(index);
    const draw = new SeededRandom(seed, 'log', index);
    const signer = account(plan.wallet);
    const alias = pickCyclic(catalogue, plan.template).actions.find(({ name }) => name === plan.action)?.alias;
    const batch = getBatchId(index);
    const params = [createParams(plan, draw)];
    return {
      id,
      ...(batch !== undefined && { batch_id: batch }),
      ...(index % 9 !== 8 && { wallet_id: signer.id }),
      ...(index % 41 !== 40 && { action_name: plan.action }),
      ...(alias !== undefined && { action_alias: alias }),
      params,
      params_hash: `0x${sha256(JSON.stringify(params))}`,
      signer: signer.address,
      signature: `0x${draw.hex(128)}`,
      ...(plan.status !== 'failed' && { hash: plan.status === 'pending' ? ZERO_HASH : getHash(index) }),
      ...(plan.object !== undefined &&
        plan.nonce !== undefined && { affected_objects: [affected(plan.object, plan.nonce, plan)] }),
      state_root: `0x${sha256(`state after ${id}`)}`,
      status: plan.status,
      ...(errors && plan.error !== undefined && { error: plan.error }),
      fee: generateFee(seed, index),
      version: 1 + (index % 2),
      when_modified: formatIso(
        plan.status === 'pending' ? plan.when : Math.min(epoch, plan.when + 1500 + draw.int(9000)),
      ),
      when_created: formatIso(plan.when),
    };
  };
  const affected = (object: number, nonce: number, plan: LogPlan): Item => ({
    id: objects.idAt(object),
    template_id: templateId(plan.template),
    ...(nonce > 0 && { prev_state_root: objects.rootAt(object, nonce - 1) }),
    next_state_root: objects.rootAt(object, nonce),
  });
  const createParams = (plan: LogPlan, draw: SeededRandom): Item => {
    const id = plan.object === undefined ? templateId(plan.template) : objects.idAt(plan.object);
    const recipient = account(draw.int(24)).address;
    switch (plan.action) {
      case 'mint':
        return { template_id: templateId(plan.template), num: 1, to: recipient };
      case 'transfer':
        return { id, to: recipient };
      case 'update':
        return { id, data: { custom: { note: draw.pick(['checked', 'corrected', 'renewed']) } } };
      case 'drop': {
        const place = plan.object === undefined ? undefined : objects.getLocation(plan.object);
        return { id, latitude: place?.latitude ?? 59.9075, longitude: place?.longitude ?? 10.7531 };
      }
      default:
        return { id };
    }
  };

  const source: Source = {
    size: plans.length,
    indexOf: (id) => (id.startsWith('act_') ? ids.indexOf(id) : undefined),
    createdAt: (index) => planAt(index)?.when ?? epoch,
    create: makeLog,
    getOrganization: (index) =>
      pickCyclic(organizations, pickCyclic(catalogue, planAt(index)?.template ?? 0).organization).id,
    columns: {
      id: (index) => ids.at(index),
      status: (index) => planAt(index)?.status,
      signer: (index) => account(planAt(index)?.wallet ?? 0).address,
      batch_id: getBatchId,
      // Of the object that the log has changed.
      object_id: (index) => {
        const { object, nonce } = planAt(index) ?? {};
        return object === undefined || nonce === undefined ? undefined : objects.idAt(object);
      },
      fee: (index) => generateFee(seed, index),
      // Also of the logs without the field `action_name`.
      action: (index) => planAt(index)?.action,
    },
  };

  const getBatchStatus = (batch: number): BatchFields['status'] => {
    if (batch === batchCount - 1) return 'pending';
    if (batch === batchCount - 2) return 'processing';
    return batch % 17 === 9 ? 'failed' : 'completed';
  };
  const batchCreated = (batch: number): number =>
    Math.min(
      epoch,
      (planAt(completed[Math.min(completed.length, (batch + 1) * BATCH_SIZE) - 1] ?? 0)?.when ?? epoch) + 20_000,
    );
  const makeRefusedBatch = (batch: number): Item => {
    const { error, members = [] } = refused[batch - batchCount] ?? {};
    const created = planAt(members.at(-1) ?? 0)?.when ?? epoch;
    return createBatch(seed, {
      id: batchIds.at(batch),
      status: 'failed',
      previousHash: undefined,
      block: 0,
      members: members.map((index) => ({ id: ids.at(index), hash: ZERO_HASH })),
      created,
      modified: created,
      error,
    });
  };
  const makeBatch = (batch: number): Item => {
    if (batch >= batchCount) return makeRefusedBatch(batch);
    const status = getBatchStatus(batch);
    const created = batchCreated(batch);
    const duration =
      status === 'completed' ? 3 * MINUTE + new SeededRandom(seed, 'batch', batch).int(9 * MINUTE) : MINUTE;
    return createBatch(seed, {
      id: batchIds.at(batch),
      status,
      previousHash: batch > 0 ? getBatchHash(batchIds.at(batch - 1)) : undefined,
      block: 61_200_000 + batch * 431,
      members: completed
        .slice(batch * BATCH_SIZE, (batch + 1) * BATCH_SIZE)
        .map((index) => ({ id: ids.at(index), hash: getHash(index) })),
      created,
      modified: Math.min(epoch, created + duration),
    });
  };
  const batches: Source = {
    size: batchCount + refused.length,
    indexOf: (id) => (id.startsWith('bat_') ? batchIds.indexOf(id) : undefined),
    createdAt: (batch) => (batch < batchCount ? batchCreated(batch) : epoch),
    create: makeBatch,
  };
  return {
    source,
    batches,
    lastBatchHash: batchCount === 0 ? ZERO_HASH : getBatchHash(batchIds.at(batchCount - 1)),
  };
}
