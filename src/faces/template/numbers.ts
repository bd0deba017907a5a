/** Prints float64 as Go's strconv does, in the forms of `%v`, `%e`, `%f` and `%g`. */

/** As `%v`: the fewest digits that read back the same; with an exponent below 1e-4 and from 1e6 on. */
export function formatFloat(value: number): string {
  return special(value) ?? general(value, undefined);
}

/** `verb` is `e`, `f` or `g`; without a precision `g` takes the fewest digits, the others six. */
export function formatFloatAs(value: number, verb: 'e' | 'f' | 'g', precision: number | undefined): string {
  const odd = special(value);
  if (odd !== undefined) return odd;
  if (verb === 'g') return general(value, precision);
  const sign = signOf(value);
  const size = Math.abs(value);
  if (verb === 'f') return sign + fixed(size, precision ?? 6);
  const [mantissa = '', power = '0'] = size.toExponential(Math.min(precision ?? 6, 100)).split('e');
  return `${sign}${mantissa}e${exponentOf(Number(power))}`;
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return undefined;
  return value > 0 ? '+Inf' : '-Inf';
}

function signOf(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : '';
}

function general(value: number, precision: number | undefined): string {
  const places = precision === undefined ? undefined : Math.min(Math.max(precision, 1), 100) - 1;
  const [mantissa = '', power = '0'] = Math.abs(value).toExponential(places).split('e');
  const digits = mantissa.replace('.', '').replace(/(?<!^)0+$/, '');
  const exponent = Number(power);
  let limit = places === undefined ? 6 : places + 1;
  if (places !== undefined && limit > digits.length && digits.length > exponent) limit = digits.length;
  const sign = signOf(value);
  if (exponent >= -4 && exponent < limit) return sign + plain(digits, exponent);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${sign}${digits.charAt(0)}${fraction}e${exponentOf(exponent)}`;
}

function exponentOf(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function plain(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** `toFixed` gives up at 1e21, where every double is whole. */
function fixed(size: number, precision: number): string {
  if (size < 1e21) return size.toFixed(Math.min(precision, 100));
  return BigInt(size).toString() + (precision > 0 ? `.${'0'.repeat(Math.min(precision, 100))}` : '');
}
