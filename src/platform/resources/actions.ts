/** Executing an action. The contract does not show the shape of `action`, so it is sent unchanged. */
import * as z from 'zod/mini';
import { defineOperation } from '../operation.ts';
import { freeForm, optional } from '../schema.ts';

export const executionResult = z.looseObject({
  action_id: z.string(),
  steps: z.array(z.looseObject({ action: z.string(), error: optional(z.string()), output: optional(freeForm) })),
});

export const executeAction = defineOperation({
  method: 'POST',
  path: '/ebus/execute',
  repeatable: false,
  query: {},
  permission: { resource: 'ebus.actions', verb: 'create' },
  keepsErrorBody: true,
});
