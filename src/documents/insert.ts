/** Insert ID at Cursor, and dropping rows of the tree into an editor. */
import * as vscode from 'vscode';
import { DRAG_MIME, draggedFrom, type DraggedResource } from '../ui/drag.ts';
import { chooseKnown } from './choose.ts';
import type { Desk } from './desk.ts';
import { insertionsFor } from './insertion.ts';

/** Writes at every cursor of the editor in front. */
export async function insertId(desk: Desk, argument: unknown): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error('No text editor is in front to insert an id into');
  const resource = await chooseKnown(desk, argument, 'Insert ID at Cursor');
  if (resource === undefined) return undefined;
  const { document } = editor;
  // The quick pick took time: the selection is the one of now.
  const [insertion] = insertionsFor([resource], fileOf(document), document.offsetAt(editor.selection.active)).filter(
    ({ label }) => !label.endsWith('action'),
  );
  if (insertion === undefined) return undefined;
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, insertion.text);
  });
  if (!done) throw new Error('The editor in front is read-only or has changed meanwhile');
  return insertion.text;
}

function fileOf(document: vscode.TextDocument): { readonly name: string; readonly text: string } {
  return { name: document.uri.path.split('/').at(-1) ?? '', text: document.getText() };
}

export async function dropEdits(
  document: vscode.TextDocument,
  position: vscode.Position,
  transfer: vscode.DataTransfer,
  token: vscode.CancellationToken,
): Promise<vscode.DocumentDropEdit[]> {
  const text = await transfer.get(DRAG_MIME)?.asString();
  if (text === undefined || token.isCancellationRequested) return [];
  const dragged: readonly DraggedResource[] = draggedFrom(text);
  return insertionsFor(dragged, fileOf(document), document.offsetAt(position)).map(({ label, text: insertText }) => {
    // A snippet string would give a meaning to `$` and `}`.
    const edit = new vscode.DocumentDropEdit(
      insertText,
      label,
      vscode.DocumentDropOrPasteEditKind.Empty.append('smartObjects'),
    );
    return edit;
  });
}
