/** The data of dragged rows, shared by the tree and the editor. */

/** A private type: with a URI list, the editor would open files. */
export const DRAG_MIME = 'application/vnd.smart-objects.resources+json';

export interface DraggedResource {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
}

/** Maximum of rows dragged at once. */
export const MAX_DRAGGED = 100;

/** Serializes the rows for a `DataTransferItem`. */
export function formatDragData(resources: readonly DraggedResource[]): string {
  return JSON.stringify(resources.slice(0, MAX_DRAGGED).map(({ connection, kind, id }) => ({ connection, kind, id })));
}
