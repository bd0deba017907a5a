/** Everything that asks or tells a person something, in one place that tests can replace. */
import * as vscode from 'vscode';
import { plainLines, singleLine } from '../platform/plain-text.ts';
import { BACK } from './back.ts';

export { BACK };

export interface Question {
  /** one sentence, with the connection and environment; PRODUCTION first where it is that */
  readonly message: string;
  readonly detail?: string;
  /** label of the button that goes on; Cancel is always there */
  readonly action: string;
}

export interface PickOrTypeOptions {
  readonly title: string;
  readonly placeHolder: string;
  /** label of the row that stands for the typed text */
  readonly typed: (text: string) => string;
}

/** Where in a form a question stands; step 1 has no way back. */
export interface Step {
  readonly step: number;
  readonly totalSteps: number;
}

/** What a list that fills while it is typed into shows now. */
export interface LiveList<Choice> {
  readonly choices: readonly Choice[];
  /** more may come */
  readonly busy: boolean;
}

export interface Live<Choice> {
  readonly title: string;
  readonly placeHolder: string;
  /** Called with each text that is typed, first with none; `show` may be called any number of times until the next. */
  readonly typed: (text: string, show: (list: LiveList<Choice>) => void) => void;
  readonly closed: () => void;
}

export interface Ui {
  /** A modal dialog; false when it is closed. */
  confirm(question: Question): Promise<boolean>;
  /** An input box that accepts only `expected`, typed exactly; for production. */
  confirmByTyping(question: Question, expected: string): Promise<boolean>;
  input(options: vscode.InputBoxOptions): Promise<string | undefined>;
  pick<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[] | Promise<readonly Choice[]>,
    options: vscode.QuickPickOptions,
  ): Promise<Choice | undefined>;
  /** A list that also takes what is typed: the choice, or the typed text without surrounding space. */
  pickOrType<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[] | Promise<readonly Choice[]>,
    options: PickOrTypeOptions,
  ): Promise<Choice | string | undefined>;
  /** A list that fills while it is typed into. */
  live<Choice extends vscode.QuickPickItem>(live: Live<Choice>): Promise<Choice | undefined>;
  /** Asks for a file to write. */
  saveAs(options: vscode.SaveDialogOptions): Promise<vscode.Uri | undefined>;
  /** As `input`, with a back button; an error at the field keeps it open. */
  inputStep(options: vscode.InputBoxOptions & Step): Promise<string | typeof BACK | undefined>;
  /** As `pick`, with a back button. */
  pickStep<Choice extends vscode.QuickPickItem>(
    choices: readonly Choice[],
    options: vscode.QuickPickOptions & Step,
  ): Promise<Choice | typeof BACK | undefined>;
  /** Shows a notification with a Cancel button while `work` runs; cancelling fires the signal. */
  progress<T>(title: string, work: (signal: AbortSignal, say: (step: string) => void) => Promise<T>): Promise<T>;
  /** Notifications with buttons; the label that was clicked. Plain text, never from a server unredacted. */
  info(message: string, ...buttons: string[]): Promise<string | undefined>;
  warn(message: string, ...buttons: string[]): Promise<string | undefined>;
  error(message: string, ...buttons: string[]): Promise<string | undefined>;
  /** Opens an http(s) address in the browser, letter by letter as it stands. */
  browse(url: string): Promise<void>;
}

/** What takes no longer is not announced: VS Code would show it for most of a second. */
const UNTOLD_MS = 300;

export const editorUi: Ui = {
  async confirm({ message, detail, action }) {
    const chosen = await vscode.window.showWarningMessage(
      singleLine(message),
      { modal: true, ...(detail !== undefined && { detail: plainLines(detail) }) },
      action,
    );
    return chosen === action;
  },
  async confirmByTyping({ message, detail, action }, expected) {
    const typed = await vscode.window.showInputBox({
      title: singleLine(message),
      prompt: `${detail === undefined ? '' : `${plainLines(detail)} `}Type ${expected} to ${action.toLowerCase()}.`,
      placeHolder: expected,
      ignoreFocusOut: true,
      validateInput: (text) => (text === expected ? undefined : `Type the connection's name, ${expected}, exactly`),
    });
    return typed === expected;
  },
  async input(options) {
    return vscode.window.showInputBox(options);
  },
  async pick(choices, options) {
    const list = Promise.resolve(choices).then((all) => [...all]);
    return vscode.window.showQuickPick(list, options);
  },
  async pickOrType(choices, options) {
    const { pickOrType } = await import('./pick-or-type.ts');
    return pickOrType(choices, options);
  },
  async live(live) {
    return (await import('./live-list.ts')).liveList(live);
  },
  async saveAs(options) {
    return vscode.window.showSaveDialog(options);
  },
  async inputStep(options) {
    return (await import('./steps.ts')).inputStep(options);
  },
  async pickStep(choices, options) {
    return (await import('./steps.ts')).pickStep(choices, options);
  },
  async progress(title, work) {
    const stop = new AbortController();
    let step = '';
    let tell = (message: string): void => {
      step = message;
    };
    const result = work(stop.signal, (message) => {
      tell(message);
    });
    const ended = result.then(
      () => true,
      () => true,
    );
    if (await Promise.race([ended, new Promise<false>((resolve) => setTimeout(resolve, UNTOLD_MS, false))]))
      return result;
    const location = vscode.ProgressLocation.Notification;
    void vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
      token.onCancellationRequested(() => {
        stop.abort();
      });
      tell = (message) => {
        progress.report({ message });
      };
      if (step !== '') tell(step);
      return ended;
    });
    return result;
  },
  async info(message, ...buttons) {
    return vscode.window.showInformationMessage(singleLine(message), ...buttons);
  },
  async warn(message, ...buttons) {
    return vscode.window.showWarningMessage(singleLine(message), ...buttons);
  },
  async error(message, ...buttons) {
    return vscode.window.showErrorMessage(singleLine(message), ...buttons);
  },
  async browse(url) {
    // A text and not a Uri: that one would decode what is encoded.
    await vscode.commands.executeCommand('vscode.open', url);
  },
};
