/** Pure: a server's words made harmless to show: one line, no control or reordering characters, cut to a length. */

// Control characters, and those that reorder, hide or break the text around them.
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/** At most `most` characters; an ellipsis tells that there was more. */
export function plain(text: string, most = 120): string {
  // Cut before cleaning too: a field may be megabytes long.
  const clean = text
    .slice(0, most * 4)
    .toWellFormed()
    .replace(UNSAFE, ' ')
    .trim();
  const characters = Array.from(clean);
  const whole = characters.length <= most && text.length <= most * 4;
  return whole ? clean : `${characters.slice(0, most - 1).join('')}…`;
}
