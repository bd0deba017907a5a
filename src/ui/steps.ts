/** Input boxes and quick picks that know their place in a form: step numbers and a back button. */
import * as vscode from 'vscode';
import { BACK, type Step } from './ui.ts';

function place(box: vscode.QuickInput, options: Step & { readonly title?: string | undefined }): void {
  box.title = options.title;
  box.step = options.step;
  box.totalSteps = options.totalSteps;
  box.ignoreFocusOut = true;
}

export function inputStep(options: vscode.InputBoxOptions & Step): Promise<string | typeof BACK | undefined> {
  const box = vscode.window.createInputBox();
  place(box, options);
  box.value = options.value ?? '';
  box.password = options.password ?? false;
  box.prompt = options.prompt;
  box.placeholder = options.placeHolder;
  if (options.step > 1) box.buttons = [vscode.QuickInputButtons.Back];
  const check = async (): Promise<boolean> => {
    const problem = await options.validateInput?.(box.value);
    box.validationMessage = problem ?? undefined;
    // Information does not stop anyone.
    return (
      problem === undefined ||
      problem === null ||
      (typeof problem !== 'string' && problem.severity < vscode.InputBoxValidationSeverity.Error)
    );
  };
  return shown(box, (settle) => [
    // Errors come with the second look: nobody is told off for an empty field that they have not touched.
    box.onDidChangeValue(() => void check()),
    box.onDidAccept(async () => {
      if (await check()) settle(box.value);
    }),
    box.onDidTriggerButton(() => {
      settle(BACK);
    }),
  ]);
}

export function pickStep<Choice extends vscode.QuickPickItem>(
  choices: readonly Choice[],
  options: vscode.QuickPickOptions & Step,
): Promise<Choice | typeof BACK | undefined> {
  const box = vscode.window.createQuickPick<Choice>();
  place(box, options);
  box.items = choices;
  box.placeholder = options.placeHolder;
  box.matchOnDescription = options.matchOnDescription ?? false;
  box.matchOnDetail = options.matchOnDetail ?? false;
  const picked = choices.filter((choice) => choice.picked === true);
  if (picked.length > 0) box.activeItems = picked;
  if (options.step > 1) box.buttons = [vscode.QuickInputButtons.Back];
  return shown(box, (settle) => [
    box.onDidAccept(() => {
      const chosen = box.selectedItems[0];
      if (chosen !== undefined) settle(chosen);
    }),
    box.onDidTriggerButton(() => {
      settle(BACK);
    }),
  ]);
}

function shown<T>(
  box: vscode.QuickInput,
  listen: (settle: (answer: T | typeof BACK | undefined) => void) => vscode.Disposable[],
): Promise<T | typeof BACK | undefined> {
  return new Promise((resolve) => {
    const listeners: vscode.Disposable[] = [];
    const settle = (answer: T | typeof BACK | undefined): void => {
      resolve(answer);
      for (const listener of listeners) listener.dispose();
      box.dispose();
    };
    listeners.push(
      ...listen(settle),
      box.onDidHide(() => {
        settle(undefined);
      }),
    );
    box.show();
  });
}
