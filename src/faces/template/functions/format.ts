/** Formats values of JSON like Go's fmt: `%v` and other verbs, Sprint, Sprintln, Sprintf. */
import * as l10n from '@vscode/l10n';
import { formatFloat, formatFloatAs, type FloatVerb } from './numbers.ts';
import {
  getEntry,
  toValue,
  isList,
  isMap,
  getSortedKeys,
  createExecutionError,
  getTypeName,
  type Budget,
  type Value,
} from '../values.ts';

/** Maximum nesting that is printed. */
const MAX_DEPTH = 500;
/** maximum width of a padded field */
const MAX_WIDTH = 10_000;

/** Formats a value like `%v`. */
function formatValue(value: Value, budget: Budget, depth = 0): string {
  if (depth > MAX_DEPTH) throw createExecutionError(l10n.t('The value is nested too deeply to be printed'));
  budget.spend(1);
  if (isList(value)) {
    return `[${value.map((entry) => formatValue(toValue(entry), budget, depth + 1)).join(' ')}]`;
  }
  if (isMap(value)) {
    const entries = getSortedKeys(value, budget).map(
      (key) => `${key}:${formatValue(getEntry(value, key), budget, depth + 1)}`,
    );
    return `map[${entries.join(' ')}]`;
  }
  const text = scalar(value);
  budget.spend(text.length);
  return text;
}

function scalar(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatFloat(value);
    case 'bigint':
    case 'boolean':
      return value.toString();
    default:
      return '<nil>';
  }
}

/** Formats like Sprint: a space between two operands if neither is a string. */
export function sprint(values: readonly Value[], budget: Budget): string {
  let text = '';
  values.forEach((value, index) => {
    const spaced = index > 0 && typeof value !== 'string' && typeof values[index - 1] !== 'string';
    text += (spaced ? ' ' : '') + formatValue(value, budget);
  });
  budget.spend(text.length);
  return text;
}

/**
 * Prints values as Go's `fmt.Sprintln`: with spaces between all of them and a line feed. Throws if the budget is
 * spent.
 */
export function sprintln(values: readonly Value[], budget: Budget): string {
  const text = `${values.map((value) => formatValue(value, budget)).join(' ')}\n`;
  budget.spend(text.length);
  return text;
}

/** The flags, width and precision of a verb. */
interface Field {
  readonly plus: boolean;
  readonly minus: boolean;
  readonly sharp: boolean;
  readonly space: boolean;
  readonly zero: boolean;
  readonly width: number;
  readonly precision: number | undefined;
}

