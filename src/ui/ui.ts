/** The dialogs, lists and notifications of the extension, as an interface that tests can replace. */
import type * as vscode from 'vscode';

/** Result of a form step when the user goes back to the step before it. */
export const BACK = Symbol('back');

export interface ConfirmOptions {
  /** one sentence with the connection and environment, PRODUCTION first */
  readonly message: string;
  readonly detail?: string;
  /** label of the confirming button; Cancel is added */
  readonly confirmLabel: string;
}

export interface PickOrTypeOptions {
  readonly title: string;
  readonly placeHolder: string;
  /** label of the item for the typed text */
  readonly formatTypedLabel: (text: string) => string;
}

/** Position of a form step; step 1 has no back button. */
export interface StepPosition {
  readonly step: number;
  readonly totalSteps: number;
}

export interface ProgressStepOptions extends StepPosition {
  readonly title: string;
  /** what is going on */
  readonly message: string;
}

/** Current items of a quick pick that updates while typing. */
export interface LiveQuickPickItems<Choice> {
  readonly choices: readonly Choice[];
  /** more items may follow */
  readonly busy: boolean;
  /** progress, shown in the title */
  readonly status?: string | undefined;
}

/** A choice of such a quick pick; while items arrive, the one with the same key stays active. */
export interface LiveChoice extends vscode.QuickPickItem {
  readonly key: string;
}

export interface LiveQuickPickOptions<Choice> {
  readonly title: string;
  readonly placeHolder: string;
  /** the text at first */
  readonly value?: string | undefined;
  /** Called with the text after each change, first with `value`; may call `show` any number of times. */
  readonly onDidType: (text: string, show: (list: LiveQuickPickItems<Choice>) => void) => void;
  /** Called with an accepted choice; `true` keeps the quick pick open. */
  readonly onDidAccept?: (choice: Choice) => boolean;
  readonly onDidClose: () => void;
}

export interface Ui {
  /** Shows a modal dialog; resolves with false when dismissed. */
  confirm(question: ConfirmOptions): Promise<boolean>;
  /** Shows a modal dialog with several buttons, and Cancel; resolves with the label of the clicked one. */
  choose(question: Omit<ConfirmOptions, 'confirmLabel'>, labels: readonly string[]): Promise<string | undefined>;
  /** Shows an input box that accepts exactly `expected`; for production. */
  confirmByTyping(question: ConfirmOptions, expected: string): Promise<boolean>;
  input(options: vscode.InputBoxOptions): Promise<string | undefined>;
  pick<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[] | Promise<readonly Choice[]>,
    options: vscode.QuickPickOptions,
  ): Promise<Choice | undefined>;
  /** A quick pick that also accepts typed text; resolves with the item or the trimmed text. */
  pickOrType<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[] | Promise<readonly Choice[]>,
    options: PickOrTypeOptions,
  ): Promise<Choice | string | undefined>;
  /** A quick pick whose items update while typing. */
  pickLive<Choice extends LiveChoice>(live: LiveQuickPickOptions<Choice>): Promise<Choice | undefined>;
  /** Prompts for a file to write. */
  showSaveDialog(options: vscode.SaveDialogOptions): Promise<vscode.Uri | undefined>;
  /** `input` with a back button; stays open with validation errors. */
  inputStep(options: vscode.InputBoxOptions & StepPosition): Promise<string | typeof BACK | undefined>;
  /** `pick` with a back button. */
  pickStep<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[],
    options: vscode.QuickPickOptions & StepPosition,
  ): Promise<Choice | typeof BACK | undefined>;
  /**
   * A form step that shows progress while `work` runs; resolves with its result, BACK, or `undefined` on cancel. Leaving
   * the step aborts the signal. Rejects as `work` does.
   */
  progressStep<T>(
    options: ProgressStepOptions,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | typeof BACK | undefined>;
  /** Shows a cancellable notification while `work` runs; cancelling aborts the signal. Rejects as `work` does. */
  progress<T>(title: string, work: (signal: AbortSignal, report: (step: string) => void) => Promise<T>): Promise<T>;
  /** Notifications with buttons; resolve with the clicked label. Plain text; server text must be redacted. */
  info(message: string, ...buttons: string[]): Promise<string | undefined>;
  warn(message: string, ...buttons: string[]): Promise<string | undefined>;
  error(message: string, ...buttons: string[]): Promise<string | undefined>;
  /** Opens an http(s) URL in the browser, unchanged. */
  openExternal(url: string): Promise<void>;
}
