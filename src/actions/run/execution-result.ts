import { stored, type StoredText } from '../../platform/text/message.ts';
import { readErrorText } from '../../platform/json/error-text.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { MASK } from '../../platform/json/secrets.ts';
import { formatList } from '../../platform/text/localization.ts';
import { readId } from '../../platform/resources/action-log-fields.ts';
import {
  formatJson,
  formatLine,
  formatStepAction,
  getStepAction,
  stringifyJson,
  UNNAMED_STEP,
  type RunStep,
} from '../../model/runs/run-record.ts';

interface ExecutionResult {
  readonly actionId: string | undefined;
  readonly steps: readonly RunStep[];
  /** ids of objects that the steps name in their output */
  readonly createdIds: readonly string[];
}

const MAX_STEPS = 1000;
const MAX_CREATED_IDS = 200;

/**
 * Reads the response of an execution: its id, steps and created objects. Tolerates missing steps and fields of any
 * type. Never throws.
 */
export function readExecutionResult(raw: unknown): ExecutionResult {
  const outer = isObject(raw) ? raw : {};
  const inner = getActionId(outer) === undefined && isObject(outer['data']) ? outer['data'] : outer;
  const list: unknown = inner['steps'];
  const steps = (Array.isArray(list) ? list : []).slice(0, MAX_STEPS).map((step: unknown) => readStep(step));
  return {
    actionId: readId(getActionId(inner)),
    steps: steps.map(({ step }) => step),
    createdIds: [...new Set(steps.flatMap(({ createdIds }) => createdIds))].slice(0, MAX_CREATED_IDS),
  };
}

function readStep(raw: unknown): { readonly step: RunStep; readonly createdIds: readonly string[] } {
  const fields: JsonObject = isObject(raw) ? raw : {};
  const { action, error, output } = fields;
  const failed = error !== undefined && error !== null && error !== '' && error !== false;
  const ids: unknown = isObject(output) ? output['ids'] : undefined;
  return {
    step: {
      action: formatLine(typeof action === 'string' && action !== '' ? action : UNNAMED_STEP, 80),
      ...(failed && { error: formatLine(readErrorText(error) ?? stringifyJson(error), 500) }),
      ...(output !== undefined && output !== null && { output: formatJson(output) }),
    },
    createdIds: failed || !Array.isArray(ids) ? [] : ids.filter(isId),
  };
}

/** A redacted id cannot be used. */
function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && !id.includes(MASK);
}

/**
 * Describes the first failed step: `reason (step 2 of 3, transfer). Succeeded: 1 (mint)`; `undefined` for none.
 */
export function describeFailedStep(steps: readonly RunStep[]): StoredText | undefined {
  const at = steps.findIndex(({ error }) => error !== undefined);
  const step = steps[at];
  if (step?.error === undefined) return undefined;
  const action = getStepAction(step);
  if (steps.length < 2) return step.action === UNNAMED_STEP ? step.error : stored('{0} (step {1})', step.error, action);
  const done = steps.flatMap((other, index) =>
    other.error === undefined ? [`${String(index + 1)} (${formatStepAction(other)})`] : [],
  );
  const number = at + 1;
  const count = steps.length;
  return done.length === 0
    ? stored('{0} (step {1} of {2}, {3}). No step succeeded', step.error, number, count, action)
    : stored(
        '{0} (step {1} of {2}, {3}). Succeeded: {4}',
        step.error,
        number,
        count,
        action,
        formatList(done.slice(0, 10), 'unit'),
      );
}

/** Some deployments write `actionId`. */
function getActionId(response: JsonObject): unknown {
  return response['action_id'] ?? response['actionId'];
}
