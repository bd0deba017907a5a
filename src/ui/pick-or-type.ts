/** A quick pick whose first item is the typed text, unless an item has exactly that label. */
import * as vscode from 'vscode';
import type { PickOrTypeOptions } from './ui.ts';

/** Resolves with the choice or the typed text, `undefined` on cancel. Rejects if the list fails to load. */
export function showPickOrType<Choice extends vscode.QuickPickItem>(
  list: readonly Choice[] | Promise<readonly Choice[]>,
  { title, placeHolder, formatTypedLabel }: PickOrTypeOptions,
): Promise<Choice | string | undefined> {
  const picker = vscode.window.createQuickPick();
  picker.title = title;
  picker.placeholder = placeHolder;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  let choices: readonly Choice[] = [];
  const updateItems = (): void => {
    const text = picker.value.trim();
    const isListed = text === '' || choices.some(({ label }) => label === text);
    picker.items = isListed ? choices : [{ label: formatTypedLabel(text), alwaysShow: true }, ...choices];
  };
  picker.busy = true;
  const loading = Promise.resolve(list).then((all) => {
    choices = all;
    picker.busy = false;
    updateItems();
  });
  picker.onDidChangeValue(updateItems);
  return new Promise((resolve, reject) => {
    loading.catch((error: unknown) => {
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
