/** Returns the word that was probably meant: the closest, at most two edits away. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > 30) return undefined;
  const best = candidates
    .map((other) => ({ other, distance: distance(word.toLowerCase(), other.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return best !== undefined && best.distance <= 2 ? best.other : undefined;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
