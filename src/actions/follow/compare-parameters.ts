import { MASK } from '../../platform/json/secrets.ts';

/** A string, number or boolean as text, with the name of the property that contains it; empty for none. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Values of a request, and of a log, that are compared with each other. */
const MAX_COMPARED = 200;

/**
 * True if the parameters of a log contradict those of a request: a field has another value, and neither the parameters nor
 * `further` values of the log contain that of the request. What the log adds, leaves out or writes in another form is no
 * contradiction.
 */
export function contradict(
  request: readonly NamedValue[],
  params: readonly NamedValue[],
  further: readonly NamedValue[] = [],
): boolean {
  const missing = findMissing(request, [...params, ...further]);
  const added = findMissing(params, request);
  return missing.some(({ name, value }) =>
    added.some(
      (other) =>
        getShape(other.value) === getShape(value) &&
        (other.name === name || isUnnamedId(other)) &&
        !added.some((form) => isOtherForm(form.value, value)),
    ),
  );
}

/** The values that can be compared and are not among others. */
function findMissing(values: readonly NamedValue[], others: readonly NamedValue[]): readonly NamedValue[] {
  const known = new Set(others.map(({ value }) => normalize(value)));
  return values
    .filter(({ value }) => getShape(value) !== undefined && !known.has(normalize(value)))
    .slice(0, MAX_COMPARED);
}

/** A value without a name, such as one of a list, is compared only if its form says what it is. */
function isUnnamedId({ name, value }: NamedValue): boolean {
  return name === '' && /^0x|_$/.test(getShape(value) ?? '');
}

/**
 * Only values of one shape contradict each other: a name can stand for an address, and platforms store files under addresses
 * of their own. `undefined`: never compared.
 */
function getShape(value: string): string | undefined {
  if (value.includes(MASK) || value.trim() === '' || /^(?:https?|ipfs|ar|data):/i.test(value)) return undefined;
  if (/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value)) return 'number';
  if (/^0x[\da-f]+$/i.test(value)) return `0x${String(value.length)}`;
  if (/^\d{4}-\d\d-\d\d(?:$|[T ])/.test(value)) return 'date';
  return /^[a-z]{2,12}_(?=\w)/i.exec(value)?.[0] ?? 'text';
}

/** The same text for values that differ in case, space, zeros or zone of a time. */
function normalize(value: string): string {
  const text = value.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
  switch (getShape(value)) {
    case 'number':
      if (text.includes('e')) return String(Number(text));
      return (text.includes('.') ? text.replace(/\.?0+$/, '') : text).replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
    case 'date':
      return String(parseTime(text));
    default:
      return text;
  }
}

/** Milliseconds since the epoch; NaN for none. A time without a zone is in UTC. */
export function parseTime(text: string): number {
  const iso = /^(\d{4}-\d\d-\d\d)[ T]([\d:.]+)(Z|[+-]\d\d)?(:?\d\d)?$/i.exec(text.trim());
  if (iso === null) return Date.parse(text);
  const [, day, time, zone = 'Z', minutes = ':00'] = iso;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone}:${minutes.slice(-2)}`;
  return Date.parse(`${String(day)}T${String(time)}${offset}`);
}

/** True for a value with an addition, such as a domain, and for one that is rounded, scaled, cut or escaped. */
function isOtherForm(left: string, right: string): boolean {
  const shape = getShape(left);
  if (shape !== getShape(right)) return false;
  if (shape === 'number') return isSameAmount(left, right);
  const [short = '', long = ''] = [left, right].sort((a, b) => a.length - b.length);
  if (shape === 'date') return isSameTime(short, long);
  const [part, whole] = [normalize(short), normalize(long)];
  if (part.length >= 64 && whole.startsWith(part)) return true;
  const cut = /^(.{8,}?)(?:…|\.{3})$/su.exec(part)?.[1];
  if (cut !== undefined && whole.startsWith(cut)) return true;
  if (unescape(part) === unescape(whole)) return true;
  const at = whole.indexOf(part);
  return (
    at >= 0 && [whole[at - 1], whole[at + part.length]].every((end) => end === undefined || './:@#"'.includes(end))
  );
}

/** Platforms round decimals, read integers past 2^53 as doubles, and write amounts in their smallest unit. */
function isSameAmount(left: string, right: string): boolean {
  const [a, b] = [Number(left), Number(right)];
  if (String(a) === right.trim() || String(b) === left.trim()) return true;
  const areIntegers = Number.isInteger(a) && Number.isInteger(b);
  if (!areIntegers && Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a))) return true;
  const [one, other] = [a, b].map((value) => value.toExponential().replace(/e.*$/, ''));
  const scale = Math.max(a / b, b / a);
  return one === other && scale >= (areIntegers ? 1e6 : 100) && Number.isFinite(scale);
}

/** Platforms write times in seconds or minutes, or as days. */
function isSameTime(short: string, long: string): boolean {
  if (short.trim().length === 10) return long.trim().startsWith(short.trim());
  const unit = /:\d\d:\d\d/.test(short) ? 1000 : 60_000;
  return Math.abs(parseTime(short) - parseTime(long)) < unit;
}

/** Without the characters that HTML escapes, escaped or not. */
function unescape(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|apos|#39|#x27|#34);|[&<>"']/g, '');
}
