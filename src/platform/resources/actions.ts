/** Executing an action. The contract does not show the shape of `action`, so it is sent unchanged. */
import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../json/json.ts';
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

/** True for a result that names an action or its steps: whatever else it says, the action was executed. */
export function isExecuted(raw: JsonObject): boolean {
  return [raw, raw['data']].some(
    (result) =>
      isObject(result) &&
      (getActionId(result) !== '' || (Array.isArray(result['steps']) && result['steps'].length > 0)),
  );
}
