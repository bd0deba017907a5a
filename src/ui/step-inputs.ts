/** Input boxes and quick picks of a form, with step numbers and a back button. */
import * as vscode from 'vscode';
import { toSingleLine } from '../platform/text/plain-text.ts';
import { BACK, type ProgressStepOptions, type StepPosition } from './ui.ts';

function prepareInput(box: vscode.QuickInput, options: StepPosition & { readonly title?: string | undefined }): void {
  box.title = options.title;
  box.step = options.step;
  box.totalSteps = options.totalSteps;
  box.ignoreFocusOut = true;
}

/** Resolves with the text, BACK, or `undefined` on cancel. Never rejects. */
export function showInputStep(
  options: vscode.InputBoxOptions & StepPosition,
): Promise<string | typeof BACK | undefined> {
  const box = vscode.window.createInputBox();
  prepareInput(box, options);
  box.value = options.value ?? '';
  box.password = options.password ?? false;
  box.prompt = options.prompt;
  box.placeholder = options.placeHolder;
  if (options.step > 1) box.buttons = [vscode.QuickInputButtons.Back];
  const validate = async (): Promise<boolean> => {
    const problem = await options.validateInput?.(box.value);
    box.validationMessage = problem ?? undefined;
    // Information and warnings do not block.
    return (
      problem === undefined ||
      problem === null ||
      (typeof problem !== 'string' && problem.severity < vscode.InputBoxValidationSeverity.Error)
    );
  };
  return showInput(box, (resolveWith) => [
    // No error before the first edit: an empty field would start with one.
    box.onDidChangeValue(() => void validate()),
    box.onDidAccept(async () => {
      if (await validate()) resolveWith(box.value);
    }),
    box.onDidTriggerButton(() => resolveWith(BACK)),
  ]);
}

/** Resolves with the choice, BACK, or `undefined` on cancel. Never rejects. */
export function showPickStep<Choice extends vscode.QuickPickItem>(
  choices: readonly Choice[],
  options: vscode.QuickPickOptions & StepPosition,
): Promise<Choice | typeof BACK | undefined> {
  const box = vscode.window.createQuickPick<Choice>();
  prepareInput(box, options);
  box.items = choices;
  box.placeholder = options.placeHolder;
  box.prompt = options.prompt === undefined ? undefined : toSingleLine(options.prompt);
  box.matchOnDescription = options.matchOnDescription ?? false;
  box.matchOnDetail = options.matchOnDetail ?? false;
  const picked = choices.filter((choice) => choice.picked === true);
  if (picked.length > 0) box.activeItems = picked;
  if (options.step > 1) box.buttons = [vscode.QuickInputButtons.Back];
  return showInput(box, (resolveWith) => [
    box.onDidAccept(() => {
      const chosen = box.selectedItems[0];
      if (chosen !== undefined) resolveWith(chosen);
    }),
    box.onDidTriggerButton(() => resolveWith(BACK)),
  ]);
}

/** Resolves with the result of `work`, BACK, or `undefined` on cancel. Rejects as `work` does. */
export async function showProgressStep<T>(
  options: ProgressStepOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | typeof BACK | undefined> {
  const leaving = new AbortController();
  const box = vscode.window.createQuickPick();
  prepareInput(box, options);
  box.busy = true;
  box.items = [{ label: `$(loading~spin) ${options.message}`, alwaysShow: true }];
  if (options.step > 1) box.buttons = [vscode.QuickInputButtons.Back];
  const running = work(leaving.signal);
  const settled = running.then(
    () => true as const,
    () => true as const,
  );
  const answer = await showInput<true>(box, (resolveWith) => {
    void settled.then(resolveWith);
    return [box.onDidTriggerButton(() => resolveWith(BACK))];
  });
  if (answer === true) return running;
  leaving.abort();
  return answer;
}

function showInput<T>(
  box: vscode.QuickInput,
  listen: (resolveWith: (answer: T | typeof BACK | undefined) => void) => vscode.Disposable[],
): Promise<T | typeof BACK | undefined> {
  return new Promise((resolve) => {
    const listeners: vscode.Disposable[] = [];
    const resolveWith = (answer: T | typeof BACK | undefined): void => {
      resolve(answer);
      for (const listener of listeners) listener.dispose();
      box.dispose();
    };
    listeners.push(
      ...listen(resolveWith),
      box.onDidHide(() => resolveWith(undefined)),
    );
    box.show();
  });
}
