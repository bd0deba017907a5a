/** Random-looking values that depend on a seed, a label and an index alone, and identifiers that lead back to their index. */
import { createHash } from 'node:crypto';

function mix(value: number): number {
  let x = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** One 32-bit value for a place: the same for the same arguments, whatever was drawn before. */
export function noise(seed: number, label: string, index: number): number {
  return mix(mix(mix(seed) ^ hashOf(label)) + mix(index + 0x9e3779b9));
}

/** A stream of values for one item. */
export class Draw {
  #state: number;

  constructor(seed: number, label: string, index = 0) {
    this.#state = noise(seed, label, index);
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    return mix(this.#state);
  }

  /** a whole number from 0 up to, not including, `below` */
  int(below: number): number {
    return below <= 1 ? 0 : this.next() % below;
  }

  between(from: number, to: number): number {
    return from + this.int(to - from + 1);
  }

  chance(share: number): boolean {
    return this.next() < share * 0x1_0000_0000;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.int(from.length)] ?? from[0];
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.next().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** `0x` and 64 zeros: what stands where a hash is not known yet. */
export const ZERO_HASH = `0x${'0'.repeat(64)}`;
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/**
 * Identifiers of one kind: `obj_` and 24 hexadecimal digits. They look random and are unique, and the index can be read
 * back, so that a million of them need no table.
 */
export class Ids {
  readonly #seed: number;
  readonly #prefix: string;

  constructor(seed: number, prefix: string) {
    this.#seed = seed;
    this.#prefix = prefix;
  }

  at(index: number): string {
    const left = noise(this.#seed, this.#prefix, index).toString(16).padStart(8, '0');
    const right = noise(this.#seed + 1, this.#prefix, index)
      .toString(16)
      .padStart(8, '0');
    return `${this.#prefix}_${this.#turn(index, true).toString(16).padStart(8, '0')}${left}${right}`;
  }

  indexOf(id: string): number | undefined {
    const digits = id.slice(this.#prefix.length + 1, this.#prefix.length + 9);
    if (!/^[0-9a-f]{8}$/.test(digits)) return undefined;
    const index = this.#turn(Number.parseInt(digits, 16), false);
    return this.at(index) === id ? index : undefined;
  }

  /** A Feistel network: a one-to-one shuffle of the 32-bit numbers. */
  #turn(value: number, forward: boolean): number {
    let left = value >>> 16;
    let right = value & 0xffff;
    for (let round = 0; round < 4; round++) {
      const key = noise(this.#seed, this.#prefix, -1 - (forward ? round : 3 - round));
      if (forward) [left, right] = [right, left ^ (mix(right ^ key) & 0xffff)];
      else [left, right] = [right ^ (mix(left ^ key) & 0xffff), left];
    }
    return ((left << 16) | right) >>> 0;
  }
}
