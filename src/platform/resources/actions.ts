/** Executing an action. The shape of `action` is not shown by the contract and passes through untouched. */
import * as z from 'zod/mini';
import { operation } from '../operation.ts';
import { freeForm, optional } from '../schema.ts';

export const executionResult = z.looseObject({
  action_id: z.string(),
  steps: z.array(z.looseObject({ action: z.string(), error: optional(z.string()), output: optional(freeForm) })),
});

export const executeAction = operation({
  method: 'POST',
  path: '/ebus/execute',
  repeatable: false,
  query: {},
  permission: { resource: 'ebus.actions', verb: 'create' },
  keepsAnswer: true,
});
