/** What may stand before the first element: blanks, comments, processing instructions, a doctype (pure). Linear, whatever comes. */

export interface Prolog {
  /** offset of what follows */
  readonly end: number;
  /** as it stands, without an internal subset's content */
  readonly doctype?: string;
}

export function prologOf(text: string): Prolog {
  let at = 0;
  let doctype: string | undefined;
  const result = (): Prolog => ({ end: at, ...(doctype !== undefined && { doctype }) });
  for (;;) {
    while (at < text.length && /\s/.test(text.charAt(at))) at++;
    const before = at;
    if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) at = after(text, '>', at);
    else if (doctype === undefined && /^<!doctype/i.test(text.slice(at, at + 9))) {
      const close = text.indexOf('>', at);
      const subset = text.indexOf('[', at);
      if (close < 0) return result();
      // Browsers end a doctype at the first `>`; an SVG's own subset may hold some.
      doctype = text.slice(at, close + 1);
      at = subset >= 0 && subset < close ? after(text, ']', subset) : close + 1;
      if (subset >= 0 && subset < close) at = after(text, '>', at);
    }
    if (at === before) return result();
  }
}

function after(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? text.length : found + what.length;
}
