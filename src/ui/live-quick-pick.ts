/** A quick pick whose items are supplied while typing, without the editor's own filter. */
import * as vscode from 'vscode';
import { HighlightTracker } from './highlight.ts';
import type { LiveChoice, LiveQuickPickItems, LiveQuickPickOptions } from './ui.ts';

/** Longest time that a list waits until the editor has highlighted the kept item of the one before. */
const MAX_RESTORE_MS = 300;

/** Resolves with the choice, or `undefined` on cancel. Never rejects. */
export function showLiveQuickPick<Choice extends LiveChoice>(
  live: LiveQuickPickOptions<Choice>,
): Promise<Choice | undefined> {
  const picker = vscode.window.createQuickPick<Choice>();
  picker.title = live.title;
  picker.placeholder = live.placeHolder;
  picker.matchOnDescription = true;
  // Recent ones first, in groups: VS Code would sort by label. It is in no published API, and ignored where it is unknown.
  Reflect.set(picker, 'sortByLabel', false);
  let open = true;
  const highlight = new HighlightTracker();
  let shown = '';
  let waiting: LiveQuickPickItems<Choice> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const showWaiting = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== undefined) render(waiting);
  };
  const showChoices = (list: LiveQuickPickItems<Choice>): void => {
    waiting = list;
    if (highlight.isRestoring) timer ??= setTimeout(showWaiting, MAX_RESTORE_MS);
    else showWaiting();
  };
  const render = ({ choices, busy, status }: LiveQuickPickItems<Choice>): void => {
    waiting = undefined;
    if (!open) return;
    picker.busy = busy;
    picker.title = status === undefined ? live.title : `${live.title} (${status})`;
    // The same items again would move the highlight back to the first one for a moment, and for good if a key is pressed then.
    const content = JSON.stringify(choices);
    if (content === shown) return;
    shown = content;
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
    if (!highlight.isRestoring) showWaiting();
  });
  picker.onDidChangeValue((text) => {
    highlight.reset(picker.activeItems[0]?.key);
    // It is for the text before.
    waiting = undefined;
    shown = '';
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
