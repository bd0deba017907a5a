/** Completions, hovers, fixes and checks of action files; the code behind them loads on first use. */
import * as vscode from 'vscode';
import type { FeatureContext } from '../../commands/context.ts';
import {
  ACTION_DOCUMENTS,
  ACTION_DOCUMENTS_AND_SUITES,
  ACTION_AND_TEST_DOCUMENTS,
  isCheckedDocument,
} from './action-documents.ts';
import type { LanguageFeatures } from './language-features.ts';

/** Registers the providers, and the checks of documents as they are opened, changed and closed. */
export function registerLanguage(features: FeatureContext, load: () => Promise<LanguageFeatures>): void {
  const { languages, workspace } = vscode;
  features.addDisposable(
    languages.registerCompletionItemProvider(
      ACTION_AND_TEST_DOCUMENTS,
      {
        provideCompletionItems: async (document, position, token) => (await load()).complete(document, position, token),
      },
      '"',
      ':',
    ),
  );
  features.addDisposable(
    languages.registerHoverProvider(ACTION_DOCUMENTS, {
      provideHover: async (document, position, token) => (await load()).hover(document, position, token),
    }),
  );
  features.addDisposable(
    languages.registerCodeActionsProvider(
      ACTION_DOCUMENTS_AND_SUITES,
      {
        provideCodeActions: async (document, _range, context) => (await load()).getFixes(document, context),
        resolveCodeAction: async (action) => (await load()).resolveFix(action),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  const waiting = new Map<string, NodeJS.Timeout>();
  const check = (document: vscode.TextDocument, isTyped = false): void => {
    if (!isCheckedDocument(document)) return;
    const key = document.uri.toString();
    clearTimeout(waiting.get(key));
    const timer = setTimeout(() => {
      waiting.delete(key);
      if (!document.isClosed)
        void load()
          .then((loaded) => loaded.check(document, isTyped))
          .catch(ignoreError);
    }, 200);
    waiting.set(key, timer);
  };
  features.addDisposable({
    dispose: () => {
      for (const timer of waiting.values()) clearTimeout(timer);
    },
  });
  const checkOpened = (document: vscode.TextDocument): void => check(document);
  features.addDisposable(workspace.onDidOpenTextDocument(checkOpened));
  features.addDisposable(workspace.onDidChangeTextDocument(({ document }) => check(document, true)));
  features.addDisposable(
    workspace.onDidCloseTextDocument((document) => {
      if (isCheckedDocument(document)) void load().then((loaded) => loaded.clear(document), ignoreError);
    }),
  );
  workspace.textDocuments.forEach(checkOpened);
}

/** A command reports an error of loading the controller; typing does not. */
function ignoreError(): void {
  return;
}
