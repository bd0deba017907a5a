/** Insert ID at Cursor, and dropping rows of the tree into an editor. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DRAG_MIME } from '../../model/resources/drag-data.ts';
import { pickKnownResource } from '../lookup/pick-resource.ts';
import type { DocumentsContext } from '../context.ts';
import { getInsertions, parseDragData, type Insertion, type TargetFile } from './insertions.ts';

/**
 * Inserts an id at every cursor of the active editor. Resolves to `undefined` if cancelled. Rejects with Error if there
 * is no editor, or it is read-only or has changed.
 */
export async function insertId(context: DocumentsContext, argument: unknown): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error(l10n.t('Open a text editor first'));
  const resource = await pickKnownResource(context, argument, l10n.t('Insert ID at Cursor'));
  if (resource === undefined) return undefined;
  const { document } = editor;
  const file = getFile(document);
  const edits = new Map<number, { readonly range: vscode.Range; readonly text: string }>();
  // The quick pick took time: the selections are those of now.
  for (const selection of editor.selections) {
    const insertions = getInsertions([resource], file, document.offsetAt(selection.active));
    const insertion = insertions.find(({ type }) => type === 'id');
    if (insertion === undefined) continue;
    const replaced = getRange(document, insertion);
    const range = replaced.contains(selection) ? replaced : selection;
    // Two cursors may stand in one string.
    edits.set(document.offsetAt(range.start), { range, text: insertion.text });
  }
  const done = await editor.edit((builder) => {
    for (const { range, text } of edits.values()) builder.replace(range, text);
  });
  if (!done) throw new Error(l10n.t('The active editor is read-only or has changed'));
  return [...edits.values()][0]?.text;
}

function getFile(document: vscode.TextDocument): TargetFile {
  const { path } = document.uri;
  const isJson = /\.jsonc?$/i.test(path) || ['json', 'jsonc'].includes(document.languageId);
  const type = /\.action\.json$/i.test(path) ? 'action' : isJson ? 'json' : 'other';
  return { type, text: document.getText() };
}

function getRange(document: vscode.TextDocument, { start, end }: Insertion): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Creates the edits that insert the dragged resources; empty if the data is not from the tree. Never rejects. */
export async function createDropEdits(
  document: vscode.TextDocument,
  position: vscode.Position,
  transfer: vscode.DataTransfer,
  token: vscode.CancellationToken,
): Promise<vscode.DocumentDropEdit[]> {
  const text = await transfer.get(DRAG_MIME)?.asString();
  if (text === undefined || token.isCancellationRequested) return [];
  return getInsertions(parseDragData(text), getFile(document), document.offsetAt(position)).map((insertion) => {
    const range = getRange(document, insertion);
    const kind = vscode.DocumentDropOrPasteEditKind.Empty.append('smartObjects');
    // A snippet string would give a meaning to `$` and `}`.
    const edit = new vscode.DocumentDropEdit(range.isEmpty ? insertion.text : '', insertion.label, kind);
    if (range.isEmpty) return edit;
    edit.additionalEdit = new vscode.WorkspaceEdit();
    edit.additionalEdit.replace(document.uri, range, insertion.text);
    return edit;
  });
}
