/** A quick pick whose first row stands for what is typed, as long as nothing in the list is called exactly that. */
import * as vscode from 'vscode';
import type { PickOrTypeOptions } from './ui.ts';

export function pickOrType<Choice extends vscode.QuickPickItem>(
  choices: readonly Choice[],
  { title, placeHolder, typed }: PickOrTypeOptions,
): Promise<Choice | string | undefined> {
  const picker = vscode.window.createQuickPick();
  picker.title = title;
  picker.placeholder = placeHolder;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  const show = (): void => {
    const text = picker.value.trim();
    const named = text === '' || choices.some(({ label }) => label === text);
    picker.items = named ? choices : [{ label: typed(text), alwaysShow: true }, ...choices];
  };
  show();
  picker.onDidChangeValue(show);
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      const [active] = picker.activeItems;
      const choice = choices.find((known) => known === active);
      const text = picker.value.trim();
      if (choice === undefined && text === '') return;
      resolve(choice ?? text);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}
