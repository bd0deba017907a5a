/** Tracks the CSS context: strings, URLs, comments; and decodes CSS escapes. */
import { followUrl, createEscapeError, type Context, type ContextState, type Step } from './context.ts';

/** Advances over CSS to the next string, URL or comment. Returns the new context and the number of characters read. */
export function followCss(context: Context, text: string): Step {
  const special = /[("'/]/g;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const at = found.index;
    const enterState = (state: ContextState, read: number): Step => [{ ...context, state }, read];
    const [character] = found;
    if (character === '"') return enterState('cssDouble', at + 1);
    if (character === "'") return enterState('cssSingle', at + 1);
    if (character === '/') {
      if (text[at + 1] === '/') return enterState('cssLineComment', at + 2);
      if (text[at + 1] === '*') return enterState('cssBlockComment', at + 2);
    } else if (/(?<![\w\u0080-\uffff-])url[\t\n\f\r ]{0,99}$/i.test(text.slice(Math.max(0, at - 120), at))) {
      let urlStart = at + 1;
      while (urlStart < text.length && '\t\n\f\r '.includes(text.charAt(urlStart))) urlStart++;
      if (text[urlStart] === '"') return enterState('cssDoubleUrl', urlStart + 1);
      if (text[urlStart] === "'") return enterState('cssSingleUrl', urlStart + 1);
      return enterState('cssUrl', urlStart);
    }
  }
  return [context, text.length];
}

/**
 * Advances over a string or URL in CSS. Returns the new context and the number of characters read. Throws TemplateError
 * for an unfinished escape.
 */
export function followCssString(context: Context, text: string): Step {
  const end = context.state.startsWith('cssDouble')
    ? /[\\"]/g
    : context.state.startsWith('cssSingle')
      ? /[\\']/g
      : /[\\\t\n\f\r )]/g;
  let current = context;
  let from = 0;
  for (let found = end.exec(text); found !== null; found = end.exec(text)) {
    if (found[0] !== '\\') return [{ ...current, state: 'css' }, found.index + 1];
    if (found.index + 1 === text.length) throw createEscapeError('unfinished escape sequence in CSS string');
    current = followUrl(current, decodeCss(text.slice(from, found.index + 2)));
    from = end.lastIndex = found.index + 2;
  }
  return [followUrl(current, decodeCss(text.slice(from))), text.length];
}

/** Decodes CSS escapes: `\26 x` → `&x`. */
export function decodeCss(text: string): string {
  return text.replace(
    /\\(?:([\da-fA-F]{1,6})(?:\r\n|[\t\n\f\r ])?|([\s\S]))/g,
    (_whole, hex: string | undefined, other: string) => {
      if (hex === undefined) return other;
      const code = parseInt(hex, 16);
      return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
    },
  );
}
