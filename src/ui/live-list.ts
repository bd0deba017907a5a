/** A quick pick that is filled while it is typed into; what is shown is never filtered again by the editor. */
import * as vscode from 'vscode';
import type { LiveList, Live } from './ui.ts';

export function liveList<Choice extends vscode.QuickPickItem>(live: Live<Choice>): Promise<Choice | undefined> {
  const picker = vscode.window.createQuickPick<Choice>();
  picker.title = live.title;
  picker.placeholder = live.placeHolder;
  picker.matchOnDescription = true;
  let open = true;
  const show = ({ choices, busy }: LiveList<Choice>): void => {
    if (!open) return;
    const before = picker.activeItems[0];
    picker.busy = busy;
    picker.items = choices.map((choice) => ({ ...choice, alwaysShow: true }));
    // Rows that arrive must not move what is about to be chosen.
    const same = picker.items.find(
      ({ label, description }) => label === before?.label && description === before.description,
    );
    if (same !== undefined) picker.activeItems = [same];
  };
  picker.onDidChangeValue((text) => {
    live.typed(text.trim(), show);
  });
  live.typed('', show);
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      const [chosen] = picker.selectedItems;
      if (chosen === undefined) return;
      resolve(chosen);
      picker.hide();
    });
    picker.onDidHide(() => {
      open = false;
      live.closed();
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}
