import { tryParseJson } from '../../platform/json/parse-json.ts';
/** The data of dragged rows, shared by the tree and the editor. */

/** A private type: with a URI list, the editor would open files. */
export const DRAG_MIME = 'application/vnd.smart-objects.resources+json';

export interface DraggedResource {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
}

/** Maximum of rows dragged at once. */
const MAX_DRAGGED = 100;

/** Serializes the rows for a `DataTransferItem`. */
export function formatDragData(resources: readonly DraggedResource[]): string {
  return JSON.stringify(resources.slice(0, MAX_DRAGGED).map(({ connection, kind, id }) => ({ connection, kind, id })));
}

/** Parses dropped data; skips invalid entries. */
export function parseDragData(text: string): readonly DraggedResource[] {
  const list = tryParseJson(text);
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_DRAGGED).flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const [connection, kind, id]: unknown[] = ['connection', 'kind', 'id'].map((name): unknown =>
      Reflect.get(entry, name),
    );
    const valid = typeof connection === 'string' && typeof kind === 'string' && typeof id === 'string' && id !== '';
    return valid ? [{ connection, kind, id }] : [];
  });
}
