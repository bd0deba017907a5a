/** Follows JavaScript as far as escaping needs: strings, regular expressions, comments, and what a slash begins. */
import { wrong, type Context, type State, type Step } from './context.ts';

const BEFORE_REGEXP = new Set(
  'break case continue delete do else finally in instanceof return throw try typeof void'.split(' '),
);
const BEGINS: Readonly<Record<string, State>> = { '"': 'jsDouble', "'": 'jsSingle', '`': 'jsTemplate' };

export function followJs(context: Context, text: string): Step {
  const at = text.search(/["'`/]/);
  if (at < 0) return [{ ...context, slash: slashAfter(text, context.slash) }, text.length];
  const slash = slashAfter(text.slice(0, at), context.slash);
  const string = BEGINS[text.charAt(at)];
  if (string !== undefined) return [{ ...context, state: string, slash: 'regexp' }, at + 1];
  const next = text[at + 1];
  if (next === '/') return [{ ...context, slash, state: 'jsLineComment' }, at + 2];
  if (next === '*') return [{ ...context, slash, state: 'jsBlockComment' }, at + 2];
  if (slash === 'unknown') throw wrong('a / that could begin a division or a regular expression');
  return [slash === 'regexp' ? { ...context, slash, state: 'jsRegexp' } : { ...context, slash: 'regexp' }, at + 1];
}

/** What a slash behind `text` begins. */
export function slashAfter(text: string, before: Context['slash']): Context['slash'] {
  const end = /[^\t\n\f\r \u2028\u2029]/.test(text.slice(-1)) ? text : trimmed(text);
  if (end === '') return before;
  const last = end.charAt(end.length - 1);
  if (last === '+' || last === '-') {
    let first = end.length - 1;
    while (first > 0 && end[first - 1] === last) first--;
    // `++` and `--` end a value; a lone sign begins one.
    return (end.length - first) % 2 === 1 ? 'regexp' : 'division';
  }
  if (last === '.') return /\d\.$/.test(end.slice(-2)) ? 'division' : 'regexp';
  if (',<>=*%&|^?!~([:;{}'.includes(last)) return 'regexp';
  let start = end.length;
  while (start > 0 && /[\w$]/.test(end.charAt(start - 1))) start--;
  return BEFORE_REGEXP.has(end.slice(start)) ? 'regexp' : 'division';
}

function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && '\t\n\f\r \u2028\u2029'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

const SPECIAL: Readonly<Partial<Record<State, RegExp>>> = {
  jsDouble: /[\\"]/g,
  jsSingle: /[\\']/g,
  jsTemplate: /[\\`]/g,
  jsRegexp: /[\\/[\]]/g,
};

export function followJsLiteral(context: Context, text: string): Step {
  const special = new RegExp(SPECIAL[context.state] ?? /[\\"]/g);
  let inSet = false;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const [character] = found;
    if (character === '\\') {
      if (found.index + 1 === text.length) throw wrong('an unfinished escape in JavaScript');
      special.lastIndex = found.index + 2;
    } else if (character === '[') inSet = true;
    else if (character === ']') inSet = false;
    else if (!inSet) return [{ ...context, state: 'js', slash: 'division' }, found.index + 1];
  }
  // Whether a set still is open would have to be remembered.
  if (inSet) throw wrong('an unfinished character set of a regular expression');
  return [context, text.length];
}
