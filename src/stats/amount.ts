/** Exact amounts (pure): counts to the digit, fees added as decimals, each unit by itself. */
import Big from 'big.js';
import { plainText } from '../platform/plain-text.ts';

/** A decimal and the unit that some deployments write behind it. */
export interface Amount {
  readonly value: Big;
  readonly unit: string;
}

// Enough for any fee; a longer text is no number a person could read.
const DECIMAL =
  /^\s*([+-]?(?:\d{1,200}(?:\.\d{0,200})?|\.\d{1,200})(?:e[+-]?\d{1,2})?)(?:\s*(\D{0,40})|\s+(\p{L}.{0,39}))$/iu;

/** `"0.003 UNIT"`, `"12"`, 5, 5n; `undefined` for what is no number. */
export function amountOf(value: unknown): Amount | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const found = DECIMAL.exec(String(value));
  if (found === null) return undefined;
  const [, digits = '', unit, word = ''] = found;
  return { value: new Big(digits), unit: plainText(unit ?? word, 40) };
}

/** Never in exponent form. */
export function digits(value: Big): string {
  return value.toFixed();
}

/** By unit; a sum of nothing is no zero but nothing. */
export class Sums {
  readonly #sums = new Map<string, Big>();

  add({ value, unit }: Amount): void {
    const known = this.#sums.get(unit);
    this.#sums.set(unit, known === undefined ? value : known.plus(value));
  }

  get(unit: string): Big | undefined {
    return this.#sums.get(unit);
  }

  get units(): readonly string[] {
    return [...this.#sums.keys()].sort();
  }

  get amounts(): readonly Amount[] {
    return this.units.flatMap((unit) => {
      const value = this.#sums.get(unit);
      return value === undefined ? [] : [{ value, unit }];
    });
  }

  /** `12.5 UNIT + 3`; empty without any amount. */
  get text(): string {
    return this.units.map((unit) => this.textOf(unit)).join(' + ');
  }

  textOf(unit: string): string {
    const sum = this.#sums.get(unit);
    return sum === undefined ? '' : withUnit(digits(sum), unit);
  }

  /** Of that unit alone. */
  only(unit: string): Sums {
    const sums = new Sums();
    const value = this.#sums.get(unit);
    if (value !== undefined) sums.add({ value, unit });
    return sums;
  }
}

export function withUnit(text: string, unit: string): string {
  return unit === '' ? text : `${text} ${unit}`;
}

/** `+12.5 %`; `undefined` where there is nothing to compare, or too many units. */
export function changeOf(now: Sums, before: Sums): string | undefined {
  const [unit, ...others] = before.units;
  if (unit === undefined || others.length > 0) return undefined;
  if (now.units.some((other) => other !== unit)) return undefined;
  const [base, value] = [before.get(unit), now.get(unit) ?? new Big(0)];
  if (base === undefined || base.eq(0)) return undefined;
  const percent = value.minus(base).div(base.abs()).times(100).round(1);
  return `${percent.gt(0) ? '+' : percent.lt(0) ? '−' : '±'}${percent.abs().toFixed()} %`;
}
