/** Pure: what a dragged row carries, so that the tree (which makes it) and the editor (which takes it) agree. */

/** Our own type: a list of URIs would make the editor open files instead of asking for an insertion. */
export const DRAG_MIME = 'application/vnd.smart-objects.resources+json';

export interface DraggedResource {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
}

/** Rows that are dragged at once; more is a slip of the hand. */
const MOST = 100;

/** The value of the `DataTransferItem`. */
export function dragText(resources: readonly DraggedResource[]): string {
  return JSON.stringify(resources.slice(0, MOST).map(({ connection, kind, id }) => ({ connection, kind, id })));
}

/** What is none of ours is left out. */
export function draggedFrom(text: string): readonly DraggedResource[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(list)) return [];
  return list.slice(0, MOST).flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const [connection, kind, id]: unknown[] = ['connection', 'kind', 'id'].map((name): unknown =>
      Reflect.get(entry, name),
    );
    const valid = typeof connection === 'string' && typeof kind === 'string' && typeof id === 'string' && id !== '';
    return valid ? [{ connection, kind, id }] : [];
  });
}
