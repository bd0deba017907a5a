/** Insert ID at Cursor, and dropping rows of the tree into an editor. */
import * as vscode from 'vscode';
import { DRAG_MIME, parseDragData, type DraggedResource } from '../../model/drag-data.ts';
import { pickKnownResource } from '../lookup/pick-resource.ts';
import type { DocumentsContext } from '../context.ts';
import { getInsertions } from './insertions.ts';

/**
 * Inserts an id at every cursor of the active editor. Resolves to `undefined` if cancelled. Rejects with Error if there
 * is no editor, or it is read-only or has changed.
 */
export async function insertId(context: DocumentsContext, argument: unknown): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error('No text editor is in front to insert an id into');
  const resource = await pickKnownResource(context, argument, 'Insert ID at Cursor');
  if (resource === undefined) return undefined;
  const { document } = editor;
  // The quick pick took time: the selection is the one of now.
  const [insertion] = getInsertions([resource], getFile(document), document.offsetAt(editor.selection.active)).filter(
    ({ label }) => !label.endsWith('action'),
  );
  if (insertion === undefined) return undefined;
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, insertion.text);
  });
  if (!done) throw new Error('The editor in front is read-only or has changed meanwhile');
  return insertion.text;
}

function getFile(document: vscode.TextDocument): { readonly name: string; readonly text: string } {
  return { name: document.uri.path.split('/').at(-1) ?? '', text: document.getText() };
}

/** Creates the edits that insert the dragged resources; empty where the data is not from the tree. Never rejects. */
export async function createDropEdits(
  document: vscode.TextDocument,
  position: vscode.Position,
  transfer: vscode.DataTransfer,
  token: vscode.CancellationToken,
): Promise<vscode.DocumentDropEdit[]> {
  const text = await transfer.get(DRAG_MIME)?.asString();
  if (text === undefined || token.isCancellationRequested) return [];
  const dragged: readonly DraggedResource[] = parseDragData(text);
  return getInsertions(dragged, getFile(document), document.offsetAt(position)).map(({ label, text: insertText }) => {
    // A snippet string would give a meaning to `$` and `}`.
    const edit = new vscode.DocumentDropEdit(
      insertText,
      label,
      vscode.DocumentDropOrPasteEditKind.Empty.append('smartObjects'),
    );
    return edit;
  });
}
