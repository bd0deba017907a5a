/** Splits text into words that may be ids. */

export interface Token {
  readonly start: number;
  /** exclusive */
  readonly end: number;
  readonly text: string;
}

const MIN_ID_LENGTH = 4;
const MAX_ID_LENGTH = 256;

/** From wide to narrow: in `OWNER=did:key:z6.json` the id may be any part. */
const WORD_PATTERNS = [/[\w\-.:+=@~%]+/g, /[\w\-.:~]+/g, /[\w\-:]+/g, /[\w-]+/g, /[A-Za-z0-9]+/g] as const;
/** Longer words are data, not code. */
const MAX_WORD_LENGTH = 4096;

/** Finds all known ids from left to right; of two that overlap, the longer one. */
export function findKnownTokens(text: string, isKnown: (id: string) => boolean): readonly Token[] {
  return findMatches(text, 0, 0, isKnown);
}

/** Finds the longest known id at an offset. */
export function findKnownTokenAt(text: string, offset: number, isKnown: (id: string) => boolean): Token | undefined {
  return findKnownTokens(text, isKnown).find(({ start, end }) => start <= offset && offset <= end);
}

/** Finds a word at an offset that has the shape of an id, known or not. */
export function findIdLikeAt(text: string, offset: number): Token | undefined {
  for (const { start, end, text: word } of splitTokens(text, /[\w-]+/g, 0)) {
    if (start <= offset && offset <= end) return hasIdShape(word) ? { start, end, text: word } : undefined;
  }
  return undefined;
}

/** True for a text that is nothing but an id, by its shape; also for the ids of accounts. */
export function isIdLike(text: string): boolean {
  return text.length <= MAX_ID_LENGTH && (hasIdShape(text) || /^(?:0x[\da-f]{16,}|did:\w+:\S+)$/i.test(text));
}

function hasIdShape(word: string): boolean {
  return ID_SHAPES.some((shape) => shape.test(word));
}

/** An account or contract on a chain. */
const ADDRESS_SHAPE = /^0x[\da-f]{40}$/i;

/** True for the address of an account, by its shape. */
export function isAddress(text: string): boolean {
  return ADDRESS_SHAPE.test(text);
}

// UUID, ULID, 24 hexadecimal digits, a short prefix before a long random rest, and an address.
const ID_SHAPES = [
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  /^[0-7][\dA-HJKMNP-TV-Z]{25}$/,
  /^[\da-f]{24}$/i,
  /^[a-z]{2,8}_(?=\w*\d)[\dA-Za-z]{12,64}$/,
  ADDRESS_SHAPE,
];

function findMatches(text: string, base: number, level: number, isKnown: (id: string) => boolean): readonly Token[] {
  const pattern = WORD_PATTERNS[level];
  if (pattern === undefined) return [];
  return splitTokens(text, pattern, base).flatMap((token) => {
    if (token.text.length > MAX_WORD_LENGTH) return [];
    const trimmedToken = trimToken(token);
    if (hasIdLength(trimmedToken.text) && isKnown(trimmedToken.text)) return [trimmedToken];
    return findMatches(token.text, token.start, level + 1, isKnown);
  });
}

function hasIdLength(word: string): boolean {
  return word.length >= MIN_ID_LENGTH && word.length <= MAX_ID_LENGTH;
}

/** Removes punctuation around an id. */
function trimToken({ start, text }: Token): Token {
  const rest = text.replace(/(?<![.:=])[.:=]+$/, '');
  const before = rest.length - rest.replace(/^[.:=]+/, '').length;
  return { start: start + before, end: start + rest.length, text: rest.slice(before) };
}

function splitTokens(text: string, pattern: RegExp, base: number): Token[] {
  return [...text.matchAll(pattern)].map(({ 0: word, index }) => ({
    start: base + index,
    end: base + index + word.length,
    text: word,
  }));
}
