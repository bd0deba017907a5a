/** Reproducible pseudo-random values, and identifiers that can be mapped back to their index. */
import { createHash } from 'node:crypto';

function mix(value: number): number {
  let x = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** A 32-bit value that depends only on the arguments. */
export function seededNumber(seed: number, label: string, index: number): number {
  return mix(mix(mix(seed) ^ hashText(label)) + mix(index + 0x9e3779b9));
}

/** A sequence of pseudo-random values for one item. */
export class SeededRandom {
  #state: number;

  constructor(seed: number, label: string, index = 0) {
    this.#state = seededNumber(seed, label, index);
  }

  /** a 32-bit integer */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    return mix(this.#state);
  }

  /** an integer from 0 to `below` - 1 */
  int(below: number): number {
    return below <= 1 ? 0 : this.next() % below;
  }

  /** an integer from `from` to `to` */
  between(from: number, to: number): number {
    return from + this.int(to - from + 1);
  }

  /** true with the probability `share`, 0 to 1 */
  chance(share: number): boolean {
    return this.next() < share * 0x1_0000_0000;
  }

  /** one of the values */
  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.int(from.length)] ?? from[0];
  }

  /** hexadecimal digits */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.next().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }
}

/** The hash in hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A hash that is not known yet. */
export const ZERO_HASH = `0x${'0'.repeat(64)}`;
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/**
 * Unique identifiers of one kind: prefix and 24 hexadecimal digits. They encode their index, so that a million of them
 * need no table.
 */
export class IdGenerator {
  readonly #seed: number;
  readonly #prefix: string;

  constructor(seed: number, prefix: string) {
    this.#seed = seed;
    this.#prefix = prefix;
  }

  /** The identifier of an index. */
  at(index: number): string {
    const left = seededNumber(this.#seed, this.#prefix, index).toString(16).padStart(8, '0');
    const right = seededNumber(this.#seed + 1, this.#prefix, index)
      .toString(16)
      .padStart(8, '0');
    return `${this.#prefix}_${this.#permute(index, true).toString(16).padStart(8, '0')}${left}${right}`;
  }

  /** The index of an identifier; undefined for any other text. */
  indexOf(id: string): number | undefined {
    const digits = id.slice(this.#prefix.length + 1, this.#prefix.length + 9);
    if (!/^[0-9a-f]{8}$/.test(digits)) return undefined;
    const index = this.#permute(Number.parseInt(digits, 16), false);
    return this.at(index) === id ? index : undefined;
  }

  /** A Feistel network: a permutation of the 32-bit numbers. */
  #permute(value: number, forward: boolean): number {
    let left = value >>> 16;
    let right = value & 0xffff;
    for (let round = 0; round < 4; round++) {
      const key = seededNumber(this.#seed, this.#prefix, -1 - (forward ? round : 3 - round));
      if (forward) [left, right] = [right, left ^ (mix(right ^ key) & 0xffff)];
      else [left, right] = [right ^ (mix(left ^ key) & 0xffff), left];
    }
    return ((left << 16) | right) >>> 0;
  }
}