const DIRECTIVE = /%([-+# 0]*)(\d*|\*)(?:\.(?=[\s\S])(\d*|\*))?(\[[^\]]*\])?([\s\S]?)/gu;

/** Formats like Sprintf, with its error texts; explicit argument indexes (`%[1]d`) are rejected. */
export function sprintf(format: string, args: readonly Value[], budget: Budget): string {
  let next = 0;
  const star = (): number | undefined => {
    const value = args[next++];
    return typeof value === 'bigint' && value >= -MAX_WIDTH && value <= MAX_WIDTH ? Number(value) : undefined;
  };
  let text = format.replace(
    DIRECTIVE,
    (_whole, flags: string, width: string, precision: string | undefined, index: string | undefined, verb: string) => {
      if (index !== undefined)
        throw createExecutionError(l10n.t('printf with explicit argument indexes is not supported'));
      let complaint = '';
      const size = (written: string, bad: string): number | undefined => {
        if (written === '') return undefined;
        const value = written === '*' ? star() : Number(written);
        if (value === undefined) complaint += bad;
        else if (value > MAX_WIDTH)
          throw createExecutionError(l10n.t('printf with a width greater than 10000 is not supported'));
        return value;
      };
      const wide = size(width, '%!(BADWIDTH)') ?? 0;
      const precise = precision === '' ? 0 : size(precision ?? '', '%!(BADPREC)');
      if (verb === '') return `${complaint}%!(NOVERB)`;
      if (verb === '%') return `${complaint}%`;
      if (next >= args.length) return `${complaint}%!${verb}(MISSING)`;
      const minus = flags.includes('-') || wide < 0;
      const field: Field = {
        // `%#v` and `%+v` print Go syntax and names of struct fields.
        plus: flags.includes('+') && verb !== 'v',
        sharp: flags.includes('#') && verb !== 'v',
        minus,
        space: flags.includes(' '),
        zero: flags.includes('0') && !minus,
        width: Math.abs(wide),
        precision: precise === undefined || precise < 0 ? undefined : precise,
      };
      const value = args[next++];
      const printed =
        verb === 'v' && flags.includes('#') ? goSyntax(field, value, budget) : print(verb, field, value, budget);
      budget.spend(printed.length);
      return complaint + printed;
    },
  );
  if (next < args.length) {
    const extra = args.slice(next).map((value) => (isNil(value) ? '<nil>' : tagged(PLAIN, value, budget)));
    text += `%!(EXTRA ${extra.join(', ')})`;
  }
  budget.spend(text.length);
  return text;
}

const PLAIN: Field = {
  plus: false,
  minus: false,
  sharp: false,
  space: false,
  zero: false,
  width: 0,
  precision: undefined,
};

function isNil(value: Value): value is undefined | null {
  return value === undefined || value === null;
}

/** `%#v` of a scalar. */
function goSyntax(field: Field, value: Value, budget: Budget): string {
  if (isList(value) || isMap(value))
    throw createExecutionError(l10n.t('printf with %#v of lists and maps is not supported'));
  if (typeof value === 'string') return quoted(value, field);
  return print('v', field, value, budget);
}

function print(verb: string, field: Field, value: Value, budget: Budget, depth = 0): string {
  if (depth > MAX_DEPTH) throw createExecutionError(l10n.t('The value is nested too deeply to be printed'));
  if (depth === 0 && verb === 'T') return pad(isNil(value) ? '<nil>' : cut(getTypeName(value), field), field);
  if (depth === 0 && verb === 'p') throw createExecutionError(l10n.t('printf with %p is not supported'));
  // Go neither pads nil nor reports it within a list or map.
  if (isNil(value)) return depth > 0 ? '<nil>' : verb === 'v' ? pad('<nil>', field) : `%!${verb}(<nil>)`;
  // Of a long text or number only a part may be printed.
  budget.spend(field.width + (field.precision ?? 0) + (typeof value === 'string' ? value.length : 1));
  const inner = (entry: Value): string => print(verb, field, entry, budget, depth + 1);
  if (isList(value)) return `[${value.map((entry) => inner(toValue(entry))).join(' ')}]`;
  if (isMap(value))
    return `map[${getSortedKeys(value, budget)
      .map((key) => `${inner(key)}:${inner(getEntry(value, key))}`)
      .join(' ')}]`;
  return one(verb, field, value) ?? `%!${verb}(${tagged(field, value, budget)})`;
}

/** Formats a value with its type; width and precision apply to the value. */
function tagged(field: Field, value: Value, budget: Budget): string {
  return `${getTypeName(value)}=${print('v', field, value, budget)}`;
}

/** Returns `undefined` if the verb does not apply to the type. */
function one(verb: string, field: Field, value: Value): string | undefined {
  switch (typeof value) {
    case 'string':
      return text(verb, field, value);
    case 'boolean':
      return verb === 'v' || verb === 't' ? pad(String(value), field) : undefined;
    case 'bigint':
      return integer(verb, field, value);
    case 'number':
      return float(verb, field, value);
    default:
      return undefined;
  }
}

function cut(value: string, { precision }: Field): string {
  return precision === undefined ? value : Array.from(value).slice(0, precision).join('');
}

function text(verb: string, field: Field, value: string): string | undefined {
  switch (verb) {
    case 'v':
    case 's':
      return pad(cut(value, field), field);
    case 'q':
      return quoted(value, field);
    case 'x':
    case 'X': {
      const prefix = field.sharp ? '0x' : '';
      const bytes = [...new TextEncoder().encode(value).subarray(0, field.precision)];
      const digits = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
      const hex = bytes.length === 0 ? '' : prefix + digits.join(field.space ? ` ${prefix}` : '');
      return pad(verb === 'X' ? hex.toUpperCase() : hex, field);
    }
    default:
      return undefined;
  }
}

function quoted(value: string, field: Field): string {
  const text = cut(value, field);
  const raw = field.sharp && !/[\0-\x08\x0a-\x1f\x7f`\ufeff]/.test(text);
  return pad(raw ? `\`${text}\`` : quote(text, field.plus), field);
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** Quotes like strconv.Quote or QuoteToASCII. */
function quote(value: string, ascii: boolean): string {
  const rule = ascii ? /["\\]|[^ -~]/gu : /["\\]|[^\P{C}]|[^\P{Z} ]/gu;
  const inner = value.replace(rule, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    if (code < 0x80) return SHORT[character] ?? `\\x${hex.padStart(2, '0')}`;
    return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
  });
  return `"${inner}"`;
}

const BASES: Readonly<Record<string, readonly [number, string]>> = {
  v: [10, ''],
  d: [10, ''],
  b: [2, '0b'],
  o: [8, '0'],
  O: [8, '0'],
  x: [16, '0x'],
  X: [16, '0x'],
};

function integer(verb: string, field: Field, value: bigint): string | undefined {
  const code = value >= 0n && value <= 0x10ffffn ? Number(value) : 0xfffd;
  const character = code >= 0xd800 && code <= 0xdfff ? '\ufffd' : String.fromCodePoint(code);
  if (verb === 'c') return pad(character, field);
  if (verb === 'q') {
    const inner = character === "'" ? "\\'" : quote(character, field.plus).slice(1, -1).replace('\\"', '"');
    return pad(`'${inner}'`, field);
  }
  if (verb === 'U') {
    const hex = BigInt.asUintN(64, value)
      .toString(16)
      .toUpperCase()
      .padStart(Math.max(field.precision ?? 4, 4), '0');
    const showsCharacter = field.sharp && value >= 0n && value <= 0x10ffffn && /[^\p{C}\p{Z}]| /u.test(character);
    return pad(`U+${hex}${showsCharacter ? ` '${character}'` : ''}`, { ...field, zero: false });
  }
  const base = BASES[verb];
  if (base === undefined) return undefined;
  if (field.precision === 0 && value === 0n) return ' '.repeat(field.width);
  const sign = value < 0n ? '-' : field.plus ? '+' : field.space ? ' ' : '';
  const minDigits = field.precision ?? (field.zero ? field.width - sign.length : 0);
  let digits = (value < 0n ? -value : value).toString(base[0]).padStart(minDigits, '0');
  if (field.sharp && !(base[0] === 8 && digits.startsWith('0'))) digits = base[1] + digits;
  if (verb === 'X') digits = digits.toUpperCase();
  return pad(sign + (verb === 'O' ? '0o' : '') + digits, { ...field, zero: false });
}

const FLOAT_VERBS: Readonly<Record<string, readonly [FloatVerb, number | undefined]>> = {
  v: ['g', undefined],
  b: ['b', undefined],
  g: ['g', undefined],
  G: ['G', undefined],
  x: ['x', undefined],
  X: ['X', undefined],
  f: ['f', 6],
  F: ['f', 6],
  e: ['e', 6],
  E: ['E', 6],
};

function float(verb: string, field: Field, value: number): string | undefined {
  const known = FLOAT_VERBS[verb];
  if (known === undefined) return undefined;
  const [form, usual] = known;
  const precision = field.precision ?? usual;
  const printed = formatFloatAs(value, form, precision);
  const negative = printed.startsWith('-');
  let digits = printed.replace(/^[-+]/, '');
  const sign = negative ? '-' : field.plus ? '+' : field.space ? ' ' : '';
  if (!Number.isFinite(value))
    return pad((sign === '' && digits === 'Inf' ? '+' : sign) + digits, { ...field, zero: false });
  if (field.sharp && form !== 'b') digits = pointed(digits, form, precision);
  if (field.zero && sign !== '') return sign + digits.padStart(field.width - 1, '0');
  return pad(sign + digits, field);
}

/** Formats `%#g`: always with a decimal point and trailing zeros. */
function pointed(digits: string, form: FloatVerb, precision: number | undefined): string {
  const end = /x/i.test(form) ? /p/i.exec(digits) : /[pe]/i.exec(digits);
  const tail = end === null ? '' : digits.slice(end.index);
  const head = digits.slice(0, digits.length - tail.length);
  let missing = form === 'g' || form === 'G' || form === 'x' ? (precision ?? 6) : 0;
  // Leading zeros are not significant, except that of zero itself.
  missing -= head.replace('.', '').replace(/^0+/, '').length;
  if (head === '0') missing--;
  return head + (head.includes('.') ? '' : '.') + '0'.repeat(Math.max(0, missing)) + tail;
}

function pad(printed: string, { minus, zero, width }: Field): string {
  const missing = width - Array.from(printed).length;
  if (missing <= 0) return printed;
  return minus ? printed + ' '.repeat(missing) : (zero ? '0' : ' ').repeat(missing) + printed;
}
