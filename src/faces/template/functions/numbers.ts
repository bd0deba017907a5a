/** Formats float64 like Go's strconv: exact digits, ties to even. */

export type FloatVerb = 'b' | 'e' | 'E' | 'f' | 'g' | 'G' | 'x' | 'X';

/** Formats like `%v`: the shortest digits that round-trip; with an exponent below 1e-4 and from 1e6. */
export function formatFloat(value: number): string {
  return formatFloatAs(value, 'g', undefined);
}

/** Formats like strconv.FormatFloat; without a precision, with as many digits as needed. */
export function formatFloatAs(value: number, verb: FloatVerb, precision: number | undefined): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  const printed = PRINTERS[verb.toLowerCase()]?.(size, precision) ?? '';
  return sign + (verb === 'E' || verb === 'G' || verb === 'X' ? printed.toUpperCase() : printed);
}

const PRINTERS: Readonly<Record<string, (size: number, precision: number | undefined) => string>> = {
  b: binary,
  e: (size, precision) => {
    const { digits, exponent } = precision === undefined ? shortest(size) : significant(size, precision + 1);
    return scientific(precision === undefined ? digits : digits.padEnd(precision + 1, '0'), exponent);
  },
  f: (size, precision) => {
    if (precision !== undefined) return fixed(size, precision);
    const { digits, exponent } = shortest(size);
    return plain(digits, exponent);
  },
  g: general,
  x: hexadecimal,
};

interface Digits {
  /** without trailing zeros, but never empty */
  readonly digits: string;
  /** exponent of the first digit */
  readonly exponent: number;
}

function shortest(size: number): Digits {
  const [mantissa = '', power = '0'] = size.toExponential().split('e');
  return { digits: mantissa.replace('.', ''), exponent: Number(power) };
}

/** `size` = mantissa × 2^exponent */
function parts(size: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & ((1n << 52n) - 1n);
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

/** Returns `size` × 10^`power`, rounded to the nearest integer, ties to even. */
function scaled(size: number, power: number): bigint {
  const { mantissa, exponent } = parts(size);
  const over = (power > 0 ? 10n ** BigInt(power) : 1n) * (exponent > 0 ? 1n << BigInt(exponent) : 1n) * mantissa;
  const under = (power < 0 ? 10n ** BigInt(-power) : 1n) * (exponent < 0 ? 1n << BigInt(-exponent) : 1n);
  const quotient = over / under;
  const twice = (over % under) * 2n;
  return twice > under || (twice === under && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

function significant(size: number, count: number): Digits {
  if (size === 0) return { digits: '0', exponent: 0 };
  let { exponent } = shortest(size);
  let digits = scaled(size, count - 1 - exponent).toString();
  // The exact value can be on the other side of a power of ten, or round up to one.
  if (digits.length !== count) {
    exponent += digits.length - count;
    digits = scaled(size, count - 1 - exponent).toString();
  }
  return { digits: digits.replace(/(?<=.)0+$/, ''), exponent };
}

function general(size: number, precision: number | undefined): string {
  const count = precision === undefined ? undefined : Math.max(precision, 1);
  const { digits, exponent } = count === undefined ? shortest(size) : significant(size, count);
  let limit = count ?? 6;
  if (count !== undefined && limit > digits.length && digits.length > exponent) limit = digits.length;
  return exponent >= -4 && exponent < limit ? plain(digits, exponent) : scientific(digits, exponent);
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${digits.charAt(0)}${fraction}e${formatExponent(exponent)}`;
}

function formatExponent(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function plain(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const integerPart = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? integerPart : `${integerPart}.${fraction}`;
}

function fixed(size: number, precision: number): string {
  const digits = scaled(size, precision)
    .toString()
    .padStart(precision + 1, '0');
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}

/** `5629499534213120p-51` */
function binary(size: number): string {
  const { mantissa, exponent } = parts(size);
  return `${mantissa.toString()}p${exponent < 0 ? '' : '+'}${String(exponent)}`;
}

/** `0x1.4p+01` */
function hexadecimal(size: number, precision: number | undefined): string {
  let { mantissa, exponent } = parts(size);
  exponent += 52;
  if (mantissa === 0n) exponent = 0;
  while (mantissa !== 0n && mantissa < 1n << 52n) {
    mantissa <<= 1n;
    exponent--;
  }
  // One digit before the point, thirteen after it.
  if (precision !== undefined && precision < 13) {
    const dropped = BigInt(52 - precision * 4);
    const half = 1n << (dropped - 1n);
    const rest = mantissa & ((1n << dropped) - 1n);
    let rounded = mantissa >> dropped;
    if (rest > half || (rest === half && rounded % 2n === 1n)) rounded++;
    mantissa = rounded << dropped;
    if (mantissa >= 1n << 53n) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  const digits = (mantissa & ((1n << 52n) - 1n)).toString(16).padStart(13, '0');
  const fraction =
    precision === undefined ? digits.replace(/0+$/, '') : digits.padEnd(precision, '0').slice(0, precision);
  return `0x${mantissa === 0n ? '0' : '1'}${fraction === '' ? '' : `.${fraction}`}p${formatExponent(exponent)}`;
}
