/** The sanitizer for all untrusted text that is displayed, logged or printed: server text, file names, settings, token claims. */

/**
 * Characters that end a line, control a terminal, or reorder or hide text: control and format characters, line and
 * paragraph separators, and all that Unicode lets a font ignore. Emoji stay whole: those that are joined, and one
 * variation selector.
 */
export const UNSAFE =
  /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u200d\ufe0e\ufe0f]]|\u200d(?<!(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?\u200d)|\u200d(?!\p{Extended_Pictographic})|[\ufe0e\ufe0f](?<!\p{Emoji}[\ufe0e\ufe0f])/gv;
const UNSAFE_OR_SPACE = new RegExp(`(?:\\s|${UNSAFE.source})+`, 'gv');

/** The text as one line: each run of control, bidirectional or invisible characters becomes one space. Never cut. */
export function toSingleLine(text: string): string {
  return text.toWellFormed().replace(UNSAFE_OR_SPACE, ' ').trim();
}

/** As `toSingleLine`, for a reader that is not a person: what is invisible is shown as `\u{200b}`. */
export function showInvisible(text: string): string {
  const visible = text.replace(UNSAFE, (character) =>
    /[\p{Cc}\p{Zl}\p{Zp}]/u.test(character) ? ' ' : `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
  return toSingleLine(visible);
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
    .map((line) => `${/^[ \t]*/.exec(line)?.[0] ?? ''}${toSingleLine(line)}`)
    .join('\n');
}
