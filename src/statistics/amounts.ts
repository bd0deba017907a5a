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

/** Exact sums by unit. A unit without amounts has no sum, not zero. */
export class UnitSums {
  readonly #sums = new Map<string, Big>();

  add({ value, unit }: Amount): void {
    this.#sums.set(unit, this.#sums.get(unit)?.plus(value) ?? value);
  }

  get(unit: string): Big | undefined {
    return this.#sums.get(unit);
  }

  /** Formats all digits, never in exponent form. */
  format(unit: string): string | undefined {
    return this.#sums.get(unit)?.toFixed();
  }

  get units(): readonly string[] {
    return [...this.#sums.keys()].sort();
  }

  get amounts(): readonly Amount[] {
    return [...this.#sums].map(([unit, value]) => ({ value, unit }));
  }
}

/** Formats a change as `+12.5%`; `undefined` if there is nothing to compare. */
export function formatChange(now: Big | undefined, before: Big | undefined): string | undefined {
  if (before === undefined || before.eq(0)) return undefined;
  const share = new Big(now ?? 0).minus(before).div(before.abs()).round(3);
  return formatPercent(share.toNumber(), 1, 'exceptZero');
}
