/** Code lenses above action files. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext } from '../../commands/context.ts';
import type { CommandId } from '../../commands/ids.ts';
import { isScenarioPath, isSuitePath } from '../file/file-names.ts';
import { ACTION_DOCUMENTS_AND_SUITES, isNewActionFile } from './action-documents.ts';

export interface LensSource {
  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[];
}

/**
 * Registers the code lenses; `changed` re-renders them. `getSource` loads the feature: until then the lenses name no
 * connection, since VS Code delays every later lens by the time that the first ones took.
 */
export function registerCodeLenses(
  features: FeatureContext,
  changed: vscode.EventEmitter<void>,
  getSource: () => Promise<LensSource>,
): void {
  let source: LensSource | undefined;
  const load = async (): Promise<void> => {
    source = await getSource();
    changed.fire();
  };
  features.addDisposable(
    vscode.languages.registerCodeLensProvider(ACTION_DOCUMENTS_AND_SUITES, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: (document) => {
        const { uri } = document;
        if (!/\.(?:actions?|scenario)\.json$/.test(uri.path) && !isNewActionFile(document)) return [];
        if (source !== undefined) return source.provideCodeLenses(document);
        // The command of a lens reports an error of loading.
        void load().catch(() => undefined);
        return createFirstLenses(document, formatLensTitle('play', formatRunTitle()));
      },
    }),
  );
}

/** The lenses above the first line of a file: how to run it; `title` of the first. */
export function createFirstLenses(document: vscode.TextDocument, title: string): vscode.CodeLens[] {
  const { uri } = document;
  // A file with placeholders for rows cannot be run without data.
  if (!/(?<!\$)\$\{row:/.test(document.getText())) return createRunLenses(uri, title);
  const top = new vscode.Range(0, 0, 0, 0);
  return [
    createLens(top, formatLensTitle('run-all', l10n.t('Run with Data…')), 'runWithData', uri),
    ...createInspectionLenses(uri),
  ];
}

/** Preview and Check. */
function createInspectionLenses(uri: vscode.Uri): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  const preview = l10n.t({ message: 'Preview', args: [], comment: 'Command: shows the request without sending it' });
  const check = l10n.t({ message: 'Check', args: [], comment: 'Command: checks an action file' });
  return [createLens(top, preview, 'previewRequest', uri), createLens(top, check, 'checkAction', uri)];
}

/** Title of the lens that runs an action if no connection is known. */
export function formatRunTitle(): string {
  return l10n.t({ message: 'Run', args: [], comment: 'Command: runs an action' });
}

/** Run, Preview, Check and Run on…. */
function createRunLenses(uri: vscode.Uri, title: string): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  return [
    createLens(top, title, 'executeAction', uri),
    // Suites have neither a preview nor a live check.
    ...(isSuitePath(uri.path) ? [] : createInspectionLenses(uri)),
    // A scenario has a connection of its own.
    ...(isScenarioPath(uri.path) ? [] : [createLens(top, l10n.t('Run On…'), 'executeOn', uri)]),
  ];
}

/** The space does not break, so that the icon keeps its distance. */
export function formatLensTitle(icon: string, text: string): string {
  return `$(${icon})\u00a0${text}`;
}

/** A lens that runs a command with one argument. */
export function createLens(
  range: vscode.Range,
  title: string,
  id: CommandId,
  argument: vscode.Uri | string,
  tooltip?: string,
): vscode.CodeLens {
  const command = { title, command: `smartObjects.${id}`, arguments: [argument] };
  return new vscode.CodeLens(range, tooltip === undefined ? command : { ...command, tooltip });
}
