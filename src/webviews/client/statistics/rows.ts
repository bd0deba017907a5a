/** Items side by side, in as many rows as they need (pure). */

/** None of the rows is wider than `room`, but for an item that is so alone. */
export function rowsOf<Item>(
  items: readonly Item[],
  room: number,
  gap: number,
  widthOf: (item: Item) => number,
): readonly (readonly Item[])[] {
  const rows: Item[][] = [];
  let used = Infinity;
  for (const item of items) {
    const width = widthOf(item);
    if (used + gap + width > room) {
      rows.push([]);
      used = -gap;
    }
    rows.at(-1)?.push(item);
    used += gap + width;
  }
  return rows;
}
