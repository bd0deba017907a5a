/** Splits a Go template into text and the tokens between `{{` and `}}`, with trim markers and comments applied. */
import { TemplateError } from '../nodes.ts';

export type TokenType =
  | 'text'
  | 'open' // {{
  | 'close' // }}
  | 'space'
  | 'field' // .name
  | 'dot'
  | 'variable' // $name
  | 'word' // identifier, keyword, true, false, nil
  | 'number'
  | 'char'
  | 'string'
  | 'declare' // :=
  | 'assign' // =
  | 'pipe'
  | 'comma'
  | 'left' // (
  | 'right' // )
  | 'end';

export interface Token {
  readonly type: TokenType;
  /** source of the token; of text, after trimming */
  readonly text: string;
  readonly at: number;
  /** offset after the token */
  readonly end: number;
}

const NAME = String.raw`[\p{L}\p{Nd}_]`;
const RULES: readonly (readonly [TokenType, RegExp])[] = [
  ['space', /[ \t\r\n]+/y],
  // Numbers come before fields and dots: `.5` is a number, `.5x` is not.
  ['number', new RegExp(String.raw`(?:[+-]?\.?\d|[+-]\.?\d)(?:${NAME}|\.|(?<=[eEpP])[+-])*`, 'uy')],
  ['field', new RegExp(String.raw`\.${NAME}+`, 'uy')],
  ['dot', /\./y],
  ['variable', new RegExp(String.raw`\$${NAME}*`, 'uy')],
  ['word', new RegExp(`${NAME}+`, 'uy')],
  ['string', /"(?:[^"\\\n]|\\[^\n])*"|`[^`]*`/y],
  ['char', /'(?:[^'\\\n]|\\[^\n])+'/y],
  ['declare', /:=/y],
  ['assign', /=/y],
  ['pipe', /\|/y],
  ['comma', /,/y],
  ['left', /\(/y],
  ['right', /\)/y],
];
/** Characters that may follow a name directly. */
const AFTER_NAME = /[ \t\r\n.,|:)(]|\}\}|$/y;
const NAMED = new Set<TokenType>(['field', 'variable', 'word']);
const CLOSE = /\}\}|[ \t\r\n]-\}\}/y;
const LEADING = /^[ \t\r\n]+/;

function match(rule: RegExp, source: string, at: number): string | undefined {
  rule.lastIndex = at;
  return rule.exec(source)?.[0];
}

/** Returns all tokens, the last one `end`. Throws TemplateError of phase `parse`. */
export function lex(source: string): readonly Token[] {
  const tokens: Token[] = [];
  const push = (type: TokenType, at: number, end: number, text = source.slice(at, end)): void => {
    tokens.push({ type, text, at, end });
  };
  let at = 0;
  let trimNext = false;
  for (;;) {
    const open = source.indexOf('{{', at);
    const stop = open < 0 ? source.length : open;
    const trimThis = open >= 0 && /^-[ \t\r\n]/.test(source.slice(open + 2, open + 4));
    let text = source.slice(at, stop);
    if (trimNext) text = text.replace(LEADING, '');
    if (trimThis) text = trimEnd(text);
    if (text !== '') push('text', at, stop, text);
    if (open < 0) break;
    const actionStart = open + (trimThis ? 3 : 2);
    const comment = commentAt(source, actionStart, trimThis);
    if (comment !== undefined) {
      ({ at, trimNext } = comment);
      continue;
    }
    push('open', open, actionStart);
    ({ at, trimNext } = lexAction(source, actionStart, open, push));
  }
  push('end', source.length, source.length);
  return tokens;
}

interface Resume {
  readonly at: number;
  readonly trimNext: boolean;
}

/** `replace(/\s+$/)` takes quadratic time on long runs of spaces inside the text. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

function commentAt(source: string, actionStart: number, trimmed: boolean): Resume | undefined {
  const start = trimmed ? actionStart + 1 : actionStart;
  if (!source.startsWith('/*', start)) return undefined;
  const stop = source.indexOf('*/', start + 2);
  if (stop < 0) throw new TemplateError('parse', 'unclosed comment', start);
  const close = match(CLOSE, source, stop + 2);
  if (close === undefined) throw new TemplateError('parse', 'comment ends before closing delimiter', start);
  return { at: stop + 2 + close.length, trimNext: close.length > 2 };
}

function lexAction(
  source: string,
  actionStart: number,
  open: number,
  push: (type: TokenType, at: number, end: number) => void,
): Resume {
  let at = actionStart;
  let depth = 0;
  for (;;) {
    const close = match(CLOSE, source, at);
    if (close !== undefined) {
      if (depth > 0) throw new TemplateError('parse', 'unclosed left paren', at);
      push('close', at, at + close.length);
      return { at: at + close.length, trimNext: close.length > 2 };
    }
    if (at >= source.length) throw new TemplateError('parse', 'unclosed action', open);
    const [type, text] = nextToken(source, at);
    // The space before `-}}` belongs to the trim marker.
    const space = type === 'space' && source.startsWith('-}}', at + text.length) ? text.length - 1 : text.length;
    if (type === 'left') depth++;
    if (type === 'right' && --depth < 0) throw new TemplateError('parse', 'unexpected right paren', at);
    if (space > 0) push(type, at, at + space);
    at += space;
    if (NAMED.has(type) && match(AFTER_NAME, source, at) === undefined)
      throw new TemplateError('parse', `bad character ${JSON.stringify(source.charAt(at))} after a name`, at);
  }
}

function nextToken(source: string, at: number): readonly [TokenType, string] {
  for (const [type, rule] of RULES) {
    const text = match(rule, source, at);
    if (text !== undefined) return [type, text];
  }
  const found = source.charAt(at);
  if (found === '"' || found === '`') throw new TemplateError('parse', 'unterminated quoted string', at);
  if (found === "'") throw new TemplateError('parse', 'unterminated character constant', at);
  throw new TemplateError('parse', `unrecognized character in action: ${JSON.stringify(found)}`, at);
}
