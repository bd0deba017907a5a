/** Reads the answer of an execution tolerantly: its id, its steps and the objects they made. Pure. */
import { isObject, MASK, type JsonObject } from '../platform/json.ts';
import { idText } from './follow.ts';
import { jsonText, lineOf, prettyOf, type Step } from './record.ts';

export interface ReadAnswer {
  readonly actionId: string | undefined;
  readonly steps: readonly Step[];
  /** ids of objects that the steps name in their output */
  readonly made: readonly string[];
}

const MAX_STEPS = 1000;
const MAX_MADE = 200;

/** Steps may be null, and their fields of any type. Never throws. */
export function readAnswer(raw: unknown): ReadAnswer {
  const outer = isObject(raw) ? raw : {};
  const inner = idOf(outer) === undefined && isObject(outer['data']) ? outer['data'] : outer;
  const list: unknown = inner['steps'];
  const steps = (Array.isArray(list) ? list : []).slice(0, MAX_STEPS).map((step: unknown) => readStep(step));
  return {
    actionId: idText(idOf(inner)),
    steps: steps.map(({ step }) => step),
    made: [...new Set(steps.flatMap(({ made }) => made))].slice(0, MAX_MADE),
  };
}

function readStep(raw: unknown): { readonly step: Step; readonly made: readonly string[] } {
  const fields: JsonObject = isObject(raw) ? raw : {};
  const { action, error, output } = fields;
  const failed = error !== undefined && error !== null && error !== '' && error !== false;
  const ids: unknown = isObject(output) ? output['ids'] : undefined;
  return {
    step: {
      action: lineOf(typeof action === 'string' && action !== '' ? action : 'step', 80),
      ...(failed && { error: lineOf(typeof error === 'string' ? error : jsonText(error), 500) }),
      ...(output !== undefined && output !== null && { output: prettyOf(output) }),
    },
    made: failed || !Array.isArray(ids) ? [] : ids.filter(isId),
  };
}

/** What is hidden is no id any more. */
function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && !id.includes(MASK);
}

/** `Step 2 of 3, transfer, failed: reason. Step 1, mint, succeeded` */
export function failedStepText(steps: readonly Step[]): string | undefined {
  const at = steps.findIndex(({ error }) => error !== undefined);
  const step = steps[at];
  if (step?.error === undefined) return undefined;
  const place =
    steps.length > 1 ? `Step ${String(at + 1)} of ${String(steps.length)}, ${step.action},` : `The step ${step.action}`;
  const done = steps.flatMap(({ action, error }, index) =>
    error === undefined ? [`${String(index + 1)} (${action})`] : [],
  );
  const others =
    steps.length < 2 ? '' : done.length === 0 ? '. No step succeeded' : `. Succeeded: ${done.slice(0, 10).join(', ')}`;
  return `${place} failed: ${step.error}${others}`;
}

/** Some deployments write `actionId`. */
function idOf(answer: JsonObject): unknown {
  return answer['action_id'] ?? answer['actionId'];
}
