/** Deterministic numbers for a seed: 0 ≤ x < 1 (mulberry32). */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A shuffled copy. */
export function shuffle<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((one) => ({ one, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one);
}

/** A copy in the order that belongs to the seed, an integer, which is printed; without a seed in the same order. */
export function shuffleBySeed<T>(list: readonly T[], seed: string | undefined): T[] {
  if (seed === undefined) return [...list];
  if (!/^\d+$/.test(seed)) throw new Error(`--shuffle takes an integer, not ${seed}`);
  console.log(`Shuffled with seed ${seed}`);
  return shuffle(list, createSeededRandom(Number(seed)));
}
