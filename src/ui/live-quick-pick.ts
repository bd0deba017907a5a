/** A quick pick whose items are supplied while typing, without the editor's own filter. */
import * as vscode from 'vscode';
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
  let isNewText = false;
  /** key of the item that the editor made active by itself: the first one that it shows */
  let initialKey: string | undefined;
  let isInitial = true;
  const showChoices = ({ choices, busy, status }: LiveQuickPickItems<Choice>): void => {
    if (!open) return;
    const activeKey = picker.activeItems[0]?.key;
    const hasMoved = !isNewText && activeKey !== initialKey;
    picker.busy = busy;
    picker.title = status === undefined ? live.title : `${live.title} (${status})`;
    const items = choices.map((choice) => ({ ...choice, alwaysShow: true }));
    // Arriving items must not move the item that the user went to, nor push it out of view.
    const activeItem = hasMoved ? items.find(({ key }) => key === activeKey) : undefined;
    picker.keepScrollPosition = activeItem === undefined;
    picker.items = items;
    if (activeItem !== undefined) picker.activeItems = [activeItem];
    isInitial = activeItem === undefined;
    isNewText = false;
  };
  picker.onDidChangeActive(([item]) => {
    if (isInitial && item !== undefined) initialKey = item.key;
    isInitial = isInitial && item === undefined;
  });
  picker.onDidChangeValue((text) => {
    isNewText = true;
    live.onDidType(text.trim(), showChoices);
  });
  live.onDidType('', showChoices);
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
