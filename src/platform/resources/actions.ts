/** Executing an action. The contract does not show the shape of `action`, so it is sent unchanged. */
import * as z from 'zod/mini';
import { isObject } from '../json/json.ts';
import { getActionId } from './action-log-fields.ts';
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

/** Levels in which an execution is searched for. */
const MAX_DEPTH = 20;

/** True for a result that names an action or its steps, at any depth: whatever else it says, the action was executed. */
export function isExecuted(raw: unknown, depth = 0): boolean {
  if (typeof raw !== 'object' || raw === null || depth > MAX_DEPTH) return false;
  if (isObject(raw) && (getActionId(raw) !== '' || (Array.isArray(raw['steps']) && raw['steps'].length > 0)))
    return true;
  return Object.values(raw).some((value) => isExecuted(value, depth + 1));
}
