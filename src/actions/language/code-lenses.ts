/** Run, Check and Run on… above action files. */
import * as vscode from 'vscode';
import type { FeatureContext } from '../../commands/context.ts';
import type { CommandId } from '../../commands/ids.ts';
import { ACTION_DOCUMENTS_AND_SUITES, isNewActionFile } from './action-documents.ts';

/** Registers the code lenses; `onDidChange` re-renders them. */
export function registerCodeLenses(features: FeatureContext, onDidChange: vscode.Event<void>): void {
  features.addDisposable(
    vscode.languages.registerCodeLensProvider(ACTION_DOCUMENTS_AND_SUITES, {
      onDidChangeCodeLenses: onDidChange,
      provideCodeLenses: (document) => {
        const { uri } = document;
        const named = /\.actions?\.json$/.test(uri.path);
        if (!named && !isNewActionFile(document)) return [];
        return [
          createLens('$(play) Run', 'executeAction', uri),
          // Suites have no live check.
          ...(uri.path.endsWith('.actions.json') ? [] : [createLens('Check', 'checkAction', uri)]),
          createLens('Run on…', 'executeOn', uri),
        ];
      },
    }),
  );
}

function createLens(title: string, id: CommandId, uri: vscode.Uri): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command: `smartObjects.${id}`, arguments: [uri] });
}
