/** A quick pick whose first row stands for what is typed, as long as nothing in the list is called exactly that. */
import * as vscode from 'vscode';
import type { PickOrTypeOptions } from './ui.ts';

export function pickOrType<Choice extends vscode.QuickPickItem>(
  list: readonly Choice[] | Promise<readonly Choice[]>,
  { title, placeHolder, typed }: PickOrTypeOptions,
): Promise<Choice | string | undefined> {
  const picker = vscode.window.createQuickPick();
  picker.title = title;
  picker.placeholder = placeHolder;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  let choices: readonly Choice[] = [];
  const show = (): void => {
    const text = picker.value.trim();
    const named = text === '' || choices.some(({ label }) => label === text);
    picker.items = named ? choices : [{ label: typed(text), alwaysShow: true }, ...choices];
  };
  picker.busy = true;
  const read = Promise.resolve(list).then((all) => {
    choices = all;
    picker.busy = false;
    show();
  });
  picker.onDidChangeValue(show);
  return new Promise((resolve, reject) => {
    read.catch((error: unknown) => {
      reject(error instanceof Error ? error : new Error(String(error)));
      picker.hide();
    });
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
