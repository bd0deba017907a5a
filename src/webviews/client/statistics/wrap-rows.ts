/** Distributes items to rows of at most `maxWidth`. A wider item gets a row of its own. */
export function wrapRows<Item>(
  items: readonly Item[],
  maxWidth: number,
  gap: number,
  getWidth: (item: Item) => number,
): readonly (readonly Item[])[] {
  const rows: Item[][] = [];
  let used = Infinity;
  for (const item of items) {
    const width = getWidth(item);
    if (used + gap + width > maxWidth) {
      rows.push([]);
      used = -gap;
    }
    rows.at(-1)?.push(item);
    used += gap + width;
  }
  return rows;
}
