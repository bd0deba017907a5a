/** The sanitizer for all untrusted text that is displayed, logged or printed: server text, file names, settings, token claims. */

/**
 * Characters that end a line, control a terminal, or reorder or hide text: Unicode categories Cc and Cf (with bidirectional and
 * zero-width characters), line and paragraph separators, and the variation selectors that emoji do not use.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s\u{e0100}-\u{e01ef}]+/gu;

/** The text as one line: each run of control, bidirectional or invisible characters becomes one space. Never cut. */
export function toSingleLine(text: string): string {
  return text.toWellFormed().replace(UNSAFE, ' ').trim();
}

/** As `toSingleLine`, cut to `max` characters with an ellipsis. Redact secrets first: a cut secret is not recognised. */
export function toPlainText(text: string, max = 120): string {
  // Cut before cleaning: a field may be megabytes long.
  const clean = toSingleLine(text.slice(0, max * 4));
  const characters = Array.from(clean);
  const fits = characters.length <= max && text.length <= max * 4;
  return fits ? clean : `${characters.slice(0, max - 1).join('')}…`;
}

/** Applies `toSingleLine` to each line and keeps the indentation. */
export function toPlainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => `${/^ */.exec(line)?.[0] ?? ''}${toSingleLine(line)}`)
    .join('\n');
}
