/** The JSON of batches, generated ones and those of executions. */
import type { Item } from '../generation/collection.ts';
import { formatIso } from '../generation/generated-source.ts';
import { SeededRandom, sha256, ZERO_HASH } from '../generation/random.ts';
import { generateAddress } from './wallets.ts';

export interface BatchFields {
  readonly id: string;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  readonly previousHash: string | undefined;
  /** number of the block that a completed batch is in */
  readonly block: number;
  readonly members: readonly { readonly id: string; readonly hash: string }[];
  /** milliseconds since the epoch, as is `modified` */
  readonly created: number;
  readonly modified: number | undefined;
  /** why it failed; default: its commitment was rejected */
  readonly error?: string | undefined;
}

/** The hash of a batch once it is completed. */
export function getBatchHash(id: string): string {
  return `0x${sha256(`batch/${id}`)}`;
}

/** Creates a batch; it has its own hash and three signatures once it is completed. */
export function createBatch(
  seed: number,
  { id, status, previousHash, block, members, created, modified = created, error }: BatchFields,
): Item {
  const isCompleted = status === 'completed';
  const transaction = `0x${sha256(`tx/${id}`)}`;
  const random = new SeededRandom(seed, id);
  const signatures = (isCompleted ? ['validator', 'validator', 'zkproof'] : ['validator']).map((type, index) => ({
    id: `sig_${random.hex(16)}`,
    type,
    signer: generateAddress(seed, 'validator', index),
    signature: `0x${random.hex(128)}`,
    ...(index !== 1 && { state_root: `0x${random.hex(64)}` }),
    ...(type === 'zkproof' && { tx_hash: transaction }),
    when_created: formatIso(modified),
  }));
  return {
    id,
    hash: isCompleted ? getBatchHash(id) : ZERO_HASH,
    ...(previousHash !== undefined && { prev_hash: previousHash }),
    sender: generateAddress(seed, 'sequencer', 0),
    l1_tx_hash: isCompleted ? transaction : ZERO_HASH,
    l1_block_num: isCompleted ? block : 0,
    commitment: isCompleted ? `0x${sha256(`commitment/${id}`)}` : ZERO_HASH,
    affected_actions: [...members],
    actions_count: members.length,
    version: 2,
    ...(status !== 'pending' && { signatures }),
    status,
    ...(status === 'failed' && {
      error: error ?? 'commitment rejected by the settlement contract: proof does not verify (code 0x1f)',
    }),
    ...(isCompleted && { when_completed: formatIso(modified) }),
    ...(status !== 'pending' && { when_modified: formatIso(modified) }),
    when_created: formatIso(created),
  };
}
