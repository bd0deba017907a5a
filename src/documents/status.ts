/** Says in the document what state it is in: a line above it, drift as information, and a note at hidden values. */
import * as vscode from 'vscode';
import type { CommandId, ResourceArgument } from '../commands/ids.ts';
import { Disposables, type Disposable } from '../ui/disposables.ts';
import { plainText } from '../platform/plain-text.ts';
import { spanOfPath } from './analysis.ts';
import type { Desk } from './desk.ts';
import { CUT, rangeOf, type DocumentFeatures } from './features.ts';
import { resourceOf } from './file-system.ts';
import { stateOf, type State } from './state.ts';
import type { Shown } from './store.ts';

const SOURCE = 'Smart Objects';
/** Differences that are shown one by one; a wholly different answer would bury the rest of the Problems view. */
const MOST_DRIFT = 100;

export class DocumentStatus implements vscode.CodeLensProvider, Disposable {
  readonly #desk: Desk;
  readonly #features: DocumentFeatures;
  readonly #owned = new Disposables();
  readonly #lensesChanged = this.#owned.add(new vscode.EventEmitter<void>());
  readonly #problems = this.#owned.add(vscode.languages.createDiagnosticCollection('smartObjects.documents'));
  readonly #hidden = this.#owned.add(
    vscode.window.createTextEditorDecorationType({
      after: {
        contentText: 'hidden: a secret',
        margin: '0 0 0 1em',
        fontStyle: 'italic',
        color: new vscode.ThemeColor('editorCodeLens.foreground'),
      },
    }),
  );

  readonly onDidChangeCodeLenses = this.#lensesChanged.event;

  constructor(desk: Desk, features: DocumentFeatures) {
    this.#desk = desk;
    this.#features = features;
    const { workspace, window } = vscode;
    this.#owned.add(
      workspace.onDidOpenTextDocument((document) => {
        this.#tell(document);
      }),
    );
    this.#owned.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        this.#tell(document);
      }),
    );
    this.#owned.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.#problems.delete(uri);
      }),
    );
    this.#owned.add(
      window.onDidChangeVisibleTextEditors((editors) => {
        editors.forEach((editor) => {
          this.#note(editor);
        });
      }),
    );
    this.#owned.add(
      desk.services.sessions.onDidChange(() => {
        this.update();
      }),
    );
    this.update();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** What is said of all documents that are open. */
  update(): void {
    this.#lensesChanged.fire();
    for (const document of vscode.workspace.textDocuments) this.#tell(document);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const resource = resourceOf(document.uri);
    const shown = resource === undefined ? undefined : this.#desk.store.get(resource);
    if (resource === undefined || shown === undefined) return [];
    const state = this.#stateOf(shown);
    const heading = this.#desk.services.sessions.get(resource.connection)?.heading ?? resource.connection;
    const lens = (title: string, command: CommandId, argument: unknown, tooltip?: string): vscode.CodeLens =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        title,
        command: `smartObjects.${command}`,
        arguments: [argument],
        ...(tooltip !== undefined && { tooltip }),
      });
    const retry =
      state.is === 'old'
        ? lens(`$(warning) ${plainText(state.text)} · Retry`, 'refreshDocument', document.uri, state.detail)
        : lens(`$(refresh) ${state.text}`, 'refreshDocument', document.uri, `Refresh · ${heading}`);
    return [retry, ...actionsOf(resource).map(([title, command]) => lens(title, command, resource))];
  }

  #stateOf(shown: Shown): State {
    return stateOf(shown, this.#desk.services.sessions.get(shown.resource.connection));
  }

  #tell(document: vscode.TextDocument): void {
    const resource = resourceOf(document.uri);
    if (resource === undefined) return;
    const shown = this.#desk.store.get(resource);
    // While the text is still another one, positions would point at the wrong places; it changes in a moment.
    if (shown?.text !== document.getText().replaceAll('\r\n', '\n')) return;
    this.#problems.set(document.uri, [
      ...this.#staleness(shown),
      ...this.#cuts(document),
      ...this.#drift(document, shown),
    ]);
    for (const editor of vscode.window.visibleTextEditors) if (editor.document === document) this.#note(editor);
  }

  #staleness(shown: Shown): vscode.Diagnostic[] {
    const state = this.#stateOf(shown);
    if (state.is === 'fresh') return [];
    return [
      problem(new vscode.Range(0, 0, 0, 1), plainText(state.detail, 400), vscode.DiagnosticSeverity.Warning, 'old'),
    ];
  }

  #cuts(document: vscode.TextDocument): vscode.Diagnostic[] {
    const cuts = this.#features.analysisOf(document).marks.filter(({ is }) => is === 'cut');
    return cuts
      .slice(0, MOST_DRIFT)
      .map((mark) => problem(rangeOf(document, mark), CUT, vscode.DiagnosticSeverity.Warning, 'cut'));
  }

  #drift(document: vscode.TextDocument, { item }: Shown): vscode.Diagnostic[] {
    const { root } = this.#features.analysisOf(document);
    if (root === undefined) return [];
    return item.drift.slice(0, MOST_DRIFT).map(({ path, message }) => {
      const where = plainText(path === '' ? 'The whole' : path, 80);
      const range = rangeOf(document, spanOfPath(root, path));
      return problem(range, `${where}: ${plainText(message, 300)}`, vscode.DiagnosticSeverity.Information, 'drift');
    });
  }

  #note(editor: vscode.TextEditor): void {
    if (resourceOf(editor.document.uri) === undefined) return;
    const hidden = this.#features.analysisOf(editor.document).marks.filter(({ is }) => is === 'hidden');
    editor.setDecorations(
      this.#hidden,
      hidden.map(({ offset, length }) => rangeOf(editor.document, { offset, length: length + 1 })),
    );
  }
}

function problem(
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

function actionsOf({ kind }: ResourceArgument): readonly (readonly [title: string, command: CommandId])[] {
  return [
    ...(['objects', 'faces', 'templates'].includes(kind)
      ? [['$(open-preview) Preview Face', 'previewFace'] as const]
      : []),
    ...(kind === 'assets' ? [['$(open-preview) Preview', 'previewAsset'] as const] : []),
    ...(kind === 'objects' ? [['$(history) History', 'showObjectHistory'] as const] : []),
    ...(kind === 'batches' ? [['$(history) Action Logs', 'showActionLogs'] as const] : []),
    ...(['objects', 'templates', 'action-logs'].includes(kind)
      ? [['$(new-file) New Action File', 'newActionFileFrom'] as const]
      : []),
    ['Compare With…', 'compareResources'],
  ];
}
