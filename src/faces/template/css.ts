/** Follows CSS as far as escaping needs: strings, URLs, comments; and decodes its escapes. */
import { followUrl, wrong, type Context, type State, type Step } from './context.ts';

export function followCss(context: Context, text: string): Step {
  const special = /[("'/]/g;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const at = found.index;
    const to = (state: State, read: number): Step => [{ ...context, state }, read];
    const [character] = found;
    if (character === '"') return to('cssDouble', at + 1);
    if (character === "'") return to('cssSingle', at + 1);
    if (character === '/') {
      if (text[at + 1] === '/') return to('cssLineComment', at + 2);
      if (text[at + 1] === '*') return to('cssBlockComment', at + 2);
    } else if (/(?<![\w\u0080-\uffff-])url[\t\n\f\r ]{0,99}$/i.test(text.slice(Math.max(0, at - 120), at))) {
      let inside = at + 1;
      while (inside < text.length && '\t\n\f\r '.includes(text.charAt(inside))) inside++;
      if (text[inside] === '"') return to('cssDoubleUrl', inside + 1);
      if (text[inside] === "'") return to('cssSingleUrl', inside + 1);
      return to('cssUrl', inside);
    }
  }
  return [context, text.length];
}

export function followCssString(context: Context, text: string): Step {
  const end = context.state.startsWith('cssDouble')
    ? /[\\"]/g
    : context.state.startsWith('cssSingle')
      ? /[\\']/g
      : /[\\\t\n\f\r )]/g;
  let inside = context;
  let from = 0;
  for (let found = end.exec(text); found !== null; found = end.exec(text)) {
    if (found[0] !== '\\') return [{ ...inside, state: 'css' }, found.index + 1];
    if (found.index + 1 === text.length) throw wrong('an unfinished escape in CSS');
    inside = followUrl(inside, decodeCss(text.slice(from, found.index + 2)));
    from = end.lastIndex = found.index + 2;
  }
  return [followUrl(inside, decodeCss(text.slice(from))), text.length];
}

/** `\26 x` → `&x` */
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
