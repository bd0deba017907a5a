import { formatPercent } from '../platform/text/localization.ts';
import Big from 'big.js';
import { toPlainText } from '../platform/text/plain-text.ts';

/** A decimal and the unit that some deployments write behind it. */
interface Amount {
  readonly value: Big;
  readonly unit: string;
}

// Longer texts are rejected: no fee has as many digits.
const DECIMAL =
  /^\s*([+-]?(?:\d{1,200}(?:\.\d{0,200})?|\.\d{1,200})(?:e[+-]?\d{1,2})?)(?:\s*(\D{0,40})|\s+(\p{L}.{0,39}))$/iu;

/** Parses `"0.003 UNIT"`, `"12"`, 5 or 5n exactly; `undefined` if it is not a number. */
export function parseAmount(value: unknown): Amount | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const found = DECIMAL.exec(String(value));
  if (found === null) return undefined;
  const [, decimal = '', unit, suffix = ''] = found;
  return { value: new Big(decimal), unit: toPlainText(unit ?? suffix, 40) };
}

/** Formats all digits, never in exponent form. */
export function formatDecimal(value: Big): string {
  return value.toFixed();
}

/** Exact sums by unit. A unit without amounts has no sum, not zero. */
export class UnitSums {
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

  /** `12.5 UNIT + 3`; empty without amounts. */
  get text(): string {
    return this.units.map((unit) => this.formatUnit(unit)).join(' + ');
  }

  /** The sum of one unit; empty without amounts. */
  formatUnit(unit: string): string {
    const sum = this.#sums.get(unit);
    return sum === undefined ? '' : appendUnit(formatDecimal(sum), unit);
  }

  /** The sum of one unit alone. */
  only(unit: string): UnitSums {
    const sums = new UnitSums();
    const value = this.#sums.get(unit);
    if (value !== undefined) sums.add({ value, unit });
    return sums;
  }
}

/** `12.5 UNIT` */
export function appendUnit(text: string, unit: string): string {
  return unit === '' ? text : `${text} ${unit}`;
}

/** Formats a change as `+12.5%`; `undefined` if there is nothing to compare or more than one unit. */
export function formatChange(now: UnitSums, before: UnitSums): string | undefined {
  const [unit, ...others] = before.units;
  if (unit === undefined || others.length > 0) return undefined;
  if (now.units.some((other) => other !== unit)) return undefined;
  const [base, value] = [before.get(unit), now.get(unit) ?? new Big(0)];
  if (base === undefined || base.eq(0)) return undefined;
  const share = value.minus(base).div(base.abs()).round(3);
  return formatPercent(share.toNumber(), 1, 'exceptZero');
}
