/** Pure: the words of a text that could be ids: what stands between quotes, spaces and punctuation, and parts of it. */

export interface Token {
  readonly start: number;
  /** exclusive */
  readonly end: number;
  readonly text: string;
}

export const SHORTEST_ID = 4;
export const LONGEST_ID = 256;

/** From wide to narrow: in `OWNER=did:key:z6.json` the id may be all of it, or a part. */
const WORDS = [/[\w\-.:+=@~%]+/g, /[\w\-.:~]+/g, /[\w\-:]+/g, /[\w-]+/g, /[A-Za-z0-9]+/g] as const;
/** A line longer than this is no code that a person reads. */
const LONGEST_RUN = 4096;

/** Every known id in a text: of two that overlap the longer one, from left to right. */
export function knownTokens(text: string, isKnown: (id: string) => boolean): readonly Token[] {
  return matches(text, 0, 0, isKnown);
}

/** The known id at an offset of the text, if any: the longest. */
export function knownTokenAt(text: string, offset: number, isKnown: (id: string) => boolean): Token | undefined {
  return knownTokens(text, isKnown).find(({ start, end }) => start <= offset && offset <= end);
}

/** What looks like an id at an offset, known or not. */
export function idLikeAt(text: string, offset: number): Token | undefined {
  for (const { start, end, text: word } of words(text, /[\w-]+/g, 0)) {
    if (start <= offset && offset <= end)
      return ID_SHAPES.some((shape) => shape.test(word)) ? { start, end, text: word } : undefined;
  }
  return undefined;
}

// UUID, ULID, 24 hexadecimal digits, and a short prefix before a long random rest.
const ID_SHAPES = [
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  /^[0-7][\dA-HJKMNP-TV-Z]{25}$/,
  /^[\da-f]{24}$/i,
  /^[a-z]{2,8}_(?=\w*\d)[\dA-Za-z]{12,64}$/,
];

function matches(text: string, base: number, level: number, isKnown: (id: string) => boolean): readonly Token[] {
  const pattern = WORDS[level];
  if (pattern === undefined) return [];
  return words(text, pattern, base).flatMap((token) => {
    if (token.text.length > LONGEST_RUN) return [];
    const whole = trimmed(token);
    if (isPossible(whole.text) && isKnown(whole.text)) return [whole];
    return matches(token.text, token.start, level + 1, isKnown);
  });
}

function isPossible(word: string): boolean {
  return word.length >= SHORTEST_ID && word.length <= LONGEST_ID;
}

/** A full stop or colon after an id belongs to the sentence. */
function trimmed({ start, text }: Token): Token {
  const rest = text.replace(/(?<![.:=])[.:=]+$/, '');
  const before = rest.length - rest.replace(/^[.:=]+/, '').length;
  return { start: start + before, end: start + rest.length, text: rest.slice(before) };
}

function words(text: string, pattern: RegExp, base: number): Token[] {
  return [...text.matchAll(pattern)].map(({ 0: word, index }) => ({
    start: base + index,
    end: base + index + word.length,
    text: word,
  }));
}
