/** Prints values as Go's fmt does: `%v` and its kin, Sprint, Sprintln, Sprintf, over what JSON can hold. */
import { formatFloat, formatFloatAs } from './numbers.ts';
import { entryOf, fromData, isList, isMap, keysOf, refuse, typeName, type Budget, type Value } from './values.ts';

/** JSON deeper than this is not printed. */
const MAX_DEPTH = 500;
/** of a field that printf pads */
const MAX_WIDTH = 10_000;

/** As `%v`. */
export function formatValue(value: Value, budget: Budget, depth = 0): string {
  if (depth > MAX_DEPTH) throw refuse('the value is nested too deep to be printed');
  if (isList(value)) {
    return `[${value.map((entry) => formatValue(fromData(entry), budget, depth + 1)).join(' ')}]`;
  }
  if (isMap(value)) {
    const entries = keysOf(value).map((key) => `${key}:${formatValue(entryOf(value, key), budget, depth + 1)}`);
    return `map[${entries.join(' ')}]`;
  }
  const text = scalar(value);
  budget.spend(text.length + 1);
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

/** A space between two operands where neither is a string. */
export function sprint(values: readonly Value[], budget: Budget): string {
  let text = '';
  values.forEach((value, index) => {
    const spaced = index > 0 && typeof value !== 'string' && typeof values[index - 1] !== 'string';
    text += (spaced ? ' ' : '') + formatValue(value, budget);
  });
  budget.spend(text.length);
  return text;
}

export function sprintln(values: readonly Value[], budget: Budget): string {
  const text = `${values.map((value) => formatValue(value, budget)).join(' ')}\n`;
  budget.spend(text.length);
  return text;
}

interface Field {
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

const DIRECTIVE = /%([-+# 0]*)(\d*|\*)(?:\.(\d*|\*))?(\[[^\]]*\])?([\s\S]?)/gu;

/** As Sprintf, its complaints included; explicit argument indexes (`%[1]d`) are refused. */
export function sprintf(format: string, args: readonly Value[], budget: Budget): string {
  let next = 0;
  const star = (): number | undefined => {
    const value = args[next++];
    return typeof value === 'bigint' && value >= -MAX_WIDTH && value <= MAX_WIDTH ? Number(value) : undefined;
  };
  let text = format.replace(
    DIRECTIVE,
    (_whole, flags: string, width: string, precision: string | undefined, index: string | undefined, verb: string) => {
      if (index !== undefined) throw refuse('printf with explicit argument indexes is not supported');
      let complaint = '';
      const size = (written: string, bad: string): number | undefined => {
        if (written === '') return undefined;
        const value = written === '*' ? star() : Number(written);
        if (value === undefined) complaint += bad;
        else if (value > MAX_WIDTH) throw refuse('printf with a width beyond 10000 is not supported');
        return value;
      };
      const wide = size(width, '%!(BADWIDTH)');
      const precise = precision === '' ? 0 : size(precision ?? '', '%!(BADPREC)');
      if (verb === '') return `${complaint}%!(NOVERB)`;
      if (verb === '%') return `${complaint}%`;
      if (next >= args.length) return `${complaint}%!${verb}(MISSING)`;
      const left = wide !== undefined && wide < 0 ? '-' : '';
      const field = { flags: flags + left, width: wide === undefined ? undefined : Math.abs(wide), precision: precise };
      const printed = directive(verb, field, args[next++], budget);
      budget.spend(printed.length);
      return complaint + printed;
    },
  );
  if (next < args.length) {
    const extra = args
      .slice(next)
      .map((value) => (value === undefined || value === null ? '<nil>' : tagged(value, budget)));
    text += `%!(EXTRA ${extra.join(', ')})`;
  }
  budget.spend(text.length);
  return text;
}

function tagged(value: Value, budget: Budget): string {
  return `${typeName(value)}=${formatValue(value, budget)}`;
}

function directive(verb: string, field: Field, value: Value, budget: Budget): string {
  if (verb === 'T') return pad(value === undefined || value === null ? '<nil>' : typeName(value), field);
  if (verb === 'p') throw refuse('printf with %p is not supported');
  if (value === undefined || value === null) return verb === 'v' ? pad('<nil>', field) : `%!${verb}(<nil>)`;
  if (isList(value) || isMap(value)) return composite(verb, field, value, budget);
  const printed = one(verb, field, value);
  return printed ?? `%!${verb}(${tagged(value, budget)})`;
}

/** Each element on its own, as Go prints composites. */
function composite(verb: string, field: Field, value: Value, budget: Budget, depth = 0): string {
  if (depth > MAX_DEPTH) throw refuse('the value is nested too deep to be printed');
  if (field.flags.includes('#') && verb === 'v') throw refuse('printf with %#v is not supported');
  const inner = (entry: Value): string =>
    isList(entry) || isMap(entry)
      ? composite(verb, field, entry, budget, depth + 1)
      : directive(verb, field, entry, budget);
  if (isList(value)) return `[${value.map((entry) => inner(fromData(entry))).join(' ')}]`;
  if (!isMap(value)) return inner(value);
  return `map[${keysOf(value)
    .map((key) => `${inner(key)}:${inner(entryOf(value, key))}`)
    .join(' ')}]`;
}

/** `undefined`: the verb is not for this type. */
function one(verb: string, field: Field, value: Value): string | undefined {
  if (typeof value === 'string') return text(verb, field, value);
  if (typeof value === 'boolean') return verb === 'v' || verb === 't' ? pad(String(value), field) : undefined;
  if (typeof value === 'bigint') return integer(verb, field, value);
  if (typeof value === 'number') return float(verb, field, value);
  return undefined;
}

function text(verb: string, field: Field, value: string): string | undefined {
  const cut = field.precision === undefined ? value : Array.from(value).slice(0, field.precision).join('');
  switch (verb) {
    case 'v':
      return field.flags.includes('#') ? pad(quote(cut), field) : pad(cut, field);
    case 's':
      return pad(cut, field);
    case 'q':
      return pad(field.flags.includes('#') && !cut.includes('`') ? `\`${cut}\`` : quote(cut), field);
    case 'x':
    case 'X': {
      const bytes = [...new TextEncoder().encode(value)].slice(0, field.precision);
      const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(field.flags.includes(' ') ? ' ' : '');
      return pad(verb === 'X' ? hex.toUpperCase() : hex, field);
    }
    default:
      return undefined;
  }
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

/** As strconv.Quote. */
function quote(value: string): string {
  const inner = value.replace(/["\\]|[^\P{C}]|[^\P{Z} ]/gu, (character) => {
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
  O: [8, '0o'],
  x: [16, '0x'],
  X: [16, '0X'],
};

function integer(verb: string, field: Field, value: bigint): string | undefined {
  const code = value >= 0n && value <= 0x10ffffn ? Number(value) : 0xfffd;
  const character = code >= 0xd800 && code <= 0xdfff ? '\ufffd' : String.fromCodePoint(code);
  if (verb === 'c') return pad(character, field);
  if (verb === 'q')
    return pad(`'${character === "'" ? "\\'" : quote(character).slice(1, -1).replace('\\"', '"')}'`, field);
  if (verb === 'U') return pad(`U+${value.toString(16).toUpperCase().padStart(4, '0')}`, field);
  const base = BASES[verb];
  if (base === undefined) return undefined;
  const size = value < 0n ? -value : value;
  let digits = size.toString(base[0]).padStart(field.precision ?? 0, '0');
  if (verb === 'X') digits = digits.toUpperCase();
  const prefix = verb === 'O' || field.flags.includes('#') ? base[1] : '';
  return padNumber(signed(value < 0n, field), prefix + digits, field, field.precision === undefined);
}

function float(verb: string, field: Field, value: number): string | undefined {
  const form = verb === 'v' ? 'g' : verb.toLowerCase();
  if (form !== 'e' && form !== 'f' && form !== 'g') return undefined;
  if (field.flags.includes('#')) throw refuse('printf with # for a float is not supported');
  const printed = formatFloatAs(value, form, field.precision).replace(/^[-+]/, '');
  const finite = Number.isFinite(value);
  const sign = finite || value < 0 ? signed(value < 0 || Object.is(value, -0), field) : Number.isNaN(value) ? '' : '+';
  return padNumber(sign, verb === 'E' || verb === 'G' ? printed.toUpperCase() : printed, field, finite);
}

function signed(negative: boolean, { flags }: Field): string {
  return negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

function padNumber(sign: string, digits: string, field: Field, zeros: boolean): string {
  const { flags, width = 0 } = field;
  if (zeros && flags.includes('0') && !flags.includes('-')) return sign + digits.padStart(width - sign.length, '0');
  return pad(sign + digits, { ...field, flags: flags.replaceAll('0', '') });
}

function pad(printed: string, { flags, width }: Field): string {
  const missing = (width ?? 0) - Array.from(printed).length;
  if (missing <= 0) return printed;
  if (flags.includes('-')) return printed + ' '.repeat(missing);
  return (flags.includes('0') ? '0' : ' ').repeat(missing) + printed;
}
