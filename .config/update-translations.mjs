// What changed English texts do to their translations.

/**
 * @typedef {object} English The English texts.
 * @property {Record<string, readonly string[]>} messages keys of the messages of each source file
 * @property {Record<string, string>} titles package.nls.json
 */
/** @typedef {Readonly<Record<string, string>>} Texts */

const MIN_SIMILARITY = 0.4;

/**
 * Returns the keys whose text changed, with the key of the new text. In package.nls.json a key stays the same; a message
 * became another one if both are in one source file, and are the only ones that changed there or the most similar ones.
 * @param {English} before
 * @param {English} after
 * @returns {ReadonlyMap<string, string>}
 */
export function findReplacements(before, after) {
  const changedTitles = Object.keys(after.titles).filter(
    (key) => (before.titles[key] ?? after.titles[key]) !== after.titles[key],
  );
  const replacements = new Map(changedTitles.map((key) => [key, key]));
  const known = new Set(Object.values(before.messages).flat());
  const current = new Set(Object.values(after.messages).flat());
  const added = [...current].filter((key) => !known.has(key));
  for (const [file, keys] of Object.entries(before.messages)) {
    const vanished = keys.filter((key) => !current.has(key));
    // The messages of a file that was renamed or split are looked for everywhere.
    const appeared = after.messages[file]?.filter((key) => !known.has(key)) ?? added;
    for (const [from, to] of pairTexts(vanished, appeared)) if (!replacements.has(from)) replacements.set(from, to);
  }
  return replacements;
}

/**
 * Pairs old texts with new ones, the most similar first.
 * @param {readonly string[]} vanished
 * @param {readonly string[]} appeared
 * @returns {ReadonlyMap<string, string>}
 */
function pairTexts(vanished, appeared) {
  const isOnlyChange = vanished.length === 1 && appeared.length === 1;
  const candidates = vanished
    .flatMap((from) => appeared.map((to) => ({ from, to, similarity: compareWords(from, to) })))
    .filter(({ similarity }) => isOnlyChange || similarity >= MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity);
  /** @type {Map<string, string>} */
  const pairs = new Map();
  const used = new Set();
  for (const { from, to } of candidates) {
    if (pairs.has(from) || used.has(to)) continue;
    pairs.set(from, to);
    used.add(to);
  }
  return pairs;
}

/**
 * Returns the share of words that two texts have in common, from 0 to 1.
 * @param {string} a
 * @param {string} b
 */
function compareWords(a, b) {
  const [first, second] = [a, b].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu)));
  if (first === undefined || second === undefined || first.size + second.size === 0) return 0;
  return (2 * [...first].filter((word) => second.has(word)).length) / (first.size + second.size);
}

/**
 * Returns a file of translations as it must be: a translation of a text that changed is outdated, under the key of the new
 * text; one of a text that no longer exists is removed.
 * @param {{ translations: Texts, outdated: Texts }} file
 * @param {readonly string[]} keys of the English texts, in their order
 * @param {ReadonlyMap<string, string>} replacements
 */
export function updateTranslations({ translations, outdated }, keys, replacements) {
  const existing = new Set(keys);
  const current = new Map(Object.entries(translations).filter(([key]) => existing.has(key) && !replacements.has(key)));
  /** @type {Map<string, string>} */
  const old = new Map();
  /** @type {[string, string][]} */
  const removed = [];
  for (const [key, text] of [...Object.entries(translations), ...Object.entries(outdated)]) {
    const target = replacements.get(key) ?? key;
    if (!existing.has(target)) removed.push([key, text]);
    else if (!current.has(target) && !old.has(target)) old.set(target, text);
  }
  /** @type {(texts: ReadonlyMap<string, string>) => Record<string, string>} */
  const inOrder = (texts) =>
    Object.fromEntries(
      keys.flatMap((key) => {
        const text = texts.get(key);
        return text === undefined ? [] : [[key, text]];
      }),
    );
  return {
    translations: inOrder(current),
    outdated: inOrder(old),
    removed,
    missing: keys.filter((key) => !current.has(key)),
  };
}
