const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'áƀçđéƒğĥíĵķľɱñóþʠŕšťúṽŵẋýžÁƁÇĐÉƑĞĤÍĴĶĽϺÑÓÞɊŔŠŤÚṼŴẊÝŽ';
const accents = new Map(Array.from(LETTERS, (letter, index) => [letter, Array.from(ACCENTED)[index] ?? letter]));
/** What is not text: placeholders, icons, links to commands and settings, code. */
const SYNTAX = /\{\w+\}|\$\([\w~-]+\)|\]\([^)]*\)|`[^`]*`/;

/**
 * Translates messages into a pseudo-language: accented letters, a third longer, in brackets.
 * @param {Record<string, string>} messages
 * @returns {Record<string, string>}
 */
export function pseudoLocalize(messages) {
  return Object.fromEntries(
    Object.entries(messages).map(([key, message]) => [key, message.split('|').map(translate).join('|')]),
  );
}

/** @type {(text: string) => string} */
function translate(text) {
  const parts = text.split(new RegExp(`(${SYNTAX.source})`));
  const accented = parts.map((part, index) =>
    index % 2 === 1 ? part : Array.from(part, (letter) => accents.get(letter) ?? letter).join(''),
  );
  return `[${accented.join('')}${' ~'.repeat(Math.ceil(text.length / 6))}]`;
}
