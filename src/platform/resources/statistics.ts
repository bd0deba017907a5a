/** The three time series of the contract. Their points have no identity, so they are not a resource kind. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { defineOperation, pageParameters, sharedParameters, type Parameter } from '../operation.ts';
import { dateTime, integer, optional } from '../schema.ts';
import { actionNames } from './shared-schemas.ts';

export const statisticsPoint = z.looseObject({
  id: optional(z.string()),
  key: optional(z.string()),
  when: optional(dateTime),
  count: optional(integer),
  /** decimal as string */
  fee: optional(z.string()),
});

const common = {
  interval: {
    type: 'text',
    about: l10n.t('interval for grouping'),
    suggestions: ['minute', 'hour', 'day', 'week', 'month'],
  },
  time_range: { type: 'text', about: l10n.t('time range'), suggestions: ['1h', '24h', '7d', '30d', '90d', '1y'] },
  limit: pageParameters.limit,
  when_created: sharedParameters.when_created,
  signer: { type: 'text', about: l10n.t('signer account name') },
} as const;
const actionName = {
  type: 'text',
  about: l10n.t('action name'),
  suggestions: actionNames,
} as const satisfies Parameter;

export const actionExecutions = defineOperation({
  method: 'GET',
  path: '/stats/actions/execution',
  repeatable: true,
  query: { ...common, action_name: actionName },
  permission: { resource: 'stats.actions', verb: 'read' },
});

const actionFees = defineOperation({
  method: 'GET',
  path: '/stats/actions/fees',
  repeatable: true,
  query: { ...common, action_name: actionName },
  permission: { resource: 'stats.actions', verb: 'read' },
});

const objectCreations = defineOperation({
  method: 'GET',
  path: '/stats/objects/creation',
  repeatable: true,
  query: { ...common, template_id: { type: 'id', kind: 'templates', about: l10n.t('template') } },
  permission: { resource: 'stats.objects', verb: 'read' },
});

/** In the order of the dashboard. */
export const statisticsSeries = [
  { id: 'executions', label: l10n.t('Executions'), operation: actionExecutions, value: 'count' },
  { id: 'fees', label: l10n.t('Fees'), operation: actionFees, value: 'fee' },
  { id: 'creations', label: l10n.t('Objects created'), operation: objectCreations, value: 'count' },
] as const;

export type StatisticsSeries = (typeof statisticsSeries)[number];
