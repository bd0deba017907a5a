/** Presents errors of commands. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { LocatedError, UntrustedWorkspaceError } from '../model/command-errors.ts';
import { formatError, isCancelled } from '../model/text/error-message.ts';
import { formatRemedy, getRemedy } from '../model/text/error-remedy.ts';
import { PlatformError } from '../platform/errors.ts';
import { readCommandTitle } from './command-title.ts';
import type { FeatureContext } from './context.ts';
import type { CommandId } from './ids.ts';

/** Logs and shows an error of a command with what helps: the place, sign-in, another identity, settings. Shows nothing for cancellations. */
export function presentError(features: FeatureContext, id: CommandId, error: unknown): void {
  if (isCancelled(error)) return;
  const text = formatError(readCommandTitle(features.context.extension.packageJSON, id), error);
  features.log().error(text);
  const showOutput = l10n.t('Show Output');
  const goToLine = l10n.t('Go to Line');
  const trust = l10n.t('Manage Workspace Trust');
  const editConnections = l10n.t('Edit Connections');
  const place = error instanceof LocatedError ? error : undefined;
  // Not awaited: the command is finished, and a notification may stay open for minutes.
  const { connection, redirect } = error instanceof PlatformError ? error.detail : {};
  const remedy = connection === undefined ? undefined : getRemedy(error);
  const offers =
    place !== undefined
      ? [goToLine]
      : error instanceof UntrustedWorkspaceError
        ? [trust]
        : remedy !== undefined
          ? [formatRemedy(remedy)]
          : redirect !== undefined
            ? [editConnections]
            : [];
  void features.ui.error(text, ...offers, showOutput).then(async (chosen) => {
    if (chosen === showOutput) features.log().show();
    if (remedy !== undefined && connection !== undefined && chosen === formatRemedy(remedy))
      await features.run(remedy, connection);
    if (chosen === editConnections) await features.run('editConnections');
    if (chosen === trust) await vscode.commands.executeCommand('workbench.trust.manage');
    if (chosen !== goToLine || place === undefined) return;
    const at = new vscode.Position(place.line - 1, place.column - 1);
    const uri = vscode.Uri.parse(place.uri, true);
    try {
      await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at) });
    } catch (failure) {
      // The file may have been deleted before the button is clicked.
      presentError(features, id, failure);
    }
  });
}
