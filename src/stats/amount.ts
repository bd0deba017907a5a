/** Exact amounts (pure): counts to the digit, fees added as decimals, each unit by itself. */
import Big from 'big.js';

/** A decimal and the unit that some deployments write behind it. */
export interface Amount {
  readonly value: Big;
  readonly unit: string;
}

// Enough for any fee; a longer text is no number a person could read.
const DECIMAL = /^\s*([+-]?(?:\d{1,200}(?:\.\d{0,200})?|\.\d{1,200})(?:e[+-]?\d{1,3})?)\s*(\D{0,40})$/i;

/** `"0.003 UNIT"`, `"12"`, 5, 5n; `undefined` for what is no number. */
export function amountOf(value: unknown): Amount | undefined {
  if (typeof value === 'bigint') return { value: new Big(value.toString()), unit: '' };
  if (typeof value === 'number') return Number.isFinite(value) ? { value: new Big(value), unit: '' } : undefined;
  if (typeof value !== 'string') return undefined;
  const found = DECIMAL.exec(value);
  if (found === null) return undefined;
  const [, digits = '', unit = ''] = found;
  return { value: new Big(digits), unit: unit.trim() };
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

  /** `12.5 UNIT + 3`; empty without any amount. */
  get text(): string {
    return this.units.map((unit) => withUnit(digits(this.#sums.get(unit) ?? new Big(0)), unit)).join(' + ');
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
