/** The data of dragged rows, shared by the tree and the editor. */
import type { ResourceArgument } from './resource-argument.ts';

/** A private type: with a URI list, the editor would open files. */
export const DRAG_MIME = 'application/vnd.smart-objects.resources+json';

/** Maximum of rows dragged at once. */
export const MAX_DRAGGED = 100;

/** Serializes the rows for a `DataTransferItem`. */
export function formatDragData(resources: readonly ResourceArgument[]): string {
  return JSON.stringify(resources.slice(0, MAX_DRAGGED).map(({ connection, kind, id }) => ({ connection, kind, id })));
}
