interface Prolog {
  /** offset of what follows */
  readonly end: number;
  /** source of the doctype, without the content of an internal subset */
  readonly doctype?: string;
}

/** Finds the end of what may precede the first element: spaces, comments, processing instructions, a doctype. Linear. */
export function parseProlog(text: string): Prolog {
  let at = 0;
  let doctype: string | undefined;
  const result = (): Prolog => ({ end: at, ...(doctype !== undefined && { doctype }) });
  for (;;) {
    while (at < text.length && /\s/.test(text.charAt(at))) at++;
    const start = at;
    if (text.startsWith('<!--', at)) at = skipPast(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) at = skipPast(text, '>', at);
    else if (doctype === undefined && /^<!doctype/i.test(text.slice(at, at + 9))) {
      const close = text.indexOf('>', at);
      const subset = text.indexOf('[', at);
      if (close < 0) return result();
      // Browsers end a doctype at the first `>`; the internal subset of an SVG can contain some.
      doctype = text.slice(at, close + 1);
      at = subset >= 0 && subset < close ? skipPast(text, ']', subset) : close + 1;
      if (subset >= 0 && subset < close) at = skipPast(text, '>', at);
    }
    if (at === start) return result();
  }
}

function skipPast(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? text.length : found + what.length;
}
