/** Runs the steps of a form in order; each but the first can go back. */
import * as l10n from '@vscode/l10n';
import { BACK } from '../../ui/ui.ts';

/** Result of a step: continue, go back, or cancel the form. */
export type FormStepResult = true | typeof BACK | undefined;
/** `skip`: the step does not apply. */
export type FormStep = (position: {
  readonly step: number;
  readonly totalSteps: number;
}) => Promise<FormStepResult | 'skip'>;

/** Runs the steps; resolves with false when the user cancels. Rejects as a step does. */
export async function runForm(steps: readonly FormStep[], start = 0): Promise<boolean> {
  let direction = 1;
  for (let index = start; index < steps.length;) {
    const answer = await steps[index]?.({ step: index + 1, totalSteps: steps.length });
    if (answer === undefined) return false;
    if (answer === BACK) direction = -1;
    else if (answer === true) direction = 1;
    index = Math.max(0, index + direction);
    // Going back past a skipped first step stays at the current one.
    if (answer === 'skip' && index === 0) direction = 1;
  }
  return true;
}

/** A sentence about what is wrong with a typed ID, or `undefined`. `emptyMessage`: for none. */
export function validateId(typed: string, emptyMessage: string): string | undefined {
  const id = typed.trim();
  if (id === '') return emptyMessage;
  return /[\s\p{Cc}]/u.test(id) || id.length > 256
    ? l10n.t('An ID can’t contain spaces or be longer than 256 characters')
    : undefined;
}
