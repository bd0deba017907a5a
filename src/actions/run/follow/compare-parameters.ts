import { MASK } from '../../../platform/json/secrets.ts';

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
      return String(Date.parse(text.replace(' ', 't').toUpperCase()));
    default:
      return text;
  }
}

/** True for a value with an addition, such as a domain, for a rounded number and for a long text that was cut. */
function isOtherForm(left: string, right: string): boolean {
  const shape = getShape(left);
  if (shape !== getShape(right)) return false;
  if (shape === 'number') {
    const [a, b] = [Number(left), Number(right)];
    return !(Number.isInteger(a) && Number.isInteger(b)) && Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a));
  }
  const [short = '', long = ''] = [normalize(left), normalize(right)].sort((a, b) => a.length - b.length);
  if (short.length >= 64 && long.startsWith(short)) return true;
  const at = long.indexOf(short);
  return at >= 0 && [long[at - 1], long[at + short.length]].every((end) => end === undefined || './:@#'.includes(end));
}
