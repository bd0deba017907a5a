/** The one sanitizer for text that is shown, logged or printed: server text, file names, settings, claims of a token. */

/**
 * Characters that end a line, control a terminal, reorder or hide the text around them: all of Unicode's Cc and Cf (bidirectional
 * and zero-width characters included), line and paragraph separators, and the variation selectors that no emoji needs.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s\u{e0100}-\u{e01ef}]+/gu;

/** One line without control, bidirectional or invisible characters; each run of them becomes one space. Never cut. */
export function singleLine(text: string): string {
  return text.toWellFormed().replace(UNSAFE, ' ').trim();
}

/** As `singleLine`, of at most `max` characters; an ellipsis marks a cut. Redact secrets first: half a secret is not recognised. */
export function plainText(text: string, max = 120): string {
  // Cut before cleaning too: a field may be megabytes long.
  const clean = singleLine(text.slice(0, max * 4));
  const characters = Array.from(clean);
  const whole = characters.length <= max && text.length <= max * 4;
  return whole ? clean : `${characters.slice(0, max - 1).join('')}…`;
}

/** As `singleLine` for each line of a text of ours; indentation stays. */
export function plainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => `${/^ */.exec(line)?.[0] ?? ''}${singleLine(line)}`)
    .join('\n');
}
