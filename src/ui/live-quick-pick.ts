/** A quick pick whose items are supplied while typing, without the editor's own filter. */
import * as vscode from 'vscode';
import { HighlightTracker } from './highlight.ts';
import type { LiveChoice, LiveQuickPickItems, LiveQuickPickOptions } from './ui.ts';

/** Resolves with the choice, or `undefined` on cancel. Never rejects. */
export function showLiveQuickPick<Choice extends LiveChoice>(
  live: LiveQuickPickOptions<Choice>,
): Promise<Choice | undefined> {
  const picker = vscode.window.createQuickPick<Choice>();
  picker.title = live.title;
  picker.placeholder = live.placeHolder;
  picker.matchOnDescription = true;
  let open = true;
  const highlight = new HighlightTracker();
  const showChoices = ({ choices, busy, status }: LiveQuickPickItems<Choice>): void => {
    if (!open) return;
    picker.busy = busy;
    picker.title = status === undefined ? live.title : `${live.title} (${status})`;
    const items = choices.map((choice) => ({ ...choice, alwaysShow: true }));
    // Arriving items must not move the item that the user went to, nor push it out of view.
    const keys = items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator).map(({ key }) => key);
    const movedTo = highlight.show(keys, picker.activeItems[0]?.key);
    picker.keepScrollPosition = movedTo === undefined;
    picker.items = items;
    if (movedTo !== undefined) picker.activeItems = items.filter(({ key }) => key === movedTo);
  };
  picker.onDidChangeActive(([item]) => {
    highlight.report(item?.key);
  });
  picker.onDidChangeValue((text) => {
    highlight.reset(picker.activeItems[0]?.key);
    live.onDidType(text.trim(), showChoices);
  });
  picker.value = live.value ?? '';
  live.onDidType(picker.value.trim(), showChoices);
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      const [chosen] = picker.selectedItems;
      if (chosen === undefined || live.onDidAccept?.(chosen) === true) return;
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
