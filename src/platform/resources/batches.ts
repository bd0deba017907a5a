/** Batches of blockchain transactions. There is no list: one is read by its id. */
import * as z from 'zod/mini';
import { own } from '../json.ts';
import { operation } from '../operation.ts';
import { present, resource, type Tone } from '../resource.ts';
import { dateTime, integer, notShown, optional } from '../schema.ts';

export const batchStates = ['pending', 'processing', 'completed', 'failed'] as const;

export const batch = z.looseObject({
  id: z.string(),
  hash: z.string(),
  prev_hash: optional(z.string()),
  sender: z.string(),
  l1_tx_hash: z.string(),
  l1_block_num: integer,
  commitment: z.string(),
  affected_actions: z.array(z.looseObject({ id: z.string(), hash: z.string() })),
  actions_count: integer,
  version: integer,
  signatures: optional(
    z.array(
      z.looseObject({
        id: z.string(),
        type: z.enum(['zkproof', 'validator']),
        signer: z.string(),
        signature: z.string(),
        state_root: notShown,
        tx_hash: optional(z.string()),
        when_created: dateTime,
      }),
    ),
  ),
  status: z.enum(batchStates),
  error: optional(z.string()),
  when_completed: optional(dateTime),
  when_modified: optional(dateTime),
  when_created: dateTime,
});

export const getBatch = operation({
  method: 'GET',
  path: '/batches/{batchId}',
  repeatable: true,
  query: {},
  permission: { resource: 'sequencer.batches', verb: 'read' },
});

const tones: Readonly<Record<string, Tone>> = { pending: 'busy', processing: 'busy', completed: 'ok', failed: 'bad' };

export const batches = resource({
  kind: 'batches',
  label: 'Batches',
  singular: 'batch',
  icon: 'layers',
  section: 'connection',
  schema: batch,
  read: { by: 'path', operation: getBatch, parameters: ['batchId'] },
  references: { 'affected_actions[].id': 'action-logs' },
  links: {
    l1_tx_hash: 'transaction',
    l2_tx_hash: 'transaction',
    'signatures[].tx_hash': 'transaction',
    sender: 'account',
  },
  summary: (view) => ({
    title: view.id ?? 'batch',
    details: present(view.actions_count !== undefined && `${String(view.actions_count)} actions`, view.error),
    ...(view.status !== undefined && { state: { word: view.status, tone: own(tones, view.status) ?? 'unknown' } }),
    ...(view.when_created !== undefined && { when: view.when_created }),
  }),
});
