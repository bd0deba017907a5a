/** The three time series of the contract. Their points have no identity, so they are not a resource kind. */
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
  interval: { type: 'text', about: 'interval for grouping', suggestions: ['minute', 'hour', 'day', 'week', 'month'] },
  time_range: { type: 'text', about: 'time range', suggestions: ['1h', '24h', '7d', '30d', '90d', '1y'] },
  limit: pageParameters.limit,
  when_created: sharedParameters.when_created,
  signer: { type: 'text', about: 'signer account name' },
} as const;
const actionName = { type: 'text', about: 'action name', suggestions: actionNames } as const satisfies Parameter;

export const actionExecutions = defineOperation({
  method: 'GET',
  path: '/stats/actions/execution',
  repeatable: true,
  query: { ...common, action_name: actionName },
  permission: { resource: 'stats.actions', verb: 'read' },
});

export const actionFees = defineOperation({
  method: 'GET',
  path: '/stats/actions/fees',
  repeatable: true,
  query: { ...common, action_name: actionName },
  permission: { resource: 'stats.actions', verb: 'read' },
});

export const objectCreations = defineOperation({
  method: 'GET',
  path: '/stats/objects/creation',
  repeatable: true,
  query: { ...common, template_id: { type: 'id', kind: 'templates', about: 'template' } },
  permission: { resource: 'stats.objects', verb: 'read' },
});

/** In the order of the dashboard. */
export const statisticsSeries = [
  { id: 'executions', label: 'Executions', operation: actionExecutions, value: 'count' },
  { id: 'fees', label: 'Fees', operation: actionFees, value: 'fee' },
  { id: 'creations', label: 'Objects created', operation: objectCreations, value: 'count' },
] as const;

export type StatisticsSeries = (typeof statisticsSeries)[number];
