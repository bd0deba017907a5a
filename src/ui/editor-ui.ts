import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { reportWaits } from '../platform/requests/progress.ts';
import { toPlainLines, toSingleLine } from '../platform/text/plain-text.ts';
import type { Ui } from './ui.ts';

/** Shorter work shows no progress: VS Code would keep the notification for most of a second. */
const PROGRESS_DELAY_MS = 300;

/** The dialogs of VS Code. */
export const editorUi: Ui = {
  async confirm({ confirmLabel, ...question }) {
    return (await editorUi.choose(question, [confirmLabel])) === confirmLabel;
  },
  async choose({ message, detail }, labels) {
    return vscode.window.showWarningMessage(
      toSingleLine(message),
      { modal: true, ...(detail !== undefined && { detail: toPlainLines(detail) }) },
      ...labels,
    );
  },
  async confirmByTyping({ message, detail, confirmLabel }, expected) {
    const action = l10n.t('To confirm “{0}”, type {1}.', confirmLabel, expected);
    const typed = await vscode.window.showInputBox({
      title: toSingleLine(message),
      prompt: detail === undefined ? action : `${toPlainLines(detail)} ${action}`,
      placeHolder: expected,
      ignoreFocusOut: true,
      validateInput: (text) => (text === expected ? undefined : l10n.t('Type {0} exactly as shown.', expected)),
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
    const { showPickOrType: pickOrType } = await import('./pick-or-type.ts');
    return pickOrType(choices, options);
  },
  async pickLive(live) {
    return (await import('./live-quick-pick.ts')).showLiveQuickPick(live);
  },
  async showSaveDialog(options) {
    return vscode.window.showSaveDialog(options);
  },
  async inputStep(options) {
    return (await import('./step-inputs.ts')).showInputStep(options);
  },
  async pickStep(choices, options) {
    return (await import('./step-inputs.ts')).showPickStep(choices, options);
  },
  async progressStep(options, work) {
    return (await import('./step-inputs.ts')).showProgressStep(options, work);
  },
  async progress(title, work) {
    const cancellation = new AbortController();
    let step = '';
    let report = (message: string): void => {
      step = message;
    };
    const result = reportWaits(
      (message) => report(message),
      (reportStep) => work(cancellation.signal, reportStep),
    );
    const finished = result.then(
      () => true,
      () => true,
    );
    if (await Promise.race([finished, new Promise<false>((resolve) => setTimeout(resolve, PROGRESS_DELAY_MS, false))]))
      return result;
    const location = vscode.ProgressLocation.Notification;
    void vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
      token.onCancellationRequested(() => cancellation.abort());
      report = (message) => progress.report({ message });
      if (step !== '') report(step);
      return finished;
    });
    return result;
  },
  async info(message, ...buttons) {
    return vscode.window.showInformationMessage(toSingleLine(message), ...buttons);
  },
  async warn(message, ...buttons) {
    return vscode.window.showWarningMessage(toSingleLine(message), ...buttons);
  },
  async error(message, ...buttons) {
    return vscode.window.showErrorMessage(toSingleLine(message), ...buttons);
  },
  async openExternal(url) {
    // A string, not a Uri, which would decode the URL.
    await vscode.commands.executeCommand('vscode.open', url);
  },
};
