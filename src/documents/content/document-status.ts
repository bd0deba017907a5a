import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../commands/ids.ts';
import { Disposables, type Disposable } from '../../ui/disposables.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { findSpanOfPath } from '../links/json-analysis.ts';
import type { DocumentsContext } from '../context.ts';
import { TOO_DEEP_MESSAGE, toRange, type DocumentLinks } from '../links/document-links.ts';
import { parseUri } from './file-system.ts';
import { getResourceCommands } from '../resource-commands.ts';
import { getFreshness, type Freshness } from './freshness.ts';
import type { ShownDocument } from './document-store.ts';
import { formatPair } from '../../platform/text/localization.ts';

const SOURCE = 'Smart Objects';
/** Drift diagnostics of one document; more would bury the rest of the Problems view. */
const MAX_DIAGNOSTICS = 100;

/** Shows a document's state: code lenses, diagnostics for old data and drift, and a note at hidden values. */
export class DocumentStatus implements vscode.CodeLensProvider, Disposable {
  readonly #context: DocumentsContext;
  readonly #documentLinks: DocumentLinks;
  readonly #disposables = new Disposables();
  readonly #lensesChanged = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #diagnostics = this.#disposables.add(vscode.languages.createDiagnosticCollection('smartObjects.documents'));
  readonly #hidden = this.#disposables.add(
    vscode.window.createTextEditorDecorationType({
      after: {
        contentText: l10n.t('hidden secret'),
        margin: '0 0 0 1em',
        fontStyle: 'italic',
        color: new vscode.ThemeColor('editorCodeLens.foreground'),
      },
    }),
  );

  readonly onDidChangeCodeLenses = this.#lensesChanged.event;

  constructor(context: DocumentsContext, documentLinks: DocumentLinks) {
    this.#context = context;
    this.#documentLinks = documentLinks;
    const { workspace, window } = vscode;
    this.#disposables.add(workspace.onDidOpenTextDocument((document) => this.#updateDiagnostics(document)));
    this.#disposables.add(workspace.onDidChangeTextDocument(({ document }) => this.#updateDiagnostics(document)));
    this.#disposables.add(workspace.onDidCloseTextDocument(({ uri }) => this.#diagnostics.delete(uri)));
    this.#disposables.add(
      window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.#updateDecorations(editor))),
    );
    this.#disposables.add(context.services.sessions.onDidChange(() => this.update()));
    this.update();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Updates the lenses and diagnostics of all open documents. */
  update(): void {
    this.#lensesChanged.fire();
    for (const document of vscode.workspace.textDocuments) this.#updateDiagnostics(document);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const resource = parseUri(document.uri);
    const shownDocument = resource === undefined ? undefined : this.#context.store.get(resource);
    if (resource === undefined || shownDocument === undefined) return [];
    const freshness = this.#getFreshness(shownDocument);
    const heading = this.#context.services.sessions.get(resource.connection)?.heading ?? resource.connection;
    const lens = (title: string, command: CommandId, argument: unknown, tooltip?: string): vscode.CodeLens =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        title,
        command: `smartObjects.${command}`,
        arguments: [argument],
        ...(tooltip !== undefined && { tooltip }),
      });
    const retry =
      freshness.type === 'stale'
        ? lens(
            `$(warning)\u00a0${toPlainText(freshness.text)} · ${l10n.t('Retry')}`,
            'refreshDocument',
            document.uri,
            freshness.detail,
          )
        : lens(`$(refresh)\u00a0${freshness.text}`, 'refreshDocument', document.uri, l10n.t('Refresh {0}', heading));
    return [
      retry,
      ...getResourceCommands(resource.kind).map(({ label, icon, command }) =>
        lens(`$(${icon})\u00a0${label}`, command, resource),
      ),
      lens(l10n.t('Compare With…'), 'compareResources', resource),
    ];
  }

  #getFreshness(shownDocument: ShownDocument): Freshness {
    return getFreshness(shownDocument, this.#context.services.sessions.get(shownDocument.resource.connection));
  }

  #updateDiagnostics(document: vscode.TextDocument): void {
    const resource = parseUri(document.uri);
    if (resource === undefined) return;
    const shownDocument = this.#context.store.get(resource);
    // VS Code has not loaded the new text yet, so positions would be wrong; its change event follows.
    if (shownDocument?.text !== document.getText().replaceAll('\r\n', '\n')) return;
    this.#diagnostics.set(document.uri, [
      ...this.#getStaleDiagnostics(shownDocument),
      ...this.#getTooDeepDiagnostics(document),
      ...this.#getDriftDiagnostics(document, shownDocument),
    ]);
    for (const editor of vscode.window.visibleTextEditors)
      if (editor.document === document) this.#updateDecorations(editor);
  }

  #getStaleDiagnostics(shownDocument: ShownDocument): vscode.Diagnostic[] {
    const freshness = this.#getFreshness(shownDocument);
    if (freshness.type === 'current') return [];
    return [
      createDiagnostic(
        new vscode.Range(0, 0, 0, 1),
        toPlainText(freshness.detail, 400),
        vscode.DiagnosticSeverity.Warning,
        'old',
      ),
    ];
  }

  #getTooDeepDiagnostics(document: vscode.TextDocument): vscode.Diagnostic[] {
    const marks = this.#documentLinks.getAnalysis(document).marks.filter(({ type }) => type === 'tooDeep');
    return marks
      .slice(0, MAX_DIAGNOSTICS)
      .map((mark) =>
        createDiagnostic(toRange(document, mark), TOO_DEEP_MESSAGE, vscode.DiagnosticSeverity.Warning, 'cut'),
      );
  }

  #getDriftDiagnostics(document: vscode.TextDocument, { item }: ShownDocument): vscode.Diagnostic[] {
    const { root } = this.#documentLinks.getAnalysis(document);
    if (root === undefined) return [];
    return item.drift.slice(0, MAX_DIAGNOSTICS).map(({ path, message }) => {
      const field = toPlainText(path === '' ? l10n.t('Document') : path, 80);
      const range = toRange(document, findSpanOfPath(root, path));
      return createDiagnostic(
        range,
        formatPair(field, toPlainText(message, 300)),
        vscode.DiagnosticSeverity.Information,
        'drift',
      );
    });
  }

  #updateDecorations(editor: vscode.TextEditor): void {
    if (parseUri(editor.document.uri) === undefined) return;
    const hidden = this.#documentLinks.getAnalysis(editor.document).marks.filter(({ type }) => type === 'hidden');
    editor.setDecorations(
      this.#hidden,
      hidden.map(({ offset, length }) => toRange(editor.document, { offset, length: length + 1 })),
    );
  }
}

function createDiagnostic(
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
  code: string,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  diagnostic.source = SOURCE;
  diagnostic.code = code;
  return diagnostic;
}
