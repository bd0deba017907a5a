/** A quick pick whose items are supplied while typing, without the editor's own filter. */
import * as vscode from 'vscode';
import type { LiveQuickPickItems, LiveQuickPickOptions } from './ui.ts';

/** Resolves with the choice, or `undefined` on cancel. Never rejects. */
export function showLiveQuickPick<Choice extends vscode.QuickPickItem>(
  live: LiveQuickPickOptions<Choice>,
): Promise<Choice | undefined> {
  const picker = vscode.window.createQuickPick<Choice>();
  picker.title = live.title;
  picker.placeholder = live.placeHolder;
  picker.matchOnDescription = true;
  let open = true;
  const showChoices = ({ choices, busy }: LiveQuickPickItems<Choice>): void => {
    if (!open) return;
    const previousActive = picker.activeItems[0];
    picker.busy = busy;
    picker.items = choices.map((choice) => ({ ...choice, alwaysShow: true }));
    // Arriving items must not move the active one.
    const activeItem = picker.items.find(
      ({ label, description }) => label === previousActive?.label && description === previousActive.description,
    );
    if (activeItem !== undefined) picker.activeItems = [activeItem];
  };
  picker.onDidChangeValue((text) => {
    live.onDidType(text.trim(), showChoices);
  });
  live.onDidType('', showChoices);
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      const [chosen] = picker.selectedItems;
      if (chosen === undefined) return;
      resolve(chosen);
      picker.hide();
    });
    picker.onDidHide(() => {
      open = false;
      live.onDidClose();
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}
