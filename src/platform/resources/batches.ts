/** Batches of blockchain transactions. The contract has no list of them, only a read by id. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { readBatchFailureReason, summarizeStatus } from './action-log-fields.ts';
import { isObject } from '../json/json.ts';
import { createFact } from './facts.ts';
import { defineOperation } from '../operation.ts';
import { nonEmptyStrings, defineResource } from '../resource.ts';
import { dateTime, integer, undocumented, optional } from '../schema.ts';
import { pluralize } from '../text/localization.ts';

const batchStates = ['pending', 'processing', 'completed', 'failed'] as const;

const batch = z.looseObject({
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
        state_root: undocumented,
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

const getBatch = defineOperation({
  method: 'GET',
  path: '/batches/{batchId}',
  repeatable: true,
  query: {},
  permission: { resource: 'sequencer.batches', verb: 'read' },
});

const readReason = (raw: unknown): string | undefined => (isObject(raw) ? readBatchFailureReason(raw) : undefined);

export const batches = defineResource({
  kind: 'batches',
  label: l10n.t('Batches'),
  singular: l10n.t('batch'),
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
  features: ['actionLogs'],
  summary: (view, raw) => ({
    title: view.id ?? l10n.t('batch'),
    details: nonEmptyStrings(
      view.actions_count !== undefined && pluralize(Number(view.actions_count), l10n.t('{0} action|{0} actions')),
      readReason(raw),
    ),
    ...summarizeStatus(raw),
    ...(view.when_created !== undefined && { when: view.when_created }),
  }),
  facts: (view, raw) => [
    ...createFact(l10n.t('Error'), readReason(raw), 'error'),
    ...createFact(l10n.t('Actions'), view.actions_count, 'list-ordered'),
    ...createFact(l10n.t('Signatures'), view.signatures?.length, 'verified'),
  ],
});
