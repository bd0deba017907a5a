/** Action logs: one entry for each execution. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { isObject } from '../json/json.ts';
import { isOlderVersion, readLogVersion, summarizeStatus } from './action-log-fields.ts';
import { defineOperation, pageParameters, sharedParameters } from '../operation.ts';
import { nonEmptyStrings, defineResource } from '../resource.ts';
import { dateTime, integer, undocumented, optional } from '../schema.ts';

export const actionLogStates = ['pending', 'completed', 'failed'] as const;

export const actionLog = z.looseObject({
  id: z.string(),
  batch_id: optional(z.string()),
  wallet_id: optional(z.string()),
  action_name: optional(z.string()),
  action_alias: optional(z.string()),
  params: z.array(z.unknown()),
  params_hash: z.string(),
  signer: z.string(),
  signature: z.string(),
  hash: optional(z.string()),
  affected_objects: optional(
    z.array(
      z.looseObject({
        id: z.string(),
        template_id: z.string(),
        prev_state_root: optional(z.string()),
        next_state_root: z.string(),
      }),
    ),
  ),
  state_root: undocumented,
  status: z.enum(actionLogStates),
  fee: z.string(),
  version: integer,
  when_modified: dateTime,
  when_created: dateTime,
});

const listActionLogs = defineOperation({
  method: 'GET',
  path: '/ebus/action-logs',
  repeatable: true,
  query: {
    id: sharedParameters.id,
    org_id: sharedParameters.org_id,
    ...pageParameters,
    action_id: { type: 'text', about: l10n.t('action ID returned by an execution') },
    batch_id: { type: 'id', kind: 'batches', about: l10n.t('batch') },
    wallet_id: { type: 'id', kind: 'wallets', about: l10n.t('wallet') },
    object_id: { type: 'id', kind: 'objects', about: l10n.t('object') },
    signer: { type: 'text', about: l10n.t('signer address'), account: true },
    status: { type: 'enum', about: l10n.t('execution status'), values: actionLogStates },
    when_created: sharedParameters.when_created,
  },
  permission: { resource: 'ebus.action-logs', verb: 'read' },
});

export const actionLogs = defineResource({
  kind: 'action-logs',
  label: l10n.t('Action Logs'),
  singular: l10n.t('action log'),
  icon: 'history',
  section: 'organization',
  schema: actionLog,
  list: { operation: listActionLogs, key: 'action_logs' },
  read: { by: 'filter' },
  references: {
    batch_id: 'batches',
    wallet_id: 'wallets',
    signer: 'wallets',
    'affected_objects[].id': 'objects',
    'affected_objects[].template_id': 'templates',
  },
  links: { hash: 'action', signer: 'account' },
  idLink: 'action',
  features: ['actionFile'],
  isOlder: (raw: unknown, known: unknown) =>
    isObject(raw) && isObject(known) && isOlderVersion(readLogVersion(raw), readLogVersion(known)),
  summary: (view, raw) => {
    // Newer deployments write `name` and `alias`.
    const fields = isObject(raw) ? raw : {};
    const alias = view.action_alias ?? text(fields['alias']);
    const name = view.action_name ?? text(fields['name']);
    return {
      title: alias ?? name ?? view.id ?? l10n.t('action'),
      details: nonEmptyStrings(alias === undefined ? undefined : name, view.id),
      ...summarizeStatus(raw),
      ...(view.when_created !== undefined && { when: view.when_created }),
    };
  },
});

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
