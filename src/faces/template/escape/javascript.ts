/** Tracks the JavaScript context: strings, regular expressions, comments, and the meaning of a slash. */
import { createEscapeError, type Context, type ContextState, type Step } from './context.ts';

const BEFORE_REGEXP = new Set(
  'break case continue delete do else finally in instanceof return throw try typeof void'.split(' '),
);
const STRING_STATES: Readonly<Record<string, ContextState>> = { '"': 'jsDouble', "'": 'jsSingle', '`': 'jsTemplate' };

/**
 * Advances over JavaScript to the next string, regular expression or comment. Returns the new context and the number of
 * characters read. Throws TemplateError for a `/` of two meanings.
 */
export function followJs(context: Context, text: string): Step {
  const at = text.search(/["'`/]/);
  if (at < 0) return [{ ...context, slash: getSlashMeaning(text, context.slash) }, text.length];
  const slash = getSlashMeaning(text.slice(0, at), context.slash);
  const string = STRING_STATES[text.charAt(at)];
  if (string !== undefined) return [{ ...context, state: string, slash: 'regexp' }, at + 1];
  const next = text[at + 1];
  if (next === '/') return [{ ...context, slash, state: 'jsLineComment' }, at + 2];
  if (next === '*') return [{ ...context, slash, state: 'jsBlockComment' }, at + 2];
  if (slash === 'unknown') throw createEscapeError("'/' could start a division or regexp");
  return [slash === 'regexp' ? { ...context, slash, state: 'jsRegexp' } : { ...context, slash: 'regexp' }, at + 1];
}

/** Returns the meaning of a slash after `text`. */
function getSlashMeaning(text: string, before: Context['slash']): Context['slash'] {
  const end = /[^\t\n\f\r \u2028\u2029]/.test(text.slice(-1)) ? text : trimEnd(text);
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

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '\t\n\f\r \u2028\u2029'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

const SPECIAL: Readonly<Partial<Record<ContextState, RegExp>>> = {
  jsDouble: /[\\"]/g,
  jsSingle: /[\\']/g,
  jsTemplate: /[\\`]/g,
  jsRegexp: /[\\/[\]]/g,
};

/**
 * Advances over a string, template or regular expression. Returns the new context and the number of characters read.
 * Throws TemplateError for an unfinished escape.
 */
export function followJsLiteral(context: Context, text: string): Step {
  const special = new RegExp(SPECIAL[context.state] ?? /[\\"]/g);
  let inSet = false;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const [character] = found;
    if (character === '\\') {
      if (found.index + 1 === text.length) throw createEscapeError('unfinished escape sequence in JS string');
      special.lastIndex = found.index + 2;
    } else if (character === '[') inSet = true;
    else if (character === ']') inSet = false;
    else if (!inSet) return [{ ...context, state: 'js', slash: 'division' }, found.index + 1];
  }
  // Whether a character class is still open would have to be stored.
  if (inSet) throw createEscapeError('unfinished JS regexp charset');
  return [context, text.length];
}
