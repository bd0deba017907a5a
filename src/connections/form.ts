/** Runs the steps of a form in order, with a way back at each but the first (pure). */
import { BACK } from '../ui/back.ts';

/** What a step came to: on, one back, or out of the form. */
export type StepResult = true | typeof BACK | undefined;
/** `skip`: nothing to ask here. */
export type FormStep = (at: { readonly step: number; readonly totalSteps: number }) => Promise<StepResult | 'skip'>;

/** False when the person leaves. */
export async function runForm(steps: readonly FormStep[], start = 0): Promise<boolean> {
  let direction = 1;
  for (let index = start; index < steps.length;) {
    const answer = await steps[index]?.({ step: index + 1, totalSteps: steps.length });
    if (answer === undefined) return false;
    if (answer === BACK) direction = -1;
    else if (answer === true) direction = 1;
    index = Math.max(0, index + direction);
    // A first step that is skipped on the way back has nothing before it.
    if (answer === 'skip' && index === 0) direction = 1;
  }
  return true;
}
